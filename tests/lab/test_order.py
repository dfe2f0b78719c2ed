"""Orders of experiments: read, scaled, named, and refused before they begin."""

from pathlib import Path
from typing import Any

import pytest

from ludex.io.schema import REQUIRED
from ludex.lab.experiment_file import base_name, differences, make_experiment, read_experiment
from ludex.lab.kinds import KINDS
from ludex.lab.shipped_files import shipped_files
from ludex.lab.spec.game_file import copy_files, fingerprint, short_name
from ludex.lab.spec.openings import AUTOMATIC
from tests.experiments import ABLATION, AGENTS, DEPTHS, LEARNING, ORDERS, STRENGTH, VERSUS

pytestmark = pytest.mark.plain

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.unmeasured
@pytest.mark.parametrize("name", shipped_files())
def test_a_shipped_experiment_is_one(name: str) -> None:
    experiment = read_experiment(name)
    assert experiment.title != name and experiment.about


@pytest.mark.unmeasured
def test_every_kind_is_shipped() -> None:
    assert {read_experiment(name).kind for name in shipped_files()} == set(KINDS)


@pytest.mark.parametrize("kind", ORDERS)
def test_an_order_reads_back_as_it_was(kind: str, tmp_path: Path) -> None:
    about = 'Say "why", é <b>,\nand more.'
    made = make_experiment("trial", ORDERS[kind] | {"about": about})
    file = tmp_path / "trial.toml"
    file.write_text(made.toml(), encoding="utf-8")
    again = read_experiment(str(file))
    assert again == made and again.key() == made.key()


@pytest.mark.unmeasured
@pytest.mark.parametrize("name", shipped_files())
def test_an_order_leaves_nothing_unsaid(name: str) -> None:
    given = read_experiment(name).given
    unsaid = {key for key, value in given.items() if value in (AUTOMATIC, "", [], {})}
    # Without matches nobody plays; a sweep is not a default; "" is the first position.
    allowed = {"sweep", "position"} | ({"levels"} if given.get("matches") == 0 else set())
    assert unsaid <= allowed


def test_a_number_that_is_left_to_us_is_scaled_too() -> None:
    told = {"kind": "balance", "game": "nuts"}
    whole, tenth = (make_experiment("trial", told, scale).given for scale in (1.0, 0.1))
    assert (whole["matches"], tenth["matches"], whole["opening"]) == (40, 4, 2)


def test_another_scale_or_seed_is_another_report() -> None:
    plain = read_experiment("arena-balance")
    others = [read_experiment("arena-balance", 0.1), read_experiment("arena-balance", seed=3)]
    assert plain.name == "arena-balance" == read_experiment("arena-balance", 1.0, 1).name
    assert len({one.name for one in (plain, *others)}) == 3
    assert {base_name(one.name) for one in others} == {"arena-balance"}
    assert [differences(one) for one in (plain, *others)] == ["", "matches 8", "seed 3"]


@pytest.mark.parametrize("kind", ORDERS)
def test_an_order_of_ones_own_is_told_apart_by_what_it_must_say(kind: str) -> None:
    experiment = make_experiment("trial", ORDERS[kind])
    said = differences(experiment)
    assert all(key in said for key, one in KINDS[kind].KEYS.items() if one.default is REQUIRED)


def test_a_file_with_the_name_of_a_shipped_order_has_a_name_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "arena-balance.toml"
    file.write_text('kind = "balance"\ngame = "nuts"\n', encoding="utf-8")
    assert read_experiment(str(file)).name.startswith("arena-balance-")
    file.write_text(read_experiment("arena-balance").toml(), encoding="utf-8")
    assert read_experiment(str(file)).name == "arena-balance"


def test_a_game_file_is_found_beside_its_order_wherever_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ttt.py").write_bytes((EXAMPLES / "tictactoe.py").read_bytes())
    order = 'kind = "balance"\ngame = "./ttt.py"\nmatches = 0\n'
    (tmp_path / "order.toml").write_text(order, encoding="utf-8")
    experiment = read_experiment(str(tmp_path / "order.toml"))
    monkeypatch.chdir("/")
    assert short_name(experiment.game) == "ttt" and Path(experiment.game).is_absolute()
    assert 'game = "./ttt.py"' in experiment.toml() and str(tmp_path) not in experiment.toml()
    copy_files(experiment.game, tmp_path / "report")
    copy = str(tmp_path / "report" / "ttt.py")
    assert fingerprint(copy) == fingerprint(experiment.game) and fingerprint("nuts") == ""
    key = experiment.key()
    (tmp_path / "ttt.py").write_text("# another\n" + (tmp_path / "ttt.py").read_text("utf-8"))
    assert experiment.key() != key and fingerprint(copy) != fingerprint(experiment.game)


