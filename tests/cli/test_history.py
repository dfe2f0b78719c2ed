"""What was played is found again: events, matches, ratings, and records written on the way."""

import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from ludex.cli import console
from ludex.cli.event import PlaySettings, event_hint, play
from ludex.core.time_control import Clocks
from ludex.match.record import read_record
from ludex.store import Played, Store
from ludex.tournaments.event import register
from ludex.workers.pool import Pool
from tests.commands import refused, run
from tests.events import plan
from tests.players import choosing, written

pytestmark = pytest.mark.plain

BEYOND = "99999999999999999999999"  # what databases count to
NUTS = ("--rule", "nuts=11", "--seed", "1", "--processes", "1")


def test_history_finds_and_exports(tmp_path: Path) -> None:
    db = ["--db", str(tmp_path / "s.db")]
    Store(db[1])
    nothing = run("history", *db)
    assert "nothing was played yet" in nothing.stdout
    assert "no ladder was played yet" in run("history", "--ratings", *db).stdout
    order = ["match", "nuts", "random", "greedy", "--rule", "nuts=11", "--matches", "4"]
    assert run(*order, "--seed", "1", "--processes", "1", *db).exit_code == 0
    shown = run("history", "--game", "nuts", "--agent", "greedy", *db).stdout
    assert "nuts nuts=11" in shown and "random greedy" in shown and "not finished" not in shown
    (event,) = json.loads(run("history", "--json", *db).stdout)
    assert (event["matches"], event["agents"], event["seed"]) == (4, ["random", "greedy"], 1)
    assert "1/3" in run("history", "1", *db).stdout
    told = json.loads(run("history", "1", "--json", *db).stdout)
    assert [one["match"] for one in told["matches"]] == ["1/0", "1/1", "1/2", "1/3"]
    table, lines = tmp_path / "a.csv", tmp_path / "a.jsonl"
    assert "4 matches" in run("history", "1", "--out", str(table), *db).stdout
    rows = table.read_text().splitlines()
    assert rows[0].startswith("event,match,game,seat") and len(rows) == 9
    run("history", "--out", str(lines), *db)
    assert [read_record(line).agents[0] for line in lines.read_text().splitlines()] == [
        "random",
        "greedy",
        "random",
        "greedy",
    ]
    assert "expected a name that ends in" in run("history", "--out", "a.txt", *db).stderr
    assert "no event here has 'trap'" in run("history", "--game", "trap", *db).stdout
    assert "Player 1" in run("replay", "1/2", *db).stdout
    assert "1/2 is one match" in run("replay", "1/2", "--match", "2", *db).stderr


def test_a_store_to_read_must_be_there(tmp_path: Path) -> None:
    db = tmp_path / "none.db"
    for command in (["history"], ["history", "1"], ["replay", "1/0"], ["analyse", "1/0"]):
        assert "there is no such store" in refused(*command, "--db", f"sqlite:///{db}")
    assert not db.exists()


def test_an_event_is_shown_with_what_it_was_and_its_result(tmp_path: Path) -> None:
    db = ("--db", str(tmp_path / "s.db"))
    assert run("match", "nuts", "exact", "random", *NUTS, "--matches", "4", *db).exit_code == 0
    shown = run("history", "1", *db).stdout
    assert "event 1: series of nuts nuts=11, seed 1" in shown and "Ludex " in shown
    won = json.loads(run("history", "1", "--json", *db).stdout)["scores"][0]
    assert (won["agent"], won["wins"] + won["losses"]) == ("exact", 4)
    assert f"1  exact   {won['wins']}    0" in shown


@pytest.mark.usefixtures("unsafe")
def test_who_ends_a_match_against_the_rules_is_named_with_the_words(tmp_path: Path) -> None:
    bad = written(tmp_path, choosing("return moves[9]"))
    db = ("--db", str(tmp_path / "s.db"))
    many = (*NUTS, "--matches", "2")
    ended = f"2 matches ended CRASHED by {bad}: IndexError: list index out of range"
    assert ended in run("match", "nuts", bad, "random", *many, *db).stdout
    assert ended in run("match", "nuts", bad, "random", *many, *db).stdout  # as the store has it
    told = json.loads(run("match", "nuts", bad, "random", *many, "--no-store", "--json").stdout)
    assert told["faults"][0]["agent"] == bad and told["faults"][0]["matches"] == 2
    assert ended in run("history", "1", *db).stdout
    three = run("tournament", "nuts", bad, "random", *many, "--no-store").stdout
    assert ended in three
    shown = run("analyse", "1/0", *db).stdout
    assert "CRASHED after 0 moves" in shown and "That decided it" in shown and "100 %" not in shown


