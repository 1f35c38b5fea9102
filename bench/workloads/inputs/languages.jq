# Languages by their type, by the words in their names, and by how their codes begin.
[.["639-3"][] | {code: .alpha_3, name, type, words: (.name | ascii_downcase | [scan("[a-z]+")])}] as $all
| ($all | group_by(.type) | map({type: .[0].type, count: length, longest: max_by(.name | length).name})),
  ([$all[] | .words[]] | group_by(.) | map({word: .[0], uses: length}) | sort_by(-.uses) | .[:50]),
  ([$all[] | {code, word: .words[]}] | group_by(.word) | map(select(length > 5) | {(.[0].word): map(.code)}) | add),
  ($all | group_by(.code[0:2]) | map({(.[0].code[0:2]): map(.name) | join(", ")}) | add)
