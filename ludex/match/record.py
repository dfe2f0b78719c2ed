"""The record of a match: one line of JSON that replays it exactly."""

import json
from datetime import UTC, datetime
from typing import NamedTuple

from ludex.core import rules as ask
from ludex.core.play import choosers, legal_moves, move_label, read_state
from ludex.core.rules import OVER, Rules, State
from ludex.core.termination import BY_RULES, ENDINGS
from ludex.core.variants import read_rules
from ludex.games import find, rules_class
from ludex.io.schema import errors_at, from_json
from ludex.io.table import Table
from ludex.io.text import many

FORMAT = 1
UNFINISHED = "It was not played to its end."
"""The words of a match in progress, which is recorded as truncated."""


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

    @property
    def ending_text(self) -> str:
        """How the match ended, and after how many moves."""
        ending = "unfinished" if self.words == UNFINISHED else self.ending
        return f"{ending} after {many(len(self.moves), 'move')}"

    def __repr__(self) -> str:
        pairs = zip(self.agents, self.returns, strict=False)  # a record need not replay
        results = ", ".join(f"{agent} {value:+g}" for agent, value in pairs)
        return f"<Record of {self.game}: {results}; {self.ending_text}>"

    def _repr_html_(self) -> str:
        names = ("game", "rules", "agents", "returns", "ending_text", "words", "when")
        facts = {name.removesuffix("_text"): getattr(self, name) for name in names}
        return Table([facts])._repr_html_()


def write(record: Record) -> str:
    """Return a record as one line of JSON, without empty optional fields."""
    pairs, optional = record._asdict().items(), Record._field_defaults
    facts = {name: value for name, value in pairs if value or name not in optional}
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
    with errors_at("not a record"):
        record: Record = from_json(facts, Record)
        return record


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
    version = ask.version_of(game)
    if record.version != version:
        raise ValueError(
            f"the record has version {record.version} of {record.game}, and this is {version}"
        )
    return read_rules(rules_class(game)(), record.rules)


def replay_states(record: Record) -> tuple[Rules, list[State]]:
    """Return the rules and every state of a match; raise a ValueError if it does not replay."""
    rules = rules_of(record)
    with errors_at("the record does not replay"):
        check_lengths(record, ask.seats(rules))
    line = [read_state(rules, record.start)]
    with errors_at("the record does not replay"):
        for number, (move, times) in enumerate(zip(record.moves, record.times, strict=True), 1):
            state = line[-1]
            if move not in legal_moves(rules, state):
                raise ValueError(f"move {number}, {move}, at {ask.position(rules, state)!r}")
            acting = len(choosers(rules, state))
            if len(times) != acting:
                raise ValueError(f"expected {acting} times for move {number}, not {len(times)}")
            line.append(ask.apply(rules, state, move))
        check_end(record, rules, line[-1])
    return rules, line


def check_lengths(record: Record, seats: int) -> None:
    """Raise a ValueError if a record does not fit the number of seats, or of its own moves."""
    if len(record.agents) != seats or len(record.returns) != seats:
        came = f"{len(record.agents)} and {len(record.returns)}"
        raise ValueError(f"expected {seats} agents and returns, not {came}")
    if record.output and len(record.output) != seats:
        raise ValueError(f"expected output of {seats} seats, not of {len(record.output)}")
    if len(record.times) != len(record.moves):
        came = f"{len(record.times)} for {len(record.moves)}"
        raise ValueError(f"expected as many times as moves, not {came}")
    if record.ending not in ENDINGS or not -1 <= record.seat < seats:
        raise ValueError(f"{record.ending!r} by seat {record.seat} is no way to end a match")


def check_end(record: Record, rules: Rules, state: State) -> None:
    """Raise a ValueError if a match did not end in this state, or not as its record says."""
    if ask.position(rules, state) != record.end:
        raise ValueError(f"it ends at {ask.position(rules, state)!r}, not {record.end!r}")
    over = ask.turn(rules, state) == OVER
    if over != (record.ending == BY_RULES):
        raise ValueError(f"{record.ending} at {record.end!r}")
    returns = tuple(float(ask.returns(rules, state, seat)) for seat in range(ask.seats(rules)))
    if over and returns != record.returns:
        raise ValueError(f"worth {returns}, not {record.returns}")


def labels(rules: Rules, line: list[State], moves: tuple[int, ...]) -> list[str]:
    """Return the labels of the moves of a match."""
    return [move_label(rules, state, move) for state, move in zip(line, moves, strict=False)]


def end_text(rules: Rules, record: Record) -> str:
    """Return how a match ended in one line."""
    names = [ask.seat_name(rules, seat) for seat in range(len(record.agents))]
    seated = [
        name if name == agent else f"{name} ({agent})"
        for name, agent in zip(names, record.agents, strict=True)
    ]
    results = [f"{one} {value:+g}" for one, value in zip(seated, record.returns, strict=True)]
    fault = f" {seated[record.seat]}: {record.words}" if record.seat >= 0 else ""
    return f"{record.ending_text}: {', '.join(results)}.{fault}"


def now() -> str:
    """Return the current time in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
