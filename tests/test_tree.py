"""Search trees: what they say is what the searches find, and pictures hide nothing unsaid."""

import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner, Result

from ludex.agents import make_agent
from ludex.cli import cli
from ludex.games import find, rules_class
from ludex.play import read
from ludex.rules import CHANCE, OVER, Rules, State, initial, turn
from ludex.search.growth import Branch, Kind, Node, Tree, cuts, grow, size, walk
from ludex.search.plain import AVERAGE, WORST, Greedy, value
from ludex.search.simultaneous import VIEWS, Simultaneous
from ludex.search.table import AT_LEAST, AT_MOST, EXACT
from ludex.treepicture import picture
from ludex.treepicture.folding import best_line, shown
from ludex.treepicture.layout import (
    Twig,
    half_width,
    label_lines,
    laid,
    look_of,
    probability_text,
    width_of,
)
from ludex.treepicture.nodes import about
from tests.lines import random_states, variant

# A game, its rules, and how deep its trees are grown.
GAMES: list[tuple[str, dict[str, Any], int]] = [
    ("nuts", {"nuts": 10}, 4),
    ("arena", {}, 2),
    ("trap", {"size": 3}, 2),
    ("trap", {"size": 4}, 2),
    ("aeroplane", {"planes": 1}, 3),
    ("aeroplane", {"planes": 1, "seats": 3}, 2),
    ("examples/tictactoe.py", {}, 3),
]
AGENTS = [
    "minimax",
    "expectimax",
    *(f"alphabeta:pruning={way}" for way in ("none", "star1", "star2")),
]

# A game that is nothing but a tree: what a node is worth to seat 0, or who is to move and where
# to; chance has each as likely.
GAME = """
from typing import NamedTuple
from ludex.rules import CHANCE, OVER

ACTIONS = OUTCOMES = 9
TREE = {tree!r}

class TwigRules(NamedTuple):
    none: int = 0

class Twig(NamedTuple):
    at: int

def initial(rules):
    return Twig(0)

def turn(rules, state):
    return TREE[state.at][0] if isinstance(TREE[state.at], tuple) else OVER

def moves(rules, state, seat):
    return (1 << len(TREE[state.at][1])) - 1

def chance(rules, state, outcome):
    ways = TREE[state.at][1]
    return 1.0 / len(ways) if outcome < len(ways) else 0.0

def apply(rules, state, move):
    return Twig(TREE[state.at][1][move])

def returns(rules, state, seat):
    return TREE[state.at] if seat == 0 else -TREE[state.at]
"""


def numbered(nest: Any) -> list[Any]:
    """Return the nodes of nested lists; a list begins with who is to move."""
    nodes: list[Any] = []

    def add(one: Any) -> int:
        at = len(nodes)
        nodes.append(one)
        if isinstance(one, list):
            nodes[at] = (one[0], [add(child) for child in one[1:]])
        return at

    add(nest)
    return nodes


def written(folder: Path, nest: Any) -> Rules:
    """Return the rules of a game whose tree is given as nested lists."""
    file = folder / "sapling.py"
    file.write_text(GAME.format(tree=numbered(nest)))
    return rules_class(find(str(file)))()


def outline(node: Node) -> Any:
    """Return values and bounds of a tree as nested lists, None where it was cut."""
    if not node.branches:
        return node.value
    sign = {EXACT: "=", AT_LEAST: ">", AT_MOST: "<"}[node.bound]
    return [f"{sign}{node.value:.4g}", *(outline(branch.node) for branch in node.branches)]


