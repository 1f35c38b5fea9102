# Groups words by their letters and prints the largest groups: many short strings and arrays.
{
    word = tolower($0)
    gsub(/[^a-z]/, "", word)
    n = split(word, letters, "")
    asort(letters)
    key = ""
    for (i = 1; i <= n; i++) key = key letters[i]
    if (!((key, word) in seen)) {
        seen[key, word]
        group[key] = group[key] " " word
        size[key]++
    }
}
END {
    for (key in size) if (size[key] > 5) found[++groups] = sprintf("%3d%s", size[key], group[key])
    asort(found)
    for (i = groups; i > 0; i--) print found[i]
}
