#!/bin/bash
# Runs a real program without and with a drop-in: output, errors, exit status and written files must be the same.
#   real_program.sh NAME LIBRARY        exit status 77: the program is not on this machine
# shellcheck disable=SC2317,SC2094  # the scenarios are called by their name; they only read what they wrote
set -u
name=$1 library=$2
need() {
  for program; do
    command -v "$program" >/dev/null || { echo "not on this machine: $program" >&2; exit 77; }
  done
}

# Each scenario runs in an empty folder of its own, and prints all that it did.
lines() { seq 1 20000 | awk '{print ($1 * 7919) % 20011, "line", $1}'; }

scenario_bash() {
  bash -c 'declare -A a; for i in {1..3000}; do a[key$i]="$i $(( i * i ))"; done
           for k in "${!a[@]}"; do echo "$k=${a[$k]}"; done | sort | sha256sum
           s=; for i in {1..2000}; do s+="piece $i "; done; echo "${#s} ${s//piece/part}" | sha256sum
           f() { local x=$1; (( x > 0 )) && f $(( x - 1 )); echo $x; }; f 200 | tail -1; $(exit 3); echo $?'
}
scenario_coreutils() {
  lines >lines && sort -n lines | sha256sum && sort -k3,3n -u lines | tail -3 && sha256sum lines &&
    shuf --random-source=lines lines | head -100 | sha256sum && ls -la --time-style=+ lines && wc lines &&
    cut -d' ' -f1 lines | uniq | nl | tail -2 && tsort <(lines | head -500 | cut -d' ' -f1,3) | sha256sum &&
    split -l 5000 lines part && cat part* | cmp - lines && od -c lines | head -200 | md5sum && factor 600851475143
}
scenario_git() {
  export HOME=$PWD GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_DATE='2001-02-03T04:05:06Z' GIT_COMMITTER_DATE='2001-02-03T04:05:06Z'
  export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@a GIT_COMMITTER_NAME=c GIT_COMMITTER_EMAIL=c@c
  git init -q -b main repository && cd repository || return
  for i in 1 2 3 4 5; do
    lines | awk -v i="$i" '$1 % i == 0' >"file$i" && git add . && git commit -q -m "commit $i" || return
  done
  git log --stat && git gc -q && git fsck --full && git diff HEAD~3 | sha256sum && git blame file3 | sha256sum &&
    git checkout -q -b other HEAD~2 && git merge -q main && git rev-parse HEAD && git grep -c 'line 1' | cat
}
scenario_perl() {
  perl -e 'my %h; for my $i (1..50000) { $h{"k".($i*7919%50021)} .= "v$i,"; delete $h{"k".($i*31%50021)} if $i % 3 == 0 }
           print scalar(keys %h), "\n"; my $s = join "|", map { "$_=$h{$_}" } sort keys %h; print length $s, "\n";
           my @f = sort { $a <=> $b } map { my $x = $_; sub { $x * 2 }->() } 1..10000; print "$f[-1]\n";
           $s =~ s/(v\d+),/<$1>/g; print unpack("%32C*", $s), "\n"; local $SIG{ALRM} = sub {}; fork ? wait : exit 0;
           eval { my $t = "x" x 10_000_000; die "big\n" }; print $@'
}
scenario_python() {
  PYTHONMALLOC=malloc PYTHONHASHSEED=0 /usr/bin/python3 -I -X utf8 -c '
import json, re, hashlib, threading, subprocess, sys
data = {str(i): [i, {"x": "y" * (i % 50)}] for i in range(20000)}
text = json.dumps(data, sort_keys=True)
print(hashlib.sha256(text.encode()).hexdigest(), len(json.loads(text)))
print(len(re.findall(r"y+", text)), sum(len(str(7 ** i)) for i in range(500)))
results = []
threads = [threading.Thread(target=lambda n: results.append(sum(len(str(k) * 3) for k in range(n))), args=(20000,)) for _ in range(4)]
[t.start() for t in threads]; [t.join() for t in threads]; print(results)
print(subprocess.run([sys.executable, "-I", "-c", "print(sum(range(10)))"], capture_output=True, text=True).stdout)
try:
    bytearray(1 << 60)
except MemoryError:
    print("MemoryError")'
}
scenario_gxx() {
  cat >program.cpp <<'CODE'
#include <algorithm>
#include <map>
#include <string>
#include <vector>
int main() {
  std::map<std::string, std::vector<int>> m;
  for (int i = 0; i < 100; ++i) m[std::to_string(i % 7)].push_back(i);
  return static_cast<int>(std::count_if(m.begin(), m.end(), [](auto& e) { return e.first < "4"; }));
}
CODE
  g++ -std=c++17 -O1 -c program.cpp -o program.o && sha256sum program.o && g++ program.o -o program && ./program
  echo $?
}
scenario_sqlite() {
  sqlite3 base.db "create table t(id integer primary key, k text, v real);
    with recursive n(i) as (select 1 union all select i+1 from n where i < 20000)
      insert into t select i, printf('key%05d', i * 7919 % 20011), i / 3.0 from n;
    create index tk on t(k); select count(*), round(sum(v), 3) from t where k > 'key10000';
    select substr(k, 1, 5), count(*), max(v) from t group by 1 order by 1; pragma integrity_check; vacuum;
    select a.k, b.k from t a join t b on a.id = b.id + 1 where a.v > 6600 order by a.k limit 5;" && sha256sum base.db
}
scenario_gawk() {
  lines | gawk '{ n[$1 % 100] += $3; s[$3] = $0 } END { for (i = 0; i < 100; i++) print i, n[i]; print length(s)
    split("the quick brown fox", w); asort(w); for (i in s) t = t substr(s[i], 1, 3); print length(t), w[1]
    while (("echo from a child" | getline l) > 0) print l; gsub(/[0-9]/, "#", t); print length(t) }'
}
scenario_gdb() {
  gdb -nx -batch -ex 'info functions ^xmalloc' -ex 'print sizeof(long)' -ex 'ptype struct {int a; char b[4];}' \
    -ex 'python print(sum(len(str(i)) for i in range(20000)))' /bin/true
}

case $name in
  bash | perl | gawk | gdb | git) need "$name" ;;
  coreutils) need sort sha256sum shuf tsort factor ;;
  python) need /usr/bin/python3 ;;
  gxx) need g++ ;;
  sqlite) need sqlite3 ;;
  *) echo "no such scenario: $name" >&2; exit 2 ;;
esac

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
run() { # NAME [VARIABLE=VALUE]: its output, errors and status into files of that name
  mkdir "$folder/work" && cd "$folder/work" || exit 1
  (export LC_ALL=C "${@:2}"; "scenario_$name") >"$folder/$1.out" 2>"$folder/$1.err" </dev/null
  echo $? >"$folder/$1.status"
  cd / && rm -rf "$folder/work"
}
loaded=$(LD_PRELOAD=$library LD_DEBUG=files /bin/true 2>&1 | grep -c "calling init: $library")
[ "$loaded" != 0 ] || { echo "cannot be preloaded: $library" >&2; exit 1; }
run plain X=
run drop-in LD_PRELOAD="$library"
[ "$(cat "$folder/plain.status")" = 0 ] || { echo "fails without the drop-in too:" >&2; cat "$folder/plain.err" >&2; exit 1; }
failures=0
for part in out err status; do
  diff "$folder/plain.$part" "$folder/drop-in.$part" >&2 || failures=1
done
exit $failures
