"""The lab on the command line: one command makes the page, and bad input is one line."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ludex.cli import cli

pytestmark = pytest.mark.plain

EXAMPLES = Path(__file__).parents[2] / "examples"
PAIR = ("first", "again")
TIMES = re.compile(r"[\d.]+ [mµ]?s")
ORDER = """
kind = "versus"
game = "nuts"
agents = ["random", "minimax:depth=3"]
matches = 4

[rules]
nuts = 10
"""


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDEX_DATA", str(tmp_path / "data"))
    (tmp_path / "order.toml").write_text(ORDER, encoding="utf-8")
    return tmp_path


def lab(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["lab", *arguments], prog_name="ludex")


def test_an_experiment_is_run_listed_and_reported_again(desk: Path) -> None:
    ran = lab("run", "order.toml", "--processes", "1", "--json")
    assert ran.exit_code == 0, ran.output
    told = json.loads(ran.stdout)
    assert told["page"] == "reports/order/report.html" and told["tasks"] == 4
    page = (desk / told["page"]).read_text(encoding="utf-8")
    listed = json.loads(lab("list", "--json").stdout)
    assert [one["name"] for one in listed["runs"]] == ["order"]
    assert "arena-first-move" in [one["name"] for one in listed["experiments"]]
    again = lab("report", str(listed["runs"][0]["number"]), "--out", "again")
    assert again.exit_code == 0, again.output
    assert (desk / "again" / "report.html").read_text(encoding="utf-8") == page


@pytest.mark.unmeasured
def test_the_file_beside_a_report_repeats_it(desk: Path) -> None:
    assert lab("run", "order.toml", "--processes", "1").exit_code == 0
    again = lab("run", "reports/order/order.toml", "--processes", "1", "--out", "again", "--json")
    assert json.loads(again.stdout)["tasks"] == 4
    pages = [
        (desk / folder / "report.md").read_text("utf-8") for folder in ("reports/order", "again")
    ]
    assert pages[0] == pages[1]


def test_balance_needs_no_file(desk: Path) -> None:
    told = lab(
        *("balance", "nuts", "--sweep", "nuts=10:13", "--matches", "0", "--processes", "1"),
        "--json",
    )
    assert told.exit_code == 0, told.output
    rows = json.loads(told.stdout)["tables"][0]["rows"]
    assert [row[1][:8] for row in rows] == ["Player 1", "Player 1", "Player 1", "Player 2"]


def test_two_orders_have_two_folders_and_the_list_tells_them_apart(desk: Path) -> None:
    common = ("--matches", "0", "--processes", "1", "--json")
    pages = [
        json.loads(lab("balance", "nuts", "--sweep", f"nuts=10:{high}", *common).stdout)["page"]
        for high in (11, 12)
    ]
    assert len(set(pages)) == 2 and all("reports/nuts-balance-" in page for page in pages)
    runs = json.loads(lab("list", "--json").stdout)["runs"]
    assert ["sweep nuts=10:11" in one["differs"] for one in runs] == [True, False]


@pytest.mark.unmeasured
def test_the_game_of_a_file_lies_beside_its_report(desk: Path) -> None:
    game = desk / "mine" / "pile.py"
    game.parent.mkdir()
    game.write_text((EXAMPLES / "tictactoe.py").read_text("utf-8"), encoding="utf-8")
    order = 'kind = "versus"\ngame = "pile.py"\nagents = ["random", "casual"]\nmatches = 1\n'
    (game.parent / "order.toml").write_text(order, encoding="utf-8")
    ran = lab("run", "mine/order.toml", "--processes", "1", "--out", "first")
    assert ran.exit_code == 0, ran.output
    game.unlink()
    ran = lab("run", "first/order.toml", "--processes", "1", "--out", "again")
    assert ran.exit_code == 0, ran.output
    first, again = ((desk / folder / "report.md").read_text("utf-8") for folder in PAIR)
    assert "| game | pile, rules version 1, sha256 " in first and str(desk) not in first
    assert TIMES.sub("", first) == TIMES.sub("", again)


@pytest.mark.unmeasured
def test_a_report_that_is_not_there_offers_those_that_are(desk: Path) -> None:
    assert lab("run", "order.toml", "--scale", "5", "--processes", "1").exit_code == 0
    told = lab("report", "order.toml")
    assert told.exit_code == 2 and told.stderr.count("\n") == 1
    assert "(finished with another scale, seed or settings: 1; ludex lab report N)" in told.stderr
    assert "matches 20" in json.loads(lab("list", "--json").stdout)["runs"][0]["differs"]


@pytest.mark.unmeasured
def test_a_folder_that_cannot_be_written_is_refused_before_the_work(desk: Path) -> None:
    (desk / "taken").write_text("", encoding="utf-8")
    told = lab("run", "order.toml", "--processes", "1", "--out", "taken/b")
    assert told.exit_code == 2 and "--out 'taken/b': Not a directory" in told.stderr
    assert json.loads(lab("list", "--json").stdout)["runs"] == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("run arena-flip", "no experiment 'arena-flip'; did you mean 'arena-flips'? (there are "),
        ("run gone.toml", "experiment 'gone.toml': No such file"),
        ("report order.toml", "is not finished: 0 of 4 tasks are done"),
        ("report 9", "no experiment 9: ludex lab list shows those there are"),
        (f"report {10**23}", f"no experiment {10**23}: ludex lab list shows"),
        ("report 1 --db gone.db", "--db 'gone.db': there is no such store"),
        ("list --db gone.db", "--db 'gone.db': there is no such store"),
        ("run order.toml --processes 257", "range 1<=x<=256"),
        ("balance nuts --sweep nut=1:2", "no rule 'nut'; did you mean 'nuts'?"),
        ("balance nuts --sweep nuts", "--sweep 'nuts': expected KEY=LOW:HIGH:STEP"),
        ("balance nuts --sweep nuts=10:11 --sweep nuts=10:12", "--sweep: nuts is there twice"),
        ("balance nuts --sweep nuts=10:11 --vary most=1:2", "--vary and --sweep: expected one"),
        ("balance nuts --trials 9", "--trials: a search needs --vary"),
        ("run order.toml --scale 0", "--scale"),
        ("run order.toml --scale nan", "'nan' is not a number"),
        ("report 1 --seed 3", "--scale and --seed are for a NAME or a FILE"),
        ("balance nuts --vary nut=1:2", "vary 'nut=1:2': no rule 'nut'; did you mean 'nuts'?"),
        ("balance nuts --level random", "levels: expected two at least, the weakest first"),
    ],
)
def test_bad_input_is_one_line(arguments: str, words: str, desk: Path) -> None:
    result = lab(*arguments.split())
    assert result.exit_code == 2
    assert words in result.stderr and result.stderr.count("\n") == 1
    assert not (desk / "reports").exists() and not (desk / "gone.db").exists()
