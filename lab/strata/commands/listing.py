"""strata list: heaps of ours and allocators that are installed; what one of ours is made of."""

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from strata import peers, picture, tree_text
from strata.catalogue import catalogue
from strata.commands.arguments import Json
from strata.composition import composition_of, recipe_to_look_into
from strata.errors import UserError
from strata.terminal import console, table, write_json, write_text
from strata.tools import library

HELP = (
    "List our heaps with their tunables, and the allocators installed on this machine; or show what a heap is made of."
)
EXAMPLE = "Example:  strata list --tree kingsley:steps=4 --svg kingsley.svg"


def list_heaps(
    tree: Annotated[
        str | None,
        typer.Option("--tree", metavar="HEAP", help="Its layers, and what each adds: NAME[:KEY=VALUE]... or a recipe."),
    ] = None,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Draw the tree as a picture.")] = None,
    json: Json = None,
) -> int:
    if tree is not None:
        return _show_tree(tree, svg, json)
    if svg is not None:
        raise UserError(f"--svg {svg} needs a heap to draw: strata list --tree HEAP --svg {svg}", 2)
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


def _show_tree(heap: str, svg: Path | None, json: str | None) -> int:
    composition = composition_of(recipe_to_look_into(heap))
    if json is not None:
        write_json(json, composition.document)
    if svg is not None:
        write_text(svg, picture.draw(composition))
    out = console(stderr=json == "-")
    for part in (tree_text.heading(composition), "", tree_text.tree(composition), "", tree_text.requests(composition)):
        out.print(part)
    return 0
