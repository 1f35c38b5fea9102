"""The report has its parts, and needs nothing from outside."""

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from strata import report
from strata.report.figures import bars, figures, intervals


def figures_of(page: str) -> dict[str, Any]:
    match = re.search(r'<script type="application/json" id="figures">(.*?)</script>', page, re.S)
    assert match is not None
    found: dict[str, Any] = json.loads(match[1])
    return found


class Outline(HTMLParser):
    """Headings, links out, and whether every element that was opened is closed."""

    VOID = ("meta", "br", "link", "img")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        for key, value in attrs:
            if key in ("src", "href", "srcset", "data", "action"):
                self.links.append(value or "")
            if key == "id" and value:
                self.ids.append(value)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("h1", "h2"):
            self.headings.append(data)


def outline(page: str) -> Outline:
    parsed = Outline()
    parsed.feed(page)
    assert parsed.open == []
    return parsed


def test_verdict_first_and_all_parts(result: dict[str, Any]) -> None:
    found = outline(report.html(result))
    assert found.headings[0] == "perl: use kingsley, tuned to perl"
    assert found.headings[1:] == [
        "What is at stake",
        "How every heap did",
        "What the program does with memory",
        "How to use it",
        "How it was measured",
        "Words used here",
    ]


def test_nothing_is_loaded_from_outside(result: dict[str, Any]) -> None:
    page = report.html(result)
    assert outline(page).links == []
    style = page[page.index("<style>") : page.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style


def test_every_figure_has_its_place(result: dict[str, Any]) -> None:
    page = report.html(result)
    drawn = figures_of(page)
    assert set(drawn) == {"graph", "sizes", "lifetimes", "interval", "time", "memory"}
    assert {f"figure-{name}" for name in drawn} <= set(outline(page).ids)


def test_text_of_the_user_cannot_become_markup(result: dict[str, Any]) -> None:
    result["heaps"][0]["heap"] = result["verdict"]["heap"] = "</script><b>x"
    result["notes"] = ["<img src=x>"]
    page = report.html(result)
    assert "a <script>.pl" not in page.split('id="figures"')[0]
    assert outline(page).links == []


def test_bars_are_normalised_to_the_current_heap(result: dict[str, Any]) -> None:
    figure = bars(result, "time", "nanoseconds_per_event")
    assert figure is not None
    program, replay = figure["data"]
    assert list(program["x"]) == [0.92, 0.97, 1.0]
    assert list(replay["x"]) == [0.5, 0.75, 1.0]
    assert len(program["error_x"]["array"]) == 3


def test_a_disqualified_heap_is_in_the_table_but_in_no_figure(result: dict[str, Any]) -> None:
    assert "out: crashed with signal 11 (SIGSEGV)" in report.html(result)
    assert "mimalloc" not in json.dumps(figures(result))


def test_a_heap_that_gained_for_sure_is_marked(result: dict[str, Any]) -> None:
    figure = intervals(result)
    assert figure is not None
    assert figure["data"][0]["marker"]["color"] == ["--good", "--good"]
    result["heaps"][1]["program"]["time"]["ratio"]["high"] = 1.01
    figure = intervals(result)
    assert figure is not None
    assert figure["data"][0]["marker"]["color"] == ["--good", "--soft"]


def test_the_graph_shows_live_current_and_winner(result: dict[str, Any]) -> None:
    names = [trace["name"] for trace in figures(result)["graph"]["data"]]
    assert names[0].startswith("live")
    assert names[1:] == ["resident under current", "resident under kingsley:steps=4"]


def test_keep_says_so(result: dict[str, Any]) -> None:
    result["verdict"] = {"kind": "keep", "heap": None, "confirmed": True, "sentences": ["Keep what you have: x."]}
    result["use"] = {"library": None, "command": None}
    page = report.html(result)
    assert outline(page).headings[0] == "perl: keep the allocator it has"
    assert "Nothing need be changed." in page


@pytest.mark.parametrize("missing", ["program", "replay", "curves"])
def test_a_result_with_less_in_it_still_makes_a_report(result: dict[str, Any], missing: str) -> None:
    if missing == "curves":
        result["curves"] = {"live": None, "resident": {}}
    else:
        for row in result["heaps"]:
            row[missing] = None
    if missing == "program":
        result["program"] = None
        result["at_stake"] |= {"cpu_seconds": None, "share_of_cpu": None}
    if missing == "replay":
        result["null"] = None
        result["at_stake"] |= {"malloc_seconds": None, "share_of_cpu": None, "resident_over_live": None}
    outline(report.html(result))
