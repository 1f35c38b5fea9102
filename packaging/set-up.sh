# Sets up what this checkout needs and is not there yet: Debian packages, the Python environment, the build.
# Sourced by ./strata and ./test, which set `root` to the checkout. Every step says what it does, and is skipped
# when there is nothing to do.
# shellcheck shell=bash disable=SC2034
: "${root:?set-up.sh is sourced by ./strata and ./test}"

# What the command needs: a compiler and the build, the lab's libraries, and the allocators that it compares with.
packages_to_run=(
  g++ cmake ninja-build pkg-config libzstd-dev libxxhash-dev nlohmann-json3-dev python3-venv
  libjemalloc2 libtcmalloc-minimal4 libmimalloc2.0 libtbbmalloc2
)
# What the tests need beyond that: the other compiler and the checkers, and programs to run under our heaps.
packages_to_test=(
  libgtest-dev clang-19 libclang-rt-19-dev clang-tidy-19 clang-format-19 libc++-19-dev libc++abi-19-dev
  valgrind shellcheck chromium procps bash coreutils gawk git perl sqlite3 binutils make file
)

say() { printf 'strata: %s\n' "$*" >&2; }
give_up() {
  say "$*"
  exit 1
}

# one_at_a_time COMMAND...: while another call in this checkout sets up, waits for it.
one_at_a_time() {
  mkdir -p "$root/build"
  exec {set_up_lock}>"$root/build/set-up.lock"
  flock "$set_up_lock"
  "$@"
  exec {set_up_lock}>&-
}

# require_packages NAME...: installs what is missing of these, or names it.
require_packages() {
  local missing=()
  if ! command -v dpkg-query >/dev/null; then
    local tool
    for tool in g++ cmake ninja python3; do
      command -v "$tool" >/dev/null || give_up "$tool is missing; install your system's counterparts of: $*"
    done
    return
  fi
  local installed
  installed=$(dpkg-query -W -f '${binary:Package} ${db:Status-Status}\n' 2>/dev/null |
    sed -n 's/^\([^ :]*\)[^ ]* installed$/\1/p')
  local name
  for name in "$@"; do
    grep -qxF "$name" <<<"$installed" || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  [ "$(id -u)" = 0 ] || give_up "packages are missing; as root: apt-get install ${missing[*]}"
  say "installing Debian packages: ${missing[*]}"
  local log=$root/build/packages.log
  if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"; } \
    </dev/null >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    give_up "apt-get failed; its output is in build/packages.log"
  fi
}

# require_python LOCKFILE...: a virtual environment with exactly the pinned packages, and the lab on its path.
require_python() {
  local python=python3
  [ -x /usr/bin/python3 ] && python=/usr/bin/python3
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    give_up "$("$python" --version) is too old for the lab; it needs Python 3.11 or newer"
  local lock locks=() stamp
  for lock in "$@"; do locks+=(-r "$root/lab/$lock"); done
  stamp=$(cd "$root/lab" && cat "$@" | sha256sum)
  local environment=$root/.venv
  local stamp_file="$environment/set-up-${*//[ .]/-}"
  [ "$(cat "$stamp_file" 2>/dev/null)" != "$stamp" ] || return 0
  say "making the Python environment .venv with the packages of $*"
  [ -x "$environment/bin/python" ] || "$python" -m venv "$environment" || give_up "python3 -m venv failed"
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes "${locks[@]}" ||
    give_up "pip could not install the packages of $*"
  # A .pth file, not PYTHONPATH: the environment of the programs that we run stays what it was.
  local site
  site=$("$environment/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  echo "$root/lab" >"$site/strata.pth"
  echo "$stamp" >"$stamp_file"
}

# require_build PRESET: build/PRESET, up to date.
require_build() {
  local preset=$1 folder=$root/build/$1
  if [ ! -e "$folder/build.ninja" ]; then
    say "configuring build/$preset"
    (cd "$root" && cmake --preset "$preset" >"$root/build/$preset.log" 2>&1) ||
      { tail -n 20 "$root/build/$preset.log" >&2; give_up "cmake failed; its output is in build/$preset.log"; }
  fi
  [ "$(ninja -C "$folder" -n --quiet 2>&1)" != "ninja: no work to do." ] || return 0
  say "building build/$preset"
  ninja -C "$folder" 1>&2 || give_up "the build failed"
}
