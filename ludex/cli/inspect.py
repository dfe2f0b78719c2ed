"""`ludex inspect`: what was learned."""

from pathlib import Path
from typing import Any

import click
import numpy as np

from ludex.bits import members
from ludex.cli.options import as_json, chosen_rules, plain_table, print_json, screen
from ludex.guess import guess
from ludex.learn.contest import Tally
from ludex.learn.learned import ARRAYS, Trained, load
from ludex.learn.memory import number_of, used
from ludex.learn.weights import Weights, scratch, weights_of
from ludex.play import choosers, lawful, read
from ludex.rules import (
    Rules,
    State,
    actions,
    apply,
    features,
    features_text,
    initial,
    label,
    moves,
    patterns,
    patterns_text,
    position,
    seats,
)
from ludex.stats import wilson
from ludex.style import Learned
from ludex.vault import owner_of

MATCHES, LONGEST = 30, 300  # at random, to find positions for what was seen
FEW = 200  # hats that are still printed one by one
SEEN_OFTEN = 100  # times a pattern must have been seen before it is shown


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--position", "given", metavar="TEXT", help="What is known about a position.")
@click.option("--game", help="Where the game is, if it is not one of ours.")
@click.option("--top", type=click.IntRange(min=0), default=10, help="How many states; 10.")
@as_json
def inspect(file: Path, given: str | None, game: str | None, top: int, as_json: bool) -> None:
    """Show what an agent has learned.

    Hats are shown as a table, a row for each hat and the number of balls for each action; where
    there are too many, and for tables of values, the states that were visited most; of a learned
    estimate the patterns that say most.

    \b
    ludex inspect hats.npz
    ludex inspect q.npz --position "2,0 2,3 5,5 0,0 50"
    """
    owner = owner_of(file, ARRAYS)
    rules = rules_of(owner, game)
    trained = load(file, owner["learner"], rules)
    told = facts(owner, trained)
    if owner["learner"] == "td":
        weights = weights_of(rules, trained.memory)
        if given is None:
            told |= {"patterns": heaviest(rules, weights, top)}
        else:
            state = read(rules, given)
            told |= {"position": given, "patterns": patterns_in(rules, weights, state)}
            told |= {"value": guess(rules, state, 0, Learned(0, weights.values, scratch()))}
    elif given is not None:
        told |= {"position": given, "seats": known(rules, trained, read(rules, given))}
    elif owner["learner"] == "hats" and trained.memory.filled[0] <= FEW:
        told |= {"hats": hats(rules, trained)}
    else:
        told |= {"visited": visited(rules, trained, top)}
    if as_json:
        print_json(told)
    else:
        show(told)


def rules_of(owner: dict[str, Any], game: str | None) -> Rules:
    """Return the rules by which something was learned."""
    try:
        pairs = tuple(f"{name}={value}" for name, value in owner["rules"].items())
        return chosen_rules(game or owner["game"], pairs)
    except ValueError as error:
        raise ValueError(f"{error}; --game says where it is") from error


def facts(owner: dict[str, Any], trained: Trained) -> dict[str, Any]:
    """Return how a learner came to know what it knows."""
    told = {name: owner[name] for name in ("learner", "game", "version", "rules")}
    told |= {name: trained.facts[name] for name in ("matches", "seed", "against", "options")}
    told |= {"states": int(trained.memory.filled[0]), "choices": int(used(trained.memory)[2].sum())}
    if trained.facts["curve"]:
        matches, *counts = trained.facts["curve"][-1]
        share = Tally(*counts).share
        told |= {"measured": matches, "share": share, "interval": wilson(share, sum(counts))}
    return told


def known(rules: Rules, trained: Trained, state: State) -> list[dict[str, Any]]:
    """Return what is known about the actions of everybody who is to choose in a state."""
    told = []
    if not choosers(rules, state):
        raise ValueError(f"{position(rules, state)!r}: nobody is to choose here")
    for seat in choosers(rules, state):
        key = features(rules, state, seat)
        number = number_of(trained.memory, key)
        row: dict[str, Any] = {"seat": seat, "seen": features_text(rules, int(key))}
        row["actions"] = {
            label(rules, state, action): numbers(trained, number, action)
            for action in members(moves(rules, state, seat))
            if number >= 0
        }
        told.append(row)
    return told


def numbers(trained: Trained, number: int, action: int) -> dict[str, Any]:
    """Return what every learner knows about an action, and how often it was chosen."""
    row = trained.memory.rows[number, :, action].tolist()
    return {"known": row, "visits": int(trained.memory.visits[number, action])}


def heaviest(rules: Rules, weights: Weights, top: int) -> list[dict[str, Any]]:
    """Return the patterns whose weights are the largest, for or against the seat that sees them."""
    # What was hardly ever seen may say anything.
    sizes = np.where(weights.visits >= SEEN_OFTEN, abs(weights.values), 0.0)
    order = np.argsort(-sizes, kind="stable")[:top]
    return [pattern(rules, weights, int(place)) for place in order if sizes[place] > 0.0]


def patterns_in(rules: Rules, weights: Weights, state: State) -> list[dict[str, Any]]:
    """Return the patterns that every seat sees in a state."""
    told = []
    for seat in range(seats(rules)):
        places = scratch()
        count = patterns(rules, state, seat, places)
        told += [
            {"seat": seat} | pattern(rules, weights, place) for place in places[:count].tolist()
        ]
    return told


