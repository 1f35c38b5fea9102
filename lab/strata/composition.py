"""What a heap of ours is made of: its layers as a tree, as the C++ types tell, and what requests take in it."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from strata import heaps
from strata.catalogue import catalogue
from strata.compiler import compile_tree
from strata.errors import UserError
from strata.headers import Header, header_of
from strata.naming import nearest
from strata.recipes import Recipe
from strata.tools import failure_line, tool_json


@dataclass(frozen=True)
class Chunk:
    """A stretch that blocks are cut from."""

    bytes: int
    in_front: int
    own_from: int | None


@dataclass(frozen=True)
class Added:
    """What a layer makes of a request: preload/composition/node.hpp has the same."""

    in_front: int
    least: int
    step: int
    classes: tuple[int, ...]
    chunk: Chunk | None


@dataclass(frozen=True)
class Part:
    name: str
    takes: str
    copies: int
    up_to: int | None
    in_front: int
    node: "Node"


@dataclass(frozen=True)
class Node:
    layer: str
    header: Header
    finished: str | None
    refers_to: str | None
    parameters: tuple[dict[str, Any], ...]
    added: Added | None
    alignment: int
    alignment_offset: int
    object_bytes: int
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Request:
    """What blocks of one size take, found by allocating them."""

    bytes: int
    usable: int
    taken: float | None
    in_front: int
    through: tuple[str, ...]  # the layers that it goes through, down to the source


@dataclass(frozen=True)
class Composition:
    recipe: Recipe
    tree: Node
    requests: tuple[Request, ...]
    document: dict[str, Any]


def recipe_to_look_into(text: str) -> Recipe:
    """A heap on the command line that we can see into: one of ours."""
    recipe = heaps.recipe_of(text)
    if recipe is None:
        names = [entry.name for entry in catalogue().heaps]
        raise UserError(
            f"{text}: we can see into our own heaps only, given by name or recipe: {nearest(text.split(':')[0], names)}"
        )
    return recipe


def composition_of(recipe: Recipe) -> Composition:
    if recipe.tunables:
        done = subprocess.run([compile_tree(recipe)], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise UserError(failure_line(f"the tree of {recipe.name}", done.returncode, done.stderr))
        document = json.loads(done.stdout)
    else:
        document = tool_json("strata-catalogue", "--tree", recipe.entry.name)
    return parse(recipe, document)


def parse(recipe: Recipe, document: dict[str, Any]) -> Composition:
    """The tree with what the headers say of each layer, and each request with its way through it."""
    tree = _node(document["tree"])
    requests = []
    for request in document["requests"]:
        way = way_of(tree, request["bytes"])
        through = [node.layer for node, _ in way if node.refers_to is None]
        request |= {"in_front": in_front_of(way), "through": through}
        requests.append(Request(**(request | {"through": tuple(through)})))
    about = {"heap": recipe.name, "type": recipe.type, "summary": recipe.entry.summary}
    return Composition(recipe, tree, tuple(requests), about | document)


def _node(document: dict[str, Any]) -> Node:
    header = header_of(document["layer"])
    document |= {"header": header.file, "does": header.does, "cost": header.cost}
    added = document["added"]
    parts = []
    for part in document["parts"]:
        values = {key: part[key] for key in ("name", "takes", "copies", "up_to", "in_front")}
        parts.append(Part(**values, node=_node(part["node"])))
    return Node(
        layer=document["layer"],
        header=header,
        finished=document.get("finished"),
        refers_to=document.get("refers_to"),
        parameters=tuple(document["parameters"]),
        added=None if added is None else _added(added),
        alignment=document["alignment"],
        alignment_offset=document["alignment_offset"],
        object_bytes=document["object_bytes"],
        parts=tuple(parts),
    )


def _added(document: dict[str, Any]) -> Added:
    chunk = document.get("chunk")
    return Added(
        document["in_front"],
        document["least"],
        document["step"],
        tuple(document.get("classes", ())),
        None if chunk is None else Chunk(chunk["bytes"], chunk["in_front"], chunk.get("own_from")),
    )


Way = list[tuple[Node, int]]  # layers, and what the one above puts in front of its blocks


def way_of(tree: Node, size: int) -> Way:
    """The layers that a request goes through when nothing that was freed fits."""
    way: Way = [(tree, 0)]
    shared: dict[str, Node] = {}
    while True:
        node = way[-1][0]
        shared |= {part.node.layer: part.node for part in node.parts if part.takes == "references"}
        serving = (part for part in node.parts if part.takes == "requests" and size <= (part.up_to or size))
        part = next(serving, None)
        if part is not None:
            way.append((part.node, part.in_front))
        elif node.refers_to in shared:
            way.append((shared[node.refers_to], 0))
        else:
            return way


def in_front_of(way: Way) -> int:
    """The bytes in front of a block that are its own: not those of a chunk, which many share."""
    total = 0
    for node, in_front in way:
        total += in_front + (node.added.in_front if node.added else 0)
        if node.added and node.added.chunk:
            break
    return total


def chain(node: Node) -> Iterator[Node]:
    """The layers from here down to the first that stands on several parts, or on none."""
    yield node
    while len(node.parts) == 1:
        node = node.parts[0].node
        yield node
