"""Just enough SVG for our own pictures: text that is measured and wrapped, and a document that stands alone."""

import re
from html import escape

BREAK = re.compile(r"\s+(?!(?:B|KiB|MiB|GiB)\b)")
NARROW, WIDE = set("ijlt.,:;'|!()[]fI "), set("mwMW@%")


def text_width(text: str, size: float) -> float:
    """About how wide a sans-serif sets it: no more than a few percent less than any of the usual ones."""
    return size * sum(0.33 if c in NARROW else 0.92 if c in WIDE else 0.7 if c.isupper() else 0.58 for c in text)


def wrap(text: str, width: float, size: float) -> list[str]:
    """Lines of at most that width; a number stays with its unit."""
    lines: list[str] = []
    for word in BREAK.split(text.strip()) if text.strip() else []:
        if lines and text_width(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


class Canvas:
    """Shapes in the order in which they are painted; looks are classes of a style sheet."""

    def __init__(self) -> None:
        self._shapes: list[str] = []

    def box(self, x: float, y: float, width: float, height: float, look: str, radius: float = 0) -> None:
        place = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"'
        self._shapes.append(f'<rect class="{look}" {place} rx="{_n(radius)}"/>')

    def text(self, x: float, y: float, text: str, look: str, anchor: str = "start") -> None:
        self._shapes.append(
            f'<text class="{look}" x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}">{escape(text)}</text>'
        )

    def lines(self, x: float, y: float, lines: list[str], look: str, leading: float) -> float:
        """Text line by line from the baseline y on; where the next line would be."""
        for line in lines:
            self.text(x, y, line, look)
            y += leading
        return y

    def path(self, points: list[tuple[float, float]], look: str) -> None:
        steps = " L".join(f"{_n(x)} {_n(y)}" for x, y in points)
        self._shapes.append(f'<path class="{look}" d="M{steps}"/>')

    def extend(self, other: "Canvas") -> None:
        self._shapes += other._shapes

    def document(self, width: float, height: float, title: str, style: str) -> str:
        size = f'width="{_n(width)}" height="{_n(height)}" viewBox="0 0 {_n(width)} {_n(height)}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(title)}">'
        return "\n".join(
            [head, f"<title>{escape(title)}</title>", f"<style>{style}</style>", *self._shapes, "</svg>\n"]
        )


def _n(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")