def pattern(rules: Rules, weights: Weights, place: int) -> dict[str, Any]:
    """Return what is known about a pattern."""
    weight, visits = weights.values[place].item(), int(weights.visits[place])
    text = patterns_text(rules, place) or f"pattern {place}"
    return {"pattern": text, "weight": weight, "visits": visits}


def hats(rules: Rules, trained: Trained) -> list[dict[str, Any]]:
    """Return every hat with the balls of each learner, in the order of what they are for."""
    keys, rows, _ = used(trained.memory)
    seen = seen_positions(rules, trained, set(keys.tolist()))
    return [
        {
            "hat": features_text(rules, int(keys[number])) or seen.get(int(keys[number]), "?"),
            "balls": [
                {str(action + 1): count for action, count in enumerate(row) if count}
                for row in rows[number].tolist()
            ],
        }
        for number in np.argsort(keys)
    ]


def visited(rules: Rules, trained: Trained, top: int) -> list[dict[str, Any]]:
    """Return the states that were visited most, with what is known about them."""
    keys, rows, visits = used(trained.memory)
    order = np.argsort(-visits.sum(axis=1), kind="stable")[:top]
    seen = seen_positions(rules, trained, {int(keys[number]) for number in order})
    return [
        {
            "seen": features_text(rules, int(keys[number])) or seen.get(int(keys[number]), "?"),
            "visits": int(visits[number].sum()),
            "known": {
                str(action + 1): rows[number, 0, action].item()
                for action in range(actions(rules))
                if visits[number, action]
            },
        }
        for number in order
    ]


def seen_positions(rules: Rules, trained: Trained, keys: set[int]) -> dict[int, str]:
    """Return a position for some of the keys, from matches at random."""
    rng = np.random.default_rng(0)
    found: dict[int, str] = {}
    for _ in range(MATCHES):
        state = initial(rules)
        for _ in range(LONGEST):
            options = lawful(rules, state)
            if not options:
                break
            for seat in choosers(rules, state):
                key = int(features(rules, state, seat))
                if key in keys and key not in found:
                    found[key] = position(rules, state)
            state = apply(rules, state, options[int(rng.random() * len(options))])
    return found


def show(told: dict[str, Any]) -> None:
    """Print what was learned for people."""
    console = screen()
    changed = ", ".join(f"{name}={value}" for name, value in told["rules"].items())
    console.print(
        f"{told['learner']} of {told['game']}{f' ({changed})' if changed else ''}:"
        f" {told['matches']:,} matches against {told['against']}, seed {told['seed']};"
        f" {told['choices']:,} choices in {told['states']:,} states",
        markup=False,
    )
    if told["options"]:
        options = ", ".join(f"{name}={value}" for name, value in told["options"].items())
        console.print(options, markup=False)
    if "share" in told:
        low, high = told["interval"]
        console.print(
            f"{100 * told['share']:.1f} % of the points ({100 * low:.1f} to {100 * high:.1f} %)"
            f" after {told['measured']:,} matches"
        )
    if "patterns" in told:
        show_patterns(told)
    elif "seats" in told:
        show_position(told["seats"])
    elif "hats" in told:
        show_hats(told["hats"])
    else:
        show_visited(told["visited"])


def show_patterns(told: dict[str, Any]) -> None:
    """Print patterns with their weights."""
    names = ("seat",) if "position" in told else ()
    table = plain_table(*names, "weight", "visits", "pattern")
    for row in told["patterns"]:
        own = (str(row[name]) for name in names)
        table.add_row(*own, f"{row['weight']:+.3f}", f"{row['visits']:,}", row["pattern"])
    screen().print(table)
    if "position" in told:
        screen().print(f"worth {told['value']:+.4f} to seat 0")


def show_position(rows: list[dict[str, Any]]) -> None:
    """Print what is known about a position."""
    for row in rows:
        screen().print(f"seat {row['seat']} sees {row['seen'] or 'all of it'}", markup=False)
        if not row["actions"]:
            screen().print("  never seen", markup=False)
            continue
        table = plain_table("action", "known", "visits")
        for name, one in row["actions"].items():
            shown = "  ".join(f"{number:.4g}" for number in one["known"])
            table.add_row(name, shown, f"{one['visits']:,}")
        screen().print(table)


def show_hats(rows: list[dict[str, Any]]) -> None:
    """Print hats as the assignment does, a row for each; the learners stand side by side."""
    learners = len(rows[0]["balls"]) if rows else 0
    table = plain_table("hat", *(f"learner {learner + 1}" for learner in range(learners)))
    for row in rows:
        shown = (", ".join(map(str, balls.values())) for balls in row["balls"])
        table.add_row(row["hat"], *shown)
    screen().print(table)


def show_visited(rows: list[dict[str, Any]]) -> None:
    """Print the states that were visited most."""
    table = plain_table("visits", "state", "known, by action")
    for row in rows:
        shown = "  ".join(f"{action}: {value:+.3f}" for action, value in row["known"].items())
        table.add_row(f"{row['visits']:,}", row["seen"], shown)
    screen().print(table)
