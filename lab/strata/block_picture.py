"""What blocks consist of, as bars: what lies in front, what was asked for, what rounding adds, and the share of the
rest."""

from strata.composition import Composition, Request
from strata.layer_words import amount_text, share_text, size_text
from strata.svg import Canvas, text_width

SHOWN = 100  # the request whose block is drawn large
BAR, ROW, SMALL = 46.0, 25.0, 12.5
LABELS, NUMBERS = 76.0, 84.0  # the widths of a row's label, and of each of its three numbers
PARTS = ("front", "asked", "rounding", "beside")
MEANING = {
    "front": "in front: what layers write there",
    "asked": "asked for",
    "rounding": "usable too, by rounding",
    "beside": "beside it: alignment, its share of chunks",
}


def pieces(request: Request) -> list[float]:
    """The bytes of each of PARTS; together what the request takes."""
    beyond = (request.taken or 0) - request.usable - request.in_front
    return [request.in_front, request.bytes, request.usable - request.bytes, max(0.0, beyond)]


def draw_blocks(canvas: Canvas, composition: Composition, x: float, y: float, width: float) -> float:
    """Draws from y on; where it ends."""
    told = [request for request in composition.requests if request.taken is not None]
    shown = next((request for request in told if request.bytes == SHOWN), told[0])
    canvas.text(x, y, f"A block of {size_text(shown)}", "head")
    y = _large(canvas, shown, composition.tree.alignment, x, y + 36, width)
    canvas.text(x, y + 34, "What a request takes", "head")
    return _rows(canvas, told, x, y + 54, width)


def _large(canvas: Canvas, request: Request, alignment: int, x: float, y: float, width: float) -> float:
    sizes = pieces(request)
    here = x + width * sizes[0] / sum(sizes)
    canvas.path([(here, y - 12), (here, y + BAR)], "wire")
    canvas.text(here + 6, y - 8, f"malloc({request.bytes}) returns this address, a multiple of {alignment}", "soft")
    _bar(canvas, sizes, x, y, width, BAR)
    left = x
    for part, size in zip(PARTS, sizes, strict=True):
        if size:
            text = f"{amount_text(size)} B {MEANING[part]}"
            if left + text_width(text, SMALL) + 17 > x + width:
                left, y = x, y + 20
            canvas.box(left, y + BAR + 12, 11, 11, part, 2)
            canvas.text(left + 17, y + BAR + 22, text, "soft")
            left += 17 + text_width(text, SMALL) + 20
    return y + BAR + 22


def _bar(canvas: Canvas, sizes: list[float], x: float, y: float, width: float, height: float) -> None:
    for part, size in zip(PARTS, sizes, strict=True):
        length = width * size / sum(sizes)
        if length < 0.5:
            continue
        canvas.box(x, y, max(1.0, length - 1), height, part)
        text = amount_text(size)
        if height == BAR and text_width(text, 15) < length:
            look = "on-bar" if part in ("front", "asked") else "on-pale"
            canvas.text(x + length / 2, y + height / 2 + 5, text, look, "middle")
        x += length


def _rows(canvas: Canvas, requests: list[Request], x: float, y: float, width: float) -> float:
    left, right = x + LABELS, x + width - 3 * NUMBERS
    for column, title in enumerate(("usable", "taken", "asked for")):
        canvas.text(right + (column + 1) * NUMBERS, y, title, "soft", "end")
    for request in requests:
        y += ROW
        canvas.text(left - 12, y, size_text(request), "plain", "end")
        _bar(canvas, pieces(request), left, y - 12, right - left, 15)
        numbers = (amount_text(request.usable), amount_text(request.taken or 0), share_text(request))
        for column, number in enumerate(numbers):
            canvas.text(right + (column + 1) * NUMBERS, y, number, "plain", "end")
    return y + 6
