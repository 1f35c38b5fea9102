"""The `strata` command: its subcommands, and errors as one line each."""

import sys
from collections.abc import Sequence

import typer

from strata import __version__
from strata.commands import build, compare, info, listing, record, run, tune
from strata.errors import UserError
from strata.terminal import error_line

app = typer.Typer(
    help="Strata finds, builds and runs the best memory allocator for a program.",
    epilog="First thing to try:  strata tune -- perl script.pl",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("tune", help=tune.HELP, epilog=tune.EXAMPLE)(tune.tune)
app.command("compare", help=compare.HELP, epilog=compare.EXAMPLE)(compare.compare)
app.command("run", help=run.HELP, epilog=run.EXAMPLE)(run.run)
app.command("record", help=record.HELP, epilog=record.EXAMPLE)(record.record)
app.command("info", help=info.HELP, epilog=info.EXAMPLE)(info.info)
app.command("list", help=listing.HELP, epilog=listing.EXAMPLE)(listing.list_heaps)
app.command("build", help=build.HELP, epilog=build.EXAMPLE)(build.build)


def _version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"strata {__version__}\n")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", is_eager=True, callback=_version, help="Say the version and end."),
) -> None:
    """Options before the subcommand."""


def run_command(arguments: Sequence[str]) -> int:
    """What `main` does, without leaving the process. Everything after `--` is the program, untouched."""
    own, program = list(arguments), None
    if "--" in own:
        position = own.index("--")
        own, program = own[:position], tuple(own[position + 1 :])
    hint = "" if program else ": write -- before a program: strata COMMAND -- PROGRAM ARGS..."
    return call(app, own, "strata", program, hint=hint)


def call(
    command: typer.Typer, arguments: Sequence[str], name: str, program: tuple[str, ...] | None = None, *, hint: str = ""
) -> int:
    """Runs a command line; what goes wrong becomes one line on standard error and an exit status. `hint` ends the line
    about an argument too many."""
    try:
        return int(command(args=list(arguments), prog_name=name, standalone_mode=False, obj=program) or 0)
    except UserError as error:
        error_line(str(error))
        return error.exit_status
    except typer.TyperException as error:
        message = error.format_message()
        if "unexpected extra argument" in message:
            message += hint
        if message:
            error_line(message)
        return 2
    except (KeyboardInterrupt, typer.Abort):
        error_line("interrupted")
        return 130
    except OSError as error:
        error_line(f"{error.filename or 'strata'}: {error.strerror or error}")
        return 1


def main() -> None:
    sys.exit(run_command(sys.argv[1:]))
