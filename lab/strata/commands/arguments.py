"""Arguments that several subcommands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from strata.errors import UserError
from strata.programs import Program, require

Json = Annotated[
    str | None, typer.Option("--json", metavar="FILE", help="Write the result as JSON; - is standard output.")
]
HeapOption = Annotated[
    str, typer.Option("--heap", metavar="HEAP", help="NAME[:KEY=VALUE]..., a recipe.toml or a malloc library.")
]
TraceArgument = Annotated[str | None, typer.Argument(metavar="TRACE", help="A recorded trace (strata record).")]
Seed = Annotated[int, typer.Option("--seed", help="Of the order of runs and of the intervals.")]


def program_of(context: typer.Context, usage: str) -> tuple[str, ...]:
    """What stands after `--`, which must be there."""
    words: tuple[str, ...] | None = context.obj
    if not words:
        raise UserError(f"no program was given: write it after --: {usage}", 2)
    require(words)
    return words


def trace_or_program(
    context: typer.Context, trace: str | None, usage: str, stdin: Callable[[], Path | None]
) -> tuple[Path | None, Program | None]:
    """Exactly one of a trace and a program."""
    words: tuple[str, ...] | None = context.obj
    if trace is None:
        command = program_of(context, usage)
        return None, Program(command, stdin())
    if words:
        raise UserError(f"{trace!r} stands before -- and a program after it: give one of the two: {usage}", 2)
    path = Path(trace)
    if not path.exists():
        raise UserError(f"{trace}: no such trace; to run a program write -- before it: {usage}")
    return path, None
