"""A composition on the terminal: layers one below the other, a branch for each part of one that has several."""

from collections.abc import Iterator

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from strata.composition import Composition, Node, Part, Request, chain
from strata.layer_words import (
    adds_text,
    amount_text,
    parameters_text,
    part_text,
    served_text,
    share_text,
    size_text,
)
from strata.terminal import table


def heading(composition: Composition) -> Text:
    text = Text()
    text.append(composition.recipe.name, style="bold")
    text.append(f": {composition.recipe.entry.summary}")
    tree = composition.tree
    size = f"an instance takes {tree.object_bytes:,} bytes, blocks lie at multiples of {tree.alignment}"
    return text.append(f"\n{composition.recipe.entry.type}: {size}", style="dim")


def tree(composition: Composition) -> Tree:
    top = list(chain(composition.tree))
    result = Tree(_label(top), guide_style="dim")
    _grow(result, top[-1].parts)
    return result


def _grow(branch: Tree, parts: tuple[Part, ...]) -> None:
    for position, part in enumerate(parts):
        layers = list(chain(part.node))
        _grow(branch.add(_label(layers, part_text(part, parts[:position]))), layers[-1].parts)


def _label(layers: list[Node], part: str | None = None) -> Group:
    """Layers that stand on each other alone, the first of them on top."""
    title = () if part is None else (Text(part, style="italic magenta"),)
    return Group(*title, *(line for layer in layers for line in _lines(layer)))


def _lines(node: Node) -> Iterator[Text | Padding]:
    name = Text("● ", style="cyan").append(node.layer, style="bold")
    if node.parameters:
        name.append(f"  {parameters_text(node)}", style="default not bold")
    if node.refers_to:
        name.append(f"  → {node.refers_to}", style="green not bold")
    if node.finished:
        name.append(f"  = {node.finished}", style="dim not bold")
    yield name
    yield Padding(Text(node.header.does, style="dim"), (0, 0, 0, 2), expand=False)
    if adds := adds_text(node):
        yield Padding(Text(f"+ {adds}", style="yellow"), (0, 0, 0, 2), expand=False)


def requests(composition: Composition) -> Table:
    result = table("What a request takes", "request", "usable", "taken", "in front", "asked for", "from")
    result.columns[-1].justify = "left"
    for request in composition.requests:
        result.add_row(*_cells(request))
    return result


def _cells(request: Request) -> tuple[str, ...]:
    taken = "?" if request.taken is None else amount_text(request.taken)
    usable, in_front = amount_text(request.usable), str(request.in_front)
    return size_text(request), usable, taken, in_front, share_text(request), served_text(request)
