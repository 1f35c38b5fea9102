"""Compiles a recipe into a drop-in, or into a program that prints its tree, once: what comes of it is kept under a
hash of all that went into it."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from strata.errors import UserError
from strata.recipes import Recipe
from strata.tools import ROOT

# What strata_drop_in (preload/CMakeLists.txt) compiles and links with, in an optimised build.
FLAGS = [
    *("-std=c++20", "-O2", "-DNDEBUG", "-fPIC", "-fvisibility=hidden", "-fvisibility-inlines-hidden"),
    *("-ftls-model=initial-exec", "-fno-builtin-malloc", "-fno-builtin-calloc", "-fno-builtin-realloc"),
    *("-fno-builtin-free", "-fno-stack-protector", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics"),
]
LINK_FLAGS = [
    *(
        "-shared",
        "-nostdlib++",
        "-Wl,-z,nodelete",
        "-Wl,-z,defs",
        "-Wl,-z,relro",
        "-Wl,-z,now",
        "-Wl,--as-needed",
        "-Wl,-z,initfirst",
    )
]
NAMES = ("g++", "clang++-19", "clang++", "g++-14", "g++-13", "g++-12", "c++")
SOURCES = ("include/strata", "preload")  # what either may include, under ROOT


@dataclass(frozen=True)
class Compiler:
    path: str
    version: str

    @property
    def is_gnu(self) -> bool:
        return "clang" not in self.version

    @property
    def flags(self) -> list[str]:
        return [*FLAGS, "-fno-gnu-unique"] if self.is_gnu else FLAGS

    @property
    def link_flags(self) -> list[str]:
        """gcc before 13 has no -nostdlib++: linking as C leaves libstdc++ out there."""
        return [flag for flag in LINK_FLAGS if flag != "-nostdlib++"] if self.is_gnu else LINK_FLAGS

    @property
    def linker(self) -> str:
        """gcc's C driver beside the C++ one, so that no libstdc++ is needed; clang has a flag for it."""
        folder, name = os.path.split(self.path)
        driver = Path(folder) / name.replace("g++", "gcc").replace("c++", "cc")
        return str(driver) if self.is_gnu and driver.exists() else self.path


@cache
def find_compiler() -> Compiler | None:
    """CXX from the environment, else the first of the usual names that runs."""
    for name in (os.environ.get("CXX"), *NAMES):
        path = shutil.which(name) if name else None
        if path is None:
            continue
        done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
        if done.returncode == 0 and done.stdout:
            return Compiler(path, done.stdout.splitlines()[0])
    return None


def cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "strata"


def header_files() -> Iterator[Path]:
    for folder in SOURCES:
        yield from sorted(path for path in (ROOT / folder).rglob("*.h*") if path.is_file())


@cache
def headers_digest() -> str:
    digest = hashlib.sha256()
    for path in header_files():
        digest.update(f"{path.relative_to(ROOT)}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


@dataclass(frozen=True)
class Build:
    """One translation unit, and how it becomes a file."""

    name: str
    source: str
    flags: list[str]
    linker: str
    link_flags: list[str]


def drop_in_of(recipe: Recipe, compiler: Compiler) -> Build:
    # The library tells its name.
    flags = [*compiler.flags, f"-DSTRATA_NAME={recipe.entry.name}"]
    return Build(f"libstrata-{recipe.entry.name}.so", recipe.source, flags, compiler.linker, compiler.link_flags)


def tree_of(recipe: Recipe, compiler: Compiler) -> Build:
    """A program that prints what the heap is made of; run once, so compiled quickly."""
    return Build("tree", recipe.tree_source, ["-std=c++20", "-O1"], compiler.path, [])


def key(build: Build, compiler: Compiler) -> str:
    """Everything the result depends on; the same key is the same file."""
    parts = [build.source, compiler.version, *build.flags, *build.link_flags, headers_digest()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def compile_recipe(recipe: Recipe) -> Path:
    """The recipe's drop-in in the cache, compiled if it is not there yet."""
    return _compiled(recipe, drop_in_of)


def compile_tree(recipe: Recipe) -> Path:
    """The program that prints the recipe's tree, likewise."""
    return _compiled(recipe, tree_of)


def _compiled(recipe: Recipe, build_of: Callable[[Recipe, Compiler], Build]) -> Path:
    compiler = find_compiler()
    if compiler is None:
        raise UserError(
            "no C++ compiler found: install g++ (Debian: apt-get install g++) or set CXX; "
            "only heaps with default tunables run without one"
        )
    build = build_of(recipe, compiler)
    folder = cache_folder() / key(build, compiler)
    target = folder / build.name
    if target.exists():
        return target
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder}: {error.strerror}: set XDG_CACHE_HOME to a folder that can be written") from error
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        source, object_file, result = (Path(scratch) / name for name in ("source.cpp", "source.o", "result"))
        source.write_text(build.source, encoding="utf-8")
        include = ["-I", str(ROOT / "include"), "-I", str(ROOT)]
        _run([compiler.path, *build.flags, *include, "-c", str(source), "-o", str(object_file)], recipe)
        _run([build.linker, *build.link_flags, str(object_file), "-o", str(result)], recipe)
        shutil.copy(source, folder / "source.cpp")
        result.replace(target)  # atomic: another process that builds the same writes the same
    return target


def deliver(library: Path, target: Path) -> None:
    """Copies a library into place whole: a program that has the old one loaded keeps it."""
    try:
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".strata-", delete=False) as partial:
            partial.write(library.read_bytes())
        Path(partial.name).chmod(0o755)
        Path(partial.name).replace(target)
    except OSError as error:
        raise UserError(f"{target}: {error.strerror}") from error


def _run(command: list[str], recipe: Recipe) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines()
        raise UserError(f"{recipe.name} does not compile: {errors[0] if errors else ' '.join(command)}")
