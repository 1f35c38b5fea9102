"""strata run: a program under a heap, and nothing else."""

import os
from typing import Annotated

import typer

from strata import heaps
from strata.commands.arguments import program_of

HELP = "Run a program under a heap; its input, output and exit status are its own."
EXAMPLE = "Example:  strata run --heap kingsley:chunk=65536 -- perl script.pl"


def run(
    context: typer.Context,
    heap: Annotated[
        str,
        typer.Option("--heap", metavar="HEAP", help="NAME[:KEY=VALUE]..., a recipe.toml or a malloc library."),
    ] = "kingsley",
) -> int:
    command = program_of(context, "strata run [--heap HEAP] -- PROGRAM ARGS...")
    os.execvpe(command[0], command, heaps.environment(heaps.parse(heap)))
