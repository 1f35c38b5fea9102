"""The table of the report: every heap, every number."""

from html import escape
from typing import Any

from strata.naming import bytes_text, seconds_text, short_version
from strata.report.words import heap_label

Document = dict[str, Any]


def heap_table(document: Document) -> str:
    on_program = any(row["program"] for row in document["heaps"])
    columns = ["heap"]
    if on_program:
        columns += ["time", "CPU time", "peak memory"]
    columns += ["replay, ns an event", "replay peak", "replay average"]
    head = "".join(f"<th scope='col'>{escape(column)}</th>" for column in columns)
    body = "".join(_row(row, document, on_program) for row in document["heaps"])
    if document["null"]:
        cells = "<td></td>" * 3 if on_program else ""
        engine = f"<td>{document['null']['nanoseconds_per_event']:.1f}</td>"
        body += f"<tr><td>the replay engine itself</td>{cells}{engine}<td></td><td></td></tr>"
    return (
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
        '<p class="soft">Large: median. Small: ratio to the current heap, with its interval.</p>'
    )


def _row(row: Document, document: Document, on_program: bool) -> str:
    winner = ' class="winner"' if row["heap"] == document["verdict"]["heap"] else ""
    version = document["current"]["version"] if row["kind"] == "current" else row["version"]
    detail = f"<small>{escape(short_version(version))}</small>" if version else ""
    if row["heap"] == document["verdict"]["heap"]:
        detail = f"<small>{escape(' '.join(filter(None, [short_version(version), 'recommended'])))}</small>"
    cells = f"<td>{escape(heap_label(row, document))}{detail}</td>"
    if row["disqualified"]:
        span = 6 if on_program else 3
        return f'<tr>{cells}<td class="out" colspan="{span}">out: {escape(row["disqualified"])}</td></tr>'
    base = row["kind"] == "current"
    if on_program:
        program = row["program"]
        cells += _cell(program, "seconds", seconds_text, base) + _cell(program, "cpu_seconds", seconds_text, base)
        cells += _cell(program, "peak_resident_bytes", bytes_text, base)
    replay = row["replay"]
    cells += _cell(replay, "nanoseconds_per_event", lambda ns: f"{ns:.1f}", base)
    cells += _cell(replay, "peak_resident_bytes", bytes_text, base)
    cells += _cell(replay, "average_resident_bytes", bytes_text, base)
    return f"<tr{winner}>{cells}</tr>"


def _cell(data: Document | None, metric: str, show: Any, base: bool) -> str:
    if data is None or metric not in data:
        return "<td>not run</td>"
    ratio = data[metric]["ratio"]
    if base:
        small = "baseline"
    elif ratio["low"] is None:
        small = f"{ratio['estimate']:.3f}"
    else:
        small = f"{ratio['estimate']:.3f} [{ratio['low']:.3f}, {ratio['high']:.3f}]"
    return f"<td>{escape(show(data[metric]['median']))}<small>{small}</small></td>"


def recipe_table(document: Document) -> str:
    """What the search tried on the way, folded away."""
    if not document["screened"]:
        return ""
    rows = "".join(
        f"<tr><td>{escape(one['heap'])}</td><td>{one['ratio']:.3f}</td></tr>" for one in document["screened"]
    )
    return (
        f"<details><summary>The {len(document['screened'])} recipes that the search tried in quick replays</summary>"
        '<div class="scroll"><table class="narrow"><thead><tr><th scope="col">recipe</th><th scope="col">ratio to the '
        f"current heap</th></tr></thead><tbody>{rows}</tbody></table></div></details>"
    )
