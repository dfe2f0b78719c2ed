"""A record is one line that replays its match exactly, or is refused."""

import json
from typing import Any

import pytest

from ludex.agents.registry import Random
from ludex.core.rules import initial
from ludex.core.termination import BY_RULES, ENDINGS
from ludex.core.variants import rule_changes
from ludex.match.record import Record, labels, read_record, replay_states, write
from ludex.match.runner import play_match
from ludex.tournaments.job import make_record
from ludex.tournaments.plan import SERIES, Pairing, Plan
from tests.lines import variant

pytestmark = pytest.mark.plain

GAMES = ["nuts", "arena", "aeroplane", "trap", "droids"]


def record_of(game: str, **rules: int) -> Record:
    """Return the record of a match between random agents."""
    played_by = variant(game, **rules)
    plan = Plan(
        game,
        tuple(rule_changes(type(played_by)(), played_by).items()),
        ("random", "random"),
        2,
        SERIES,
        2,
        0,
        7,
    )
    match = play_match(played_by, initial(played_by), [Random(), Random()], 7)
    return make_record(plan, Pairing(0, (0, 1), 0), match)


@pytest.mark.parametrize("game", GAMES)
def test_a_record_is_one_line_and_replays(game: str) -> None:
    record = record_of(game)
    line = write(record)
    assert "\n" not in line
    again = read_record(line)
    assert again == record
    rules, states = replay_states(again)
    assert len(states) == len(record.moves) + 1
    assert all(labels(rules, states, record.moves))


def test_a_record_knows_the_rules_that_were_changed() -> None:
    record = record_of("nuts", nuts=11)
    assert record.rules == {"nuts": "11"}
    assert replay_states(record)[0] == variant("nuts", nuts=11)


WRONG: list[tuple[str, Any, str]] = [
    ("ludex", 9, "a record of format 9: expected 1"),
    ("moves", [0, "1"], "moves: '1' where a whole number was expected"),
    ("moves", None, "moves: None where a list was expected"),
    ("agents", ["random", True], "agents: True where a text was expected"),
    ("seed", 1.5, "seed: 1.5 where a whole number was expected"),
    ("rules", {"nuts": 21}, "rules: 21 where a text was expected"),
    ("times", [[0.1, "x"]], "times: 'x' where a number was expected"),
]


@pytest.mark.parametrize(("name", "value", "words"), WRONG)
def test_what_is_no_record_is_refused(name: str, value: Any, words: str) -> None:
    facts = json.loads(write(record_of("nuts")))
    with pytest.raises(ValueError, match=words.replace("(", r"\(")):
        read_record(json.dumps({**facts, name: value}))


@pytest.mark.parametrize("line", ["", "{", "[1]", "{}", '{"ludex": 1}', "[" * 100_000])
def test_what_is_no_json_of_ours_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="record"):
        read_record(line)


def test_a_record_that_does_not_replay_is_refused() -> None:
    record = record_of("nuts")
    wrong = {
        "does not replay: move 2, 9": record._replace(moves=(0, 9, *record.moves[2:])),
        "does not replay: it ends at": record._replace(end="3 0"),
        "does not replay: worth": record._replace(returns=(0.5, -0.5)),
        "does not replay: CRASHED": record._replace(ending="CRASHED"),
        "does not replay: 'BORED' by seat -1 is no way": record._replace(ending="BORED"),
        "does not replay: 'BY_RULES' by seat 2 is no way": record._replace(seat=2),
        "does not replay: expected 2 agents": record._replace(agents=("random",)),
        "does not replay: expected as many times": record._replace(times=()),
        "has version 7 of nuts": record._replace(version=7),
        "no game 'chess'": record._replace(game="chess"),
        "no rule 'cows'": record._replace(rules={"cows": "3"}),
        "not a position": record._replace(start="many"),
    }
    for words, other in wrong.items():
        with pytest.raises(ValueError, match=words):
            replay_states(other)


@pytest.mark.parametrize("ending", ENDINGS[1:])
def test_a_match_that_was_cut_short_replays_too(ending: str) -> None:
    record = record_of("nuts")
    assert record.ending == BY_RULES
    cut = record._replace(
        moves=record.moves[:1], times=record.times[:1], ending=ending, seat=1, returns=(1.0, -1.0)
    )
    place = f"{21 - record.moves[0] - 1} 1"
    assert len(replay_states(cut._replace(end=place))[1]) == 2
