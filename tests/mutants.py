"""Model solutions with one mistake each, as students make them."""

from typing import NamedTuple

from tests.students import SOLUTIONS


class Mutant(NamedTuple):
    """A mistake, by the lines that it changes, the test that it must fail, and what is said."""

    name: str
    before: str
    after: str
    test: str
    expected: str
    got: str


DROID = SOLUTIONS / "droids" / "r2d2_hw3.py"
ARENA = SOLUTIONS / "arena" / "Megaman_Arena.py"

MOVES, SHOTS, OFFERS = "1.3 The droid: move_location", "1.4 The droid: shoot", "1.5 The droid: av"
INSIDE = "inside = 0 <= row < self.rows and 0 <= column < self.cols"
HIT = "return self.location[0] == other.location[0] or self.location[1] == other.location[1]"
COPY = "return R2Droid(self.rows, self.cols, self.location, self.shots)"
DROIDS = [
    Mutant(
        "a laser along the row only",
        HIT,
        "return self.location[0] == other.location[0]",
        SHOTS,
        "returned True",
        "returned False",
    ),
    Mutant(
        "a laser along diagonals",
        HIT,
        HIT + " or abs(self.location[0] - other.location[0]) == abs(self.location[1] -"
        " other.location[1])",
        SHOTS,
        "returned False",
        "returned True",
    ),
    Mutant(
        "shooting with no shots left",
        "if move != Action.SHOOT or self.shots <= 0:",
        "if move != Action.SHOOT:",
        SHOTS,
        "droid.shots 0",
        "droid.shots -1",
    ),
    Mutant(
        "every action is a shot",
        "if move != Action.SHOOT or self.shots <= 0:",
        "if self.shots <= 0:",
        SHOTS,
        "droid.shots 3",
        "droid.shots 2",
    ),
    Mutant(
        "only a hit costs a shot",
        f"self.shots -= 1\n        {HIT}",
        f"self.shots -= {HIT.removeprefix('return ')}\n        {HIT}",
        SHOTS,
        "4",
        "5",
    ),
    Mutant("a shot that costs nothing", "self.shots -= 1", "pass", SHOTS, "4", "5"),
    Mutant(
        "a shot that moves the droid",
        "self.shots -= 1",
        "self.shots -= 1\n        here = self.location\n"
        "        self.location = (0, 0) if self.shots == 1 else here\n        self.seen = here",
        SHOTS,
        "droid.location (",
        "droid.location (0, 0)",
    ),
    Mutant(
        "a hit takes a shot from the other",
        "self.shots -= 1",
        "self.shots -= 1\n        other.shots -= 1",
        SHOTS,
        "other.shots",
        "other.shots",
    ),
    Mutant(
        "no bottom wall",
        INSIDE,
        "inside = 0 <= row and 0 <= column < self.cols",
        MOVES,
        "droid.location (3, ",
        "droid.location (4, ",
    ),
    Mutant(
        "no right wall",
        INSIDE,
        "inside = 0 <= row < self.rows and 0 <= column",
        MOVES,
        ", 3)",
        ", 4)",
    ),
    Mutant(
        "no bottom wall in the actions",
        INSIDE,
        "inside = 0 <= row and 0 <= column < self.cols",
        OFFERS,
        "returned {",
        "MOVE_DOWN",
    ),
    Mutant(
        "rows taken for columns",
        INSIDE,
        "inside = 0 <= row < self.cols and 0 <= column < self.rows",
        MOVES,
        "droid.location (",
        "droid.location (",
    ),
    Mutant(
        "a shot steps to the right",
        "self.location = self.target(move) or self.location",
        "self.location = self.target(Action.MOVE_RIGHT if move == Action.SHOOT else move)"
        " or self.location",
        MOVES,
        "droid.location (",
        "droid.location (",
    ),
    Mutant(
        "a shot is always offered",
        "({Action.SHOOT} if self.shots > 0 else set())",
        "({Action.SHOOT} if self.shots > 0 or self.location[0] == 0 else set())",
        OFFERS,
        "returned {MOVE_",
        "SHOOT}",
    ),
    Mutant(
        "a copy that is the droid itself",
        COPY,
        "return self",
        "1.2 The droid: copy",
        "(0, 0)",
        "(1, 1)",
    ),
    Mutant(
        "a copy on the usual board",
        COPY,
        "return R2Droid(4, 4, self.location, self.shots)",
        "1.2 The droid: copy",
        "acts as a droid made anew True",
        "acts as a droid made anew False",
    ),
    Mutant(
        "a copy with all shots",
        COPY,
        "return R2Droid(self.rows, self.cols, self.location, 5)",
        "1.2 The droid: copy",
        "copy.shots",
        "copy.shots 5",
    ),
    Mutant(
        "a constructor with five shots",
        "self.shots = shots",
        "self.shots = 5",
        "1.1 The droid: constructor",
        "droid.shots",
        "droid.shots 5",
    ),
    Mutant(
        "one location for all droids",
        "        self.location = location\n        self.shots",
        "        type(self).location = location\n        self.shots",
        "1.1 The droid: constructor",
        "droid.location (",
        "droid.location (",
    ),
    Mutant(
        "an error at the upper wall",
        "        down, right = STEPS.get(move, (0, 0))",
        "        down, right = STEPS.get(move, (0, 0))\n"
        "        assert self.location[0] or move != Action.MOVE_UP, 'no row above'",
        MOVES,
        "droid.location (0, ",
        "AssertionError: no row above (line 43 of r2d2_hw3.py)",
    ),
]

