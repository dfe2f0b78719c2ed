"""Start trainings, within the limits."""

import functools
import secrets
from typing import Any

from ludex.agents.training import OPPONENTS, read_learner
from ludex.core.rules import Rules
from ludex.io.files import atomic_file
from ludex.learn.net.learner import NetLearner
from ludex.learn.training import LEARNERS, begin
from ludex.web.state import limits
from ludex.web.state.agents import check_agent
from ludex.web.state.catalogue import texts_of
from ludex.web.state.job import check_room
from ludex.web.state.server_state import ServerState
from ludex.web.state.training_job import TrainingJob, TrainingRequest


@functools.lru_cache(maxsize=128, typed=True)  # rules of two games may be equal as tuples
def available_learners(rules: Rules) -> tuple[str, ...]:
    """Return the learners that support a game."""
    return tuple(name for name in LEARNERS if not why_not(name, {}, rules))


def why_not(name: str, options: dict[str, Any], rules: Rules) -> str:
    """Return why a learner does not support a game; empty if it does."""
    try:
        begin(LEARNERS[name](**options), rules)
    except ValueError as error:
        return str(error)
    return ""


def start_training(
    server: ServerState,
    game: str,
    rules: Rules,
    learner: str,
    against: str,
    matches: str,
    opener: str = "",
) -> TrainingJob:
    """Start a training for a visitor; raise a ValueError if that is not possible."""
    name, options = read_learner(learner)
    check_training_limit(server, opener)
    # First, because the answer to the next question is found by making the network.
    if name == NetLearner.name and NetLearner(**options).bytes_needed(rules) > limits.LEARNED_BYTES:
        raise ValueError(
            f"net learns within {limits.LEARNED_BYTES // 1024**2} MiB here: make width, blocks,"
            " boards, sims or replay smaller"
        )
    reason = why_not(name, options, rules)
    if reason:
        raise ValueError(reason)
    if against not in OPPONENTS:
        check_agent(against, rules)
        against, _ = server.trained.resolve(against)
    count = read_matches(matches)
    source, seed = server.catalogue[game].source, secrets.randbelow(2**32)
    request = TrainingRequest(source, texts_of(rules), learner, against, count, seed)
    job = new_training(server, game, request, opener)
    job.start()
    return job


def read_matches(text: str) -> int:
    """Return a number of matches; raise a ValueError if it is none or too large."""
    count = text.strip().replace(",", "")
    if not (count.isascii() and count.isdigit() and 0 < int(count[:12]) <= limits.TRAINING_MATCHES):
        raise ValueError(
            f"matches {text[:20]!r}: expected a whole number from 1 to {limits.TRAINING_MATCHES:,}"
        )
    return int(count)


def train_on(server: ServerState, job: TrainingJob, key: str, more: str) -> None:
    """Train for more matches; raise a ValueError if that is not possible."""
    check_training_limit(server, job.opener)
    job.resume(key, read_matches(more))


def start_copy(server: ServerState, job: TrainingJob, more: str, opener: str = "") -> TrainingJob:
    """Train for more matches in a visitor's copy; raise a ValueError if that is not possible."""
    check_training_limit(server, opener)
    request = job.request._replace(matches=job.progress.done + read_matches(more))
    rules = server.catalogue.rules(job.game, request.texts)
    if request.against not in OPPONENTS:
        check_agent(request.against, rules)
    content = server.trained.find(job.name).read_bytes()
    other = new_training(server, job.game, request, opener)
    with atomic_file(other.request.path) as copy:
        copy.write(content)
    other.start()
    return other


def new_training(
    server: ServerState, game: str, request: TrainingRequest, opener: str
) -> TrainingJob:
    """Return a visitor's training with a new name and file, which is not started yet."""
    name = f"{game}-{request.learner.partition(':')[0]}-{secrets.token_hex(3)}"
    most = limits.LEARNED_BYTES if opener else None
    request = request._replace(path=server.trained.path(name), most=most)
    job = TrainingJob(name, game, request)
    job.opener = opener
    server.trainings[name] = job
    return job


def delete_training(server: ServerState, name: str) -> None:
    """Delete what was learned; raise a ValueError if it is still learning, or is not there."""
    if name in server.trainings and server.trainings[name].running:
        raise ValueError(f"{name} is still learning; stop it first")
    server.trained.find(name).unlink()
    server.trainings.pop(name, None)


def check_training_limit(server: ServerState, opener: str) -> None:
    """Raise a ValueError at the limit of running trainings, for this visitor or for all."""
    check_room(server.trainings.values(), "training", limits.TRAININGS, opener)
