"""The record of a match: one line of JSON that replays it exactly."""

import json
from typing import Any, NamedTuple, get_args, get_origin

from ludex.core.play import choosers, lawful, move_label, read_state
from ludex.core.rules import (
    OVER,
    Rules,
    State,
    apply,
    game_of,
    position,
    returns,
    seat_name,
    seats,
    turn,
    version_of,
)
from ludex.core.termination import BY_RULES, ENDINGS
from ludex.core.variants import read_rules, rule_changes
from ludex.games import find, rules_class

FORMAT = 1
SHAPES = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    tuple: "a list",
    dict: "a table of names and values",
}


class Record(NamedTuple):
    """A match as data."""

    game: str
    version: int
    """The version of the game's rules."""
    rules: dict[str, str]
    """The rules that differ from the defaults."""
    agents: tuple[str, ...]
    """One for each seat."""
    seed: int
    table: int
    """Seeds the random numbers, together with `seed`."""
    start: str
    moves: tuple[int, ...]
    times: tuple[tuple[float, ...], ...]
    """For each move, the thinking time in seconds of each seat that chose."""
    ending: str
    seat: int
    """The seat that broke the rules or resigned, or -1."""
    words: str
    returns: tuple[float, ...]
    end: str
    when: str
    """When it ended, in UTC."""
    output: tuple[str, ...] = ()
    """The output of the external program at each seat; empty if there is none."""
    clock: str = ""
    """The time control, as in `--clock`: empty if not given, or `none`."""


def write(record: Record) -> str:
    """Return a record as one line of JSON, without empty optional fields."""
    facts = {
        name: value
        for name, value in record._asdict().items()
        if value or name not in Record._field_defaults
    }
    return json.dumps({"ludex": FORMAT, **facts}, ensure_ascii=False)


def read_record(line: str) -> Record:
    """Return the record in a line; a ValueError says what is wrong with it.

    It need not replay: `replay_states` checks that.
    """
    try:
        facts = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not a record of a match: {line[:60]!r} is not JSON") from error
    if not isinstance(facts, dict) or "ludex" not in facts:
        raise ValueError(f"not a record of a match: {line[:60]!r} has no field 'ludex'")
    if facts["ludex"] != FORMAT:
        raise ValueError(f"a record of format {facts['ludex']!r}: expected {FORMAT}")
    values = {}
    for name, shape in Record.__annotations__.items():
        if name in Record._field_defaults and name not in facts:
            continue
        try:
            values[name] = convert(facts.get(name), shape)
        except ValueError as error:
            raise ValueError(f"not a record: {name}: {error}") from None
    return Record(**values)


def convert(value: Any, shape: Any) -> Any:
    """Convert a JSON value to the type of a field of `Record`, or raise a ValueError."""
    of = get_args(shape)
    if get_origin(shape) is tuple and isinstance(value, list):
        return tuple(convert(member, of[0]) for member in value)
    if get_origin(shape) is dict and isinstance(value, dict):
        return {key: convert(member, of[1]) for key, member in value.items()}
    if shape is float and type(value) is int:
        return float(value)
    if type(value) is not shape:
        raise ValueError(f"{value!r} where {SHAPES[get_origin(shape) or shape]} was expected")
    return value


def read_offence(line: str) -> tuple[int, str]:
    """Return the offender, or -1, and the words of a record without parsing the rest."""
    facts = json.loads(line)
    return facts["seat"], facts["words"]


def read_output(line: str, seat: int) -> str:
    """Return the output of the program at a seat without parsing the rest."""
    output = json.loads(line).get("output")
    return str(output[seat]) if output else ""


def rules_of(record: Record) -> Rules:
    """Return the rules of a match; raise a ValueError for another version of the game."""
    game = find(record.game)
    version = version_of(game)
    if record.version != version:
        raise ValueError(
            f"the record has version {record.version} of {record.game}, and this is {version}"
        )
    return read_rules(rules_class(game)(), record.rules)


def replay_states(record: Record) -> tuple[Rules, list[State]]:
    """Return the rules and every state of a match; raise a ValueError if it does not replay."""
    rules = rules_of(record)
    if len(record.agents) != seats(rules) or len(record.returns) != seats(rules):
        came = f"{len(record.agents)} and {len(record.returns)}"
        wanted = f"expected {seats(rules)} agents and returns, not {came}"
        raise ValueError(f"the record does not replay: {wanted}")
    if record.output and len(record.output) != seats(rules):
        came = f"expected output of {seats(rules)} seats, not of {len(record.output)}"
        raise ValueError(f"the record does not replay: {came}")
    if len(record.times) != len(record.moves):
        came = f"{len(record.times)} for {len(record.moves)}"
        raise ValueError(f"the record does not replay: expected as many times as moves, not {came}")
    if record.ending not in ENDINGS or not -1 <= record.seat < seats(rules):
        said = f"{record.ending!r} by seat {record.seat}"
        raise ValueError(f"the record does not replay: {said} is no way to end a match")
    state = read_state(rules, record.start)
    line = [state]
    for number, move in enumerate(record.moves, start=1):
        if move not in lawful(rules, state):
            place = position(rules, state)
            raise ValueError(f"the record does not replay: move {number}, {move}, at {place!r}")
        asked, took = len(choosers(rules, state)), record.times[number - 1]
        if len(took) != asked:
            wanted = f"{asked} times for move {number}, not {len(took)}"
            raise ValueError(f"the record does not replay: expected {wanted}")
        state = apply(rules, state, move)
        line.append(state)
    if position(rules, state) != record.end:
        place = position(rules, state)
        raise ValueError(f"the record does not replay: it ends at {place!r}, not {record.end!r}")
    over = turn(rules, state) == OVER
    if over != (record.ending == BY_RULES):
        raise ValueError(f"the record does not replay: {record.ending} at {record.end!r}")
    worth = tuple(float(returns(rules, state, seat)) for seat in range(seats(rules)))
    if over and worth != record.returns:
        raise ValueError(f"the record does not replay: worth {worth}, not {record.returns}")
    return rules, line


def labels(rules: Rules, line: list[State], moves: tuple[int, ...]) -> list[str]:
    """Return the labels of the moves of a match."""
    return [move_label(rules, state, move) for state, move in zip(line, moves, strict=False)]


def end_text(rules: Rules, record: Record) -> str:
    """Return how a match ended in one line."""
    seated = [f"{seat_name(rules, seat)} ({text})" for seat, text in enumerate(record.agents)]
    worth = ", ".join(
        f"{one} {value:+g}" for one, value in zip(seated, record.returns, strict=True)
    )
    fault = f" {seated[record.seat]}: {record.words}" if record.seat >= 0 else ""
    return f"{record.ending} after {len(record.moves)} moves: {worth}.{fault}"


def facts_of(rules: Rules, game: str) -> dict[str, Any]:
    """Return the fields of a record that describe its rules."""
    return {
        "game": game,
        "version": version_of(game_of(rules)),
        "rules": rule_changes(type(rules)(), rules),
    }
