"""Many matches of a game at once against an agent of Ludex, stepped by compiled code.

One call steps the whole batch: your actions, chance, and the answers of the others. So those must
be agents that answer in compiled code: random, casual or greedy. Matches that are over start anew
in the next step, which ignores its action, as Gymnasium wants it by default.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ludex.agents import Agent, Casual, Random, make_agent
from ludex.bits import lowest
from ludex.bits import size as count
from ludex.choice import CLOSE
from ludex.clocks import PLIES
from ludex.compiled import compiled, shared
from ludex.draw import pick, pick_outcome
from ludex.guess import guess
from ludex.peers import needed
from ludex.peers.gym import checked_seat, seen_space
from ludex.peers.table import rules_of
from ludex.peers.view import bounds, choosable, view, view_shape
from ludex.rules import (
    BOTH,
    CHANCE,
    OVER,
    actions,
    apply,
    candidates,
    chance,
    foreseen,
    initial,
    moves,
    pair,
    returns,
    reward,
    seats,
    turn,
)
from ludex.search.plain import Greedy
from ludex.solve.keys import from_row

gymnasium = needed("gymnasium", "gym")
VectorEnv: Any = gymnasium.vector.VectorEnv

ILLEGAL = 2  # in the place of what a match that goes on, or is over, has


@shared
def worth_after(rules, state, seat, style):
    """Return what a state looks worth to a seat; a throw is seen to land, no more.

    It is what `ludex.search.plain.value` says at depth 0. That one calls itself, and compiled code
    that calls such a function does not come back from the disk.
    """
    mover = turn(rules, state)
    if mover == OVER:
        return returns(rules, state, seat)
    if mover != CHANCE:
        return guess(rules, state, seat, style)
    total = 0.0
    bits = foreseen(rules, state, style)
    while bits:
        outcome = lowest(bits)
        after = apply(rules, state, outcome)
        over = turn(rules, after) == OVER
        worth = returns(rules, after, seat) if over else guess(rules, after, seat, style)
        total += chance(rules, state, outcome) * worth
        bits &= bits - 1
    return total


@shared
def worth_of(rules, state, seat, action, style):
    """Return what an action looks worth; at a BOTH state, against all actions of the other."""
    both = turn(rules, state) == BOTH
    bits = candidates(rules, state, 1 - seat, style) if both else 1
    total, many = 0.0, count(bits)
    while bits:
        move = action
        if both:
            other = lowest(bits)
            move = pair(action, other) if seat == 0 else pair(other, action)
        total += worth_after(rules, apply(rules, state, move), seat, style)
        bits &= bits - 1
    return total / many


@compiled
def reply(rules, state, seat, greedy, style, rng):
    """Return what the agent would choose, among equals each as likely.

    One without a style chooses at random, and then no more than that is compiled.
    """
    if style is None:
        return pick(moves(rules, state, seat), rng)
    bits = candidates(rules, state, seat, style)
    equals, best = bits, -2.0
    while greedy and bits:
        action = lowest(bits)
        worth = worth_of(rules, state, seat, action, style)
        if worth > best + CLOSE:
            best, equals = worth, 0
        if worth >= best - CLOSE:
            equals |= 1 << action
        bits &= bits - 1
    return pick(equals, rng)


@shared
def joint_move(rules, state, seat, action, greedy, style, rng):
    """Return the move of all who are to choose: one seat with this action, the others as agents."""
    mover = turn(rules, state)
    low, high = (0, 1) if mover == BOTH else (mover, mover)
    move = 0
    for one in range(low, high + 1):
        choice = action if one == seat else reply(rules, state, one, greedy, style, rng)
        move = pair(move, choice)  # of a single seat it is the choice
    return move


@compiled
def step_all(
    rules, first, rows, mine, plies, ended, chosen, most, fixed, hints, greedy, style, rng,
    planes, masks, rewards, over, cut,
):  # fmt: skip
    """Step every match of a batch; one that has ended before starts anew.

    `rows` are the states, `mine` the own seats, `ended` whether a match had ended; the rest of the
    arrays is written.
    """
    for table in range(len(rows)):
        state = from_row(first, rows, table)
        seat = int(mine[table])
        rewards[table], over[table], cut[table] = 0.0, 0, 0
        action = int(chosen[table])
        if ended[table]:
            state = first
            seat = int(rng.random() * seats(rules)) if fixed < 0 else fixed
            mine[table], plies[table], action = seat, 0, -1
        elif turn(rules, state) != OVER:
            bits = choosable(rules, state, seat)
            if action < 0 or action >= actions(rules) or not bits >> action & 1:
                rewards[table], over[table] = -1.0, ILLEGAL
        while over[table] == 0 and cut[table] == 0:
            mover = turn(rules, state)
            if mover == OVER:
                # Nothing ends before you have chosen: a match that did so ends with your next step.
                if not ended[table]:
                    over[table] = 1
                    rewards[table] += returns(rules, state, seat)
                break
            if plies[table] >= most:
                cut[table] = 1
                break
            if mover == CHANCE:
                move = pick_outcome(rules, state, rng)
            else:
                asked = mover == seat or (mover == BOTH and seat < 2)
                if asked and action < 0:
                    break
                move = joint_move(rules, state, seat, action, greedy, style, rng)
                if asked:
                    action = -1
            after = apply(rules, state, move)
            if hints:
                rewards[table] += reward(rules, state, after, seat)
            state = after
            plies[table] += 1
        for field in range(len(state)):
            rows[table, field] = state[field]
        ended[table] = over[table] != 0 or cut[table] != 0
        view(rules, state, seat, planes[table])
        bits = 0 if ended[table] else choosable(rules, state, seat)
        for one in range(actions(rules)):
            masks[table, one] = bits >> one & 1 if bits else 1


def how(agent: Agent, text: str) -> tuple[bool, Any]:
    """Return what compiled code needs to choose as an agent does: whether it looks, and how."""
    if isinstance(agent, Random):
        return False, None
    if isinstance(agent, Casual):
        return False, agent.style
    if isinstance(agent, Greedy):
        return True, agent.style
    raise ValueError(
        f"{text!r} does not answer a whole batch in compiled code: expected random, casual or"
        " greedy (any agent plays in make_vec(…, vectorization_mode='sync'))"
    )


class BatchEnv(VectorEnv):
    """Many matches at once; the options are those of one, and `num_envs`.

    The legal actions are in the info as `action_mask`; once a match is over all count as legal.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP,
        "render_modes": [],
    }

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        opponent: str = "random",
        seat: int | None = 0,
        rules: Mapping[str, Any] | None = None,
        plies: int = PLIES,
        hints: bool = False,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise ValueError(f"a batch draws nothing: expected no render mode, not {render_mode!r}")
        self.rules = rules_of(game, rules)
        self.num_envs, self.most, self.hints = num_envs, plies, hints
        self.how = how(make_agent(opponent, self.rules), opponent)
        fixed = checked_seat(int(seats(self.rules)), seat)
        self.fixed = -1 if fixed is None else fixed
        self.single_observation_space = seen_space(self.rules)
        self.single_action_space = gymnasium.spaces.Discrete(actions(self.rules))
        batch = gymnasium.vector.utils.batch_space
        self.observation_space = batch(self.single_observation_space, num_envs)
        self.action_space = batch(self.single_action_space, num_envs)
        self.first = initial(self.rules)
        self.rows = np.zeros((num_envs, len(self.first)), np.int64)
        self.mine, self.plies = np.zeros(num_envs, np.int64), np.zeros(num_envs, np.int64)
        self.ended = np.ones(num_envs, np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start all matches anew, and return what you see in each when it is your turn first."""
        super().reset(seed=seed)
        self.ended[:] = True
        observations, _, _, _, info = self.step(np.zeros(self.num_envs, np.int64))
        return observations, info

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Choose in all matches, and return what you see in each when it is your turn again."""
        many, rules = self.num_envs, self.rules
        planes = np.zeros((many, *view_shape(rules)), bounds(rules)[2])
        masks = np.zeros((many, self.single_action_space.n), np.int8)
        rewards = np.zeros(many)
        over, cut = np.zeros(many, np.int8), np.zeros(many, np.int8)
        step_all(
            *(rules, self.first, self.rows, self.mine, self.plies, self.ended),
            *(np.asarray(actions, np.int64), self.most, self.fixed, self.hints, *self.how),
            self.np_random,
            *(planes, masks, rewards, over, cut),
        )
        info = {"action_mask": masks, "seat": self.mine.copy(), "illegal": over == ILLEGAL}
        return planes, rewards, over > 0, cut > 0, info
