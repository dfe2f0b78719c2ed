"""`ludex play`: a match at the console, or a menu of all games."""

from pathlib import Path

import click

from ludex.agents.registry import HUMAN, default_agent
from ludex.cli.console_match import Left, Table, read_line
from ludex.cli.games import described
from ludex.cli.options import (
    chosen_rules,
    chosen_seed,
    one_position_option,
    plain_table,
    rule_options,
    screen,
    seats_offer,
    start,
)
from ludex.core.rules import Rules, State, initial, position, seat_name, seats, title
from ludex.games import all_names


@click.command()
@click.argument("game", required=False)
@click.argument("agents", nargs=-1, metavar="[AGENT]...")
@rule_options
@one_position_option
@click.option("--seed", type=click.IntRange(min=0), help="Seed; random by default.")
def play(
    game: str | None,
    agents: tuple[str, ...],
    pairs: tuple[str, ...],
    file: Path | None,
    given: str | None,
    seed: int | None,
) -> None:
    """Play a match at the console.

    Agents take their seats in the order given. If none is named, you take the first seat, and the
    default agent takes the others. Without a GAME there is a menu.

    \b
    ludex play nuts
    ludex play trap human human --rule size=5
    ludex play aeroplane random random --seed 7
    """
    if game is None:
        menu()
        return
    rules = chosen_rules(game, pairs, file)
    sit_down(rules, start(rules, given), agents or (HUMAN,), seed)


def sit_down(rules: Rules, state: State, agents: tuple[str, ...], seed: int | None) -> None:
    """Play one match, and leave politely when somebody leaves."""
    places = seats(rules)
    if len(agents) > places:
        offer = seats_offer(rules, len(agents))
        raise ValueError(f"{len(agents)} agents for {places} seats: name at most {places}{offer}")
    seed = chosen_seed(seed)
    filled = [*agents, *[default_agent(rules)] * (places - len(agents))]
    table = Table(rules, state, filled, seed, screen())
    sitting = ", ".join(f"{seat_name(rules, seat)} is {text}" for seat, text in enumerate(filled))
    click.echo(f"{title(rules)}: {sitting}; seed {seed}; type help at any time")
    try:
        table.play()
    except Left:
        click.echo(f"\nGood bye. The position was: {position(rules, table.state)}")
    finally:
        table.close()


def menu() -> None:
    """Offer all games until somebody leaves."""
    names = all_names()
    table = plain_table("", "game", "title", "kind")
    for number, name in enumerate(names, 1):
        table.add_row(str(number), name, *described(name))
    while True:
        screen().print(table)
        try:
            text = read_line("Which game? (number or name; quit to leave) ", hidden=False)
            if not text:
                continue
            numbered = dict(zip(map(str, range(1, len(names) + 1)), names, strict=True))
            rules = chosen_rules(numbered.get(text, text))
            agents = read_line(
                f"Who plays? (Enter for human {default_agent(rules)}; quit to leave) ", hidden=False
            ).split()
            sit_down(rules, initial(rules), tuple(agents) or (HUMAN,), None)
        except ValueError as error:
            click.echo(str(error))
        except Left:
            click.echo()
            return
