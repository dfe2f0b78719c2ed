"""What other people's tools do in the measurements of `bench.peers`."""

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from bench import twins

Work = Callable[[], int]
"""Something that returns how many of its units it has done."""


def spiel(name: str) -> Any:
    """Return a game of OpenSpiel; its nim has one pile as nuts has."""
    load = importlib.import_module("pyspiel").load_game
    return load(name, {"pile_sizes": "21", "is_misere": True}) if name == "nim" else load(name)


def algorithm(name: str) -> Any:
    """Return a module of OpenSpiel's algorithms in Python."""
    return importlib.import_module(f"open_spiel.python.algorithms.{name}")


def cpp_playouts(game: str, matches: int = 200) -> Callable[[], Work]:
    """Play random matches to the end, in C++: a single simulation looks at the root by so many."""

    def make() -> Work:
        pyspiel = importlib.import_module("pyspiel")
        made = spiel(game)
        evaluator = pyspiel.RandomRolloutEvaluator(matches, 1)
        bot = pyspiel.MCTSBot(made, evaluator, 2.0, 1, 1000, False, 1, False)
        state = made.new_initial_state()

        def work() -> int:
            bot.mcts_search(state)
            return matches

        return work

    return make


def stepped(game: str, steps: bool = False, most: int = 10**9) -> Callable[[], Work]:
    """Play random matches of a game of OpenSpiel from Python; matches, or their steps."""

    def make() -> Work:
        made, rng = spiel(game), np.random.default_rng(1)

        def work() -> int:
            state, count = made.new_initial_state(), 0
            while not state.is_terminal() and count < most:
                count += 1
                if state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(int(rng.choice(outcomes, p=chances)))
                elif state.is_simultaneous_node():
                    legal = [state.legal_actions(player) for player in (0, 1)]
                    state.apply_actions([one[int(rng.random() * len(one))] for one in legal])
                else:
                    legal_here = state.legal_actions()
                    state.apply_action(legal_here[int(rng.random() * len(legal_here))])
            return count if steps else 1

        return work

    return make


def cpp_mcts(game: str, sims: int = 2000) -> Callable[[], Work]:
    """Simulate for one decision after the other, in C++."""

    def make() -> Work:
        pyspiel = importlib.import_module("pyspiel")
        made = spiel(game)
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(made, evaluator, 2.0, sims, 1000, False, 1, False)
        state = made.new_initial_state()

        def work() -> int:
            bot.mcts_search(state)
            return sims

        return work

    return make


def cpp_cfr(game: str) -> Callable[[], Work]:
    """Run iterations of CFR+, in C++."""

    def make() -> Work:
        solver = importlib.import_module("pyspiel").CFRPlusSolver(spiel(game))
        return lambda: solver.evaluate_and_update_policy() or 1

    return make


def python_cfr(game: str) -> Callable[[], Work]:
    """Run iterations of CFR+, in Python over states in C++."""

    def make() -> Work:
        solver = algorithm("cfr").CFRPlusSolver(spiel(game))
        return lambda: solver.evaluate_and_update_policy() or 1

    return make


def python_mcts(game: str, sims: int = 100) -> Callable[[], Work]:
    """Simulate for one decision after the other, in Python over states in C++."""

    def make() -> Work:
        mcts, made = algorithm("mcts"), spiel(game)
        evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
        bot = mcts.MCTSBot(made, 2.0, sims, evaluator, solve=False)
        state = made.new_initial_state()

        def work() -> int:
            bot.mcts_search(state)
            return sims

        return work

    return make


def python_alphabeta(game: str, depth: int) -> Callable[[], Work]:
    """Search the first position to this depth, in Python over states in C++; nodes."""

    def make() -> Work:
        minimax, made, count = algorithm("minimax"), spiel(game), [0]
        plain = getattr(minimax._alpha_beta, "plain", minimax._alpha_beta)

        def counting(*given: Any, **named: Any) -> Any:
            count[0] += 1
            return plain(*given, **named)

        counting.plain = plain  # type: ignore[attr-defined]

        def work() -> int:
            minimax._alpha_beta, count[0] = counting, 0
            minimax.alpha_beta_search(made, value_function=lambda _: 0.0, maximum_depth=depth)
            return count[0]

        return work

    return make


def cpp_alphabeta(depth: int, rows: int) -> Callable[[], Work]:
    """Search Othello to this depth with our own alpha-beta, written in C++; nodes."""

    def make() -> Work:
        twins.build("othello")
        return lambda: int(twins.run("othello", depth, rows)["nodes"])

    return make


def value_iteration(game: str) -> Callable[[], Work]:
    """Find and solve all states of a game."""

    def make() -> Work:
        module, made = algorithm("value_iteration"), spiel(game)

        def work() -> int:
            module.value_iteration(made, -1, 0.001)
            return 1

        return work

    return make


def their_learning(game: str) -> Callable[[], Work]:
    """Let two Q-learners play against one another; values that they change."""

    def make() -> Work:
        environment = importlib.import_module("open_spiel.python.rl_environment").Environment(game)
        kind = algorithm("tabular_qlearner").QLearner
        actions = environment.action_spec()["num_actions"]
        agents = [kind(player_id=player, num_actions=actions) for player in (0, 1)]

        def work() -> int:
            step, count = environment.reset(), 0
            while not step.last():
                player = step.observations["current_player"]
                step = environment.step([agents[player].step(step).action])
                count += 1
            for agent in agents:
                agent.step(step)
            return count  # each action is followed by one update

        return work

    return make


def cpp_traversals(game: str) -> Callable[[], Work]:
    """Minimise regrets by external sampling, in C++; traversals, one for each seat."""

    def make() -> Work:
        solver = importlib.import_module("pyspiel").ExternalSamplingMCCFRSolver(spiel(game), 1)

        def work() -> int:
            solver.run_iteration()
            return 2

        return work

    return make


def python_traversals(game: str) -> Callable[[], Work]:
    """Minimise regrets by external sampling, in Python; traversals, one for each seat."""

    def make() -> Work:
        solver = algorithm("external_sampling_mccfr").ExternalSamplingSolver(spiel(game))

        def work() -> int:
            solver.iteration()
            return 2

        return work

    return make


def zoo_loop(game: str) -> Callable[[], Work]:
    """Decide in a PettingZoo environment of ours, in the loop that its documents show."""

    def make() -> Work:
        from ludex.adapters.zoo import env

        room = env(game)

        def work() -> int:
            room.reset()
            count = 0
            for agent in room.agent_iter():
                seen, _, over, cut, _ = room.last()
                dead = over or cut
                room.step(None if dead else room.action_space(agent).sample(seen["action_mask"]))
                count += not dead
            return count

        return work

    return make
