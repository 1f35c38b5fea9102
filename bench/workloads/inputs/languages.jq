[.["639-3"][] | {code: .alpha_3, name, type, words: (.name | ascii_downcase | [scan("[a-z]+")])}] as $all
| ($all | group_by(.type) | map({type: .[0].type, count: length, longest: (max_by(.name | length).name)})),
  ([$all[] | .words[]] | group_by(.) | map({word: .[0], uses: length}) | sort_by(-.uses) | .[:50]),
  ($all | group_by(.code[0:2]) | map({(.[0].code[0:2]): map(.name) | join(", ")}) | add)
