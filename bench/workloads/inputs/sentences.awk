# Prints the plain sentences of 5 to 14 words in a text, one a line, at most `most`: what a parser of English can be given.
/^$/ { finish() }
/^[^ =<]/ { text = text " " $0 }
function finish(    n, i, sentences) {
    n = split(text, sentences, /[.?!] +/)
    for (i = 1; i < n && printed < most; i++) {
        sub(/^ +/, "", sentences[i])
        if (sentences[i] ~ /^[A-Z][a-z]*( [a-z]+,?)+$/ && split(sentences[i], _, " ") ~ /^([5-9]|1[0-4])$/) {
            print sentences[i] "."
            printed++
        }
    }
    text = ""
}
END { finish() }
