"""The tree that an agent searches, as numbers and as a picture."""

from pathlib import Path
from typing import Any

from ludex.agents.registry import AGENTS, Agent, make_agent, refuses
from ludex.core.options import read_options
from ludex.core.play import describe
from ludex.core.rules import OVER, Rules, State, levels_of, name_of, position, title, turn
from ludex.io.files import write_text
from ludex.io.text import ParameterError, many, whole_number
from ludex.library.game import load
from ludex.render.tree.folding import fold_tree
from ludex.render.tree.picture import picture
from ludex.search.explicit_tree import chosen_branch, cuts, size
from ludex.search.minimax import Greedy
from ludex.search.tree_grower import TREE_AGENTS, grow

USUAL_DEPTH = 2
MOST_SHOWN, MOST_NODES = 250, 20_000


class SearchTree:
    """A search tree, of which at most `show` nodes are drawn."""

    def __init__(
        self,
        rules: Rules,
        state: State,
        text: str,
        depth: int | None = None,
        nodes: int = MOST_NODES,
        show: int = MOST_SHOWN,
    ) -> None:
        self.rules, self.state, self.text = rules, state, text
        agent = make_agent(text, rules)
        if type(agent) not in TREE_AGENTS:
            able = f"those that have: {', '.join(tree_agents(rules))}"
            raise ValueError(f"{text!r} has no tree that could be drawn ({able})")
        self.depth = chosen_depth(agent, levels_of(rules).get(text, text), depth)
        if turn(rules, state) == OVER:
            raise ValueError(f"there is nothing to search: {describe(rules, state)}")
        self.grown = grow(agent, rules, state, self.depth, nodes)
        self.folded = fold_tree(self.grown.root, show)

    @property
    def facts(self) -> dict[str, Any]:
        """The tree as JSON.

        The value for seat 0 is known if that is the seat to move or the only other one.
        """
        grown = self.grown
        worth, best = grown.root.value, chosen_branch(grown.root)
        assert worth is not None
        to_first = worth if grown.seat == 0 else -worth if len(grown.names) == 2 else None
        return {
            "position": position(self.rules, self.state),
            "depth": self.depth,
            "move": best.label if best else None,
            "value": to_first,
            "seat": grown.seat,
            "worth": worth,
            "nodes": size(grown.root),
            "cut": cuts(grown.root),
            "shown": self.folded.drawn,
            "folded": self.folded.hidden,
        }

    def write(self, file: str | Path) -> None:
        """Write the picture to a file."""
        path = Path(file)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, self._repr_svg_())

    def __repr__(self) -> str:
        facts = self.facts
        found = f"depth {self.depth}, {many(facts['nodes'], 'node')}, best {facts['move']!r}"
        return f"<SearchTree of {name_of(self.rules)} by {self.text}: {found}>"

    def _repr_svg_(self) -> str:
        heading = f"{title(self.rules)}: {self.text}, {many(self.depth, 'decision')} ahead"
        return picture(self.grown, heading, self.folded)


def tree(
    game: Any,
    agent: str = "minimax",
    depth: int | None = None,
    position: str | None = None,
    nodes: int = MOST_NODES,
    show: int = MOST_SHOWN,
) -> SearchTree:
    """Return the tree that an agent searches from a position; a notebook draws it.

    Actions are tried in ascending order, without a transposition table, so that values and cutoffs
    can be checked by hand. It has at most `nodes` nodes, of which `show` are drawn.
    """
    chosen = load(game)
    return SearchTree(chosen.rules, chosen.state_at(position), agent, depth, nodes, show)


def tree_agents(rules: Rules) -> list[str]:
    """Return the agents for a game whose trees can be drawn."""
    able = ((name, kind) for name, kind in AGENTS.items() if kind in TREE_AGENTS)
    return [name for name, kind in able if not refuses(kind, rules)]


def chosen_depth(agent: Agent, text: str, depth: int | None) -> int:
    """Return the search depth: the given one, that of the agent, or the default."""
    if isinstance(agent, Greedy):
        if depth not in (None, 1):
            raise ParameterError("{depth} {}: greedy looks 1 ahead", depth)
        return 1
    own = read_options(text.partition(":")[2]).get("depth")
    usual = int(own) if own else USUAL_DEPTH
    return usual if depth is None else whole_number("depth", depth)
