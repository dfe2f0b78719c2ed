"""Agents that run in compiled code, by their names."""

from ludex.agents.registry import Casual, Random, make_agent
from ludex.batch.stepping import Policy
from ludex.core.rules import Rules
from ludex.search.minimax import Greedy


def policy_of(text: str, rules: Rules, others: str = "") -> Policy | None:
    """Return an agent that runs in compiled code; a ValueError if this one does not.

    Its message also offers `others`.
    """
    if not isinstance(text, str):
        raise ValueError(f"agent {text!r}: expected random, casual or greedy{others}")
    agent = make_agent(text, rules)
    if isinstance(agent, Random):
        return None
    if isinstance(agent, Casual | Greedy):
        return Policy(isinstance(agent, Greedy), agent.profile)
    raise ValueError(
        f"{text!r} does not play many matches at once in compiled code: expected random, casual or"
        f" greedy{others}"
    )
