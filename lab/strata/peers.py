"""The allocators that are installed on this machine, found by their sonames."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDERS = ("/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu")


@dataclass(frozen=True)
class Known:
    """A peer and the start of its library's name."""

    name: str
    stem: str
    full_name: str


KNOWN = (
    Known("glibc", "libc", "GNU C library malloc"),
    Known("jemalloc", "libjemalloc", "jemalloc"),
    Known("tcmalloc", "libtcmalloc", "gperftools tcmalloc"),
    Known("tcmalloc-minimal", "libtcmalloc_minimal", "gperftools tcmalloc, minimal"),
    Known("mimalloc", "libmimalloc", "mimalloc"),
    Known("mimalloc-secure", "libmimalloc-secure", "mimalloc, secure mode"),
    Known("tbb", "libtbbmalloc_proxy", "oneTBB scalable allocator"),
    Known("hoard", "libhoard", "Hoard"),
    Known("snmalloc", "libsnmallocshim", "snmalloc"),
    Known("rpmalloc", "librpmallocwrap", "rpmalloc"),
    Known("ltalloc", "libltalloc", "ltalloc"),
    Known("scudo", "libscudo_standalone", "Scudo"),
    Known("scalloc", "libscalloc", "scalloc"),
    Known("mesh", "libmesh", "Mesh"),
)


@dataclass(frozen=True)
class Peer:
    name: str
    full_name: str
    library: Path
    version: str | None


def soname_of(known: Known, file_name: str) -> bool:
    """libjemalloc.so, libjemalloc.so.2: yes; libjemalloc_pic.a, libtcmalloc_minimal_debug.so: no."""
    return re.fullmatch(re.escape(known.stem) + r"\.so(\.\d+)*", file_name) is not None


@cache
def linker_cache() -> dict[str, Path]:
    """File name -> path of every 64-bit library that the dynamic linker knows."""
    ldconfig = shutil.which("ldconfig", path="/sbin:/usr/sbin:/bin:/usr/bin")
    if ldconfig is None:
        return {}
    listed = subprocess.run([ldconfig, "-p"], capture_output=True, text=True, check=False).stdout
    found: dict[str, Path] = {}
    for line in listed.splitlines():
        match = re.match(r"\s*(\S+) \((\S+?)[,)].*=> (\S+)", line)
        if match and ("x86-64" in line or "AArch64" in line or "64bit" in line):
            found.setdefault(match[1], Path(match[3]))
    return found


def locate(known: Known) -> Path | None:
    cached = [path for name, path in linker_cache().items() if soname_of(known, name)]
    for path in cached:
        return path
    for folder in map(Path, FOLDERS):
        for path in sorted(folder.glob(f"{known.stem}.so*")):
            if soname_of(known, path.name):
                return path
    return None


def version_of(library: Path) -> str | None:
    """What the package manager says of the file, else the version in the real file's name."""
    real = library.resolve()
    dpkg = shutil.which("dpkg")
    if dpkg:
        spellings = {str(p) for path in (library, real) for p in (path, Path("/usr") / path.relative_to("/"))}
        spellings |= {p.removeprefix("/usr") for p in spellings if p.startswith("/usr/")}
        owner = subprocess.run([dpkg, "-S", *sorted(spellings)], capture_output=True, text=True, check=False).stdout
        package = owner.splitlines()[0].rpartition(": ")[0].split(",")[0] if owner else ""
        if package:
            query = ["dpkg-query", "-W", "-f", "${Version}", package]
            return subprocess.run(query, capture_output=True, text=True, check=False).stdout.strip() or None
    match = re.search(r"\.so\.([\d.]+)$", real.name)
    return match[1] if match else None


@cache
def installed() -> tuple[Peer, ...]:
    found = ((known, locate(known)) for known in KNOWN)
    return tuple(Peer(k.name, k.full_name, path, version_of(path)) for k, path in found if path is not None)


def allocator_in_use(executable: str) -> Peer | None:
    """The peer that is preloaded already or that an executable is linked to (redis-server: jemalloc); None: libc's."""
    preloaded = re.split(r"[ :]", os.environ.get("LD_PRELOAD", ""))
    ldd = shutil.which("ldd")
    listed = subprocess.run([ldd, executable], capture_output=True, text=True, check=False).stdout if ldd else ""
    linked = [word for line in listed.splitlines() for word in line.split()[:1]]
    names = {Path(word).name for word in (*preloaded, *linked)}
    for peer, known in ((peer, known) for peer in installed() for known in KNOWN if known.name == peer.name):
        if known.name != "glibc" and any(soname_of(known, name) for name in names):
            return peer
    return None
