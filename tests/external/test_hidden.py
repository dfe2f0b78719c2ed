"""What external programs and Python objects are told in games with hidden information."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludex.agents.registry import Random
from ludex.core.play import read_state
from ludex.core.time_control import Clocks
from ludex.external.agent import greeting, make_external
from ludex.games import game_rules
from ludex.library.player import Custom
from ludex.match.luck import Luck
from ludex.match.runner import Referee, play_match
from ludex.match.session import Match
from tests.players import written

pytestmark = pytest.mark.plain

KUHN = game_rules("examples/kuhn.py")
SPY = """
import json, os, sys

for line in sys.stdin:
    print(line.strip(), file=sys.stderr, flush=True)
    request = json.loads(line)
    if "end" in request:
        break
    number = {"number": request["number"]}
    answer = {"ready": True} if "ludex" in request else {"move": request["moves"][0]}
    print(json.dumps(answer | number), flush=True)
print(os.listdir(), dict(os.environ), sys.argv, file=sys.stderr, flush=True)
"""


def test_a_program_is_sent_what_its_seat_sees(tmp_path: Path, unsafe: None) -> None:
    program = written(tmp_path, f"#!/usr/bin/env python3\n{SPY}", "spy")
    Path(program).chmod(0o755)
    match = play_match(KUHN, read_state(KUHN, "K J -"), [Random(), make_external(program, KUHN)], 1)
    lines = [json.loads(line) for line in match.output[1].splitlines() if line.startswith("{")]
    hello, asked, bye = lines
    assert set(hello) == {*("ludex", "game", "rules", "seat", "seats", "seed", "clocks", "number")}
    assert asked["position"].startswith("? J ")
    assert bye["position"] == match.position
    assert "K J" not in match.output[1].partition('"end"')[0]


def test_the_seed_of_a_program_does_not_depend_on_that_of_the_match() -> None:
    def seed(rules: Any) -> int:
        return int(greeting(rules, 0, np.random.default_rng(1), Clocks())["seed"])

    assert seed(game_rules("nuts")) == seed(game_rules("nuts"))
    assert len({seed(KUHN) for _ in range(4)}) > 1


def test_no_seat_has_the_random_numbers_of_chance() -> None:
    luck = Luck(7, 0, 2)
    first = [one.random() for one in (luck.chance, luck.of(0), luck.of(1))]
    assert len(set(first)) == 3


def test_the_match_of_a_python_object_holds_only_what_it_sees() -> None:
    given: list[Match] = []

    def choose(match: Match) -> str:
        given.append(match)
        return match.legal_moves()[0]

    whole = play_match(KUHN, read_state(KUHN, "- - -"), [Custom(choose), Custom(choose)], 1)
    first, second, _ = whole.position.split()
    assert [one.position for one in given[:2]] == [f"{first} ? -", f"? {second} p"]
    assert all(len(one.plies) == 1 and one.seed != whole.seed for one in given)


def test_who_leaves_before_the_end_is_told_what_it_sees() -> None:
    class Leaver(Random):
        def end_match(self, rules: Any, state: Any, ending: str, returns: Any) -> None:
            ended.append(state)

    ended: list[Any] = []
    match = Match(KUHN, read_state(KUHN, "K J -"), chance="manual")
    Referee(match, [Leaver(), Leaver()], Clocks()).close()
    assert ended == [read_state(KUHN, "K ? -"), read_state(KUHN, "? J -")]
