"""Sheets on the terminal (small print in a second, dim line of each cell) and as Markdown (in <sub>)."""

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape

from comparison.document import Document
from comparison.sheets import Cell, Sheet, heading, remarks
from strata.terminal import table


def show(screen: Console, document: Document, sheets: Sequence[Sheet]) -> None:
    for line in heading(document):
        screen.print(escape(line), soft_wrap=True)
    for sheet in sheets:
        shown = table(f"\n{sheet.title}", *(_head(cell) for cell in sheet.columns))
        for row in sheet.rows:
            shown.add_row(*map(_stacked, row))
        screen.print(shown)
        screen.print(f"[dim]{escape(sheet.what)}[/]", soft_wrap=True)
    screen.print()
    for remark in remarks(document):
        screen.print(f"note: {escape(remark)}", soft_wrap=True)


def _head(cell: Cell) -> str:
    """Long names break where they may, because the column is as wide as its widest word."""
    return "\n".join(filter(None, [cell.main.replace("_", "_\n").replace(":", ":\n"), cell.small]))


def _stacked(cell: Cell) -> str:
    return escape(cell.main) + (f"\n[dim]{escape(cell.small)}[/]" if cell.small else "")


def markdown(document: Document, sheets: Sequence[Sheet]) -> str:
    parts = ["# Heaps on real programs, and in the replay of their traces", *map(_text, heading(document))]
    for sheet in sheets:
        rule = "|".join(["---", *["---:"] * (len(sheet.columns) - 1)])
        lines = [_line(sheet.columns), f"|{rule}|", *map(_line, sheet.rows)]
        parts += [f"## {sheet.title}", "\n".join(lines), _text(sheet.what)]
    if found := remarks(document):
        parts += ["## Notes", "\n".join(f"- {_text(remark)}" for remark in found)]
    return "\n\n".join(parts) + "\n"


def _line(cells: Sequence[Cell]) -> str:
    return f"| {' | '.join(_inline(cell) for cell in cells)} |"


def _inline(cell: Cell) -> str:
    return _text(cell.main) + (f" <sub>{_text(cell.small)}</sub>" if cell.small else "")


def _text(text: str) -> str:
    """What Markdown would take for markup is escaped."""
    for mark in "\\|*_<":
        text = text.replace(mark, f"\\{mark}")
    return text
