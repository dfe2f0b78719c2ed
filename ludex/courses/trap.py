"""The trap course program: a match, with the grid shown at every turn."""

from collections.abc import Callable

from ludex.agents.registry import make_agent
from ludex.core.play import move_label
from ludex.core.rules import CHANCE, Rules, initial, turn
from ludex.core.time_control import Clocks
from ludex.external.log import with_caption
from ludex.games.trap import Trap, TrapRules
from ludex.games.trap.cells import marks
from ludex.match.runner import play_match
from ludex.match.session import Match


def play(players: tuple[str, str], seed: int, size: int, clocks: Clocks) -> Match:
    """Play a match of two players."""
    rules = TrapRules(size)
    agents = [make_agent(text, rules) for text in players]
    return play_match(rules, initial(rules), agents, seed, clocks=clocks)


def show(match: Match, players: tuple[str, str], say: Callable[[str], None]) -> None:
    """Show a match turn by turn, and its winner."""
    rules, state = match.rules, match.plies[0].state
    say(grid(rules, state))
    for number, ply in enumerate(match.plies[1:], start=1):
        landed = turn(rules, state) == CHANCE
        if landed:
            say(" ".join(match.events(number)) + "\n")
        else:
            say(f"Player {state.seat + 1}: {move_label(rules, state, ply.move)}")
        state = ply.state
        if landed or ply is match.plies[-1]:
            say(grid(rules, state))
    for seat, text in enumerate(match.output):
        if text:
            say(with_caption(f"Player {seat + 1} ({players[seat]})", text))
    if match.words:
        say(f"Player {match.offender + 1}: {match.ending}, {match.words}")
    winner = match.winner
    say("Nobody wins." if winner < 0 else f"Player {winner + 1} ({players[winner]}) wins!")


def grid(rules: Rules, state: Trap) -> str:
    """Return the board as text: . is free, x a trap, 1 and 2 the players."""
    cells = marks(rules, state)
    rows = [
        f"{row} " + " ".join(cells[row * rules.size :][: rules.size]) for row in range(rules.size)
    ]
    return "\n".join(["  " + " ".join(map(str, range(rules.size))), *rows, ""])
