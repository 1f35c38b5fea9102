# What the table of derived properties says of each character: which properties it has, and which sets of them occur.
BEGIN { FS = "[ ;#]+" }
/^[0-9A-F]/ {
    ends = split($1, range, /\.\./)
    first = strtonum("0x" range[1])
    last = strtonum("0x" range[ends])
    for (code = first; code <= last; code++) properties[sprintf("%05X", code)] = properties[sprintf("%05X", code)] "," $2
}
END {
    for (code in properties) {
        sets[substr(properties[code], 2)]++
        characters++
    }
    PROCINFO["sorted_in"] = "@val_num_desc"
    for (set in sets) if (sets[set] > 100) print sets[set], set
    print characters, "characters"
}
