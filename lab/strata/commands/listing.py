"""strata list: heaps of ours and allocators that are installed."""

from rich.markup import escape

from strata import peers
from strata.catalogue import catalogue
from strata.commands.arguments import Json
from strata.terminal import console, table, write_json
from strata.tools import library

HELP = "List our heaps with their tunables, and the allocators installed on this machine."
EXAMPLE = "Example:  strata list"


def list_heaps(json: Json = None) -> int:
    known, found = catalogue(), peers.installed()
    if json is not None:
        ours = [
            {
                "name": entry.name,
                "summary": entry.summary,
                "library": str(library(entry.library)),
                "tunables": [tunable.__dict__ for tunable in entry.tunables],
            }
            for entry in known.heaps
        ]
        write_json(json, {"heaps": ours, "peers": [peer.__dict__ | {"library": str(peer.library)} for peer in found]})
    out = console(stderr=json == "-")
    heaps = table("Strata's heaps", "heap", "tunable", "default", "range", "what it is")
    for column in (1, 4):
        heaps.columns[column].justify = "left"
    heaps.columns[4].no_wrap = False
    for entry in known.heaps:
        heaps.add_row(f"[bold]{escape(entry.name)}[/]", "", "", "", escape(entry.summary))
        for tunable in entry.tunables:
            cells = (tunable.name, str(tunable.default), tunable.range_text, tunable.what)
            heaps.add_row("", *map(escape, cells))
    out.print(heaps)
    installed = table("\nInstalled here", "heap", "version", "what it is", "library")
    for column in (1, 2, 3):
        installed.columns[column].justify = "left"
    for peer in found:
        installed.add_row(
            f"[bold]{peer.name}[/]", escape(peer.version or "?"), peer.full_name, escape(str(peer.library))
        )
    out.print(installed)
    out.print("\nUse one with  strata run --heap NAME[:KEY=VALUE]... -- PROGRAM ARGS...", markup=False)
    return 0
