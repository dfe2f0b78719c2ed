"""The command line. Commands are imported on use, so starting loads neither Numba nor NumPy."""

import importlib
import os
import signal
import sys
import traceback
from typing import Any

import click
from click.shell_completion import CompletionItem

from ludex.cli import words
from ludex.core.termination import error_line

# Every command, in the module of its name, with its help in one line.
COMMANDS = {
    "play": "Play a match at the console.",
    "serve": "Open the web lab.",
    "match": "Play a series of matches between agents.",
    "tournament": "Play a tournament between agents, and rate them.",
    "ladder": "Rate all levels and learners of a game.",
    "history": "List, search and export past matches.",
    "replay": "Replay a past match, move by move.",
    "analyse": "Analyse the decisions of a match.",
    "best": "Show the move that an agent chooses, and why.",
    "solve": "Compute the exact value and the best moves of a game.",
    "verify": "Verify kept solutions by the rules alone.",
    "explain": "List the value of every action, and what it loses.",
    "exploit": "Compute the exploitability of agents.",
    "lab": "Run experiments and write reports.",
    "train": "Train a learning agent.",
    "inspect": "Show what an agent has learned.",
    "tree": "Draw the search tree of an agent.",
    "classic": "Run a course program as its document describes it.",
    "course": "Create the handout of a course.",
    "grade": "Grade the agents of a class in a sandbox.",
    "class": "Run the ladder of a class, whose programs play day and night.",
    "games": "List the games, or the rules of one.",
    "agents": "List the agents with their options.",
    "show": "Show a position.",
    "count": "Count the lines of play from a position (perft).",
    "warm": "Compile ahead of time what games need.",
    "check": "Check that a game keeps the contract.",
    "completion": "Print a script that completes commands in a shell.",
}

# Commands whose names Python reserves, with their modules.
MODULES = {"class": "classroom"}

# Options that are not named as the parameters of the library are.
OPTIONS = {"number": "--match", "store": "--db"}


class Refusal(click.ClickException):
    """A usage error, printed in one line."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """Print the reason."""
        click.echo(f"ludex: {self.format_message()}", err=True)


def refusal(error: click.UsageError) -> Refusal:
    """Return the message of click in one line."""
    command = error.ctx.command_path if error.ctx else "ludex"
    words = " ".join(error.format_message().split())
    for theirs, ours in (("integer range", "whole number"), ("float range", "number")):
        words = words.replace(f"is not a valid {theirs}", f"is not a {ours}")
    return Refusal(f"{words} (see {command} --help)")


def message_of(error: ValueError) -> str:
    """Return the message of an error, in which parameters of the library are options."""
    from ludex.io.text import ParameterError

    if isinstance(error, ParameterError):
        return error.message(lambda name: OPTIONS.get(name, f"--{name}"))
    return str(error)


def faulty_game(error: BaseException) -> str | None:
    """Return the external game that an error comes from, or None."""
    games = [sys.modules[name] for name in list(sys.modules) if name.startswith("ludex_game_")]
    outside = {getattr(game, "__file__", None) for game in games}
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename in outside:
            return f"the game {frame.filename}, line {frame.lineno},"
    return "compiling the game" if type(error).__module__.startswith("numba.") else None


def imported(name: str) -> click.Command:
    """Return a command from its module."""
    module = MODULES.get(name, name)
    command: click.Command = getattr(importlib.import_module(f"ludex.cli.{module}"), module)
    return command


class Commands(click.Group):
    """Commands that are imported on use, and whose errors are one line."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments before the command."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            raise refusal(error) from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import a command."""
        if name not in COMMANDS:
            return None
        if words.is_completing():
            return words.stand_in(name, lambda: imported(name))
        return imported(name)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands that begin like this, from the table alone, or else options."""
        found = [CompletionItem(one, help=text) for one, text in COMMANDS.items()]
        named = [one for one in found if one.value.startswith(incomplete)]
        return named if not incomplete.startswith("-") else super().shell_complete(ctx, incomplete)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or suggest the nearest."""
        from ludex.io.text import nearest

        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            offer = nearest(args[0], COMMANDS)
            raise Refusal(f"no command {args[0]!r}{offer} (there are {', '.join(COMMANDS)})")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; turn errors of the user into a `Refusal`."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            if error.ctx is None or error.message != error.ctx.get_help():
                raise refusal(error) from error
            click.echo(error.message)  # the help of a group without a command
        except ValueError as error:
            raise Refusal(message_of(error)) from error
        except BrokenPipeError:
            raise
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            raise Refusal(f"{where}{error.strerror}") from error
        except Exception as error:
            game = faulty_game(error)
            if game is None:
                raise
            fault = f"{game} failed with {error_line(error)}"
            raise Refusal(f"{fault} (ludex check says more)") from error


def show_versions(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    """Print the versions, and end the command."""
    if wanted and not ctx.resilient_parsing:
        from ludex.cli.versions import versions_text

        click.echo(versions_text())
        ctx.exit()


@click.command(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=show_versions,
    help="Show the versions of Ludex and of what it runs on, and exit.",
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Ludex, a laboratory for small games.

    \b
    ludex play nuts                 play against an agent
    ludex games arena               list the rules of a game
    ludex count trap --depth 3      count lines of play (perft)
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        code = cli.main(standalone_mode=False, prog_name="ludex")
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (KeyboardInterrupt, click.Abort) as error:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # exit at once on a second Ctrl-C
        notes = getattr(error.__cause__ or error, "__notes__", [])  # what was stored, if anything
        click.echo("; ".join(["stopped", *notes]), err=True)
        code = 130
    except BrokenPipeError:  # the reader of the output has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 141
    except OSError as error:  # our output could not be written
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        click.echo(f"ludex: {error.strerror}", err=True)
        code = 2
    sys.exit(code)
