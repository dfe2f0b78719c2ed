"""Ludex beside other people's tools on the same game, in the same run.

`python -m bench peers` prints a table; `python -m bench.peers --write` also puts it and its plot
into the documents. What is not installed is left out, and said.
"""

import re
import sys
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.playouts import playouts
from bench.rivals import (
    Work,
    cpp_alphabeta,
    cpp_cfr,
    cpp_mcts,
    cpp_playouts,
    cpp_traversals,
    python_alphabeta,
    python_cfr,
    python_mcts,
    python_traversals,
    stepped,
    their_learning,
    value_iteration,
    zoo_loop,
)
from ludex import __version__
from ludex.adapters.common import rules_of
from ludex.agents.registry import make_agent
from ludex.core.rules import Rules, initial
from ludex.games import game_rules
from ludex.learn.cfr import CfrLearner
from ludex.learn.qtable import QLearner
from ludex.learn.table import entries
from ludex.search.mcts import Mcts
from ludex.search.transposition import make_table
from ludex.solve.equilibrium.extensive_form import extensive_form
from ludex.solve.equilibrium.regret import CFR_PLUS, new_regrets, run_iterations
from ludex.solve.solving import finish, tell_nobody
from ludex.solve.states.state_space import best_folding, list_states
from ludex.solve.values.induction import Induction

ROOT = Path(__file__).parent.parent
PAGE, PLOT = ROOT / "docs" / "adapters.md", ROOT / "docs" / "pictures" / "peers.svg"
PACKAGES = ("numba", "open_spiel", "pettingzoo", "gymnasium", "numpy")
SECONDS, ROUNDS = 0.4, 3
# In Leduc poker, suits make no difference, and neither has them.
POKER = (
    ("Kuhn poker", "kuhn", "kuhn_poker"),
    ("Leduc poker", "leduc", "leduc_poker(suit_isomorphism=true)"),
    ("liar's dice", "liars_dice", "liars_dice"),
)
TICTACTOE, CONNECT_FOUR = "examples/tictactoe.py", "examples/connect_four.py"
OTHELLO, HEX = "examples/othello.py", "examples/hex.py"
LIARS_DICE = "examples/liars_dice.py"


class Row(NamedTuple):
    """Two makers of work of the same kind, and how many times as fast ours is to be."""

    what: str
    unit: str
    ours: Callable[[], Work]
    peer: str
    theirs: Callable[[], Work]
    wanted: float = 0.0


def speed(work: Work) -> float:
    """Return the units per second of a work."""
    done, began = work(), time.perf_counter()
    done = 0
    while (spent := time.perf_counter() - began) < SECONDS:
        done += work()
    return done / spent


# Ours. -------------------------------------------------------------------------------------------


def our_playouts(game: str, matches: int = 500) -> Callable[[], Work]:
    """Play random matches to the end, in compiled code."""

    def make() -> Work:
        rules, rng = rules_of(game), np.random.default_rng(1)
        state = initial(rules)

        def work() -> int:
            playouts(rules, state, rng, matches)
            return matches

        return work

    return make


def our_mcts(game: str, sims: int = 5000) -> Callable[[], Work]:
    """Simulate for one decision after the other, each from a tree of its own."""

    def make() -> Work:
        rules, rng = rules_of(game), np.random.default_rng(1)
        return lambda: Mcts(sims=sims).consider(rules, initial(rules), 0, rng).nodes

    return make


def our_alphabeta(game: str, depth: int, table: int) -> Callable[[], Work]:
    """Search the first position to this depth, from an empty table of so many MiB; nodes."""

    def make() -> Work:
        rules, rng = rules_of(game), np.random.default_rng(1)

        def work() -> int:
            agent = make_agent(f"alphabeta:depth={depth},table={table}", rules)
            return agent.consider(rules, initial(rules), 0, rng).nodes

        return work

    return make


def cpp_twin(depth: int, table: int) -> Callable[[], Work]:
    """Search Othello as `our_alphabeta` does, in C++; a ValueError if the nodes differ."""

    def make() -> Work:
        rows = len(make_table(initial(rules_of(OTHELLO)), table).rows)
        work, mine = cpp_alphabeta(depth, rows)(), our_alphabeta(OTHELLO, depth, table)()
        if work() != mine():
            raise ValueError(f"the twin in C++ searches {work():,} nodes, we search {mine():,}")
        return work

    return make


def once(make: Callable[[], Work]) -> Callable[[], Work]:
    """Count a work as one, whatever it is made of."""

    def made() -> Work:
        work = make()
        return lambda: work() and 1

    return made


def our_listing(game: str) -> Callable[[], Work]:
    """Find and solve all states of a game."""

    def make() -> Work:
        rules = rules_of(game)
        folding = best_folding(rules, initial(rules))

        def work() -> int:
            listing = list_states(rules, initial(rules), folding, 10**6)
            finish(Induction(rules, listing), tell_nobody)
            return 1

        return work

    return make