ACTIONS, RESULT, VALUES = "Game: actions", "Game: result", "Game: utility"
HEAL = "state.healths[light] += 5"
ARENAS = [
    Mutant(
        "a champion that cannot be kept",
        "return living(state, LIGHT)\n",
        "return [one for one in living(state, LIGHT) if one != state.light_champ]\n",
        ACTIONS,
        "returned {",
        "returned {",
    ),
    Mutant(
        "Gamma beside one other",
        'return others or ["Gamma"]',
        'return others if len(others) > 1 else [*others, "Gamma"]',
        ACTIONS,
        "Man}",
        "Gamma",
    ),
    Mutant(
        "the dead are sent",
        "others = living(state, WILY[:-1])",
        "others = living(state, WILY[:-1]) and WILY[:-1]",
        ACTIONS,
        "returned {",
        "returned {",
    ),
    Mutant(
        "no healing when defending",
        HEAL,
        "state.healths[light] += 5 if state.maxs_turn else 0",
        RESULT,
        "healths['Mega Man']",
        "healths['Mega Man']",
    ),
    Mutant(
        "healing capped at 30",
        HEAL,
        "state.healths[light] = min(30, state.healths[light] + 5)",
        RESULT,
        "healths['Mega Man'] 3",
        "healths['Mega Man'] 30",
    ),
    Mutant(
        "one wrong damage",
        '"Gemini Man": (1, 4, 2, 1, 4, 1, 1, 1, 1)',
        '"Gemini Man": (1, 4, 2, 1, 4, 1, 1, 1, 2)',
        RESULT,
        "healths['",
        "healths['",
    ),
    Mutant(
        "one wrong damage of a weapon",
        '"Crash Man": (0, 4, 0, 0, 3, 2, 2, 0, 6)',
        '"Crash Man": (0, 4, 0, 0, 3, 2, 2, 0, 5)',
        RESULT,
        "healths['",
        "healths['",
    ),
    Mutant(
        "Gamma strikes Mega Man as the others do",
        'theirs = 1 if light == "Mega Man" and wily != "Gamma" else 2',
        'theirs = 1 if light == "Mega Man" else 2',
        RESULT,
        "healths['",
        "healths['",
    ),
    Mutant(
        "the defender strikes first",
        "lights_blow = state.maxs_turn",
        "lights_blow = state.maxs_turn or wily == 'Heat Man'",
        RESULT,
        "healths['",
        "healths['",
    ),
    Mutant(
        "weapons for everybody",
        'if light == "Mega Man":\n        tables',
        "if light:\n        tables",
        RESULT,
        "healths['",
        "healths['",
    ),
    Mutant(
        "no weapon when defending",
        'if wily != "Gamma":',
        'if wily != "Gamma" and state.maxs_turn:',
        RESULT,
        "mega_weapons {",
        "mega_weapons {",
    ),
    Mutant(
        "weapons that all states share",
        "after.mega_weapons = list(state.mega_weapons)",
        "if state.maxs_turn:\n            after.mega_weapons = list(state.mega_weapons)",
        RESULT,
        "the given state as it was",
        "its mega_weapons changed",
    ),
    Mutant(
        "a state that is changed in place",
        "after = copy.copy(state)",
        "after = state",
        RESULT,
        "1",
        "0",
    ),
    Mutant(
        "a turn that is not passed after a fight",
        "after.maxs_turn = not state.maxs_turn",
        "after.maxs_turn = not state.maxs_turn or not after.light_champ",
        RESULT,
        "maxs_turn False",
        "maxs_turn True",
    ),
    Mutant(
        "a dead champion stays",
        '        state.light_champ = ""',
        "        pass",
        RESULT,
        "light_champ ''",
        "light_champ ",
    ),
    Mutant(
        "who withdraws is gone",
        "if one != after.light_champ]",
        "if one not in (after.light_champ, state.light_champ)]",
        RESULT,
        "light_roster {",
        "light_roster {",
    ),
    Mutant(
        "an evaluation far outside",
        "return light - wily",
        "return 200 * (light - wily)",
        VALUES,
        "more than -10000 and less than 10000, as the utilities are",
        "1",
    ),
    Mutant(
        "an evaluation that is a utility",
        "return light - wily",
        "return WIN if len(living(state, WILY)) == 1 else light - wily",
        VALUES,
        "less than 10000",
        "10000",
    ),
    Mutant(
        "utilities the wrong way round",
        "return WIN if living(state, LIGHT) else -WIN",
        "return -WIN if living(state, LIGHT) else WIN",
        VALUES,
        "True",
        "False",
    ),
    Mutant(
        "a utility by whose turn it is",
        "return WIN if living(state, LIGHT) else -WIN",
        "return WIN if living(state, LIGHT) or not state.maxs_turn else -WIN",
        VALUES,
        "as Dr. Wily has won",
        "10000",
    ),
    Mutant(
        "an end while Gamma lives",
        "or not living(state, WILY)\n",
        "or not living(state, WILY[:-1])\n",
        VALUES,
        "returned False",
        "returned True",
    ),
]