def test_every_agent_of_a_series_is_shown() -> None:
    order = ("match", "aeroplane", "random", "greedy", "random", "--rule", "seats=3", "--seed", "1")
    short = ("--rule", "planes=1", "--matches", "3", "--processes", "1", "--no-store")
    shown = run(*order, *short).stdout
    assert [line.split()[:2] for line in shown.splitlines()[1:4]] == [
        ["1", "random"],
        ["2", "greedy"],
        ["3", "random"],
    ]
    told = json.loads(run(*order, *short, "--json").stdout)
    assert sum(one["wins"] for one in told["scores"]) == 3


def test_an_agent_has_the_same_number_in_both_tables() -> None:
    order = ("tournament", "nuts", "random", "exact", "--format", "sides", *NUTS, "--no-store")
    shown = run(*order, "--matches", "3").stdout
    rated, crossed = shown.split("points of the row")
    assert rated.index("2  exact") < rated.index("1  random")  # the better is first
    assert crossed.index("1 random") < crossed.index("2 exact")


def test_where_an_event_is_kept_is_told_without_a_password() -> None:
    told = event_hint(3, "postgresql://me:secret@here/there")
    assert "ludex history 3 --db 'postgresql://me:***@here/there'" in told
    assert event_hint(3, None) == "; event 3 (ludex history 3)"
    assert event_hint(0, None) == ""


