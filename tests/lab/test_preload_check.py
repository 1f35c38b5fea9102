"""A library that the dynamic linker would silently skip is an error here, never measured as glibc."""

from pathlib import Path

import pytest

from strata.errors import UserError
from strata.heaps import checked


def test_a_broken_library(tmp_path: Path) -> None:
    library = tmp_path / "libbroken.so"
    library.write_bytes(b"\x7fELF and nothing more, malloc\0")
    with pytest.raises(UserError, match="cannot be preloaded"):
        checked(library)


@pytest.mark.parametrize("name", ["lib my.so", "lib:my.so"])
def test_a_path_that_ld_preload_would_split(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError, match="LD_PRELOAD cannot name"):
        checked(tmp_path / name)
