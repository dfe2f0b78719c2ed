"""Who meets whom: everyone as often from every seat, and equals in the Swiss system."""

from collections import Counter
from pathlib import Path

import pytest

from ludex.core.time_control import Clocks
from ludex.tournaments.plan import (
    GAUNTLET,
    ROUND_ROBIN,
    SERIES,
    SIDES,
    SWISS,
    Plan,
    check_plan,
    fingerprint,
    match_count,
    pairings,
    plan_key,
    rotate_seats,
)
from ludex.tournaments.tournament_file import read_tournament_file

pytestmark = pytest.mark.plain


def plan(agents: int, how: str, matches: int, seats: int = 2, rounds: int = 0) -> Plan:
    names = tuple(f"agent{one}" for one in range(agents))
    return Plan("nuts", (), names, seats, how, matches, rounds, 1)


def test_a_series_swaps_seats_and_shares_luck() -> None:
    played = pairings(plan(2, SERIES, 4), {})
    assert [one.agents for one in played] == [(0, 1), (1, 0), (0, 1), (1, 0)]
    assert [one.table for one in played] == [0, 0, 1, 1]


def test_everyone_meets_everyone_as_often_from_every_seat() -> None:
    order = plan(4, ROUND_ROBIN, 6)
    played = pairings(order, {})
    assert [one.number for one in played] == list(range(match_count(order))) == list(range(36))
    met = Counter(one.agents for one in played)
    assert len(met) == 12 and set(met.values()) == {3}


def test_after_any_round_all_groups_are_equally_far() -> None:
    first = pairings(plan(4, ROUND_ROBIN, 6), {})[:12]
    assert {frozenset(one.agents) for one in first} == {
        frozenset((one, other)) for one in range(4) for other in range(one)
    }


def test_in_a_gauntlet_the_first_meets_the_others() -> None:
    order = plan(4, GAUNTLET, 2)
    assert {frozenset(one.agents) for one in pairings(order, {})} == {
        frozenset((0, other)) for other in (1, 2, 3)
    }
    assert match_count(order) == len(pairings(order, {})) == 6


def test_sides_let_everyone_meet_everyone_from_the_first_seat() -> None:
    order = plan(3, SIDES, 2)
    met = Counter(one.agents for one in pairings(order, {}))
    assert met == {(one, other): 2 for one in range(3) for other in range(3)}
    assert match_count(order) == 18


def test_three_seats_are_turned() -> None:
    order = plan(4, ROUND_ROBIN, 3, seats=3)
    played = pairings(order, {})
    assert match_count(order) == len(played) == 12
    seated = Counter((agent, seat) for one in played for seat, agent in enumerate(one.agents))
    assert set(seated.values()) == {3}
    assert rotate_seats((4, 5, 6), 1) == (6, 4, 5)


def play(order: Plan) -> tuple[dict[int, tuple[float, ...]], int]:
    """Let the agent of the lower number win everything, and return results and rounds."""
    results: dict[int, tuple[float, ...]] = {}
    rounds = 0
    while True:
        todo = [one for one in pairings(order, results) if one.number not in results]
        if not todo:
            return results, rounds
        rounds += 1
        for one in todo:
            results[one.number] = (1.0, -1.0) if one.agents[0] < one.agents[1] else (-1.0, 1.0)


