"""Results as tables for the terminal."""

from typing import Any

from rich.markup import escape
from rich.table import Table

from strata.naming import bytes_text, short_version
from strata.summary import Row
from strata.terminal import table

CURRENT_MARK = "1 (baseline)"


def ratio_cell(data: dict[str, Any] | None, metric: str, *, baseline: bool = False) -> str:
    """0.912 [0.905, 0.921]"""
    if data is None or metric not in data:
        return "-"
    if baseline:
        return CURRENT_MARK
    ratio = data[metric]["ratio"]
    if ratio["low"] is None:
        return f"{ratio['estimate']:.3f} (n={ratio['pairs']})"
    return f"{ratio['estimate']:.3f} [{ratio['low']:.3f}, {ratio['high']:.3f}]"


def spread_cell(data: dict[str, Any] | None, metric: str, show: Any) -> str:
    if data is None or metric not in data:
        return "-"
    return str(show(data[metric]["median"]))


def label(row: Row, current: dict[str, Any] | None = None) -> str:
    if row["kind"] == "current" and current:
        return f"current ({current['allocator']} {short_version(current['version'])})"
    return f"{row['heap']} {short_version(row['version'])}".strip()


def tuning_table(document: dict[str, Any]) -> Table:
    """The ranked table of a tuning."""
    on_program = any(row["program"] for row in document["heaps"])
    columns = ["heap", "replay ns/event", "replay time ratio", "replay peak memory"]
    if on_program:
        columns = [
            "heap",
            "time ratio [interval]",
            "peak memory ratio",
            "replay ns/event",
            "replay peak",
            "output same?",
        ]
    result = table(None, *columns)
    for row in document["heaps"]:
        result.add_row(*(_confirmed_cells if on_program else _replayed_cells)(row, document))
    if document["null"]:
        engine = f"{document['null']['nanoseconds_per_event']:.1f}"
        cells = ["(the replay engine itself)", "", "", engine] if on_program else ["(the replay engine itself)", engine]
        result.add_row(*cells, style="dim")
    return result


def _style(row: Row, document: dict[str, Any]) -> str:
    text = escape(label(row, document["current"]))
    return f"[bold green]{text}[/]" if row["heap"] == document["verdict"]["heap"] else text


def _confirmed_cells(row: Row, document: dict[str, Any]) -> list[str]:
    base = row["kind"] == "current"
    program, replay = row["program"], row["replay"]
    comparable = document["program"]["output_comparable"]
    same = ("yes" if comparable else "not comparable") if program else "-"
    if row["disqualified"]:
        same = f"out: {escape(row['disqualified'])}"
    return [
        _style(row, document),
        ratio_cell(program, "seconds", baseline=base),
        ratio_cell(program, "peak_resident_bytes", baseline=base),
        spread_cell(replay, "nanoseconds_per_event", lambda ns: f"{ns:.1f}"),
        spread_cell(replay, "peak_resident_bytes", bytes_text),
        same,
    ]


def _replayed_cells(row: Row, document: dict[str, Any]) -> list[str]:
    base, replay = row["kind"] == "current", row["replay"]
    out = f"out: {escape(row['disqualified'])}" if row["disqualified"] else None
    return [
        _style(row, document),
        out or spread_cell(replay, "nanoseconds_per_event", lambda ns: f"{ns:.1f}"),
        ratio_cell(replay, "nanoseconds_per_event", baseline=base),
        ratio_cell(replay, "peak_resident_bytes", baseline=base),
    ]