def test_scale_changes_numbers_of_matches_alone() -> None:
    scaled = make_experiment("trial", AGENTS, scale=0.5)
    assert scaled.given["matches"] == 6
    assert make_experiment("trial", AGENTS, scale=0.01).given["matches"] == 2
    assert scaled.given["agents"] == AGENTS["agents"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kind": "depth"}, "kind is 'depth': expected one of depths, agents, "),
        ({"agents": ["minmax"]}, "agents: no agent 'minmax'; did you mean 'minimax'?"),
        ({"agents": []}, "agents is []: expected a list of texts"),
        ({"agents": 3}, "agents is 3: expected a list of texts"),
        ({"depths": [0]}, "depths has 0: expected numbers above 0"),
        ({"depth": 3}, "no key 'depth'; did you mean 'depths'? (there are kind, title"),
        ({"position": "7"}, "expected 2 parts"),
        ({"rules": {"nut": 10}}, "no rule 'nut'; did you mean 'nuts'?"),
        ({"game": "nut"}, "no game 'nut'; did you mean 'nuts'?"),
        ({"seed": -1}, "seed is -1: expected a whole number from 0 to 9223372036854775807"),
        ({"title": 1}, "title is 1: expected a text"),
        ({"rules": 7}, "rules is 7: expected a table, such as [rules]"),
        ({"agents": ["minimax", "minimax"]}, "agents: 'minimax' is there twice"),
        ({"depths": [1, 3, 1]}, "depths: 1 is there twice"),
    ],
)
def test_what_is_wrong_with_an_order_is_said(change: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError) as raised:
        make_experiment("trial", DEPTHS | change)
    assert words in str(raised.value) and "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (AGENTS | {"agents": [{"learner": "hat", "matches": 1}]}, "agents: no learner 'hat'"),
        (
            AGENTS | {"agents": [{"learner": "hats"}]},
            "agents: matches is missing: expected a whole number",
        ),
        (AGENTS | {"agents": [{"learner": 7}]}, "learner is 7: expected a text in quotes"),
        (AGENTS | {"agents": [{"lerner": "hats"}]}, "no key 'lerner'; did you mean 'learner'?"),
        (AGENTS | {"agents": [{"learner": "td", "matches": 9}]}, "agents: learner is 'td', which"),
        (
            AGENTS | {"game": "droids", "rules": {}, "agents": ["qtable:file=nothere"]},
            "agents: nothere: No such file or directory",
        ),
        (AGENTS | {"opening": 500}, "opening is 500: no match goes on after so many random moves"),
        (VERSUS | {"agents": ["random", "random"]}, "agents: 'random' is there twice"),
        (AGENTS | {"matches": 1}, "matches is 1: expected at least 2"),
        (AGENTS | {"seats": "second"}, "seats is 'second': expected both or first"),
        (LEARNING | {"learners": ["hats:x=1"]}, "learners: hats has no option 'x'"),
        (LEARNING | {"judge": "nobody"}, "judge: no agent 'nobody'"),
        (LEARNING | {"against": "random"}, "learners: hats learns from itself"),
        (STRENGTH | {"option": "size"}, "option is 'size': expected one of depth, sims, seconds"),
        (STRENGTH | {"agents": ["random"]}, "agents: random has no option 'depth'"),
        (ABLATION | {"agents": ["alphabeta"]}, "agents: expected two at least"),
        (ABLATION | {"agents": ["alphabeta", "random"]}, "agents: 'random' searches nothing"),
        ({"game": "nuts"}, "kind is missing: expected one of depths, agents"),
    ],
)
def test_what_is_wrong_with_any_kind_is_said(told: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError) as raised:
        make_experiment("trial", told)
    assert words in str(raised.value) and "\n" not in str(raised.value)