def test_a_table_breaks_no_word_where_the_screen_is_narrow(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    table = console.table("event", "game", "agents")
    table.add_row("1 of 10", "aeroplane seats=3", "random expectimax:depth=2 greedy")
    Console(soft_wrap=True).print(console.fit(table, "game", "agents"))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 40
    for word in ("1 of 10", "aeroplane", "seats=3", "expectimax:depth=2", "greedy"):
        assert any(word in line for line in lines)


def test_a_ladder_keeps_its_ratings(tmp_path: Path) -> None:
    db = str(tmp_path / "s.db")
    order = ["ladder", "nuts", "--matches", "2", "--seed", "1", "--processes", "1", "--db", db]
    told = json.loads(run(*order, "--rule", "nuts=11", "--json").stdout)
    rated = {row.agent: row for row in Store(db).ratings_of("nuts")}
    assert set(rated) == {"random", "easy", "medium", "hard", "best"}
    assert rated["random"].elo == 0.0 < rated["best"].elo
    assert {row["agent"]: row["elo"] for row in told["ratings"]} == {
        agent: row.elo for agent, row in rated.items()
    }
    assert rated["best"].source and rated["best"].day.startswith("20")
    assert "best" in run("history", "--ratings", "--db", db).stdout
    assert "ludex history 1 --db" in run(*order, "--rule", "nuts=11").stdout
    order[order.index("1")] = "2"
    assert run(*order, "--rule", "nuts=11").exit_code == 0
    assert {row.event for row in Store(db).ratings_of("nuts")} == {2}
    assert {row.event for row in Store(db).ratings_of("nuts", every=True)} == {1, 2}
    ratings = ("history", "--ratings", "--db", db, "--json")
    assert len(json.loads(run(*ratings, "--all").stdout)) == 2 * len(
        json.loads(run(*ratings).stdout)
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tournament"], "which game?"),
        (["tournament", "nuts", "random"], "needs two agents at least, not 1"),
        (["tournament", "nuts", "random", "random"], "is named twice"),
        (["tournament", "nuts", "random", "greedy", "--matches", "0"], "matches"),
        (["tournament", "nuts", "random", "gredy"], "no agent 'gredy'; did you mean 'greedy'"),
        (["tournament", "--file", "/no/such.toml"], "'/no/such.toml': No such file"),
        (["match", "nuts", "random", "greedy", "--clock", "turn=0"], "expected seconds above 0"),
        (["match", "nuts", "random", "greedy", "--sprt", "elo0=5"], "elo1 is missing"),
        (["match", "nuts", "random", "greedy", "--sprt", "foo"], "--sprt 'foo': option 'foo'"),
        (["tournament", "nuts", "random", "greedy", "--rounds", "3"], "is for the Swiss system"),
        (["history", "1", "--game", "nuts"], "event 1 with --game: expected one of them"),
        (["history", "1", "--limit", "3"], "event 1 with --limit: expected one of them"),
        (["history", "--ratings", "--agent", "a"], "--ratings with --agent: expected one of them"),
        (["history", "--ratings", "--out", "a.csv"], "--ratings with --out: expected one of them"),
        (["history", "--all"], "--all is for --ratings"),
        (["replay", "a.jsonl", "--db", "a.db"], "--db is for these"),
        (["replay", "a.jsonl", "--step", "--last"], "expected one of them"),
        (["replay", "a.jsonl", "--json", "--last"], "expected neither"),
        (["match", "nuts", "random", "greedy", "--dask", "x", "--processes", "2"], "one of them"),
        (["match", "nuts", "random", "greedy", "--db", "mysql://x"], "expected sqlite"),
        (["match", "nuts", "--matches", "2", "--processes", "257"], "range 1<=x<=256"),
        (["history", "99"], "the store has no event 99"),
        (["history", BEYOND], f"the store has no event {BEYOND}"),
        (["replay", f"{BEYOND}/0"], f"the store has no match {BEYOND}/0"),
        (["analyse", f"1/{BEYOND}"], f"the store has no match 1/{BEYOND}"),
        (["replay", "99/1"], "the store has no match 99/1"),
        (["replay", "/no/such.jsonl"], "No such file"),
        (["analyse", "/no/such.jsonl"], "expected a file of records, or EVENT/MATCH"),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments: list[str], words: str) -> None:
    assert words in refused(*arguments)


@pytest.mark.parametrize("command", [["match", "nuts"], ["tournament", "nuts"], ["ladder", "nuts"]])
def test_a_file_that_cannot_be_written_is_refused_before_the_first_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.setenv("LUDEX_DATA", str(tmp_path / "data"))
    for out, words in (("gone/a.jsonl", "No such file"), (".", "Is a directory")):
        file = str(tmp_path / out)
        told = refused(*command, "random", "greedy", "--matches", "2", "--out", file)
        assert f"--out {file!r}: {words}" in told
    assert list(tmp_path.iterdir()) == []


def test_a_plan_that_is_too_long_is_refused_before_the_first_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludex.tournaments.plan.MATCHES_MAX", 5)
    file = tmp_path / "t.toml"
    file.write_text("game = 'nuts'\nagents = ['random', 'greedy', 'casual']\nmatches = 2")
    two = ("nuts", "random", "greedy")
    for order, count in (
        (("match", *two, "--matches", "6"), 6),
        (("tournament", *two, "--format", "swiss", "--rounds", "4"), 8),
        (("tournament", "--file", str(file)), 6),
        (("ladder", "nuts", "--matches", "1"), 10),
    ):
        told = refused(*order, "--no-store", "--processes", "1")
        assert f"{count} matches in all: expected at most 5" in told


def test_other_files_are_tried_before_the_work(tmp_path: Path) -> None:
    file = str(tmp_path / "gone" / "a.csv")
    assert "No such file" in refused("history", "--out", file)
    assert f"--page {file!r}: No such file" in refused("analyse", "/no/such.jsonl", "--page", file)
    grading = ("grade", "trap", "a.py", "--out", str(tmp_path / "marks"))
    assert f"--results {file!r}: No such file" in refused(*grading, "--results", file)


def test_an_event_without_matches_has_no_figures(tmp_path: Path) -> None:
    db = str(tmp_path / "s.db")
    register(Store(db), plan(agents=("random", "greedy")))
    register(Store(db), plan())
    for event in ("1", "2"):
        shown = run("history", event, "--db", db).stdout
        rows = [line.split() for line in shown.splitlines() if "random" in line]
        assert rows[0][-1] == "-" and "%" not in shown.split("points (95 %)", 1)[1].split("of")[0]
    assert run("history", "--limit", BEYOND, "--db", db).exit_code == 0


def test_who_interrupts_an_event_is_told_how_it_goes_on(tmp_path: Path) -> None:
    def interrupt(some: list[Played]) -> bool:
        raise KeyboardInterrupt

    settings = PlaySettings(7, Clocks(), Pool(2), Store(str(tmp_path / "a.db")), True)
    with pytest.raises(KeyboardInterrupt) as stopped:
        play(plan(seed=7), settings, interrupt)
    assert stopped.value.__notes__ == [
        "event 1 has what was played",
        "the same command goes on from there, with --seed 7",
    ]


@pytest.mark.parametrize("stored", [False, True])
def test_what_was_played_is_written_when_somebody_interrupts(tmp_path: Path, stored: bool) -> None:
    def interrupt(some: list[Played]) -> bool:
        if some:
            raise KeyboardInterrupt
        return False

    store, out = Store(str(tmp_path / "a.db")) if stored else None, tmp_path / "a.jsonl"
    settings = PlaySettings(7, Clocks(), Pool(), store, True, out)
    with pytest.raises(KeyboardInterrupt) as stopped:
        play(plan(seed=7), settings, interrupt)
    lines = out.read_text().splitlines()
    assert stopped.value.__notes__[-1] == f"1 match in {out}"
    assert len(lines) == 1 and read_record(lines[0]).seed == 7
