# Regions by their country, each country as a line of JSON; then how many regions there are of each type, and the paths
# to all that is said.
[.["3166-2"][] | . + {country: (.code | split("-")[0]), parts: (.name | split(" "))}] as $all
| ($all | group_by(.country)
    | map({country: .[0].country, regions: (map({(.code): "\(.name) (\(.type))"}) | add), kinds: (map(.type) | unique),
           long: map(select(.parts | length > 3) | .name)})
    | .[] | tojson),
  ($all | group_by(.type) | map({(.[0].type): length}) | add),
  ($all | map(.name | gsub("[^A-Za-z]+"; " ") | ascii_upcase) | unique | length),
  ([$all | paths(strings) | map(tostring) | join("/")] | length)
