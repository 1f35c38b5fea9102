"""A composition in words and as pictures: what is drawn is what the tree says."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from strata import headers, picture, recipes, tree_text
from strata.block_picture import pieces
from strata.catalogue import Catalogue
from strata.composition import Composition, in_front_of, parse, way_of
from strata.errors import UserError
from strata.layer_words import adds_text, parameters_text, part_text, share_text, sizes_text
from strata.svg import text_width, wrap

SVG = "{http://www.w3.org/2000/svg}"
PLAIN = {"in_front": 0, "least": 1, "step": 1}


def node(layer: str, *parts: dict[str, Any], added: dict[str, Any] | None = PLAIN, **more: Any) -> dict[str, Any]:
    phase = {"alignment": 16, "alignment_offset": 0, "object_bytes": 64}
    return {"layer": layer, "parameters": [], "added": added, **phase, "parts": list(parts)} | more


def part(below: dict[str, Any], name: str = "", **more: Any) -> dict[str, Any]:
    return {"name": name, "takes": "requests", "copies": 1, "up_to": None, "in_front": 0, "node": below} | more


def document() -> dict[str, Any]:
    """Kingsley's shape, with two classes and a source that the parts share."""
    header = {"in_front": 8, "least": 16, "step": 8}
    chunk = {"in_front": 0, "least": 16, "step": 16, "chunk": {"bytes": 4080, "in_front": 8, "own_from": 513}}
    reference = node("UniqueHeap", refers_to="SbrkHeap")
    bins = part(node("FreelistHeap", part(node("NullHeap"))), "Bin", takes="freed blocks", copies=2)
    chunks = node("ChunkHeap", part(reference), added=chunk, alignment_offset=8)
    little = part(node("SizeHeap", part(chunks), added=header), "Little", up_to=128)
    big = part(node("SizeHeap", part(reference), added=header | {"in_front": 16, "least": 24}), "Big")
    classes = {"name": "Classes", "type": "PowerOfTwoClasses", "sizes": [64, 128]}
    added = PLAIN | {"classes": [64, 128]}
    seg = node("StrictSegHeap", bins, little, big, added=added, parameters=[classes], finished="KingsleyBins")
    source = node("SbrkHeap", added={"in_front": 16, "least": 32, "step": 16})
    sourced = node("SourcedHeap", part(seg, "SharingHeap"), part(source, "Source", takes="references"))
    requests = [{"bytes": 100, "usable": 128, "taken": 144.2}, {"bytes": 5000, "usable": 5000, "taken": 5040.0}]
    return {"tree": node("AnsiWrapper", part(sourced), finished="XDropIn"), "requests": requests}


@pytest.fixture
def composition(catalogue: Catalogue) -> Composition:
    return parse(recipes.make(catalogue, "tuned", {"spare": 3}), document())


def test_the_way_of_a_request(composition: Composition) -> None:
    small, large = composition.requests
    common = ("AnsiWrapper", "SourcedHeap", "StrictSegHeap")
    assert small.through == (*common, "SizeHeap", "ChunkHeap", "SbrkHeap")
    assert large.through == (*common, "SizeHeap", "SbrkHeap")
    # What a chunk has in front is shared by all that is cut from it.
    assert (small.in_front, large.in_front) == (8, 32)


def test_what_is_put_in_front_of_one_part_alone(catalogue: Catalogue) -> None:
    mapped = part(node("MmapHeap", added={"in_front": 32, "least": 4096, "step": 4096}), "Mmap", in_front=16)
    tree = node("SelectMmapHeap", part(node("BufferHeap"), "Super", up_to=99), mapped)
    made = parse(recipes.make(catalogue, "plain", {}), {"tree": tree, "requests": []})
    assert [in_front_of(way_of(made.tree, size)) for size in (99, 100)] == [0, 48]


