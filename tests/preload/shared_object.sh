#!/bin/bash
# What a drop-in is as a file: needs libc alone, exports the malloc ABI and nothing else, is never unloaded, comes
# first, and has neither dynamic TLS nor guarded statics.
#   shared_object.sh LIBRARY EXPORTED_SYMBOLS
set -u
library=$1 symbols=$2 failures=0

fail() {
  echo "$library: $*" >&2
  failures=1
}

needed=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v -E '^(libc\.so\.6|ld-linux-.*)$')
[ -z "$needed" ] || fail "needs more than libc: $needed"

difference=$(diff <(nm -D --defined-only "$library" | awk '{print $3}' | LC_ALL=C sort) "$symbols") ||
  fail "does not export the malloc ABI exactly:" "$difference"

for flag in NODELETE INITFIRST NOW; do
  readelf -d "$library" | grep -q "FLAGS_1.*$flag" || fail "is not linked with $flag"
done
readelf -d "$library" | grep -q TEXTREL && fail "has text relocations"
readelf -S "$library" | grep -q '\.eh_frame ' || fail "has no unwind tables: bad_alloc could not pass"

undefined=$(nm -D --undefined-only "$library" | awk '{print $2}')
for symbol in __tls_get_addr __cxa_guard_acquire __cxa_throw malloc calloc realloc free; do
  grep -q "^$symbol\(@\|$\)" <<<"$undefined" && fail "refers to $symbol"
done
readelf -rW "$library" | grep -q -E 'DTPMOD|TLSDESC' && fail "has dynamic thread-local storage"
exit $failures
