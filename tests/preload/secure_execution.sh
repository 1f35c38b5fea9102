#!/bin/bash
# A setuid program that is linked with a drop-in runs, and whatever its user put into the environment is ignored.
#   secure_execution.sh PROGRAM LIBRARY_FOLDER        exit status 77: cannot be tried here
set -u
program=$1
if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
  echo "needs root and setpriv" >&2
  exit 77
fi

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cp "$2"/libstrata-*.so "$folder" && cp "$program" "$folder/program" || exit 1
chmod 4755 "$folder/program"
as_nobody() {
  (cd / && exec setpriv --reuid=65534 --regid=65534 --clear-groups env "$@")
}
as_nobody "$folder/program" ordinary
case $? in
  0) ;;
  77) echo "setuid has no effect in $folder" >&2; exit 77 ;;
  *) exit 1 ;;
esac
output=$(as_nobody STRATA_OPTIONS='kingsley.chunk=1:nonsense' LD_LIBRARY_PATH=/nonexistent "$folder/program" 2>&1) ||
  { echo "with STRATA_OPTIONS: $output" >&2; exit 1; }
[ -z "$output" ] || { echo "it says: $output" >&2; exit 1; }