def test_the_document_has_all_that_is_drawn(composition: Composition) -> None:
    assert composition.document["heap"] == "tuned:spare=3"
    assert composition.document["type"] == "strata::X<strata::XTunables{.spare = 3}>"
    tree = composition.document["tree"]
    assert tree["header"] == "strata/layer/ansi_wrapper.hpp"
    assert tree["does"].startswith("Faces the program")
    assert tree["cost"] == "a comparison each in malloc and free."


def test_a_heap_in_words(composition: Composition) -> None:
    sourced = composition.tree.parts[0].node
    seg = sourced.parts[0].node
    little, big = (each.node for each in seg.parts[1:])
    chunk = little.parts[0].node
    assert parameters_text(seg) == "2 classes: 64, 128 B"
    assert adds_text(composition.tree) == ""
    assert adds_text(seg) == "rounded up to 64, 128 B; larger requests stay as they are"
    assert adds_text(little) == "8 bytes in front, with them rounded up to 8 B"
    assert adds_text(big) == "16 bytes in front, with them rounded up to 8 B"
    assert adds_text(chunk) == (
        "rounded up to 16 B; cut from chunks of 4 KiB with 8 bytes in front of each; "
        "beyond 512 B, a chunk of its own; blocks 8 behind a multiple of 16"
    )
    texts = [part_text(each, seg.parts[:position]) for position, each in enumerate(seg.parts)]
    assert texts == ["2 Bins: what was freed", "Little: requests up to 128 B", "Big: requests beyond 128 B"]
    assert part_text(sourced.parts[1], ()) == "Source: shared by all that refer to it"
    assert share_text(composition.requests[0]) == "69%"


@pytest.mark.parametrize(
    ("added", "text"),
    [
        (None, "what that malloc adds"),
        ({"in_front": 0, "least": 24, "step": 16}, "rounded up to 24, 40, 56 …"),
        ({"in_front": 8, "least": 32, "step": 16}, "8 bytes in front, with them rounded up to 16 B, 32 B at least"),
        ({"in_front": 0, "least": 16, "step": 1}, "16 B at least"),
        (
            PLAIN | {"classes": [2**n for n in range(3, 30)]},
            "rounded up to the next class, at most 2 times the request",
        ),
        (PLAIN | {"classes": [16, 32, 48, 64, 80]}, "rounded up to the next class"),
    ],
)
def test_what_a_layer_adds_in_words(catalogue: Catalogue, added: dict[str, Any] | None, text: str) -> None:
    made = parse(recipes.make(catalogue, "plain", {}), {"tree": node("MallocHeap", added=added), "requests": []})
    assert adds_text(made.tree) == text


def test_sizes_are_shortened() -> None:
    assert sizes_text([8, 16, 32, 64]) == "8, 16, 32, 64 B"
    assert sizes_text([8, 16, 32, 64, 2**31]) == "8, 16, 32 … 2 GiB"


def test_first_sentence_and_cost_of_a_header() -> None:
    lines = ["Keeps 2.5 of", "them (PLDI01 Figure 2). And more.", "", "Cost:       a load,", "            a test."]
    comment = headers.opening_comment("".join(f"/// {line}".rstrip() + "\n" for line in lines) + "#pragma once\n")
    assert headers.first_sentence(comment) == "Keeps 2.5 of them"
    assert headers.section(comment, "Cost") == "a load, a test."
    assert headers.section(comment, "Needs") == ""


def test_headers_are_named_after_layers() -> None:
    assert headers.header_of("DLList").file == "strata/layer/dl_list.hpp"
    assert headers.header_of("SbrkHeap").folder == "source"
    with pytest.raises(UserError, match=r"NoSuchHeap has no header no_such_heap\.hpp"):
        headers.header_of("NoSuchHeap")


def text_of(composition: Composition, width: int) -> str:
    console = Console(width=width, record=True, file=Path("/dev/null").open("w"))  # noqa: SIM115
    console.print(tree_text.heading(composition), tree_text.tree(composition), tree_text.requests(composition))
    return console.export_text()


