"""strata info: what is in a trace, for people."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.tree import Tree

from strata import traces
from strata.commands.arguments import Json
from strata.naming import bytes_text, count_text, seconds_text
from strata.terminal import console, table, write_json
from strata.tools import shell_words
from strata.traces import Stream, Trace

HELP = "Show what is in a trace: processes, sizes, lifetimes."
EXAMPLE = "Example:  strata info perl.trace"
BAR = 30


def info(
    trace: Annotated[Path, typer.Argument(metavar="TRACE", help="A recorded trace (strata record).")],
    json: Json = None,
) -> int:
    read = traces.read(trace)
    if json is not None:
        write_json(json, read.data)
    out = console(stderr=json == "-")
    out.print(f"[bold]{escape(str(trace))}[/]  {bytes_text(read.data['file_bytes'])}", _completeness(read))
    for warning in read.warnings:
        out.print(f"warning: {escape(warning)}")
    out.print(_processes(read))
    for stream in sorted(read.streams, key=lambda stream: -stream.events)[:1]:
        out.print()
        for part in (_facts(stream), _sizes(stream), _lifetimes(stream)):
            out.print(part)
        for note in stream.notes:
            out.print(f"note: {escape(note)}")
    return 0


def _completeness(trace: Trace) -> str:
    return "complete" if trace.data["complete"] else "incomplete: the recording ended early"


def _processes(trace: Trace) -> Tree:
    """Who started whom."""
    tree = Tree(trace.processes_text)
    branches: dict[int, Tree] = {}
    for stream in trace.streams:
        parent = branches.get(stream.number("parent_pid"), branches.get(stream.number("pid"), tree))
        words = shell_words(stream.command) or stream.program
        text = f"{stream.data['pid']}  {escape(words[:80])}"
        numbers = f"{count_text(stream.events)} events, peak {bytes_text(stream.peak_live)} live"
        branches[stream.number("pid")] = parent.add(f"{text}  [dim]{numbers}[/]")
    return tree


def _facts(stream: Stream) -> Any:
    result = table(f"{stream.title}, the one that allocates most", "", "")
    resident = stream.number("peak_resident_bytes")
    facts = {
        "events": f"{stream.events:,}",
        "malloc / calloc / realloc / aligned": " / ".join(
            f"{stream.number(key):,}" for key in ("mallocs", "callocs", "reallocs", "aligned")
        ),
        "free (of objects older than the recording)": f"{stream.number('frees'):,} "
        f"({stream.number('foreign_frees'):,})",
        "threads": f"{stream.number('threads'):,}",
        "allocated in all": bytes_text(stream.number("bytes_allocated")),
        "live at most": f"{bytes_text(stream.peak_live)} in {stream.number('peak_live_objects'):,} objects",
        "live at the end": f"{bytes_text(stream.number('live_bytes_at_end'))} "
        f"in {stream.number('live_objects_at_end'):,} objects",
        "resident at most": bytes_text(resident) if resident else "not known",
        "time": seconds_text(float(stream.data["seconds"])),
    }
    for name, value in facts.items():
        result.add_row(name, value)
    return result


def _sizes(stream: Stream) -> Any:
    return _histogram("\nSizes asked for", "bytes up to", stream.data["sizes"], "bytes_to")


def _lifetimes(stream: Stream) -> Any:
    return _histogram("\nLifetimes", "freed within allocations", stream.data["lifetimes"], "allocations_to")


def _histogram(title: str, head: str, bins: list[dict[str, int]], edge: str) -> Any:
    result = table(title, head, "count", "share", "")
    result.columns[3].justify = "left"
    total = sum(one["count"] for one in bins) or 1
    most = max((one["count"] for one in bins), default=1) or 1
    for one in bins:
        bar = "█" * round(BAR * one["count"] / most)
        result.add_row(f"{one[edge]:,}", f"{one['count']:,}", f"{one['count'] / total:.1%}", bar)
    return result