def our_cfr(game: str, edges: int = 10**6) -> Callable[[], Work]:
    """Run iterations of CFR+ over a game in extensive form, about so many edges at a time."""

    def make() -> Work:
        rules = rules_of(game)
        form = extensive_form(rules, initial(rules), 10**7)
        regrets, done = new_regrets(form), 0
        count = max(1, edges // len(form.tree.targets))

        def work() -> int:
            nonlocal done
            run_iterations(form.tree, form.sets, regrets, CFR_PLUS, done + 1, count)
            done += count
            return count

        return work

    return make


def our_learning(game: str) -> Callable[[], Work]:
    """Let a Q-learner play against itself; values that it changes."""

    def make() -> Work:
        rules, learner, rng = rules_of(game), QLearner(), np.random.default_rng(1)
        memory, done = learner.train(rules, learner.begin(rules), rng, 0, 1), 1

        def work() -> int:
            nonlocal memory, done
            before = int(entries(memory)[2].sum())
            memory = learner.train(rules, memory, rng, done, 200)
            done += 200
            return int(entries(memory)[2].sum()) - before

        return work

    return make


def our_traversals(game: str, matches: int = 500) -> Callable[[], Work]:
    """Minimise regrets by external sampling; traversals, each for one seat."""

    def make() -> Work:
        rules, learner, rng = rules_of(game), CfrLearner(), np.random.default_rng(1)
        memory, done = learner.begin(rules), 0

        def work() -> int:
            nonlocal memory, done
            memory = learner.train(rules, memory, rng, done, matches)
            done += matches
            return matches

        return work

    return make


def our_batch(game: str, many: int = 1024) -> Callable[[], Work]:
    """Step a batch of matches against random agents, with random actions."""

    def make() -> Work:
        from ludex.adapters.vector import BatchEnv

        room, rng = BatchEnv(game, many), np.random.default_rng(1)
        info = [room.reset(seed=1)[1]]

        def work() -> int:
            masks = info[0]["action_mask"]
            info[0] = room.step((rng.random(masks.shape) * masks).argmax(1))[4]
            return many

        return work

    return make


def with_steps(make: Callable[[], Work], rules: Rules, matches: int) -> Callable[[], Work]:
    """Return playouts counted in plies, by the mean of a few matches."""
    from ludex.core.sampling import draw_moves

    line, rng, first = np.zeros(5000, np.int64), np.random.default_rng(2), initial(rules)
    mean = np.mean([draw_moves(rules, first, rng, line) for _ in range(matches)])

    def counted() -> Work:
        work = make()
        return lambda: int(work() * mean)

    return counted


def rows() -> list[Row]:
    """Return all that is compared."""
    droids = game_rules("droids")
    fast, slow = "OpenSpiel, C++", "OpenSpiel, Python"
    four = "connect four"
    return [
        Row("tic-tac-toe", "playouts", our_playouts(TICTACTOE), fast, cpp_playouts("tic_tac_toe")),
        Row(four, "playouts", our_playouts(CONNECT_FOUR), fast, cpp_playouts("connect_four")),
        Row("tic-tac-toe", "playouts", our_playouts(TICTACTOE), slow, stepped("tic_tac_toe")),
        Row(four, "playouts", our_playouts(CONNECT_FOUR), slow, stepped("connect_four")),
        Row("tic-tac-toe", "mcts sims", our_mcts(TICTACTOE), fast, cpp_mcts("tic_tac_toe")),
        Row(four, "mcts sims", our_mcts(CONNECT_FOUR), fast, cpp_mcts("connect_four"), 2.0),
        Row(four, "mcts sims", our_mcts(CONNECT_FOUR), slow, python_mcts("connect_four")),
        Row("othello", "mcts sims", our_mcts(OTHELLO, 1000), fast, cpp_mcts("othello", 1000), 3.0),
        Row("hex, 11 x 11", "mcts sims", our_mcts(HEX, 1000), fast, cpp_mcts("hex", 1000), 3.0),
        Row(
            *("tic-tac-toe", "solved by alpha-beta", once(our_alphabeta(TICTACTOE, 9, 1))),
            *(slow, once(python_alphabeta("tic_tac_toe", 9))),
        ),
        Row(
            *(four, "alpha-beta nodes", our_alphabeta(CONNECT_FOUR, 10, 16)),
            *(slow, python_alphabeta("connect_four", 8)),
        ),
        Row(
            *("othello", "alpha-beta nodes", our_alphabeta(OTHELLO, 13, 4)),
            *("a twin in C++", cpp_twin(13, 4), 0.6),
        ),
        Row(
            "tic-tac-toe",
            "all states solved",
            our_listing(TICTACTOE),
            slow,
            value_iteration("tic_tac_toe"),
        ),
        Row("nuts, nim", "playouts", our_playouts("nuts"), fast, cpp_playouts("nim")),
        Row("nuts, nim", "playouts", our_playouts("nuts"), slow, stepped("nim")),
        Row(
            "aeroplane, maedn",
            "playouts",
            our_playouts("aeroplane", 20),
            slow,
            stepped("maedn"),
            20,
        ),
        Row(
            *("droids, laser tag", "steps", with_steps(our_playouts("droids", 100), droids, 200)),
            *(slow, stepped("laser_tag", True, 200)),
        ),
        Row(
            *("tic-tac-toe", "Q-learning updates", our_learning(TICTACTOE)),
            *(slow, their_learning("tic_tac_toe"), 50),
        ),
        *(
            Row(name, "CFR+ iterations", our_cfr(f"examples/{file}.py"), peer, make(theirs), wanted)
            for name, file, theirs in POKER
            for peer, make, wanted in ((fast, cpp_cfr, 5.0), (slow, python_cfr, 200.0))
        ),
        Row(
            *("liar's dice", "traversals of CFR", our_traversals(LIARS_DICE)),
            *(fast, cpp_traversals("liars_dice")),
        ),
        Row(
            *("liar's dice", "traversals of CFR", our_traversals(LIARS_DICE)),
            *(slow, python_traversals("liars_dice")),
        ),
        Row("droids", "steps", our_batch("droids"), "PettingZoo's loop", zoo_loop("droids")),
        Row("trap", "steps", our_batch("trap"), "PettingZoo's loop", zoo_loop("trap")),
    ]


class Figure(NamedTuple):
    """What was measured of a row."""

    row: Row
    ours: float
    theirs: float
    ratio: float


def measured(row: Row) -> Figure:
    """Return the medians of interleaved rounds."""
    theirs, ours = row.theirs(), row.ours()
    pairs = [(speed(ours), speed(theirs)) for _ in range(ROUNDS)]
    one, other = (sorted(column)[ROUNDS // 2] for column in zip(*pairs, strict=True))
    return Figure(row, one, other, sorted(a / b for a, b in pairs)[ROUNDS // 2])


def versions() -> str:
    """Return the versions of what was compared."""
    found = [f"ludex {__version__}", f"Python {sys.version.split()[0]}"]
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            found.append(f"{package} is not installed")
    return ", ".join(found)


def number(value: float) -> str:
    """Return a speed as people read it."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def markdown(figures: list[Figure]) -> str:
    """Return the table of the documents."""
    lines = [
        "| game | a second | Ludex | peer | its own | ratio |",
        "| --- | --- | --: | --- | --: | --: |",
    ]
    for row, *numbers in figures:
        ours, theirs, ratio = map(number, numbers)
        lines.append(f"| {row.what} | {row.unit} | {ours} | {row.peer} | {theirs} | {ratio} |")
    return "\n".join([*lines, "", f"Measured with {versions()}."])


def plot(figures: list[Figure], file: Path) -> None:
    """Draw the ratios as bars on a scale of tens."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "ludex"
    import matplotlib.pyplot as plt

    names = [f"{row.what}: {row.unit}\n{row.peer}" for row, *_ in figures]
    ratios = [figure.ratio for figure in figures]
    shape, axes = plt.subplots(figsize=(8, 0.42 * len(names) + 1))
    colours = {"OpenSpiel, C++": "#14A0B8", "OpenSpiel, Python": "#2E6FD0"}
    paint = [colours.get(figure.row.peer, "#D9443F") for figure in figures]
    axes.barh(range(len(names)), ratios, color=paint)
    axes.set_yticks(range(len(names)), names, fontsize=7)
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.axvline(1.0, color="#22304A", linewidth=1)
    for place, ratio in enumerate(ratios):
        axes.text(ratio, place, f" {number(ratio)}", va="center", fontsize=7)
    axes.set_xlabel("times as fast as the peer, in the same run")
    axes.spines[["top", "right"]].set_visible(False)
    shape.tight_layout()
    shape.savefig(file, metadata={"Date": None})


def main(write: bool = False) -> bool:
    """Print a table, and return whether every wish is fulfilled."""
    print("Ludex beside its peers, units a second: the median of three interleaved rounds")
    print(f"{'game':<18} {'a second':<22} {'Ludex':>12} {'theirs':>12} {'ratio':>8}  peer")
    figures, fine = [], True
    for row in rows():
        try:
            figure = measured(row)
        except ImportError as error:
            print(f"{row.what:<18} {row.unit:<22} left out: {error}")
            continue
        figures.append(figure)
        fine &= figure.ratio >= row.wanted
        wish = f" (wanted: {row.wanted:g}{'' if figure.ratio >= row.wanted else ', NO'})"
        print(
            f"{row.what:<18} {row.unit:<22} {number(figure.ours):>12} {number(figure.theirs):>12}"
            f" {number(figure.ratio):>8}  {row.peer}{wish if row.wanted else ''}",
            flush=True,
        )
    print(versions())
    if write:
        text = PAGE.read_text(encoding="utf-8")
        marks = "<!-- measured -->", "<!-- end -->"
        inside = f"{marks[0]}\n{markdown(figures)}\n{marks[1]}"
        PAGE.write_text(re.sub(f"{marks[0]}.*?{marks[1]}", lambda _: inside, text, flags=re.S))
        plot(figures, PLOT)
    return fine


if __name__ == "__main__":
    sys.exit(0 if main("--write" in sys.argv) else 1)
