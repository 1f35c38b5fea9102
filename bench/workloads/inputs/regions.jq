[.["3166-2"][] | . + {country: (.code | split("-")[0]), parts: (.name | split(" "))}]
| group_by(.country)
| map({country: .[0].country, regions: (map({(.code): (.name + " (" + .type + ")")}) | add), kinds: (map(.type) | unique), long: map(select(.parts | length > 3) | .name)})
| (.[] | tojson), (map(.regions | to_entries) | flatten | map(.value | test("^[A-M].*[aeiou]n? \\(")) | map(select(.)) | length), (tostream | select(length == 2) | .[1] | tostring | length) 
