"""Pictures of search trees hide nothing unsaid, and the command says what is in them."""

import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from ludex.agents.registry import make_agent
from ludex.cli import cli
from ludex.core.rules import initial, turn
from ludex.render.tree.folding import best_line, fold_tree
from ludex.render.tree.layout import (
    PlacedNode,
    choose_look,
    half_width,
    label_lines,
    lay_out,
    probability_text,
    width_of,
)
from ludex.render.tree.nodes import tooltip
from ludex.render.tree.picture import picture
from ludex.search.explicit_tree import Branch, GameTree, Node, NodeKind, cuts, size
from ludex.search.tree_grower import grow
from tests.lines import variant
from tests.twigs import positions, written

pytestmark = pytest.mark.plain


def sample(game: str, text: str, depth: int, **changes: Any) -> GameTree:
    rules = variant(game, **changes)
    state = positions(rules, 1)[0]
    return grow(make_agent(text, rules), rules, state, depth)


SAMPLES: list[tuple[str, str, int, dict[str, Any]]] = [
    ("nuts", "minimax", 3, {}),
    ("nuts", "alphabeta", 7, {}),
    ("arena", "alphabeta", 2, {}),
    ("trap", "expectiminimax:pruning=star1", 2, {"size": 3}),
    ("trap", "expectiminimax", 3, {"size": 3}),
    ("aeroplane", "expectimax", 3, {"planes": 1}),
    ("examples/tictactoe.py", "minimax", 4, {}),
    ("droids", "greedy", 1, {}),
]


@pytest.mark.parametrize("most", [2, 30, 100, 250])
@pytest.mark.parametrize(("game", "text", "depth", "changes"), SAMPLES)
def test_what_is_drawn_and_what_is_folded_is_the_whole_tree(
    game: str, text: str, depth: int, changes: dict[str, Any], most: int
) -> None:
    tree = sample(game, text, depth, **changes)
    svg = picture(tree, "A tree & more", fold_tree(tree.root, most))
    root = ElementTree.fromstring(svg)
    ids = [one.get("id") for one in root.iter() if one.get("id")]
    assert len(ids) == len(set(ids))
    nodes = [one for one in root.iter() if one.get("data-kind")]
    folds = [int(count) for count in re.findall(r">\+(\d+)</text>", svg)]
    assert len(nodes) + sum(folds) == size(tree.root)
    line = {"-".join(map(str, ("node", *path))) for path in best_line(tree.root)}
    assert line <= set(ids)
    assert len(nodes) + len(folds) <= max(most, 2 * len(line))
    if size(tree.root) <= most:
        assert not folds
    if size(tree.root) > 2 * most:
        assert len(nodes) + len(folds) > 0.8 * most


def test_what_was_cut_is_folded_before_what_was_searched() -> None:
    tree = sample("arena", "alphabeta", 2)
    what = fold_tree(tree.root, 60)
    left_out = cuts(tree.root) - sum(one.branch.cut for one in what.all())
    assert what.hidden == left_out > 0


@pytest.mark.unmeasured
@pytest.mark.parametrize("most", [30, 250])
@pytest.mark.parametrize(("game", "text", "depth", "changes"), SAMPLES)
def test_no_node_and_no_label_overlaps_another(
    game: str, text: str, depth: int, changes: dict[str, Any], most: int
) -> None:
    what = fold_tree(sample(game, text, depth, **changes).root, most)
    look = choose_look(what)
    root = lay_out(what, 0.0, 0, look)
    rows: dict[tuple[int, float], list[tuple[float, float]]] = {}
    for twig in root.all():
        half = 12.0
        if twig.shown is not None:
            half = half_width(twig.shown.branch, look)
            if twig.spine is None:
                half = max([half, *(width_of(x) / 2 for x in label_lines(twig.shown.branch))])
            elif twig.below:
                half = 10.0  # it is drawn small
        rows.setdefault((twig.level, twig.down), []).append((twig.x - half, twig.x + half))
    for spans in rows.values():
        spans.sort()
        for (_, end), (start, _) in itertools.pairwise(spans):
            assert end <= start


def families(twig: PlacedNode) -> Iterator[PlacedNode]:
    return (one for one in twig.all() if one.below and one.below[0].spine is None)


def test_a_parent_stands_over_the_middle_of_its_children() -> None:
    what = fold_tree(sample("nuts", "minimax", 3).root)
    for twig in families(lay_out(what, 0.0, 0, choose_look(what))):
        assert twig.x == pytest.approx((twig.below[0].x + twig.below[-1].x) / 2)


