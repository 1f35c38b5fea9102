"""The text of the report, section by section: the verdict first, then why."""

import re
from html import escape
from typing import Any

from strata.naming import bytes_text, count_text, seconds_text
from strata.report.tables import heap_table, recipe_table
from strata.report.words import agreement_sentence, program_text, stake_sentences
from strata.tools import shell_words

Document = dict[str, Any]


def title(document: Document) -> str:
    return escape(f"Strata: {headline(document)}")


def headline(document: Document) -> str:
    """The verdict in a line."""
    verdict, name = document["verdict"], program_text(document)
    if verdict["kind"] == "keep":
        return f"{name}: keep the allocator it has"
    if verdict["heap"] is None:
        return f"{name}: nothing settled yet"
    heap, *tunables = verdict["heap"].split(":") if verdict["kind"] == "ours" else [verdict["heap"]]
    tuned = f", tuned to {name}" if tunables else ""
    return f"{name}: {'use' if verdict['confirmed'] else 'try'} {heap}{tuned}"


def body(document: Document, drawn: set[str]) -> str:
    parts = [
        _header(document),
        "<main>",
        _stake(document),
        _comparison(document, drawn),
        _behaviour(drawn),
        _deployment(document),
        _method(document),
        _glossary(),
        "</main>",
        f"<footer>Made by Strata {escape(document['strata'])} on {escape(document['made'][:10])}. "
        "Everything is in this file; result.json beside it has the numbers.</footer>",
    ]
    return "\n".join(part for part in parts if part)


def _command(text: str) -> str:
    return (
        f'<div class="command"><pre>{escape(text)}</pre><button class="copy" type="button" hidden>Copy</button></div>'
    )


def _figure(name: str, caption: str, drawn: set[str]) -> str:
    """`caption` is ours and may hold markup."""
    if name not in drawn:
        return ""
    label = re.sub(r".*?<b>(.*?)</b>.*", r"\1", caption, flags=re.DOTALL)
    plot = f'<div class="plot" id="figure-{name}" role="img" aria-label="{label}"></div>'
    return f"<figure>{plot}<figcaption>{caption}</figcaption></figure>"


def _header(document: Document) -> str:
    verdict = document["verdict"]
    command = document["program"]["command"] if document["program"] else document["trace"]["stream"]["command"]
    parts = [
        "<header>",
        f'<p class="kicker">Memory allocators for <code>{escape(shell_words(command))}</code></p>',
        f"<h1>{escape(headline(document))}</h1>",
    ]
    parts += [f'<p class="lead">{escape(sentence)}</p>' for sentence in verdict["sentences"]]
    if document["interrupted"]:
        parts.append(
            '<p class="lead"><b>The tuning was interrupted;</b> this rests on the rounds completed until then.</p>'
        )
    if document["use"]["command"]:
        parts.append(_command(document["use"]["command"]))
    parts.append("</header>")
    return "\n".join(parts)


def _tile(number: str, text: str) -> str:
    return f'<div class="tile"><b>{escape(number)}</b><span>{escape(text)}</span></div>'


def _stake(document: Document) -> str:
    stake, stream = document["at_stake"], document["trace"]["stream"]
    tiles = []
    if stake["share_of_cpu"] is not None:
        text = f"of its CPU time goes into malloc and free ({seconds_text(stake['malloc_seconds'])}), by estimate"
        tiles.append(_tile(f"{stake['share_of_cpu']:.0%}", text))
    if stake["resident_over_live"] is not None:
        text = f"held for every byte in use at the peak of {bytes_text(stake['peak_live_bytes'])}"
        tiles.append(_tile(f"{stake['resident_over_live']:.2f} bytes", text))
    tiles.append(_tile(count_text(stream["events"]), "calls of malloc, free and kin were recorded and replayed"))
    sentences = " ".join(escape(sentence) for sentence in stake_sentences(document))
    return (
        f'<h2>What is at stake</h2><div class="tiles">{"".join(tiles)}</div><p>{sentences} '
        "The time is that of the replay under the current heap minus the replay under a heap that does nothing.</p>"
        + _notes(document)
    )


def _notes(document: Document) -> str:
    if not document["notes"]:
        return ""
    items = "".join(f"<li>{escape(note)}</li>" for note in document["notes"])
    return f"<p><b>To know before you read on:</b></p><ul>{items}</ul>"


def _comparison(document: Document, drawn: set[str]) -> str:
    rounds, objective = document["rounds"], document["options"]["objective"]
    program = document["program"] or {}
    clock = "CPU time" if program.get("clock") == "cpu" else "running time"
    what = {"time": clock, "memory": "peak memory", "balanced": "time and memory together"}[objective]
    interval = (
        f"<b>Did {what} of the program really change?</b> Each point is a heap's ratio to the current one over "
        f"{rounds['program']} paired runs; the whisker is what chance allows, for all heaps together. A heap that lies "
        "wholly left of the line is better, one that touches it cannot be told from what you have."
    )
    time = (
        f"<b>(a) Time</b>, normalised to the current heap; shorter is better. The program's bar is its whole {clock}; "
        "the replay's is malloc and free alone, engine included, so it moves much further."
    )
    memory = (
        "<b>(b) Peak memory</b>, normalised to the current heap; shorter is better. The program's bar counts all "
        "it has resident, its code too; the replay's counts what the heap holds."
    )
    agreement = agreement_sentence(document) if document["program"] else "The program itself was not run."
    return (
        "<h2>How every heap did</h2>"
        + _figure("interval", interval, drawn)
        + f'<div class="pair">{_figure("time", time, drawn)}{_figure("memory", memory, drawn)}</div>'
        + heap_table(document)
        + recipe_table(document)
        + f"<p>{escape(agreement)}</p>"
    )


