"""An example solution of the Mega Man assignment: the rules, and an evaluation by damage."""

import copy

LIGHT = [f"{name} Man" for name in "Spark Snake Needle Hard Top Gemini Magnet Shadow Mega".split()]
WILY = [f"{name} Man" for name in "Metal Quick Air Crash Flash Bubble Wood Heat".split()] + [
    "Gamma"
]
LIGHT_DAMAGE = {
    "Spark Man": (2, 1, 4, 1, 1, 4, 1, 1, 1),
    "Snake Man": (1, 4, 2, 1, 1, 1, 4, 1, 2),
    "Needle Man": (1, 1, 1, 2, 4, 2, 4, 2, 1),
    "Hard Man": (4, 1, 2, 7, 1, 2, 2, 2, 4),
    "Top Man": (1, 1, 1, 4, 1, 1, 2, 7, 12),
    "Gemini Man": (1, 4, 2, 1, 4, 1, 1, 1, 1),
    "Magnet Man": (4, 2, 4, 1, 1, 1, 1, 1, 1),
    "Shadow Man": (2, 2, 1, 1, 2, 4, 2, 4, 2),
    "Mega Man": (1, 2, 2, 1, 2, 1, 1, 2, 1),
}
WEAPONS = {
    "Metal Man": (14, 0, 0, 0, 4, 4, 1, 1, 1),
    "Quick Man": (4, 0, 2, 1, 0, 2, 0, 2, 2),
    "Air Man": (0, 2, 0, 10, 0, 0, 4, 2, 1),
    "Crash Man": (0, 4, 0, 0, 3, 2, 2, 0, 6),
    "Flash Man": (0, 14, 0, 0, 0, 0, 0, 0, 0),
    "Bubble Man": (0, 0, 0, 1, 2, 0, 0, 6, 10),
    "Wood Man": (0, 0, 8, 0, 0, 0, 0, 0, 0),
    "Heat Man": (2, 6, 4, 2, 3, 0, 30, 0, 0),
}
WIN = 10_000


class GameState:
    """Lives, rosters, the champions in the arena, and the side to move.

    A roster has the living champions that are not in the arena.
    """

    def __init__(self):
        self.healths = {name: 30 for name in LIGHT + WILY}
        self.healths["Gamma"] = 99
        self.light_roster = list(LIGHT)
        self.wily_roster = list(WILY)
        self.light_champ = ""
        self.wily_champ = ""
        self.mega_weapons = []
        self.maxs_turn = True

    def display(self):
        """Print the state."""
        print("Light:", {name: self.healths[name] for name in LIGHT if self.healths[name] > 0})
        print("Wily: ", {name: self.healths[name] for name in WILY if self.healths[name] > 0})
        print(f"Arena: {self.light_champ or '-'} and {self.wily_champ or '-'}")
        print("Dr. Light moves" if self.maxs_turn else "Dr. Wily moves")


class Game:
    """The rules, for the searches."""

    def __init__(self, depthlimit=0):
        self.depthlimit = depthlimit

    def initial_state(self):
        """Return the initial state."""
        return GameState()

    def is_maxs_turn(self, state):
        """Return whether Dr. Light moves."""
        return state.maxs_turn

    def is_mins_turn(self, state):
        """Return whether Dr. Wily moves."""
        return not state.maxs_turn

    def is_terminal(self, state):
        """Return whether a side has no robots left."""
        return not living(state, LIGHT) or not living(state, WILY)

    def cutoff_test(self, state, depth):
        """Return whether the search stops here."""
        return depth > self.depthlimit

    def transposition_string(self, state):
        """Return a text that is the same for equal states."""
        weapons = sorted(state.mega_weapons)
        lives = list(state.healths.values())
        return f"{lives}{state.light_champ}{state.wily_champ}{weapons}{state.maxs_turn}"

    def actions(self, state):
        """Return the robots that the side to move may send."""
        if state.maxs_turn:
            return living(state, LIGHT)
        others = living(state, WILY[:-1])
        return others or ["Gamma"]

    def result(self, state, action):
        """Return the state after sending a champion, and after the battle if there is one."""
        after = copy.copy(state)
        after.healths = dict(state.healths)
        after.mega_weapons = list(state.mega_weapons)
        if state.maxs_turn:
            after.light_champ = action
        else:
            after.wily_champ = action
        if after.light_champ and after.wily_champ:
            fight(after)
        after.light_roster = [one for one in living(after, LIGHT) if one != after.light_champ]
        after.wily_roster = [one for one in living(after, WILY) if one != after.wily_champ]
        after.maxs_turn = not state.maxs_turn
        return after

    def utility(self, state):
        """Return the utility of a terminal state for Dr. Light."""
        return WIN if living(state, LIGHT) else -WIN

    def eval(self, state):
        """Return an evaluation: remaining life of both sides, with a bonus for each robot."""
        light = sum(10 + state.healths[name] for name in living(state, LIGHT))
        wily = sum(10 + state.healths[name] for name in living(state, WILY[:-1]))
        return light - wily - state.healths["Gamma"] // 3 + 8 * len(state.mega_weapons)

    def congratulate(self, state):
        """Print the winner and the surviving robots."""
        side = LIGHT if living(state, LIGHT) else WILY
        print(f"Dr. {'Light' if side is LIGHT else 'Wily'} wins!")
        for name in living(state, side):
            print(f"{name}: {state.healths[name]}")


def living(state, names):
    """Return the living ones of these robots."""
    return [name for name in names if state.healths[name] > 0]


def fight(state):
    """Let both champions fight to the death; the one that has just entered attacks first."""
    light, wily = state.light_champ, state.wily_champ
    target = WILY.index(wily)
    tables = [LIGHT_DAMAGE[light]]
    if light == "Mega Man":
        tables += [WEAPONS[name] for name in state.mega_weapons]
    mine = max(table[target] for table in tables)
    theirs = 1 if light == "Mega Man" and wily != "Gamma" else 2
    lights_blow = state.maxs_turn
    while state.healths[light] > 0 and state.healths[wily] > 0:
        if lights_blow:
            state.healths[wily] = max(0, state.healths[wily] - mine)
        else:
            state.healths[light] = max(0, state.healths[light] - theirs)
        lights_blow = not lights_blow
    if state.healths[wily] == 0:
        state.wily_champ = ""
        if light == "Mega Man":
            state.healths[light] += 5
            if wily != "Gamma":
                state.mega_weapons.append(wily)
    else:
        state.light_champ = ""
