"""What a header of the library says of its class: one layer a header, named after it, with a comment that opens it."""

import re
from dataclasses import dataclass
from functools import cache

from strata.errors import UserError
from strata.tools import ROOT

FOLDERS = ("layer", "combine", "source")
WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
CITATION = re.compile(r"\s*\([^()]*PLDI01[^()]*\)")
HEADING = re.compile(r"^[A-Z][a-z]+: {2,}")


@dataclass(frozen=True)
class Header:
    file: str  # as it is included
    folder: str
    does: str  # the first sentence
    cost: str  # what stands under Cost:


@cache
def header_of(layer: str) -> Header:
    name = WORD_START.sub("_", layer).lower() + ".hpp"
    for folder in FOLDERS:
        path = ROOT / "include" / "strata" / folder / name
        if path.is_file():
            comment = opening_comment(path.read_text(encoding="utf-8"))
            return Header(f"strata/{folder}/{name}", folder, first_sentence(comment), section(comment, "Cost"))
    raise UserError(f"{layer} has no header {name} under {ROOT / 'include' / 'strata'}")


def opening_comment(text: str) -> list[str]:
    lines = []
    for line in text.splitlines():
        if not line.startswith("///"):
            break
        lines.append(line[3:].removeprefix(" ").rstrip())
    return lines


def first_sentence(comment: list[str]) -> str:
    """Without where the idea is from, and without its full stop."""
    paragraph = []
    for line in comment:
        if not line or HEADING.match(line):
            break
        paragraph.append(line)
    text = CITATION.sub("", " ".join(paragraph))
    return re.split(r"\.(?:\s|$)", text, maxsplit=1)[0]


def section(comment: list[str], heading: str) -> str:
    """What stands under a heading, its continuation lines included; nothing if there is none."""
    found: list[str] = []
    for line in comment:
        if line.startswith(f"{heading}: "):
            found.append(line.partition(":")[2].strip())
        elif found and line.startswith("  "):
            found.append(line.strip())
        elif found:
            break
    return " ".join(found)
