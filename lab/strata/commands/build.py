"""strata build: a drop-in library from a recipe."""

from pathlib import Path
from typing import Annotated

import typer

from strata import recipes
from strata.catalogue import catalogue
from strata.commands.arguments import Json
from strata.compiler import compile_recipe, deliver, find_compiler
from strata.errors import UserError
from strata.naming import bytes_text
from strata.terminal import console, write_json

HELP = "Build the drop-in library of a recipe."
EXAMPLE = "Example:  strata build recipe.toml -o libmine.so"


def build(
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE.toml", help="A heap of the catalogue and its tunables.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="LIBRARY", help="Default: libNAME.so.")
    ] = None,
    json: Json = None,
) -> int:
    made = recipes.read(catalogue(), recipe)
    target = output or Path(f"lib{recipe.stem}.so")
    if target.is_dir():
        raise UserError(f"{target}: is a folder: name the library, e.g. -o {target}/lib{recipe.stem}.so")
    deliver(compile_recipe(made), target)
    compiler = find_compiler()
    size = target.stat().st_size
    if json is not None:
        document = {"library": str(target), "heap": made.name, "source": made.source, "bytes": size}
        write_json(json, document | {"compiler": compiler.version if compiler else None})
    out = console(stderr=json == "-")
    out.print(f"{target}: {made.name}, {bytes_text(size)}; use it with LD_PRELOAD={target.absolute()}", markup=False)
    return 0
