"""A layer of a composition in words, for the terminal and for the picture."""

from itertools import pairwise
from typing import Any

from strata.composition import Added, Chunk, Node, Part, Request
from strata.naming import bytes_text

SHOWN_SIZES = 3  # of a map of size classes, before the last
GRAIN = 512  # below this, class maps count granules of 16 bytes, and proportions say little
CHUNK_GRAIN = 256


def parameters_text(node: Node) -> str:
    return ", ".join(parameter_text(parameter) for parameter in node.parameters)


def parameter_text(parameter: dict[str, Any]) -> str:
    name = parameter["name"]
    if sizes := parameter.get("sizes"):
        return f"{len(sizes)} classes: {sizes_text(sizes)}"
    if "bytes" in parameter:
        return f"{name} {bytes_text(parameter['bytes'])}"
    return f"{name} {parameter.get('count', parameter.get('type'))}"


def sizes_text(sizes: list[int]) -> str:
    """8, 16, 32 ... 2 GiB"""
    if len(sizes) <= SHOWN_SIZES + 1:
        return ", ".join(str(size) for size in sizes) + " B"
    return f"{', '.join(str(size) for size in sizes[:SHOWN_SIZES])} … {bytes_text(sizes[-1])}"


def adds_text(node: Node) -> str:
    """What a layer adds to a block; empty if nothing."""
    if node.added is None:
        return "what that malloc adds"
    words = [_block_text(node.added)]
    if node.added.chunk:
        words.append(_chunk_text(node.added.chunk))
    if node.alignment_offset:
        words.append(f"blocks {node.alignment_offset} behind a multiple of {node.alignment}")
    return "; ".join(word for word in words if word)


def _block_text(added: Added) -> str:
    if added.classes:
        return f"rounded up to {_classes_text(added.classes)}"
    words = []
    if added.in_front:
        words.append(f"{added.in_front} bytes in front")
    if added.step > 1 and added.least % added.step:
        words.append(f"rounded up to {', '.join(str(added.least + n * added.step) for n in range(SHOWN_SIZES))} …")
        return ", ".join(words)
    if added.step > 1:
        words.append(f"{'with them ' if words else ''}rounded up to {bytes_text(added.step)}")
    if added.least > rounded_up(added.in_front + 1, added.step):
        words.append(f"{bytes_text(added.least)} at least")
    return ", ".join(words)


def rounded_up(number: int, step: int) -> int:
    return -(-number // step) * step


def _classes_text(classes: tuple[int, ...]) -> str:
    """Small maps in full; of others, how much larger than a request its class can be."""
    if len(classes) <= SHOWN_SIZES + 1:
        return f"{sizes_text(list(classes))}; larger requests stay as they are"
    most = max((high / (low + 1) for low, high in pairwise(classes) if low >= GRAIN), default=None)
    return "the next class" if most is None else f"the next class, at most {most:.3g} times the request"


def _chunk_text(chunk: Chunk) -> str:
    # What is asked for may be a few bytes less, to leave room for what the layer below puts in front.
    size = bytes_text(rounded_up(chunk.bytes, CHUNK_GRAIN))
    text = f"cut from chunks of {size} with {chunk.in_front} bytes in front of each"
    if chunk.own_from is not None:
        text += f"; beyond {bytes_text(chunk.own_from - 1)}, a chunk of its own"
    return text


def part_text(part: Part, before: tuple[Part, ...]) -> str:
    """What a layer hands on to this part; `before` are its parts before this one."""
    name = part.name if part.copies == 1 else f"{part.copies} {part.name}s"
    extra = f", {part.in_front} bytes in front" if part.in_front else ""
    return f"{name}: {_taken_text(part, before)}{extra}"


def _taken_text(part: Part, before: tuple[Part, ...]) -> str:
    if part.takes == "freed blocks":
        return "what was freed"
    if part.takes == "references":
        return "shared by all that refer to it"
    if part.up_to is not None:
        # A limit that is one less than a round number is told as that.
        exclusive = part.up_to % 2 == 1
        return f"requests {'below' if exclusive else 'up to'} {bytes_text(part.up_to + exclusive)}"
    limits = [other.up_to for other in before if other.up_to is not None]
    if limits:
        exclusive = limits[-1] % 2 == 1
        limit = bytes_text(limits[-1] + exclusive)
        return f"requests of {limit} or more" if exclusive else f"requests beyond {limit}"
    has_bins = any(other.takes == "freed blocks" for other in before)
    return "requests that no bin can serve" if has_bins else "requests"


def served_text(request: Request) -> str:
    """The last two layers of a request's way: what hands the block out, and where its memory is from."""
    return " over ".join(request.through[-2:])


def size_text(request: Request) -> str:
    return bytes_text(request.bytes) if request.bytes % 1024 == 0 else f"{request.bytes:,} B"


def amount_text(count: float) -> str:
    """Bytes, with a tenth where it matters."""
    return f"{count:,.0f}" if count >= 1000 else f"{count:,.1f}".removesuffix(".0")


def share_text(request: Request) -> str:
    """How much of what a request takes was asked for; all of it is never said of less."""
    return "?" if request.taken is None else f"{int(100 * request.bytes / request.taken)}%"
