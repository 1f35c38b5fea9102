"""Names that a person mistyped, and numbers as a person reads and writes them."""

import re
from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, names: Iterable[str]) -> str:
    """A hint to end an error line with: the closest valid name, else all of them."""
    known = sorted(names)
    close = get_close_matches(name, known, n=1, cutoff=0.5)
    if close:
        return f"did you mean {close[0]}?"
    return f"known: {', '.join(known)}" if known else "there are none"


def bytes_text(count: float) -> str:
    """1536 -> '1.5 KiB'."""
    size = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(size) < 1024 or unit == "GiB":
            return f"{size:.0f} B" if unit == "B" else f"{size:.3g} {unit}" if size < 100 else f"{size:,.0f} {unit}"
        size /= 1024
    raise AssertionError("unreachable")


def count_text(count: float) -> str:
    """12345678 -> '12.3 million'."""
    for limit, word in ((1e9, "billion"), (1e6, "million")):
        if count >= limit:
            return f"{count / limit:.3g} {word}"
    return f"{count:,.0f}"


def counted(count: int, thing: str) -> str:
    """1, 'round' -> '1 round'; 2 -> '2 rounds'."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def seconds_text(seconds: float) -> str:
    """0.0123 -> '12.3 ms'; 75 -> '1 min 15 s'."""
    if seconds >= 60:
        return f"{int(seconds // 60)} min {seconds % 60:.0f} s"
    if seconds >= 1:
        return f"{seconds:.3g} s"
    return f"{seconds * 1e3:.3g} ms"


def short_version(version: str | None) -> str:
    """'5.3.0-1' and '2.0.9+ds-2' -> what upstream calls it."""
    return re.split(r"[-+~]", version.rpartition(":")[2])[0] if version else ""


def integer(text: str) -> int | None:
    """'65536', '64K', '64KiB', '0x1000' -> int; None if it is no integer."""
    scale = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
    body = text.strip().lower().removesuffix("b").removesuffix("i")
    factor = scale.get(body[-1:], 1)
    try:
        return int(body[:-1] if factor > 1 else body, 0) * factor
    except ValueError:
        return None
