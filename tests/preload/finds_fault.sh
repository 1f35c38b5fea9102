#!/bin/bash
# A test that cannot fail is none: under a broken drop-in the program must fail, and say what is not so.
#   finds_fault.sh PRELOAD DROP_IN WORDS PROGRAM
set -u
output=$(LD_PRELOAD=$1 STRATA_EXPECT=$2 STRATA_WATCHDOG=3 "$4" 2>&1)
status=$?
[ $status != 0 ] && grep -q -E "$3" <<<"$output" && exit 0
echo "status $status, and not the words: $3" >&2
head -20 <<<"$output" >&2
exit 1
