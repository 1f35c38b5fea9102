"""strata tune: the best allocator for a program, measured, confirmed and ready to use."""

import re
import signal
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from strata import compiler, deploy, programs, report, result
from strata.commands.arguments import Json, Seed, trace_or_program
from strata.errors import UserError
from strata.folder import Folder
from strata.heaps import CURRENT, Heap, splits
from strata.naming import bytes_text
from strata.tables import tuning_table
from strata.terminal import console, steps, write_json
from strata.tuning import Options, Tuning
from strata.verdict import Objective

HELP = """Find the best memory allocator for a program, and hand it over with a report.

Standard input that is piped in is given to every run; a terminal is not."""
EXAMPLE = "Example:  strata tune --objective balanced -- perl script.pl"
USAGE = "strata tune (TRACE | -- PROGRAM ARGS...)"
OBJECTIVES = ("time", "memory", "balanced")
KEPT_TRACE_BYTES = 512 << 20


def tune(
    context: typer.Context,
    trace: Annotated[str | None, typer.Argument(metavar="TRACE", help="A trace, else a program after --.")] = None,
    budget: Annotated[float, typer.Option("--budget", metavar="SECONDS", min=1, help="Time to measure for.")] = 120.0,
    objective: Annotated[str, typer.Option("--objective", help="time, memory or balanced.")] = "time",
    seed: Seed = 1,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="Default: PROGRAM.strata, in this folder.")
    ] = None,
    runs: Annotated[
        int | None, typer.Option("--runs", min=1, help="Rounds on the program, whatever the budget.")
    ] = None,
    json: Json = None,
) -> int:
    if objective not in OBJECTIVES:
        raise UserError(f"--objective {objective}: is one of {', '.join(OBJECTIVES)}", 2)
    kind: Objective = objective  # type: ignore[assignment]
    options = Options(budget=budget, objective=kind, seed=seed, runs=runs)
    path, program = trace_or_program(context, trace, USAGE, lambda: None)
    name = re.sub(r"[^\w.+-]", "_", program.name if program else Path(trace or "").name.removesuffix(".trace"))
    folder = Folder(output or Path(f"{name}.strata"))
    folder.claim()
    if program is not None:
        program = programs.Program(program.command, _stdin(folder))
        path = folder.file("program.trace")
    assert path is not None
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # being stopped keeps what was measured, as Ctrl-C does
    with steps() as progress:
        tuning = Tuning(options, program, path, progress)
        tuning.run()
        with progress.step(f"writing {folder.path}"):
            document = _leave(tuning, folder, name)
    _show(document, folder, json)
    return 130 if tuning.interrupted else 0


def _stdin(folder: Folder) -> Path | None:
    """What is piped in, kept beside the results."""
    folder.remove("stdin")
    return programs.capture_stdin(folder.file("stdin"))


def _leave(tuning: Tuning, folder: Folder, name: str) -> dict[str, Any]:
    """All files of the folder; the JSON last, because it tells of the others."""
    document = result.document(tuning)
    library, recipe = _library(tuning, folder, name)
    if tuning.program is not None and tuning.trace_path.stat().st_size > KEPT_TRACE_BYTES:
        size = bytes_text(tuning.trace_path.stat().st_size)
        tuning.trace_path.unlink()
        document["trace"]["path"] = None
        document["notes"].append(f"the trace took {size} and was not kept; strata record makes it again")
    document["use"] = _use(tuning, document, library)
    command = list(tuning.program.command) if tuning.program else None
    deployment = deploy.markdown(
        recommended=document["verdict"]["heap"],
        library=document["use"]["library"],
        ours=library,
        command=command,
        sentences=document["verdict"]["sentences"],
    )
    files = {"deploy": folder.write("deploy.md", deployment), "library": library, "recipe": recipe}
    files |= {"report": folder.file("report.html"), "result": folder.file("result.json")}
    document["files"] = {key: path.name for key, path in files.items() if path is not None}
    folder.write("report.html", report.html(document))
    write_json(str(folder.file("result.json")), document)
    return document


def _library(tuning: Tuning, folder: Folder, name: str) -> tuple[Path | None, Path | None]:
    """Our best composition and its recipe, built from that recipe."""
    library, recipe_name = folder.file(f"libstrata-{name}.so"), "recipe.toml"
    best = tuning.best("ours")
    if best is None or best.recipe is None or best.library is None:
        for stale in (library.name, recipe_name):
            folder.remove(stale)
        return None, None
    compiler.deliver(best.library, library)
    return library.absolute(), folder.write(recipe_name, best.recipe.toml())


def _use(tuning: Tuning, document: dict[str, Any], ours: Path | None) -> dict[str, Any]:
    """What to preload, and the command that does it; nothing if the verdict is to keep the current heap."""
    heap: Heap | None = tuning.heaps.get(document["verdict"]["heap"] or CURRENT.name)
    if heap is None or heap.kind == "current":
        return {"library": None, "command": None}
    library = str(ours) if heap.kind == "ours" and ours is not None else str(heap.library)
    if splits(Path(library)):
        document["notes"].append(
            f"LD_PRELOAD cannot name {library} (a space, ':', ';' or '$' in it): copy it to another place to use it"
        )
    command = list(tuning.program.command) if tuning.program else None
    return {"library": library, "command": deploy.preload_command(library, command)}


def _show(document: dict[str, Any], folder: Folder, json: str | None) -> None:
    if json is not None:
        write_json(json, document)
    out = console(stderr=json == "-")
    out.print()
    for sentence in report.stake_sentences(document):
        out.print(escape(sentence), soft_wrap=True)
    out.print()
    out.print(tuning_table(document))
    out.print()
    for note in document["notes"]:
        out.print(f"note: {escape(note)}", soft_wrap=True)
    if document["interrupted"]:
        out.print("Interrupted: what follows rests on the complete rounds only.")
    out.print("[bold]" + escape(" ".join(document["verdict"]["sentences"])) + "[/]", soft_wrap=True)
    if document["use"]["command"]:
        out.print(f"  {escape(document['use']['command'])}", soft_wrap=True)
    out.print(f"\nReport: {escape(str(folder.file('report.html')))}", soft_wrap=True)
