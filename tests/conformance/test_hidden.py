"""A game that hides something keeps its promises to the seats, or is refused."""

from pathlib import Path

import pytest

from ludex.conformance import hidden
from ludex.conformance.check import check_game
from ludex.games import game_rules
from tests.lines import variant

KUHN = Path("examples/kuhn.py").read_text(encoding="utf-8")
FIRST_SEES = "Kuhn(first, HIDDEN if second != UNDEALT else UNDEALT, bets)"
SECOND_SEES = "Kuhn(HIDDEN if first != UNDEALT else UNDEALT, second, bets)"
SAME_LABELS = ('    if state.bets in (3, PASS_BET):\n        return ("fold", "call")[move]\n', "")

RESAMPLE = "def resample(rules, seen, seat, rng):\n    return Kuhn(1, 2, 1)\n\n\n"
FEATURES = "def features(rules, state, seat):\n    return state.first\n\n\n"

# What is replaced by what, what the report says, and how long the shortest line is.
MUTANTS = {
    "a seat that forgets its card": (
        [(FIRST_SEES, FIRST_SEES.replace("(first,", "(first if bets != PASS_BET else HIDDEN,"))],
        "seat 0 forgets what it knew: '? ? pb' looks the same after 'pass' in 'Q ? -' and after"
        " 'pass' in 'J ? -' (deal J, deal Q, pass, bet)",
        4,
    ),
    "a seat that forgets a bet": (
        [
            SAME_LABELS,
            (FIRST_SEES, FIRST_SEES.replace("bets)", "START if bets == PASS_BET else bets)")),
        ],
        "seat 0 forgets what it knew: 'J ? -' looks the same after 'pass' in 'J ? -' and at its"
        " first decision (deal J, deal Q)",
        4,
    ),
    "a state that forgets a bet": (
        [SAME_LABELS, ("2 * bets + move)", "2 * bets + (0 if bets == START else move))")],
        "seat 0 forgets what it knew: 'J ? pb' looks the same after 'bet' in 'J ? -' and after"
        " 'pass' in 'J ? -' (deal J, deal Q, pass, bet)",
        4,
    ),
    "a turn that is not seen": (
        [
            (
                SECOND_SEES,
                SECOND_SEES.replace("bets)", "2 * bets if second and bets == START else bets)"),
            )
        ],
        "seat 1 sees '? Q p', where turn is 1, not 0; everybody must see whose turn it is",
        2,
    ),
    "moves that depend on a hidden card": (
        [("    return True\n", "    return action == PASS or seat == 0 or state.first != 1\n")],
        "seat 1 sees '? Q p', where its legal actions are [0, 1], not [0]; they must not depend on"
        " what is hidden",
        3,
    ),
    "a label that depends on a hidden card": (
        [('("pass", "bet")[move]', '("pass", "bet low" if state.second == 1 else "bet")[move]')],
        "seat 0 sees 'Q ? -', where the label of action 1 is 'bet', not 'bet low'",
        2,
    ),
    "views that do not commute": (
        [(SECOND_SEES, SECOND_SEES.replace("(HIDDEN if", "(1 if second == HIDDEN else HIDDEN if"))],
        "of what seat 1 sees, seat 0 sees Kuhn(first=4, second=4, bets=1), and the other way round"
        " Kuhn(first=1, second=4, bets=1); what both see must be the same",
        2,
    ),
    "a view that hides twice": (
        [(FIRST_SEES, FIRST_SEES.replace("HIDDEN if", "1 if second == HIDDEN else HIDDEN if"))],
        "seat 0 sees 'J ? -', and of that Kuhn(first=1, second=1, bets=1); what is hidden must have"
        " a fixed value",
        2,
    ),
    "a view that is no state": (
        [(FIRST_SEES, FIRST_SEES.removeprefix("Kuhn"))],
        "information_state returned (0, 0, 1); it must be a Kuhn",
        0,
    ),
    "a view that cannot be computed": (
        [(FIRST_SEES, "1 // second")],
        "information_state raised ZeroDivisionError",
        0,
    ),
    "a view that is not read": (
        [('"SECOND", CARDS)', '"SECOND", CARDS[:HIDDEN])')],
        "seat 0 sees Kuhn(first=1, second=4, bets=1), where read_position raised ValueError:"
        " SECOND '?': expected - or J or Q or K",
        2,
    ),
    "a view that is not drawn": (
        [
            (
                "    if card == HIDDEN:\n        return [",
                "    if card == HIDDEN:\n        1 / 0\n        return [",
            )
        ],
        "where scene raised ZeroDivisionError",
        1,
    ),
    "a deal that cannot be foreseen": (
        [
            (
                "    if state.first in (UNDEALT, HIDDEN):",
                "    if 12 // (state.first - HIDDEN) == -3:",
            )
        ],
        "seat 1 sees Kuhn(first=4, second=0, bets=1), where legal_moves raised ZeroDivisionError",
        1,
    ),
    "a state drawn for another view": (
        [("def view_shape", RESAMPLE + "def view_shape")],
        "seat 0 sees 'Q ? -', but resample returned 'J Q -', which looks different",
        2,
    ),
    "a learner that sees all": (
        [("def view_shape", FEATURES + "def view_shape")],
        "seat 1 sees '? Q p', but its features depend on what is hidden from it",
        3,
    ),
    "a network that sees all": (
        [("    planes[0, 0, 2 +", "    planes[0, 0, 0] = state.first / 9\n    planes[0, 0, 2 +")],
        "seat 1 sees '? Q p', but its view depends on what is hidden from it",
        3,
    ),
}


def mutant(folder: Path, changes: list[tuple[str, str]]) -> str:
    source = KUHN
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    file = folder / "kuhn.py"
    file.write_text(source, encoding="utf-8")
    return str(file)


@pytest.mark.plain
@pytest.mark.parametrize("name", MUTANTS)
def test_a_broken_promise_is_found_on_the_shortest_line(name: str, tmp_path: Path) -> None:
    changes, wanted, plies = MUTANTS[name]
    report = check_game(game_rules(mutant(tmp_path, changes)), lines=20)
    assert wanted in report.fault
    assert "\n" not in report.fault
    assert len(report.line) == plies


@pytest.mark.plain
def test_what_is_forgotten_far_from_the_start_is_found_on_random_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hidden, "NEAR_STATES", 3)
    changes, _, _ = MUTANTS["a seat that forgets its card"]
    report = check_game(game_rules(mutant(tmp_path, changes)), lines=20)
    assert report.fault.startswith("seat 0 forgets what it knew: '? ? pb' looks the same")


@pytest.mark.compiled
def test_compiled_code_that_shows_something_else_is_a_fault(tmp_path: Path) -> None:
    # An overflow: ints of the interpreter have no end, those of compiled code do.
    more = FIRST_SEES.replace("(first,", "(first if (3 << 62) + first > 0 else HIDDEN,")
    report = check_game(game_rules(mutant(tmp_path, [(FIRST_SEES, more)])), lines=5)
    assert report.fault.startswith("compiled, seat 0 sees Kuhn(first=4, ")


@pytest.mark.plain
def test_kuhn_poker_keeps_its_promises() -> None:
    assert check_game(variant("examples/kuhn.py"), lines=20).fault == ""
