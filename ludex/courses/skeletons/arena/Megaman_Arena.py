"""Mega Man Battle Arena: the state is complete, the rules are for you to write."""

LIGHT = [f"{name} Man" for name in "Spark Snake Needle Hard Top Gemini Magnet Shadow Mega".split()]
WILY = [f"{name} Man" for name in "Metal Quick Air Crash Flash Bubble Wood Heat".split()] + [
    "Gamma"
]


class GameState:
    """Lives, rosters, the champions in the arena, and the side to move."""

    def __init__(self):
        self.healths = {name: 30 for name in LIGHT + WILY}  # life of every robot, by its name
        self.healths["Gamma"] = 99
        self.light_roster = list(LIGHT)  # living robots that are not in the arena
        self.wily_roster = list(WILY)
        self.light_champ = ""  # the champion in the arena, "" for none
        self.wily_champ = ""
        self.mega_weapons = []  # names of the robots that Mega Man has defeated
        self.maxs_turn = True  # Dr. Light is Max

    def display(self):
        """Print the state."""
        for side in (LIGHT, WILY):
            print({name: self.healths[name] for name in side if self.healths[name] > 0})
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
        sides = ((LIGHT, state.healths), (WILY, state.healths))
        return any(all(lives[name] <= 0 for name in side) for side, lives in sides)

    def cutoff_test(self, state, depth):
        """Return whether the search stops here: a limit of d searches d + 1 plies."""
        return depth > self.depthlimit

    def transposition_string(self, state):
        """Return a text that is the same for equal states."""
        lives, weapons = list(state.healths.values()), sorted(state.mega_weapons)
        return f"{lives}{state.light_champ}{state.wily_champ}{weapons}{state.maxs_turn}"

    def actions(self, state):
        """Return the names of the robots that may be sent, such as "Mega Man"."""
        raise NotImplementedError  # TODO

    def result(self, state, action):
        """Return the state after sending a robot; do not modify the given state."""
        raise NotImplementedError  # TODO

    def utility(self, state):
        """Return the utility of a terminal state for Dr. Light."""
        raise NotImplementedError  # TODO

    def eval(self, state):
        """Return an evaluation of any state, always between the utilities."""
        raise NotImplementedError  # TODO

    def congratulate(self, state):
        """Print the winner, and the surviving robots with their lives."""
        raise NotImplementedError  # TODO