def _behaviour(drawn: set[str]) -> str:
    graph = (
        "<b>The allocation graph.</b> The filled area is the memory that the program asked for and has not given back; "
        "a line is what a heap keeps resident to serve it. The gap between the two is the heap's own: rounding, "
        "headers, holes, and memory kept for later. A flat end means that the program gives little back before it ends."
    )
    sizes = "<b>Sizes.</b> Many small objects of few sizes are what size-class heaps like Kingsley's are made for."
    lifetimes = (
        "<b>Lifetimes.</b> Objects on the left die young: the same memory is handed out again at once, still in "
        "the cache. Survivors are not shown."
    )
    return (
        "<h2>What the program does with memory</h2>"
        + _figure("graph", graph, drawn)
        + f'<div class="pair">{_figure("sizes", sizes, drawn)}{_figure("lifetimes", lifetimes, drawn)}</div>'
    )


def _deployment(document: Document) -> str:
    use, files = document["use"], document["files"]
    parts = ["<h2>How to use it</h2>"]
    if use["command"]:
        parts += [
            "<p>Nothing is recompiled: the dynamic linker puts the library before libc's malloc.</p>",
            _command(use["command"]),
        ]
    else:
        parts.append("<p>Nothing need be changed.</p>")
    if "library" in files:
        parts.append(
            f"<p><code>{escape(files['library'])}</code> beside this report is Strata's own best composition, built "
            f"from <code>{escape(files['recipe'])}</code>; <code>deploy.md</code> says how to use a library with "
            "systemd, in a container and by linking.</p>"
        )
    return "".join(parts)


def _method(document: Document) -> str:
    rounds, options, machine = document["rounds"], document["options"], document["machine"]
    engine = document["null"]
    facts = {
        "Rounds": f"{rounds['replay']} of the replay, {rounds['program']} of the program; every round runs each heap "
        f"once, in an order shuffled anew (seed {options['seed']})",
        "Intervals": f"Student's t over rounds on the logarithms of paired ratios, {rounds['confidence']:.1%} each, "
        "so that all hold together with 95%",
        "Replay": f"stream {document['trace']['stream']['id']}, memory touched as the program would"
        + (f"; the engine itself costs {engine['nanoseconds_per_event']:.1f} ns an event" if engine else ""),
        "Output": _output_fact(document),
        "Recipes tried": f"{len(document['screened'])} in the search, the best of them in the table"
        if document["screened"]
        else "ready heaps only",
        "Machine": f"{machine['cpu']}, {machine['cpus']} CPUs, {bytes_text(machine['memory_bytes'] or 0)}",
        "System": ", ".join(str(machine[key]) for key in ("system", "kernel", "libc") if machine[key]),
        "Huge pages": str(machine["huge_pages"] or "not known"),
        "Compiler": str(machine["compiler"] or "none"),
    }
    rows = "".join(f"<dt>{escape(key)}</dt><dd>{escape(value)}</dd>" for key, value in facts.items())
    return f"<h2>How it was measured</h2><dl>{rows}</dl><p>To measure it again:</p>{_command(repeat_command(document))}"


def _output_fact(document: Document) -> str:
    program = document["program"]
    if program is None:
        return "not compared: the program itself was not run"
    if not program["output_comparable"]:
        return "differs between two runs under the current heap, so it could not be compared"
    return f"standard output and exit status {program['exit_status']} compared in every run, under every heap"


def repeat_command(document: Document) -> str:
    options, program = document["options"], document["program"]
    words = ["strata", "tune", "--budget", f"{options['budget']:g}", "--objective", options["objective"]]
    words += ["--seed", str(options["seed"]), *(["--runs", str(options["runs"])] if options["runs"] else [])]
    if program is None:
        return shell_words([*words, document["trace"]["path"] or "TRACE"])
    text = shell_words([*words, "--", *program["command"]])
    return f"{text} < {shell_words([program['stdin']])}" if program["stdin"] else text


def _glossary() -> str:
    words = {
        "heap, allocator": "the part of a program that hands out memory: malloc and free",
        "current": "what the program uses now, with no change to its environment",
        "live": "bytes that the program asked for and has not freed yet",
        "resident": "memory that really occupies RAM",
        "replay": "the recorded calls made again, alone, under another heap; quick, but a model of the program",
        "ratio": "time or memory under one heap over that under the current heap, in the same round; under 1 is better",
    }
    rows = "".join(f"<dt>{escape(key)}</dt><dd>{escape(value)}</dd>" for key, value in words.items())
    return f"<h2>Words used here</h2><dl>{rows}</dl>"
