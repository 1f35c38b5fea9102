"""A composition as a picture: its layers from the program down to the sources, and below, what a block consists of."""

from pathlib import Path

from strata.block_picture import draw_blocks
from strata.composition import Composition, Node, Part, chain
from strata.layer_words import adds_text, parameters_text, part_text
from strata.svg import Canvas, text_width, wrap

MARGIN, COLUMN, GUTTER, NARROWEST = 32.0, 236.0, 16.0, 760.0
INSET, EDGE, LEADING = 16.0, 5.0, 17.0  # of a card: text from its edge, its coloured edge, from line to line
BETWEEN, INDENT, CAPTION = 8.0, 26.0, 12.5  # from card to card; of text beside an arrow; the size of small text
BOLD = 1.14  # times as wide
KINDS = (("layer", "adds to one parent"), ("combine", "has several parts"), ("source", "is where memory is from"))
STYLE = Path(__file__).with_name("picture.css")


def draw(composition: Composition) -> str:
    canvas = Canvas()
    columns = _columns(composition.tree)
    width = max(columns * COLUMN + (columns - 1) * GUTTER, NARROWEST)
    layers = _Layers(canvas)
    bottom = layers.place(composition.tree, MARGIN, _head(canvas, composition, width), width)
    if any(request.taken is not None for request in composition.requests):
        bottom = draw_blocks(canvas, composition, MARGIN, bottom + 44, width)
    page = Canvas()
    outer = width + 2 * MARGIN, bottom + MARGIN
    page.box(0.5, 0.5, outer[0] - 1, outer[1] - 1, "page", 12)
    page.extend(canvas)
    return page.document(
        *outer, f"The heap {composition.recipe.name}, layer by layer", STYLE.read_text(encoding="utf-8")
    )


def _head(canvas: Canvas, composition: Composition, width: float) -> float:
    entry, tree = composition.recipe.entry, composition.tree
    canvas.text(MARGIN, MARGIN + 26, composition.recipe.name, "title")
    about = f"{entry.type}: an instance takes {tree.object_bytes:,} bytes; blocks lie at multiples of {tree.alignment}"
    y = canvas.lines(MARGIN, MARGIN + 50, wrap(entry.summary, width, CAPTION), "soft", LEADING)
    y = canvas.lines(MARGIN, y, wrap(about, width, CAPTION), "soft", LEADING)
    x = MARGIN
    for kind, what in KINDS:
        canvas.box(x, y - 3, 11, 11, f"{kind}-edge", 2)
        canvas.text(x + 17, y + 7, what, "soft")
        x += 17 + text_width(what, CAPTION) + 22
    return y + 28


def _parts(node: Node, *, shared: bool) -> list[Part]:
    return [part for part in node.parts if (part.takes == "references") == shared]


def _columns(node: Node) -> int:
    *_, last = chain(node)
    return max(1, sum(_columns(part.node) for part in _parts(last, shared=False)))


class _Layers:
    """Cards, each as wide as all that it stands on."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._references: list[tuple[str, float, float]] = []  # to which layer, from where

    def place(self, node: Node, x: float, y: float, width: float) -> float:
        """Draws a node and all below it; the bottom of the lowest card."""
        layers = list(chain(node))
        for layer in layers:
            bottom = self._card(layer, x, y, width)
            y = bottom + BETWEEN
        last = layers[-1]
        own = _parts(last, shared=False)
        unit = (width + GUTTER) / max(1, sum(_columns(part.node) for part in own))
        widths = [unit * _columns(part.node) - GUTTER for part in own]
        lefts = [x + sum(widths[:position]) + position * GUTTER for position in range(len(own))]
        captions = [
            wrap(part_text(part, last.parts[: last.parts.index(part)]), inner - INDENT, CAPTION)
            for part, inner in zip(own, widths, strict=True)
        ]
        top = y + LEADING * max(map(len, captions), default=0) + 9
        for part, left, inner, caption in zip(own, lefts, widths, captions, strict=True):
            self._arrow(caption, left, y, top - 2)
            bottom = max(bottom, self.place(part.node, left, top, inner))
        for part in _parts(last, shared=True):
            bottom = self._shared(part, x, bottom + 2 * BETWEEN, width)
        return bottom

    def _arrow(self, caption: list[str], x: float, y: float, end: float) -> None:
        """Into what follows, and beside it what is handed on."""
        self._canvas.lines(x + INDENT, y + 13, caption, "part", LEADING)
        self._canvas.path([(x + 12, y - BETWEEN), (x + 12, end)], "wire")
        self._canvas.path([(x + 7, end - 6), (x + 12, end), (x + 17, end - 6)], "wire")

    def _shared(self, part: Part, x: float, y: float, width: float) -> float:
        caption = self._canvas.lines(x, y + 12, [part_text(part, ())], "part", LEADING)
        top = caption - 4
        wires = [wire for wire in self._references if wire[0] == part.node.layer]
        for wire in wires:
            _, center, bottom = wire
            self._references.remove(wire)
            self._canvas.path([(center, bottom), (center, top)], "shared")
            self._canvas.path([(center - 5, top - 6), (center, top), (center + 5, top - 6)], "wire")
        return self.place(part.node, x, top, width)

    def _card(self, node: Node, x: float, y: float, width: float) -> float:
        inner = width - 2 * INSET
        small = [
            (wrap(parameters_text(node), inner, CAPTION), "plain"),
            (wrap(node.header.does, inner, CAPTION), "soft"),
            (wrap(f"+ {adds}", inner, CAPTION * BOLD) if (adds := adds_text(node)) else [], "adds"),
        ]
        height = 34 + LEADING * sum(len(lines) for lines, _ in small)
        kind = node.header.folder
        self._canvas.box(x, y, width, height, f"{kind} refers" if node.refers_to else kind, 7)
        self._canvas.box(x, y + 8, EDGE, height - 16, f"{kind}-edge", 2)
        name = f"{node.layer} → {node.refers_to}" if node.refers_to else node.layer
        self._canvas.text(x + INSET, y + 23, name, "name")
        if node.finished and text_width(name + node.finished, 15) < inner:
            self._canvas.text(x + width - INSET, y + 23, f"= {node.finished}", "soft", "end")
        below = y + 42
        for lines, look in small:
            below = self._canvas.lines(x + INSET, below, lines, look, LEADING)
        if node.refers_to:
            self._references.append((node.refers_to, x + width / 2, y + height))
        return y + height
