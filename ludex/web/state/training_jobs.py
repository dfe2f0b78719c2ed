"""Start trainings: the possible learners, their names, and the number at once."""

import functools
import secrets
from typing import Any

from ludex.agents.training import OPPONENTS, read_learner
from ludex.core.rules import Rules
from ludex.io.files import whole_file
from ludex.learn.training import LEARNERS
from ludex.web.state import limits
from ludex.web.state.catalogue import texts_of
from ludex.web.state.server_state import Hall, allow
from ludex.web.state.training_job import Lesson, Wanted


@functools.lru_cache(maxsize=128, typed=True)  # rules of two games may be equal as tuples
def able(rules: Rules) -> tuple[str, ...]:
    """Return the learners that can learn a game."""
    return tuple(name for name in LEARNERS if not why_not(name, {}, rules))


def why_not(name: str, options: dict[str, Any], rules: Rules) -> str:
    """Return why a learner cannot learn a game, or nothing."""
    try:
        LEARNERS[name](**options).begin(rules)
    except ValueError as error:
        return str(error)
    return ""


def begin(hall: Hall, game: str, rules: Rules, learner: str, against: str, matches: str) -> Lesson:
    """Return a training that has been started; a ValueError says why it cannot be."""
    name, options = read_learner(learner)
    check_room(hall)
    reason = why_not(name, options, rules)
    if reason:
        raise ValueError(reason)
    if against not in OPPONENTS:
        allow(against, rules)
        against, _ = hall.with_file(against)
    count = matches.strip().replace(",", "")
    if not (count.isascii() and count.isdigit() and 0 < int(count[:12]) <= limits.LESSONS):
        raise ValueError(f"matches {matches[:20]!r}: expected 1 to {limits.LESSONS:,}")
    file = new_name(game, name)
    source = hall.catalogue[game].source
    seed = secrets.randbelow(2**32)
    wanted = Wanted(
        *(source, texts_of(rules), learner, against, int(count), seed, hall.trained(file))
    )
    lesson = hall.lessons[file] = Lesson(file, game, wanted)
    lesson.start()
    return lesson


def train_on(hall: Hall, lesson: Lesson) -> Lesson:
    """Return a training that goes on from a copy of what another has learned; it has been started.

    A ValueError says why it cannot be.
    """
    check_room(hall)
    wanted = lesson.wanted
    rules = hall.catalogue.rules(lesson.game, wanted.texts)
    if wanted.against not in OPPONENTS:
        allow(wanted.against, rules)
    file = new_name(lesson.game, wanted.learner.partition(":")[0])
    with whole_file(hall.trained(file)) as copy:
        copy.write(hall.training(lesson.name).read_bytes())
    other = hall.lessons[file] = Lesson(file, lesson.game, wanted._replace(path=hall.trained(file)))
    other.start()
    return other


def new_name(game: str, learner: str) -> str:
    """Return a name for a training that no other has."""
    return f"{game}-{learner}-{secrets.token_hex(3)}"


def check_room(hall: Hall) -> None:
    """Raise a ValueError if enough trainings go on."""
    if sum(lesson.running for lesson in hall.lessons.values()) >= limits.TRAININGS:
        raise ValueError(f"{limits.TRAININGS} trainings go on already; wait for one of them")
