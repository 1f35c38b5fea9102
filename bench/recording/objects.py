"""Builds trees of small objects, dictionaries and strings and drops them again.

Run with PYTHONMALLOC=malloc, so that every object of the interpreter comes from malloc.
"""

from __future__ import annotations


class Node:
    def __init__(self, depth: int) -> None:
        self.name = f"node {depth}"
        self.children = [Node(depth - 1) for _ in range(3)] if depth else []
        self.notes = {"depth": depth, "text": self.name * 2}


def count(node: Node) -> int:
    return 1 + sum(count(child) for child in node.children)


def main() -> None:
    nodes = sum(count(Node(8)) for _ in range(20))
    words: dict[str, list[int]] = {}
    state = 1
    for line in range(400_000):
        state = state * 48271 % 2147483647
        words.setdefault(f"word {state % 30011}", []).append(line)
    print(nodes, "nodes,", len(words), "words")


main()
