"""What a move brings about is told in words, and the words agree with the rules."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from ludex.cli import cli
from ludex.core.play import legal_moves, parse, read_state, states
from ludex.core.rules import Rules, apply, events, initial
from ludex.games.arena.drawing import lives
from ludex.games.arena.robots import NAMES, full_name
from tests.lines import random_line, variant

pytestmark = pytest.mark.plain

ARENA = variant("arena")


def told(rules: Rules, position: str, label: str) -> list[str]:
    state = read_state(rules, position)
    return events(rules, state, parse(rules, state, label))


def test_the_sample_play_of_the_arena_is_told_blow_by_blow() -> None:
    state, lines = initial(ARENA), []
    for name in ("shadow", "bubble", "needle", "metal", "mega"):
        move = parse(ARENA, state, name)
        lines.append(events(ARENA, state, move))
        state = apply(ARENA, state, move)
    assert lines == [
        [],
        [
            "Bubble Man strikes first: 8 blows of 2, Shadow Man 30 → 14.",
            "Shadow Man strikes back: 8 blows of 4, Bubble Man 30 → 0.",
            "Shadow Man defeats Bubble Man and has 14 life points left.",
        ],
        ["Shadow Man withdraws with 14 life points."],
        [
            "Metal Man strikes first: 15 blows of 2, Needle Man 30 → 0.",
            "Needle Man strikes back: 14 blows of 1, Metal Man 30 → 16.",
            "Metal Man defeats Needle Man and has 16 life points left.",
        ],
        [
            "Mega Man strikes first: 16 blows of 1, Metal Man 16 → 0.",
            "Metal Man strikes back: 15 blows of 1, Mega Man 30 → 15.",
            "Mega Man defeats Metal Man and has 15 life points left.",
            "Mega Man heals 5: 15 → 20.",
            "Mega Man wins Metal Man's weapon.",
        ],
    ]


def test_one_blow_and_one_lifepoint_are_singular() -> None:
    start = "0,0,0,0,0,0,0,0,2 1,0,0,0,0,0,0,30,99 mega - - 1"
    assert told(ARENA, start, "metal")[:3] == [
        "Metal Man strikes first: 1 blow of 1, Mega Man 2 → 1.",
        "Mega Man strikes back: 1 blow of 1, Metal Man 1 → 0.",
        "Mega Man defeats Metal Man and has 1 life point left.",
    ]


def test_healing_is_told_as_far_as_the_ceiling_allows() -> None:
    start = "0,0,0,0,0,0,0,0,30 1,0,0,0,0,0,0,30,99 mega - - 1"
    assert "Mega Man heals 3: 29 → 32." in told(variant("arena", ceiling=32), start, "metal")
    assert not any("heals" in line for line in told(variant("arena", ceiling=9), start, "metal"))


@pytest.mark.parametrize("seed", range(5))
def test_the_lives_that_are_told_are_those_after_the_battle(seed: int) -> None:
    rules = variant("arena", gamma_after=0, ceiling=31)
    state, battles = initial(rules), 0
    for move in random_line(rules, seed):
        after = apply(rules, state, move)
        left = {
            full_name(name): life
            for names, side in zip(NAMES, lives(after), strict=True)
            for name, life in zip(names, side, strict=True)
        }
        ends = dict(
            re.findall(
                r"([\w ]+?)(?: heals \d+:)? \d+ → (\d+)\.",
                "\n".join(re.sub(r".*, ", "", line) for line in events(rules, state, move)),
            )
        )
        assert {name: int(life) for name, life in ends.items()}.items() <= left.items()
        battles += bool(ends)
        state = after
    assert battles >= 9


def test_droids_are_told_of_hits_misses_and_blocked_ways() -> None:
    rules = variant("droids")
    assert told(rules, "2,0 2,3 5,5 0,0 50", "shoot up") == ["R2-D2 misses."]
    assert told(rules, "2,0 2,3 5,5 0,0 50", "shoot left") == ["R2-D2 hits R2-Q5."]
    assert told(rules, "2,0 2,3 5,5 0,0 50", "shoot shoot") == ["Both shots hit and cancel out."]
    assert told(rules, "2,0 1,3 5,5 0,0 50", "shoot shoot") == ["Both shots miss."]
    blocked = "The droids block each other, and neither moves."
    assert told(rules, "2,0 2,1 5,5 0,0 50", "right left") == [blocked]
    assert told(rules, "2,0 2,1 5,5 0,0 50", "right shoot") == [blocked, "R2-Q5 hits R2-D2."]
    assert told(rules, "2,0 2,3 5,5 0,0 50", "up up") == []


def test_a_trap_that_misses_is_told_apart_from_one_that_hits() -> None:
    rules, board = variant("trap", size=3), ".1./.x./.2. 0"
    assert told(rules, f"{board} land:2,0", "land 2,0") == ["The trap lands on its target 2,0."]
    assert told(rules, f"{board} land:2,0", "land 1,0") == ["The trap misses 2,0 and lands on 1,0."]
    useless = "A trap lies there already."
    assert told(rules, f"{board} land:2,0", "land 1,1")[1:] == [useless]
    assert told(rules, f"{board} step", "step 1,2") == []


@pytest.mark.parametrize("game", ["nuts", "arena", "aeroplane", "trap", "droids"])
def test_every_event_is_a_sentence(game: str) -> None:
    rules = variant(game)
    line = random_line(rules, 2, 200)
    for state, move in zip(states(rules, initial(rules), line), line, strict=False):
        assert move in legal_moves(rules, state)
        for event in events(rules, state, move):
            assert re.fullmatch(r"[A-Z][^\n]*\.", event)


def test_play_and_replay_print_the_events_after_the_move(tmp_path: Path) -> None:
    battle = "Dr. Wily: bubble\n  Bubble Man strikes first: 8 blows of 2, Shadow Man 30 → 14.\n"
    shown = CliRunner().invoke(cli, ["play", "arena", "human", "human"], input="shadow\nbubble\n")
    assert battle in shown.stdout
    record = tmp_path / "one.jsonl"
    order = ["match", "arena", "random", "random", "--matches", "1", "--seed", "1", "--no-store"]
    CliRunner().invoke(cli, [*order, "--processes", "1", "--out", str(record)])
    replayed = CliRunner().invoke(cli, ["replay", str(record)]).stdout
    assert re.search(r"2\. Dr\. Wily: \w+\n  \w+ Man strikes first: ", replayed)
