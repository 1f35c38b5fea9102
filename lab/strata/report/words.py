"""Sentences that the terminal and the report share, and how both name a heap."""

from typing import Any

from strata.naming import bytes_text, count_text, seconds_text


def program_text(document: dict[str, Any]) -> str:
    """What was tuned, short."""
    program = document["program"]
    return str(program["name"]) if program else str(document["trace"]["stream"]["program"]).rsplit("/", 1)[-1]


def heap_label(row: dict[str, Any], document: dict[str, Any]) -> str:
    if row["kind"] == "current":
        return f"current ({document['current']['allocator']})"
    return str(row["heap"])


def stake_sentences(document: dict[str, Any]) -> list[str]:
    """What another allocator can change at all: an estimate, never called a ceiling."""
    stake, name = document["at_stake"], program_text(document)
    sentences = [f"At stake: {document['trace']['choice']}."]
    if stake["share_of_cpu"] is not None:
        sentences.append(
            f"{name} spends an estimated {stake['share_of_cpu']:.0%} of its CPU time in malloc and free "
            f"({seconds_text(stake['malloc_seconds'])} of {seconds_text(stake['cpu_seconds'])}); "
            "an allocator that places objects better can gain more than that."
        )
    elif stake["malloc_seconds"] is not None:
        events = document["trace"]["stream"]["events"]
        sentences.append(
            f"malloc and free take an estimated {seconds_text(stake['malloc_seconds'])} "
            f"for its {count_text(events)} events."
        )
    if stake["resident_over_live"] is not None:
        sentences.append(
            f"At its peak {bytes_text(stake['peak_live_bytes'])} are live, for which the current heap holds "
            f"{bytes_text(stake['peak_resident_bytes'])} resident ({stake['resident_over_live']:.2f} times as much)."
        )
    return sentences


def agreement_sentence(document: dict[str, Any]) -> str:
    """How far the replay can be trusted, measured on this very program."""
    agreement = document["rank_agreement"]
    found = [f"{agreement[key]:+.2f} for {key}" for key in ("time", "memory") if agreement[key] is not None]
    if not found:
        return "Too few heaps ran both in the replay and on the program to say how well the two rankings agree."
    return (
        f"Over {agreement['heaps']} heaps the ranking of the replay and the ranking on the program agree with a rank "
        f"correlation (Spearman) of {' and '.join(found)}; +1 is full agreement, 0 none."
    )