def test_a_cut_branch_is_dashed_and_has_no_value(tmp_path: Path) -> None:
    rules = written(tmp_path, [0, [1, 0.3, 0.9], [1, 0.2, 0.4]])
    tree = grow(make_agent("alphabeta", rules), rules, initial(rules), 2)
    root = ElementTree.fromstring(picture(tree, "cut"))
    nodes = {one.get("id"): one for one in root.iter() if one.get("data-kind")}
    searched, cut = nodes["node-1-0"], nodes["node-1-1"]
    assert "0.2" in "".join(searched.itertext()) and "dasharray" not in str(attributes(searched))
    assert "cut: the search did not look" in "".join(cut.itertext())
    assert "dasharray" in str(attributes(cut)) and not list(cut.iter("{*}text"))


def attributes(element: ElementTree.Element) -> list[dict[str, str]]:
    return [one.attrib for one in element.iter()]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["tree", *arguments], prog_name="ludex")


def test_the_command_writes_a_picture_and_says_what_is_in_it(tmp_path: Path) -> None:
    file = tmp_path / "new" / "tree.svg"
    options = ("--agent", "alphabeta", "--depth", "4", "--position", "6 1", "--out", str(file))
    result = run("nuts", *options, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told == {
        "position": "6 1",
        "depth": 4,
        "move": "take 1",
        "value": -1.0,
        "seat": 1,
        "worth": 1.0,
        "nodes": 55,
        "cut": 15,
        "shown": 55,
        "folded": 0,
        "file": str(file),
    }
    ElementTree.parse(file)
    assert "Player 2: take 1  value +1.0000 (Player 2 wins)" in run("nuts", *options).stdout
    assert [one.name for one in file.parent.iterdir()] == ["tree.svg"]


def test_the_depth_is_that_of_the_command_or_of_the_agent_or_two(tmp_path: Path) -> None:
    def depth(*options: str) -> int:
        shown = run("nuts", *options, "--out", str(tmp_path / "tree.svg"), "--json")
        return int(json.loads(shown.stdout)["depth"])

    assert depth() == 2
    assert depth("--agent", "minimax:depth=3") == 3
    assert depth("--agent", "minimax:depth=3", "--depth", "1") == 1
    assert depth("--agent", "greedy") == 1
    assert depth("--agent", "hard") == 5  # minimax:depth=5


@pytest.mark.parametrize(
    ("p", "wanted"),
    [
        *(
            (1 / 6, "1/6"),
            (0.125, "0.125"),
            (0.9, "0.9"),
            (1.0, "1"),
            (0.123, "0.123"),
            (0.91, "0.91"),
            (0.0004, "<0.001"),
        ),
        *((0.0006, "0.001"), (0.99987, ">0.999"), (0.9994, "0.999"), (1.0, "1"), (0.0, "0")),
    ],
)
def test_a_probability_is_never_rounded_to_certainty(p: float, wanted: str) -> None:
    assert probability_text(p) == wanted


def test_what_would_be_next_after_an_estimate_is_said() -> None:
    for game, next_one in (("droids", "both"), ("aeroplane", "chance"), ("nuts", "Player 1")):
        rules = variant(game)
        leaf = Node(NodeKind.LEAF, "", turn(rules, initial(rules)), 0.0)
        names = tuple(f"Player {seat}" for seat in (1, 2))
        assert f"{next_one} would be next" in tooltip(GameTree(leaf, 0, names), Branch("", leaf))


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["nuts"], "Missing option '--out'"),
        (["nuts", "--out", "/dev/null/tree.svg"], "--out '/dev/null/tree.svg': Not a directory"),
        (["nuts", "--out", "t.png"], "expected a name that ends in .svg"),
        (["nuts", "--out", "t.svg", "--depth", "0"], "is not in the range"),
        (["nuts", "--out", "t.svg", "--show", "1"], "is not in the range"),
        (["nuts", "--out", "t.svg", "--depth", "9", "--nodes", "99"], "more than 99 nodes: try"),
        (["nuts", "--out", "t.svg", "--agent", "minmax"], "did you mean 'minimax'?"),
        (["nuts", "--out", "t.svg", "--agent", "random"], "'random' has no tree that could be"),
        (["nuts", "--out", "t.svg", "--agent", "greedy", "--depth", "2"], "greedy looks 1 ahead"),
        (["nuts", "--out", "t.svg", "--position", "0 0"], "there is nothing to search: 0 0; over"),
        (["nuts", "--out", "t.svg", "--position", "-"], "expected one position"),
        (["nots", "--out", "t.svg"], "did you mean 'nuts'?"),
        (["droids", "--out", "t.svg"], "minimax cannot play this game: both seats choose at once"),
    ],
)
def test_bad_input_is_refused_in_one_line(
    arguments: list[str], wanted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith("ludex: ") and wanted in result.stderr
    assert result.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
