"""Compilers and a linker: small nodes that live long, tables that grow, and arenas of their own on top of malloc."""

from pathlib import Path

from workloads.model import Made, Workload, case, made

CC1 = "/usr/lib/gcc/x86_64-linux-gnu/12/cc1"
CLANG, CLANGXX, LLD = "/usr/bin/clang-19", "/usr/bin/clang++-19", "/usr/bin/ld.lld-19"
DUKTAPE = Path("/usr/share/duktape")
STB = Path("/usr/include/stb")
GOOGLETEST = Path("/usr/src/googletest")
HEADERS = [
    word
    for folder in ("googletest/include", "googletest", "googlemock/include", "googlemock")
    for word in ("-I", str(GOOGLETEST / folder))
]


def implementation(name: str) -> tuple[str, ...]:
    """What makes a source of a header of stb."""
    return ("-x", "c", f"-D{name.upper()}_IMPLEMENTATION", str(STB / f"{name}.h"))


def bitcode(compiler: str, source: str, *arguments: str) -> Made:
    return made(f"lld/{source}.o", compiler, "-O1", "-fPIC", "-flto=thin", "-c", "-o", "-", *arguments)


duktape = made("cc1/duktape.i", "gcc-12", "-E", "-P", "-I", DUKTAPE, DUKTAPE / "duktape.c")
image = made("cc1/stb_image.i", "gcc-12", "-E", "-P", *implementation("stb_image"))
stb_modules = tuple(
    bitcode(CLANG, name, *implementation(name))
    for name in ("stb_image", "stb_image_resize", "stb_image_write", "stb_truetype")
)
googletest_modules = tuple(
    bitcode(CLANGXX, name, *HEADERS, str(GOOGLETEST / folder / "src" / f"{name}.cc"))
    for folder, names in {
        "googletest": ("gtest-death-test", "gtest-filepath", "gtest-matchers", "gtest-port", "gtest-printers"),
        "googlemock": ("gmock", "gmock-cardinalities", "gmock-internal-utils", "gmock-matchers", "gmock-spec-builders"),
    }.items()
    for name in names
)
LINK = (LLD, "-shared", "--threads=2", "--thinlto-jobs=2", "--lto-O1", "-o", "-")

ALL = [
    Workload(
        name="cc1",
        what="gcc's C compiler on the JavaScript engine duktape; held out: on an image library, optimised",
        tune=case(CC1, "-quiet", "-O0", duktape, "-o", "-"),
        held_out=case(CC1, "-quiet", "-O2", image, "-o", "-"),
        packages=("gcc-12", "cpp-12", "duktape-dev", "libstb-dev"),
        inputs=(duktape, image),
    ),
    Workload(
        name="clang",
        what="clang on a C++ source of googlemock; held out: on a font library in C, optimised",
        tune=case(CLANGXX, "-O1", "-S", "-o", "-", *HEADERS, GOOGLETEST / "googlemock/src/gmock-spec-builders.cc"),
        held_out=case(CLANG, "-O2", "-S", "-o", "-", *implementation("stb_truetype")),
        packages=("clang-19", "googletest", "libstb-dev"),
    ),
    Workload(
        name="lld",
        what="the linker optimises and compiles the modules of stb in two threads; held out: those of googletest, C++",
        tune=case(*LINK, *stb_modules),
        held_out=case(*LINK, *googletest_modules),
        packages=("lld-19", "clang-19", "googletest", "libstb-dev"),
        inputs=(*stb_modules, *googletest_modules),
        threads=True,
    ),
]
