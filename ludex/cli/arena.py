"""`ludex classic arena`: first moves, full games, and a person against an agent."""

import functools
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click

from ludex.cli import options
from ludex.cli.console_match import ConsoleMatch, Quit
from ludex.cli.failures import SHOWN
from ludex.core.play import normalise_label, parse
from ludex.io.text import read_int
from ludex.match.luck import chosen_seed
from ludex.match.session import Match

seed_option = click.option(
    "--seed",
    type=options.SEED,
    callback=lambda ctx, param, seed: chosen_seed(seed),
    help="Seed; random.",
)


@click.group()
def arena() -> None:
    """Search first moves, play full games, or play against an agent.

    \b
    ludex classic arena firstmove
    ludex classic arena human L 5
    """


def read_limits(ctx: Any, param: Any, text: str) -> range:
    """Return the depth limits of a text such as `1-9`."""
    first, _, last = text.partition("-")
    low, high = (read_int(one, "--depths", 0, 20) for one in (first, last or first))
    if low > high:
        raise ValueError(f"--depths {text!r}: expected the smaller number first")
    return range(low, high + 1)


def game_options(command: options.Command) -> options.Command:
    """Add the options of the game to a command, as `game`: ours, or that of a student's file."""

    @options.rules
    @click.option("--file", "student", metavar="MEGAMAN_ARENA.PY", help="A student's game; ours.")
    @click.option(
        "--seconds",
        type=options.DURATION,
        default=60.0,
        help="Time limit for a search of the file; 60.",
    )
    @options.unsafe
    @seed_option
    @functools.wraps(command)
    def wrapped(student: str | None, seconds: float, seed: int, **rest: Any) -> None:
        pairs, file = rest.pop("pairs"), rest.pop("file")
        if student is None:
            command(game=our_game(options.chosen_rules("arena", pairs, file), seed), **rest)
            return
        if pairs or file:
            expected = "expected neither --rule nor --rules with it"
            raise ValueError(f"--file has rules of its own: {expected}")
        with file_game(student, seed, seconds) as game:
            command(game=game, **rest)

    return wrapped


def our_game(rules: Any, seed: int) -> Any:
    """Return our game, with the methods of a student's."""
    from ludex.courses.arena import first_moves, full_game

    return SimpleNamespace(
        first_moves=functools.partial(first_moves, rules),
        full_game=functools.partial(full_game, rules, seed=seed),
    )


@contextmanager
def file_game(student: str, seed: int, seconds: float) -> Iterator[Any]:
    """Yield the game of a student's file; then end its process and show its output."""
    from ludex.courses.arena_file import FileGame
    from ludex.external.log import with_caption

    game = FileGame(student, options.chosen_rules("arena"), seed, seconds)
    try:
        yield game
    finally:
        game.close()
        if game.printed:
            click.echo(f"\n{with_caption(student, game.printed, SHOWN)}")


@arena.command()
@click.option("--depths", default="1-9", callback=read_limits, help="Depth limits, from-to; 1-9.")
@game_options
def firstmove(depths: range, game: Any) -> None:
    """Time both searches at the initial state, for each depth limit.

    Ties are broken by the order of the play list. With --file the course's searches run on the
    game in that file, under its own rules.

    \b
    ludex classic arena firstmove --depths 1-6
    ludex classic arena firstmove --depths 1-4 --file Megaman_Arena.py
    """
    click.echo("Depth limit d looks d + 1 plies ahead, as --agent alphabeta:depth=PLIES does.")
    row = "{:<10} {:>11} {:>6}  {:>9}  {:>13}  {:>9}  {}"
    head = ("Algorithm", "Depth limit", "Plies", "Time (s)", "Nodes", "Value", "Move")
    click.echo(row.format(*head))
    for one in game.first_moves(depths):
        if one.move:
            rest = f"{one.seconds:.4f}", f"{one.nodes:,}", f"{one.value:+.4f}", one.move
        else:
            rest = f"> {one.seconds:g}", "-", "-", "not found in this time; none deeper is tried"
        click.echo(row.format(one.algorithm, one.limit, one.limit + 1, *rest))


@arena.command()
@click.option(
    "--depths",
    default="0-3",
    callback=read_limits,
    help="Depth limits of both sides, from-to; 0-3.",
)
@click.option("--show", "shown", is_flag=True, help="Show every move.")
@game_options
def fullgames(depths: range, shown: bool, game: Any) -> None:
    """Play a full game for each pair of depth limits, and list the survivors.

    With --file both sides search the game in that file, under its own rules.

    \b
    ludex classic arena fullgames --depths 0-2
    ludex classic arena fullgames --depths 0-1 --rule gamma=120 --show
    ludex classic arena fullgames --depths 0-1 --file Megaman_Arena.py
    """
    click.echo("Light and Wily by depth limits: limit d looks d + 1 plies ahead.")
    for light, wily in itertools.product(depths, depths):
        *moves, end = game.full_game(light, wily)
        for number, move in enumerate(moves if shown else (), start=1):
            click.echo(f"{number}. {move}")
        click.echo(f"Light {light}, Wily {wily}: {end}" + "\n" * shown)


class ArenaMatch(ConsoleMatch):
    """A match at the console that accepts `Shadow Man` for `shadow`, as in the course."""

    def action(self, seat: int, text: str) -> int:
        """Return the action of a number or a robot."""
        from ludex.games.arena.robots import full_name

        if text.isascii() and text.isdigit():
            return super().action(seat, text)
        name = normalise_label(text).removesuffix(" man")
        try:
            return parse(self.rules, self.match.state, name, seat)
        except ValueError:
            names = [full_name(name) for name in self.match.legal_moves(seat)]
            raise ValueError(f"{text!r}: expected one of {', '.join(names)}") from None


@arena.command(context_settings={"ignore_unknown_options": True})
@click.argument("side", metavar="L|W")
@click.argument("depth", type=click.IntRange(0, 20))
@options.rules
@seed_option
def human(side: str, depth: int, pairs: tuple[str, ...], file: Path | None, seed: int) -> None:
    """Play as Light (L) or Wily (W) against a depth limit.

    A depth limit of d searches d + 1 plies.

    \b
    ludex classic arena human L 5
    """
    from ludex.courses.arena import congratulation, depth_agent

    if side.upper() not in ("L", "W"):
        raise ValueError(f"{side!r}: expected L for Dr. Light, or W for Dr. Wily")
    rules: Any = options.chosen_rules("arena", pairs, file)
    agents = ["human", depth_agent(depth)] if side.upper() == "L" else [depth_agent(depth), "human"]
    match = Match(rules, seed=seed, chance="manual")
    try:
        ArenaMatch(match, agents).play()
    except Quit:
        click.echo("\nGood bye.")
        return
    click.echo(congratulation(rules, match.state))