def test_the_tree_on_the_terminal(composition: Composition) -> None:
    text = text_of(composition, 120)
    assert "tuned:spare=3: a test" in text
    layers = re.findall(r"● (\w+)", text)
    bins, little, big = (
        ["FreelistHeap", "NullHeap"],
        ["SizeHeap", "ChunkHeap", "UniqueHeap"],
        ["SizeHeap", "UniqueHeap"],
    )
    assert layers == ["AnsiWrapper", "SourcedHeap", "StrictSegHeap", *bins, *little, *big, "SbrkHeap"]
    assert text.count("→ SbrkHeap") == 2
    assert re.search(r"100 B +128 +144\.2 +8 +69% +ChunkHeap over SbrkHeap", text)


def test_the_tree_stays_within_a_narrow_terminal(composition: Composition) -> None:
    assert max(len(line) for line in text_of(composition, 60).splitlines()) <= 60


def boxes(svg: str, look: str) -> Iterator[tuple[float, float, float, float]]:
    for box in ElementTree.fromstring(svg).iter(f"{SVG}rect"):
        if look in box.attrib["class"].split():
            yield (*(float(box.attrib[key]) for key in ("x", "y", "width", "height")),)  # type: ignore[misc]


def test_the_picture_is_a_picture(composition: Composition) -> None:
    svg = picture.draw(composition)
    root = ElementTree.fromstring(svg)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    assert root.attrib["viewBox"] == f"0 0 {root.attrib['width']} {root.attrib['height']}"
    texts = [element.text or "" for element in root.iter(f"{SVG}text")]
    assert "tuned:spare=3" in texts
    assert texts.count("UniqueHeap → SbrkHeap") == 2
    assert "prefers-color-scheme: dark" in svg
    assert "http" not in svg.replace(SVG.strip("{}"), ""), "it must stand alone"
    for element in root.iter(f"{SVG}text"):
        assert 0 <= float(element.attrib["x"]) <= width
        assert 0 <= float(element.attrib["y"]) <= height


def test_cards_do_not_overlap_and_stand_on_each_other(composition: Composition) -> None:
    svg = picture.draw(composition)
    cards = [card for kind in ("layer", "combine", "source") for card in boxes(svg, kind)]
    assert len(cards) == 11
    for position, (x, y, width, height) in enumerate(cards):
        for left, top, wide, high in cards[position + 1 :]:
            apart = x + width <= left or left + wide <= x or y + height <= top or top + high <= y
            assert apart, "two cards overlap"
    source = next(card for card in boxes(svg, "source") if card[2] > 600)
    assert all(y + height < source[1] for x, y, width, height in boxes(svg, "refers"))


def test_text_in_a_card_fits_it(composition: Composition) -> None:
    svg = picture.draw(composition)
    cards = [card for kind in ("layer", "combine", "source") for card in boxes(svg, kind)]
    for element in ElementTree.fromstring(svg).iter(f"{SVG}text"):
        x, y = float(element.attrib["x"]), float(element.attrib["y"])
        for left, top, width, height in cards:
            if left <= x <= left + width and top <= y <= top + height and element.attrib["text-anchor"] == "start":
                size = 15 if element.attrib["class"] == "name" else 12.5
                assert x + text_width(element.text or "", size) <= left + width, element.text


def test_the_pieces_of_a_block_are_all_of_it(composition: Composition) -> None:
    assert pieces(composition.requests[0]) == pytest.approx([8, 100, 28, 8.2])
    assert pieces(composition.requests[1]) == pytest.approx([32, 5000, 0, 8])


def test_names_are_escaped(catalogue: Catalogue) -> None:
    tree = node("AnsiWrapper", part(node("MmapHeap")), finished="A<b>&c")
    svg = picture.draw(parse(recipes.make(catalogue, "plain", {}), {"tree": tree, "requests": []}))
    assert "= A<b>&c" in [element.text for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_a_number_stays_with_its_unit() -> None:
    assert wrap("chunks of 128 KiB each", text_width("chunks of 128", 12), 12) == ["chunks of", "128 KiB each"]
    assert wrap("", 100, 12) == []
