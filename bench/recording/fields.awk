# Splits lines it makes up, counts their words and joins them again: gawk allocates for every string and array element.
BEGIN {
    state = 1
    for (line = 1; line <= 250000; line++) {
        text = ""
        for (word = 0; word < 8; word++) {
            state = (state * 16807) % 2147483647
            text = text "w" state % 50021 " "
        }
        n = split(text, words, " ")
        for (i = 1; i <= n; i++) {
            count[words[i]]++
            last[words[i]] = substr(text, 1, 20 + line % 60)
        }
        if (line % 50000 == 0) delete last
    }
    for (word in count) total += count[word]
    print length(count), "words,", total, "uses"
}
