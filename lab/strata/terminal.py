"""What the terminal shows: tables on standard output, progress and remarks on standard error, plain when piped."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from strata.errors import UserError

PIPED_WIDTH = 160


def console(*, stderr: bool = False) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    return Console(file=stream, width=None if stream.isatty() else PIPED_WIDTH, highlight=False, soft_wrap=False)


def say(text: str) -> None:
    """A remark that is not a result."""
    console(stderr=True).print(text, markup=False, soft_wrap=True)


def error_line(message: str) -> None:
    sys.stderr.write(f"strata: {' '.join(message.split())}\n")


def table(title: str | None, *columns: str) -> Table:
    """First column left, the others right: names and numbers."""
    result = Table(title=title, title_justify="left", title_style="bold", header_style="bold", box=None, pad_edge=False)
    for position, column in enumerate(columns):
        result.add_column(escape(column), justify="left" if position == 0 else "right", no_wrap=position > 0)
    return result


class Steps:
    """Long work: one line a step, with a bar where its length is known. Plain lines when nobody watches live."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress

    @contextmanager
    def step(self, text: str, total: int | None = None) -> Iterator["Step"]:
        if self._progress is None:
            say(f"strata: {text}")
            yield Step(None, 0)
            return
        task = self._progress.add_task(text, total=total, detail="")
        try:
            yield Step(self._progress, int(task))
        finally:
            self._progress.update(task, total=1, completed=1, detail="")


class Step:
    def __init__(self, progress: Progress | None, task: int) -> None:
        self._progress, self._task = progress, task

    def at(self, detail: str, advance: float = 1, *, told: bool = False) -> None:
        """Where it is; `told`: a line of its own where nobody watches live."""
        if self._progress is None:
            if told:
                say(f"strata: {detail}")
        else:
            from rich.progress import TaskID

            self._progress.update(TaskID(self._task), advance=advance, detail=detail)


@contextmanager
def steps() -> Iterator[Steps]:
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield Steps(None)
        return
    columns = (
        SpinnerColumn(finished_text="[green]✓"),
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        TimeElapsedColumn(),
        TextColumn("[dim]{task.fields[detail]}"),
    )
    with Progress(*columns, console=screen) as progress:
        yield Steps(progress)


def write_json(target: str, document: Any) -> None:
    """--json FILE; '-' is standard output."""
    text = json.dumps(document, indent=2, allow_nan=False) + "\n"
    if target == "-":
        sys.stdout.write(text)
        return
    write_text(Path(target), text)


def write_text(target: Path, text: str) -> None:
    try:
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{target}: {error.strerror}") from error