def positions(rules: Rules, seed: int) -> list[State]:
    """Return some states of a random line, none of them over."""
    found = [state for state in random_states(rules, seed, 60) if turn(rules, state) != OVER]
    return found[:: max(1, len(found) // 3)]


def found(text: str, rules: Rules, state: State, seat: int, depth: int, style: int = 0) -> float:
    """Return what plain search finds."""
    others = AVERAGE if text == "expectimax" else WORST
    return float(value(rules, state, seat, depth, others, style, np.zeros(1, np.int64)))


def searched(rules: Rules, node: Node, depth: int) -> Iterator[tuple[Node, int]]:
    """Yield the nodes that were searched with the depth that was left there."""
    yield node, depth
    for branch in node.branches:
        twice = node.kind == Kind.CHANCE and branch.node.mover == CHANCE
        if not branch.cut:
            yield from searched(rules, branch.node, depth - (node.kind != Kind.CHANCE or twice))


# Growing. ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", AGENTS)
@pytest.mark.parametrize(("game", "changes", "deepest"), GAMES)
def test_the_root_is_worth_what_plain_search_finds(
    game: str, changes: dict[str, Any], deepest: int, text: str
) -> None:
    rules = variant(game, **changes)
    for seed, depth in ((0, 1), (1, deepest), (2, deepest)):
        for state in positions(rules, seed):
            tree = grow(make_agent(text, rules), rules, state, depth)
            wanted = found(text, rules, state, tree.seat, depth)
            assert tree.root.bound == EXACT
            assert tree.root.value == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("text", AGENTS)
@pytest.mark.parametrize(
    ("game", "changes", "depth"),
    [("nuts", {"nuts": 10}, 5), ("trap", {"size": 3}, 2), ("examples/pig.py", {"goal": 8}, 3)],
)
def test_every_value_and_every_bound_is_true(
    game: str, changes: dict[str, Any], depth: int, text: str
) -> None:
    rules = variant(game, **changes)
    for state in positions(rules, 5)[:2]:
        tree = grow(make_agent(text, rules), rules, state, depth)
        for node, left in searched(rules, tree.root, depth):
            assert node.value is not None
            true = found(text, rules, read(rules, node.position), tree.seat, left)
            if node.bound != AT_MOST:
                assert true >= node.value - 1e-9
            if node.bound != AT_LEAST:
                assert true <= node.value + 1e-9


def test_the_textbook_example_is_cut_as_in_the_textbook(tmp_path: Path) -> None:
    # Russell and Norvig, Artificial Intelligence: the two-ply tree of 3 12 8, 2 4 6, 14 5 2.
    nest = [0, [1, 0.03, 0.12, 0.08], [1, 0.02, 0.04, 0.06], [1, 0.14, 0.05, 0.02]]
    rules = written(tmp_path, nest)
    tree = grow(make_agent("alphabeta", rules), rules, initial(rules), 2)
    assert outline(tree.root) == [
        "=0.03",
        ["=0.03", 0.03, 0.12, 0.08],
        ["<0.02", 0.02, None, None],
        ["=0.02", 0.14, 0.05, 0.02],
    ]
    plain = grow(make_agent("minimax", rules), rules, initial(rules), 2)
    assert outline(plain.root)[2] == ["=0.02", 0.02, 0.04, 0.06]
    assert (size(tree.root), cuts(tree.root), cuts(plain.root)) == (13, 2, 0)


def test_star1_cuts_outcomes_and_star2_cuts_after_probing(tmp_path: Path) -> None:
    # The first action is worth 0.5. After 0.2 the second is worth 0.6 at most, and with an
    # answer of 0.2 to the other outcome too little; probes of 0.4 and 0.2 leave 0.3 at most.
    rules = written(tmp_path, [0, 0.5, [CHANCE, [1, 0.4, 0.2], [1, 0.2, 0.1]]])

    def grown(pruning: str) -> Any:
        agent = make_agent(f"expectiminimax:pruning={pruning}", rules)
        return outline(grow(agent, rules, initial(rules), 2).root)

    assert grown("none") == ["=0.5", 0.5, ["=0.15", ["=0.2", 0.4, 0.2], ["=0.1", 0.2, 0.1]]]
    assert grown("star1") == ["=0.5", 0.5, ["<0.2", ["=0.2", 0.4, 0.2], ["<0.2", 0.2, None]]]
    assert grown("star2") == ["=0.5", 0.5, ["<0.3", ["<0.4", 0.4, None], ["<0.2", 0.2, None]]]


def test_a_bad_outcome_cuts_the_others(tmp_path: Path) -> None:
    rules = written(tmp_path, [0, 0.5, [CHANCE, -0.5, 0.9]])
    for pruning, wanted in (("star1", ["<0.25", -0.5, None]), ("none", ["=0.2", -0.5, 0.9])):
        agent = make_agent(f"expectiminimax:pruning={pruning}", rules)
        assert outline(grow(agent, rules, initial(rules), 2).root) == ["=0.5", 0.5, wanted]


def test_the_first_of_equals_is_chosen_and_a_cut_branch_has_nothing() -> None:
    rules = variant("nuts")
    tree = grow(make_agent("alphabeta", rules), rules, read(rules, "6 0"), 4)
    for branch in walk(Branch("", tree.root)):
        node = branch.node
        assert branch.cut == (node.value is None)
        assert not (branch.cut and node.branches)
        equals = [one.node.value == node.value for one in node.branches]
        if equals:
            assert [one.chosen for one in node.branches].index(True) == equals.index(True)


def test_others_at_random_and_chance_say_how_likely_each_branch_is() -> None:
    rules = variant("trap", size=3)
    tree = grow(make_agent("expectimax", rules), rules, initial(rules), 3)
    kinds = set()
    for branch in walk(Branch("", tree.root)):
        odds = [one.probability for one in branch.node.branches]
        if branch.node.kind in (Kind.CHANCE, Kind.AVERAGE):
            kinds.add(branch.node.kind)
            assert sum(p for p in odds if p is not None) == pytest.approx(1.0)
        else:
            assert odds == [None] * len(odds)
    assert kinds == {Kind.CHANCE, Kind.AVERAGE}


def test_the_style_of_an_agent_is_honoured() -> None:
    rules = variant("trap", size=4)
    state = initial(rules)
    near, every = (
        grow(make_agent(f"minimax:throws={word},chance=target", rules), rules, state, 2, 99_999)
        for word in ("near", "all")
    )
    assert size(near.root) < size(every.root)
    for name in ("minimax", "alphabeta"):
        agent: Any = make_agent(f"{name}:throws=near,chance=target,estimate=ais", rules)
        wanted = found("minimax", rules, state, 0, 2, agent.style)
        assert wanted != found("minimax", rules, state, 0, 2)
        assert grow(agent, rules, state, 2).root.value == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("view", VIEWS)
def test_where_both_choose_at_once_the_view_decides(view: str) -> None:
    rules = variant("droids", rounds=12)
    agent = Simultaneous(depth=2, view=view, table=0)
    for state in positions(rules, 3)[:2]:
        tree = grow(agent, rules, state, 2)
        choice = agent.consider(rules, state, 0, np.random.default_rng(0))
        assert tree.root.kind == Kind.BOTH
        assert tree.root.value == pytest.approx(choice.value, abs=1e-9)
        odds = [one.probability for one in tree.root.branches if one.probability is not None]
        assert not odds or sum(odds) == pytest.approx(1.0)


def test_greedy_counts_on_every_answer_alike_at_once() -> None:
    rules = variant("droids")
    choice = Greedy().consider(rules, initial(rules), 0, np.random.default_rng(0))
    tree = grow(Greedy(), rules, initial(rules), 1)
    assert tree.root.value == pytest.approx(choice.value)
    assert len([one for one in tree.root.branches if one.chosen]) == 4


def test_a_probe_is_not_counted_beside_the_search_that_takes_its_place() -> None:
    rules = variant("examples/pig.py", goal=8)
    agent = make_agent("alphabeta:pruning=star2", rules)
    state = positions(rules, 5)[0]
    nodes = size(grow(agent, rules, state, 3).root)
    assert size(grow(agent, rules, state, 3, nodes).root) == nodes
    with pytest.raises(ValueError, match="more than"):
        grow(agent, rules, state, 3, nodes - 1)


def test_rounding_never_makes_a_bound_exact(tmp_path: Path) -> None:
    # Chance leads to an end or to seat 1, who may go for the worst instead. The other action is
    # worth just as much as chance would be if seat 1 did not.
    rng = np.random.default_rng(1)
    for _ in range(40):
        sure, other = (int(2000 * rng.random() - 1000) / 1000 for _ in range(2))
        known = sure / 3 + sure / 3 + other / 3
        for nudged in (known, float(np.nextafter(known, -2.0)), float(np.nextafter(known, 2.0))):
            rules = written(tmp_path, [0, nudged, [CHANCE, sure, sure, [1, other, -1.0]]])
            agent = make_agent("alphabeta:pruning=star1", rules)
            node = grow(agent, rules, initial(rules), 3).root.branches[1].node
            assert node.value is not None
            if node.bound == EXACT:
                assert node.value == pytest.approx((2 * sure - 1.0) / 3)
            else:
                assert node.value <= nudged


def test_too_many_nodes_are_refused_with_advice() -> None:
    rules = variant("nuts")
    agent = make_agent("minimax", rules)
    assert size(grow(agent, rules, initial(rules), 3, 40).root) == 40
    with pytest.raises(ValueError, match="more than 39 nodes: try a smaller depth than 3, or more"):
        grow(agent, rules, initial(rules), 3, 39)


# Pictures. --------------------------------------------------------------------------------------


def sample(game: str, text: str, depth: int, **changes: Any) -> Tree:
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
    svg = picture(tree, "A tree & more", shown(tree.root, most))
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
    what = shown(tree.root, 60)
    left_out = cuts(tree.root) - sum(one.branch.cut for one in what.all())
    assert what.hidden == left_out > 0


@pytest.mark.parametrize("most", [30, 250])
@pytest.mark.parametrize(("game", "text", "depth", "changes"), SAMPLES)
def test_no_node_and_no_label_overlaps_another(
    game: str, text: str, depth: int, changes: dict[str, Any], most: int
) -> None:
    what = shown(sample(game, text, depth, **changes).root, most)
    look = look_of(what)
    root = laid(what, 0.0, 0, look)
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


def families(twig: Twig) -> Iterator[Twig]:
    return (one for one in twig.all() if one.below and one.below[0].spine is None)


def test_a_parent_stands_over_the_middle_of_its_children() -> None:
    what = shown(sample("nuts", "minimax", 3).root)
    for twig in families(laid(what, 0.0, 0, look_of(what))):
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


# The command. -----------------------------------------------------------------------------------


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["tree", *arguments], prog_name="ludex")


def test_the_command_writes_a_picture_and_says_what_is_in_it(tmp_path: Path) -> None:
    file = tmp_path / "tree.svg"
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
    assert "Player 2: take 1  value +1.0000" in run("nuts", *options).stdout
    assert [one.name for one in tmp_path.iterdir()] == ["tree.svg"]


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
        *((1 / 6, "1/6"), (0.125, "1/8"), (0.123, "0.123"), (0.91, "0.91"), (0.0004, "<0.001")),
        *((0.0006, "0.001"), (0.99987, ">0.999"), (0.9994, "0.999"), (1.0, "1"), (0.0, "0")),
    ],
)
def test_a_probability_is_never_rounded_to_certainty(p: float, wanted: str) -> None:
    assert probability_text(p) == wanted


def test_what_would_be_next_after_an_estimate_is_said() -> None:
    for game, next_one in (("droids", "both"), ("aeroplane", "chance"), ("nuts", "Player 1")):
        rules = variant(game)
        leaf = Node(Kind.LEAF, "", turn(rules, initial(rules)), 0.0)
        names = tuple(f"Player {seat}" for seat in (1, 2))
        assert f"{next_one} would be next" in about(Tree(leaf, 0, names), Branch("", leaf))


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["nuts"], "Missing option '--out'"),
        (["nuts", "--out", "/no/such/folder/tree.svg"], "No such file"),
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
