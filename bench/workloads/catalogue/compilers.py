"""Compilers: many small nodes that live long, tables that grow, and arenas of their own on top of malloc."""

from pathlib import Path

from workloads.model import Workload, case, made

CC1 = "/usr/lib/gcc/x86_64-linux-gnu/12/cc1"
DUKTAPE = Path("/usr/share/duktape")
GTEST = Path("/usr/src/googletest/googletest")

duktape = made("cc1/duktape.i", "gcc-12", "-E", "-P", "-I", DUKTAPE, DUKTAPE / "duktape.c")
stb = made(
    *("cc1/stb_image.i", "gcc-12", "-E", "-P", "-DSTB_IMAGE_IMPLEMENTATION"),
    "/usr/include/stb/stb_image.h",
)

ALL = [
    Workload(
        name="cc1",
        what="gcc's C compiler on the JavaScript engine duktape; held out: on an image library, optimised",
        tune=case(CC1, "-quiet", "-O0", duktape, "-o", "-"),
        held_out=case(CC1, "-quiet", "-O2", stb, "-o", "-"),
        packages=("gcc-12", "cpp-12", "duktape-dev", "libstb-dev"),
        inputs=(duktape, stb),
    ),
]
