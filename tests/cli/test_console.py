"""Play at the console, as people type it."""

import getpass
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from numba import config

from ludex.cli import cli, console
from ludex.cli.console_match import ConsoleMatch, Quit, read_line
from ludex.kernel import jit
from ludex.match.record import read_record
from ludex.match.session import Match
from ludex.store import Store
from tests.lines import variant
from tests.players import choosing, written

pytestmark = pytest.mark.plain


def play(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(cli, ["play", *arguments], input=typed, prog_name="ludex")


def test_two_people_play_to_the_end() -> None:
    result = play("nuts", "human", "human", "--rule", "nuts=10", typed="3\ntake 3\n 3\n1\n")
    assert result.exit_code == 0
    assert "Player 1: take 3" in result.stdout
    assert result.stdout.endswith("0 nuts on the board\nPlayer 1 (human) wins.\n")


def test_you_play_against_the_machine_by_default() -> None:
    result = play("nuts", "--seed", "4", typed="1\n" * 21)
    assert "Player 1 is human, Player 2 is medium; seed 4" in result.stdout
    assert ") wins." in result.stdout


@pytest.mark.unmeasured
def test_machines_play_alone_and_a_seed_repeats_the_match() -> None:
    one, two = (play("aeroplane", "random", "random", "--seed", "9") for _ in range(2))
    assert one.stdout == two.stdout
    assert one.stdout != play("aeroplane", "random", "random", "--seed", "10").stdout


def test_an_illegal_move_is_asked_again() -> None:
    result = play("nuts", "human", "human", typed="7\nfrog\ntake 2\nquit\n")
    assert "'7' is not a number in the list of moves (type help)" in result.stdout
    assert "'frog' is not a move here" in result.stdout
    assert "Player 1: take 2" in result.stdout
    assert result.exit_code == 0


def test_the_end_of_the_input_is_leaving() -> None:
    result = play("trap", "human", "human", typed="step 1,3\n")
    assert result.exit_code == 0
    assert "Good bye. The position was: ......./...1..." in result.stdout


def test_help_moves_and_position_answer_at_any_time() -> None:
    typed = "help\nmoves\nposition\n?\n\nquit\n"
    shown = play("arena", "human", "human", typed=typed).stdout
    assert shown.count("take back your last move") == 2
    assert shown.count("8 shadow") == 2
    assert "30,30,30,30,30,30,30,30,30 30,30,30,30,30,30,30,30,99 - - - 0" in shown


def test_many_moves_are_listed_when_asked_for() -> None:
    shown = play("trap", "human", "human", typed="1,3\nmoves\nquit\n").stdout
    assert "47 moves, such as 1 throw 0,0 (type moves)" in shown
    assert "throw 6,6" in shown


def test_undo_goes_back_to_your_last_choice() -> None:
    result = play("nuts", "human", "random", "--seed", "1", typed="undo\n2\nundo\nposition\nquit\n")
    assert "nothing to take back" in result.stdout
    assert "Player 1> 21 0\n" in result.stdout


def test_undo_brings_the_same_luck_again() -> None:
    # Two people with a die: after undo and the same choice, the same rolls follow.
    arguments = ("aeroplane", "human", "human", "--position", "B:1,1,h,h G:1,1,h,h 3 0")
    plain = play(*arguments, "--seed", "5", typed="1\nposition\nquit\n")
    undone = play(*arguments, "--seed", "5", typed="1\nundo\n1\nposition\nquit\n")
    wanted = plain.stdout.split("> ")[-2].splitlines()[0]
    assert wanted in undone.stdout.split("> ")[-2]


def test_both_choose_before_either_is_seen() -> None:
    result = play("droids", "human", "human", typed="shoot\nup\nquit\n")
    before, _, after = result.stdout.partition("R2-D2: shoot\nR2-Q5: up\n")
    assert "R2-Q5> " in before
    assert "━" in after


def test_a_person_and_a_machine_choose_at_once() -> None:
    result = play("droids", "random", "human", "--seed", "2", typed="up\nquit\n")
    assert "R2-Q5: up" in result.stdout


def test_undo_by_the_second_person_asks_the_first_again() -> None:
    result = play("droids", "human", "human", typed="up\nundo\ndown\nup\nposition\nquit\n")
    assert "nothing to take back" not in result.stdout
    assert "R2-D2: down\nR2-Q5: up" in result.stdout


def test_undo_at_once_takes_back_the_round() -> None:
    result = play("droids", "human", "human", typed="up\nup\nundo\nposition\nquit\n")
    assert "R2-D2> 2,0 2,3 5,5 0,0 50\n" in result.stdout


def test_hidden_entry_shows_nothing_of_what_is_typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = iter(["frog", "up", "down", "quit"])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr(getpass, "getpass", lambda prompt: next(typed))
    match = Match(variant("droids"), seed=0)
    with pytest.raises(Quit):
        ConsoleMatch(match, ["human", "human"]).play()
    shown = capsys.readouterr().out
    assert "frog" not in shown and "that is not a move here" in shown
    assert "R2-D2: up\nR2-Q5: down" in shown


@pytest.mark.parametrize("hidden", [True, False])
@pytest.mark.parametrize("ending", [EOFError, KeyboardInterrupt])
def test_the_end_of_the_input_and_ctrl_c_leave(
    hidden: bool, ending: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(prompt: str) -> str:
        raise ending

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", ended)
    monkeypatch.setattr(getpass, "getpass", ended)
    with pytest.raises(Quit):
        read_line("> ", hidden=hidden)


# What is stored. ----------------------------------------------------------------------------------


@pytest.fixture
def empty_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDEX_DATA", str(tmp_path))


def ludex(*arguments: str) -> str:
    result = CliRunner().invoke(cli, arguments, prog_name="ludex")
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_finished_match_is_stored_and_replays(empty_store: None) -> None:
    result = play("nuts", "human", "human", "--rule", "nuts=10", typed="3\nundo\n3\n3\n3\n1\n")
    assert result.stderr == "stored as match 1/0 (ludex replay 1/0)\n"
    assert "Player 1 (human) +1, Player 2 (human) -1" in ludex("replay", "1/0")
    (event,) = json.loads(ludex("history", "--agent", "human", "--json"))
    assert (event["format"], event["rules"], event["matches"]) == ("console", {"nuts": "10"}, 1)
    (match,) = json.loads(ludex("history", "1", "--json"))["matches"]
    assert match["decisions"] == [2, 2], "what was taken back does not count"


def test_a_match_that_somebody_leaves_is_not_stored(empty_store: None) -> None:
    assert "stored" not in play("nuts", "human", "human", typed="3\nquit\n").output
    assert "nothing was played yet" in ludex("history")


def test_a_match_goes_into_another_store_or_none(tmp_path: Path, empty_store: None) -> None:
    db = str(tmp_path / "mine.db")
    told = play("nuts", "random", "random", "--db", db).stderr
    assert told == f"stored as match 1/0 (ludex replay 1/0 --db {db})\n"
    assert play("nuts", "random", "random", "--no-store").stderr == ""
    assert "nothing was played yet" in ludex("history")
    told = play("nuts", "random", "random", "--db", str(tmp_path)).output
    assert "wins.\nthe match could not be stored: " in told


@pytest.mark.unmeasured
def test_the_luck_is_that_of_a_series(empty_store: None) -> None:
    play("aeroplane", "random", "random", "--seed", "9")
    ludex(*"match aeroplane random random --matches 1 --seed 9 --processes 1".split())
    one, two = (Store().records(event)[0] for event in (1, 2))
    assert read_record(one).moves == read_record(two).moves


def test_an_agent_that_fails_forfeits_the_match(
    tmp_path: Path, unsafe: None, empty_store: None
) -> None:
    path = written(tmp_path, choosing("1 / 0"))
    result = play("nuts", "human", path, typed="3\n")
    assert result.exit_code == 0
    failed = f"Player 2 ({path}): CRASHED: ZeroDivisionError: division by zero"
    assert failed in result.stdout and result.stdout.endswith("Player 1 (human) wins.\n")
    assert "CRASHED after 1 move: " in ludex("replay", "1/0")


def test_four_people_can_play() -> None:
    typed = "quit\n"
    result = play("aeroplane", "human", "human", "human", "human", "--rule", "seats=4", typed=typed)
    assert "Red is human, Blue is human, Yellow is human, Green is human" in result.stdout


def test_a_position_can_be_played_on() -> None:
    result = play("nuts", "human", "human", "--position", "2 1", typed="1\n1\n")
    assert result.stdout.endswith("Player 2 (human) wins.\n")


def test_the_menu_leads_to_a_match_and_back() -> None:
    result = play(typed="9\n\n1\nhuman human\nquit\ntrap\n\nquit\nquit\n")
    assert result.exit_code == 0
    assert "no game '9'" in result.stdout
    assert "The Game of Nuts: Player 1 is human, Player 2 is human" in result.stdout
    assert "Trap!: Player 1 is human, Player 2 is medium" in result.stdout
    assert play(typed="").exit_code == 0


def test_quit_leaves_the_menu_at_either_question() -> None:
    for typed in ("quit\n", "nuts\nquit\n", "nuts\n EXIT\n"):
        result = play(typed=typed)
        assert result.exit_code == 0
        assert result.stdout.count("Which game?") == 1
        assert "no agent" not in result.stdout


def test_a_draw_is_called_one() -> None:
    result = play("droids", "human", "human", "--rule", "rounds=1", typed="up\nup\n")
    assert result.stdout.endswith("A draw.\n")


def test_a_game_from_outside_is_played() -> None:
    result = play("examples/tictactoe.py", "human", "human", typed="1\n2\n4\n5\n7\n")
    assert result.stdout.endswith("X (human) wins.\n")


def test_the_first_start_says_why_it_compiles(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(config, "DISABLE_JIT", 0)
    compiling = "compiling the rules of nuts, and keeping the result …\n"
    why = "first start: rules and agents are compiled once; ludex warm does that ahead of time\n"
    for first in (True, False):
        monkeypatch.setattr(jit, "is_first_run", lambda first=first: first)
        monkeypatch.setattr(jit, "listeners", [])
        console.announce_compiling()
        for _ in range(2):
            jit.listeners[0]("nuts")
        assert capsys.readouterr().err == (why if first else "") + compiling


def test_a_person_sees_the_own_card_alone() -> None:
    result = play("examples/kuhn.py", "human", "random", typed="position\nraise\nquit\n")
    card = result.stdout.partition("chance: deal ")[2][0]
    assert card in "JQK" and "chance: hidden" in result.stdout
    assert f"\n▶ Player 1 {card}  ●\n  Player 2 ?  ●\n" in result.stdout
    assert f"> {card} ? -\n" in result.stdout and "seed" not in result.stdout
    assert f"is not a move here: {card} ? -; Player 1 to move" in result.stdout
    assert f"Good bye. The position was: {card} ? -" in result.stdout
    assert not any(f"{card} {other}" in result.stdout for other in "JQK")


def test_two_people_at_one_console_look_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    cleared: list[None] = []
    screen = console.screen()
    monkeypatch.setattr(type(screen), "clear", lambda *_: cleared.append(None))
    result = play("examples/kuhn.py", "human", "human", typed="\npass\n\nundo\nposition\nquit\n")
    before, first, second = result.stdout.split(": press Enter to see your side> ")
    assert len(cleared) == 2
    assert before.count("chance: hidden") == 2
    assert first.count("chance: hidden") == 1 and "  Player 2 ?  ●" in first
    assert second.count("chance: hidden") == 1 and "  Player 1 ?  ●" in second
    assert "no move is taken back" in second and "Player 1: pass" in second
    assert second.endswith("Good bye. The position was: ? ? p\n")


def test_agents_alone_hide_nothing_at_the_console() -> None:
    result = play("examples/kuhn.py", "random", "random", "--seed", "3")
    assert "hidden" not in result.stdout and "seed 3" in result.stdout


def test_the_console_says_how_much_was_won_if_it_is_not_everything() -> None:
    fold = play("examples/kuhn.py", "human", "random", "--position", "K J pb", typed="fold\n")
    assert fold.stdout.endswith("Player 2 (random) wins 0.5.\n")
    call = play("examples/kuhn.py", "human", "random", "--position", "K J pb", typed="call\n")
    assert call.stdout.endswith("Player 1 (human) wins.\n")
