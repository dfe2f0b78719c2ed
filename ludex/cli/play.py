"""`ludex play`: a match at the console, or a menu of all games."""

import functools
import secrets
import sys
from collections.abc import Callable
from pathlib import Path

import click

from ludex.agents.registry import HUMAN, default_agent
from ludex.cli import console, options, words
from ludex.cli.console_match import ConsoleMatch, Quit, read_line
from ludex.cli.games import title_and_kind
from ludex.core.rules import Rules, State, initial, seat_name, seats, title
from ludex.games import all_names
from ludex.match.luck import chosen_seed
from ludex.match.session import Match
from ludex.match.whole_state import whole_state

FORMAT = "console"  # of the events of such matches
ENDLESS = sys.maxsize  # plies: no match is truncated here
Keeper = Callable[[Match, list[str]], None]
"""Stores a finished match, given with its agents."""


@click.command()
@click.argument("game", type=words.GAME, required=False)
@click.argument("agents", type=words.AGENT, nargs=-1, metavar="[AGENT]...")
@options.rules
@options.one_position
@click.option("--seed", type=click.IntRange(min=0), help="Seed; random by default.")
@options.db
@options.no_store
def play(
    game: str | None,
    agents: tuple[str, ...],
    pairs: tuple[str, ...],
    file: Path | None,
    given: str | None,
    seed: int | None,
    db: str | None,
    no_store: bool,
) -> None:
    """Play a match at the console.

    Agents take their seats in the order given. If none is named, you take the first seat, and the
    default agent takes the others. Without a GAME there is a menu.

    \b
    ludex play nuts
    ludex play trap human human --rule size=5
    ludex play aeroplane random random --seed 7
    """
    options.check_store(db, no_store)
    keep = functools.partial(keep_match, db=db) if not no_store else None
    if game is None:
        menu(keep)
        return
    rules = options.chosen_rules(game, pairs, file)
    play_match(rules, options.start_state(rules, given), agents or (HUMAN,), seed, keep)


def play_match(
    rules: Rules, state: State, agents: tuple[str, ...], seed: int | None, keep: Keeper | None
) -> None:
    """Play one match and store it, unless a person quits."""
    places = seats(rules)
    if len(agents) > places:
        offer = options.seats_offer(rules, len(agents))
        raise ValueError(f"{len(agents)} agents for {places} seats: name at most {places}{offer}")
    seed = chosen_seed(seed)
    filled = [*agents, *[default_agent(rules)] * (places - len(agents))]
    start = whole_state(rules, state, seed)
    match = Match(rules, start, seed, chance="manual", plies=ENDLESS)
    shown = ConsoleMatch(match, filled)
    sitting = ", ".join(f"{seat_name(rules, seat)} is {text}" for seat, text in enumerate(filled))
    luck = "" if shown.hides else f" seed {seed};"  # it tells what is hidden
    click.echo(f"{title(rules)}: {sitting};{luck} type help at any time")
    try:
        shown.play()
    except Quit:
        click.echo(f"\nGood bye. The position was: {shown.shown.position}")
    else:
        if keep is not None:
            keep(match, filled)


def keep_match(match: Match, agents: list[str], db: str | None) -> None:
    """Store a finished match, and print its identity or the error."""
    # The database takes long to import, and nobody needs it before the end.
    from ludex.store import Store
    from ludex.tournaments.event import entry_of, store_match

    entry = entry_of(match, match.record(agents), FORMAT)
    try:
        place = store_match(Store(db), f"{FORMAT} {secrets.token_urlsafe(9)}", *entry)
    except ValueError as error:
        console.warn(f"the match could not be stored: {error}")
    else:
        console.warn(f"stored as match {place} (ludex replay {place}{options.db_hint(db)})")


def menu(keep: Keeper | None) -> None:
    """Offer all games until the person quits."""
    names = all_names()
    table = console.table("", "game", "title", "kind")
    for number, name in enumerate(names, 1):
        table.add_row(str(number), name, *title_and_kind(name))
    while True:
        console.show(table)
        try:
            text = read_line("Which game? (number or name; quit to leave) ", hidden=False)
            if not text:
                continue
            numbered = dict(zip(map(str, range(1, len(names) + 1)), names, strict=True))
            rules = options.chosen_rules(numbered.get(text, text))
            agents = read_line(
                f"Who plays? (Enter for human {default_agent(rules)}; quit to leave) ", hidden=False
            ).split()
            play_match(rules, initial(rules), tuple(agents) or (HUMAN,), None, keep)
        except ValueError as error:
            click.echo(str(error))
        except Quit:
            click.echo()
            return