def test_a_swiss_round_is_known_when_the_one_before_is_played() -> None:
    order = plan(8, SWISS, 2, rounds=3)
    results, rounds = play(order)
    assert rounds == 3 and len(results) == match_count(order) == 24
    # Whatever part of a round was played before a stop, the matches are the same.
    for known in (5, 8, 13):
        part = {number: results[number] for number in range(known)}
        assert (
            pairings(order, part)
            == pairings(order, results)[: -(-known // 8) * 8 + 8 * (known % 8 == 0)]
        )


def test_in_the_swiss_system_equals_meet_and_nobody_twice() -> None:
    order = plan(8, SWISS, 2, rounds=3)
    results, _ = play(order)
    played = pairings(order, results)
    assert max(Counter(frozenset(one.agents) for one in played).values()) == 2
    last = {frozenset(one.agents) for one in played[16:]}
    # After two rounds 0 and 1 have won both, or met; the winners of all are paired.
    assert frozenset((0, 1)) in {frozenset(one.agents) for one in played}
    assert len(last) == 4


def test_an_odd_agent_rests_and_each_in_turn() -> None:
    order = plan(5, SWISS, 2, rounds=5)
    results, _ = play(order)
    assert match_count(order) == len(results) == 20
    seated = Counter(agent for one in pairings(order, results) for agent in one.agents)
    assert set(seated.values()) == {8}


def test_more_rounds_than_opponents_repeat_meetings() -> None:
    order = plan(2, SWISS, 2, rounds=3)
    assert len(play(order)[0]) == 6


@pytest.mark.parametrize("how", [SERIES, ROUND_ROBIN, GAUNTLET, SIDES])
@pytest.mark.parametrize(("agents", "seats"), [(2, 2), (5, 2), (5, 3)])
def test_the_length_of_a_plan_is_known_without_its_pairings(
    agents: int, seats: int, how: str
) -> None:
    order = plan(agents, how, 3, seats)
    assert match_count(order) == len(pairings(order, {}))


def test_a_plan_has_a_million_matches_at_most() -> None:
    check_plan(plan(2, SERIES, 1_000_000))
    for order in (
        plan(2, SERIES, 1_000_001),
        plan(3, ROUND_ROBIN, 333_334),
        plan(2, SWISS, 2, rounds=10**23),
        plan(10**6, SIDES, 1, seats=4),
    ):
        with pytest.raises(ValueError, match=r"matches in all: expected at most 1,000,000"):
            check_plan(order)


def test_a_key_says_all_that_results_depend_on(tmp_path: Path) -> None:
    order = plan(3, ROUND_ROBIN, 2)
    others = [
        order._replace(seed=2),
        order._replace(rules=(("nuts", "11"),)),
        order._replace(game="trap"),
        order._replace(matches=4),
        order._replace(clocks=Clocks(turn=1.0)),
        order._replace(agents=order.agents[::-1]),
    ]
    assert len({plan_key(one) for one in [order, *others]}) == 7
    file = tmp_path / "agent.py"
    file.write_text("one")
    named = order._replace(agents=(str(file), "random"))
    before = plan_key(named)
    file.write_text("two")
    assert plan_key(named) != before
    off = Clocks(off=True)
    assert plan_key(named._replace(clocks=off)) != plan_key(named)
    assert plan_key(order._replace(clocks=off)) == plan_key(
        order
    )  # no program, so there is no clock anyway
    assert fingerprint(f"qtable:file={file}") == fingerprint(str(file)) != ""
    assert fingerprint("random") == ""


def test_keys_are_those_of_older_stores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("agent.py").write_text("one")
    order = plan(3, ROUND_ROBIN, 2)
    assert plan_key(order).startswith("d170f6fda359")
    program = order._replace(agents=("./agent.py", "random"))
    assert plan_key(program).startswith("144d9db82382")
    assert plan_key(program._replace(game="trap", clocks=Clocks(turn=1.0))).startswith(
        "5d5db0c1fb6c"
    )


FILE = """
game = "trap"
agents = ["easy", "hard"]
format = "gauntlet"
matches = 4
seed = 3
clock = "turn=2"
[rules]
size = 5
"""


def test_a_tournament_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text(FILE)
    order = read_tournament_file(path)
    assert (order.game, order.agents, order.format) == ("trap", ("easy", "hard"), GAUNTLET)
    assert (order.matches, order.seed, order.clock) == (4, 3, "turn=2")
    assert order.rules == (("size", "5"),) and order.rounds is None


def test_agents_are_looked_for_beside_a_tournament_file_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("mine.py", "here.py", "w/mine.py", "w/bot/agent.py", "w/my.npz"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("")
    named = ["./mine.py:fast", "here.py", "./bot", "qtable:file=my.npz", "random", "/no/such.py"]
    Path("w/t.toml").write_text(f"agents = {named}")
    beside = ("w/mine.py:fast", "here.py", "./w/bot", "qtable:file=w/my.npz", *named[4:])
    assert read_tournament_file(Path("w/t.toml")).agents == beside
    Path("t.toml").write_text(f"agents = {named}")
    assert read_tournament_file(Path("t.toml")).agents == tuple(named)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("gaem = 'trap'", "no key 'gaem'; did you mean 'game'? (there are game, format"),
        ("matches = 'many'", "matches is 'many': expected a whole number"),
        ("matches = 0", "matches is 0: expected at least 1"),
        ("seed = -1", "seed is -1: expected at least 0"),
        ("agents = [1, 2]", "agents has 1: expected a list of texts"),
        ("format = 'knockout'", "format is 'knockout': expected one of round-robin"),
        ("rules = 5", "rules is 5: expected a table, such as [rules]"),
        ("rules.size = 1.5", "rules.size is 1.5: expected a whole number"),
        ("agents = [", "is not TOML"),
    ],
)
def test_a_tournament_file_that_is_wrong_names_the_place(
    tmp_path: Path, line: str, words: str
) -> None:
    path = tmp_path / "t.toml"
    path.write_text(line)
    with pytest.raises(ValueError) as caught:
        read_tournament_file(path)
    assert words in str(caught.value) and "t.toml" in str(caught.value)
