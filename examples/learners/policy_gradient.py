"""Train a policy with PyTorch against an agent, in many matches at once.

    python examples/learners/policy_gradient.py examples/connect_four.py --device cuda

On a card nothing is copied to the host: the observations, the legal actions and the rewards of the
batch are shared with PyTorch, and so are the actions that it chooses. The method is an advantage
actor-critic (Mnih et al. 2016) with generalised advantage estimation (Schulman et al. 2016).
"""

import argparse
import time

import torch
from torch import nn
from torch.distributions import Categorical

import ludex

STEPS = 16  # of each match between two updates
DISCOUNT, SMOOTHING = 0.99, 0.95
ENTROPY, VALUE_LOSS = 0.01, 0.5


class Network(nn.Module):
    """Two hidden layers, and from them the logits of all actions and a value."""

    def __init__(self, inputs: int, actions: int, width: int = 256) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.logits, self.value = nn.Linear(width, actions), nn.Linear(width, 1)

    def forward(self, seen: torch.Tensor, legal: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """Return the policy and the value for what is seen, among the legal actions."""
        hidden = self.body(seen)
        logits = self.logits(hidden).masked_fill(~legal, -torch.inf)
        return Categorical(logits=logits), self.value(hidden).squeeze(1)


def look(batch: ludex.Batch) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the observations, the legal actions, and which matches go on.

    The next step of the batch writes to the memory of its arrays, so each is copied or converted.
    """
    seen = torch.from_dlpack(batch.views()).flatten(1).to(torch.float32, copy=True)
    return seen, torch.from_dlpack(batch.masks()).bool(), torch.from_dlpack(batch.ends) == 0


def advantages(
    rewards: torch.Tensor, over: torch.Tensor, values: torch.Tensor, last: torch.Tensor
) -> torch.Tensor:
    """Return the estimated advantages of the actions of a rollout."""
    found, total = torch.zeros_like(rewards), torch.zeros_like(last)
    following = last
    for step in reversed(range(len(rewards))):
        goes_on = 1.0 - over[step]
        error = rewards[step] + DISCOUNT * goes_on * following - values[step]
        total = error + DISCOUNT * SMOOTHING * goes_on * total
        found[step], following = total, values[step]
    return found


class Learner:
    """A network, and the batch in which it plays seat 0."""

    def __init__(self, game: ludex.Game, opponent: str, boards: int, device: str) -> None:
        others = {seat: opponent for seat in range(1, game.seats)}
        self.batch = game.batch(boards, device, seed=1, agents=others)
        seen, legal, _ = look(self.batch)
        self.network = Network(seen.shape[1], legal.shape[1]).to(seen.device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=1e-3)
        self.finished = torch.zeros((), dtype=torch.float64, device=seen.device)
        self.returns = torch.zeros_like(self.finished)

    def play(self) -> tuple[torch.Tensor, ...]:
        """Play some steps, and return what was seen, done and gained in each."""
        rows = []
        for _ in range(STEPS):
            seen, legal, playing = look(self.batch)
            with torch.no_grad():
                policy, value = self.network(seen, legal)
                actions = policy.sample()
            self.batch.step(actions)
            rewards, over, cut = map(torch.from_dlpack, self.batch.outcome[:3])
            ended = over.bool() | cut.bool()
            self.finished += (ended & playing).sum()
            self.returns += rewards.sum()
            rows.append((seen, legal, playing, actions, value, rewards.float(), ended.float()))
        return tuple(map(torch.stack, zip(*rows, strict=True)))

    def update(self) -> None:
        """Play, and take a step along the gradient; a match that had ended has no action."""
        seen, legal, playing, actions, values, rewards, over = self.play()
        with torch.no_grad():
            _, last = self.network(*look(self.batch)[:2])
        gained = advantages(rewards, over, values, last)[playing]
        policy, value = self.network(seen[playing], legal[playing])
        loss = -(policy.log_prob(actions[playing]) * gained).mean()
        loss += VALUE_LOSS * (value - values[playing] - gained).square().mean()
        loss -= ENTROPY * policy.entropy().mean()
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
        self.optimizer.step()

    def report(self, update: int, began: float) -> None:
        """Print how many steps a second were played, and the mean return since the last report."""
        mean, steps = float(self.returns / self.finished), update * STEPS * len(self.batch)
        rate = steps / (time.perf_counter() - began)
        print(f"{steps:>13,} steps {rate:>12,.0f} a second   mean return {mean:+.3f}", flush=True)
        self.finished.zero_()
        self.returns.zero_()


def main() -> None:
    """Train a policy and print how well it plays."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="?", default="trap")
    parser.add_argument("--opponent", default="random", help="random, casual or greedy")
    parser.add_argument("--device", default="auto", help="cpu, cuda or auto")
    parser.add_argument("--boards", type=int, default=1 << 12)
    parser.add_argument("--updates", type=int, default=200)
    asked = parser.parse_args()
    torch.manual_seed(1)
    learner = Learner(ludex.load(asked.game), asked.opponent, asked.boards, asked.device)
    print(learner.batch)
    began = time.perf_counter()
    for update in range(1, asked.updates + 1):
        learner.update()
        if update % max(1, asked.updates // 10) == 0:
            learner.report(update, began)


if __name__ == "__main__":
    main()
