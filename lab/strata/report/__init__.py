"""report.html: a result as one self-contained page, for somebody who never read a paper on allocators."""

import json
from importlib.resources import files
from typing import Any

from plotly.offline import get_plotlyjs

from strata.report.figures import figures
from strata.report.sections import body, title
from strata.report.words import stake_sentences

__all__ = ["html", "stake_sentences"]


def html(document: dict[str, Any]) -> str:
    """The page. Everything is inside: style, script, Plotly and the numbers."""
    drawn = figures(document)
    parts = {
        "TITLE": title(document),
        "STYLE": _asset("style.css"),
        "BODY": body(document, set(drawn)),
        "FIGURES": _script_safe(json.dumps(drawn, allow_nan=False)),
        "SCRIPT": _asset("script.js"),
        "PLOTLY": get_plotlyjs(),
    }
    page = _asset("page.html")
    for key in ("TITLE", "STYLE", "BODY", "FIGURES", "SCRIPT", "PLOTLY"):  # Plotly last: it is not ours to search in
        page = page.replace(f"@{key}@", parts[key], 1)
    return page


def _asset(name: str) -> str:
    return (files("strata.report") / name).read_text(encoding="utf-8")


def _script_safe(text: str) -> str:
    """A heap's name must not be able to end the script it stands in."""
    return text.replace("<", "\\u003c")
