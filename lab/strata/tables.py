"""Results as tables for the terminal."""

from collections.abc import Callable
from typing import Any

from rich.markup import escape
from rich.table import Table

from strata.naming import bytes_text, short_version
from strata.summary import Row
from strata.terminal import table

CURRENT_MARK = "1 (baseline)"
REPLAY_TIME = "replay\nns/event"
Cell = Callable[[Row], str]


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
    """The ranked table of a tuning: the objective first."""
    columns = _columns(document)
    result = table(None, *columns)
    for row in document["heaps"]:
        cells = [escape(cell(row)) for cell in columns.values()]
        style = "bold green" if row["heap"] == document["verdict"]["heap"] else ""
        result.add_row(*cells, style=style)
    if document["null"]:
        engine = f"{document['null']['nanoseconds_per_event']:.1f}"
        cells = [engine if title == REPLAY_TIME else "" for title in columns]
        result.add_row("(replay engine)", *cells[1:], style="dim")
    return result


def _columns(document: dict[str, Any]) -> dict[str, Cell]:
    objective, program = document["options"]["objective"], document["program"]
    columns: dict[str, Cell] = {"heap": lambda row: label(row, document["current"])}
    on_program = any(row["program"] for row in document["heaps"])
    if not on_program:
        return columns | {
            REPLAY_TIME: _replay_time,
            "replay time ratio\n[interval]": lambda row: _ratio(row, "replay", "nanoseconds_per_event"),
            "replay\npeak": lambda row: spread_cell(row["replay"], "peak_resident_bytes", bytes_text),
            "ratio": lambda row: _ratio(row, "replay", "peak_resident_bytes", brief=True),
            "": lambda row: f"out: {row['disqualified']}" if row["disqualified"] else "",
        }
    if objective == "balanced":
        columns["balance\n[interval]"] = lambda row: _ratio(row, "program", "balanced")
    clock = "CPU time" if program["clock"] == "cpu" else "time"
    columns[f"{clock} ratio\n[interval]"] = lambda row: _ratio(row, "program", "time")
    columns["peak\nmemory"] = lambda row: _ratio(row, "program", "peak_resident_bytes", brief=objective != "memory")
    columns[REPLAY_TIME] = _replay_time
    columns["output\nsame?"] = lambda row: _output(row, bool(program["output_comparable"]))
    return columns


def _replay_time(row: Row) -> str:
    return spread_cell(row["replay"], "nanoseconds_per_event", lambda ns: f"{ns:.1f}")


def _ratio(row: Row, part: str, metric: str, *, brief: bool = False) -> str:
    base, data = row["kind"] == "current", row[part]
    if brief and data is not None and metric in data:
        return f"{data[metric]['ratio']['estimate']:.3f}"
    return ratio_cell(data, metric, baseline=base)


def _output(row: Row, comparable: bool) -> str:
    if row["disqualified"]:
        return f"out: {row['disqualified']}"
    if not row["program"]:
        return "not run"
    return "yes" if comparable else "not comparable"
