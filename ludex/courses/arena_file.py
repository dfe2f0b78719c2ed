"""The arena course programs on a student's file, which runs in its own process."""

import json
from collections.abc import Iterator
from typing import Any

from ludex.core.rules import Rules, seat_name
from ludex.core.termination import OUT_OF_TIME, Offence, shorten
from ludex.courses.arena import FirstMove
from ludex.external.agent import answer_offence, bare_greeting, make_external

SEARCHERS = {"Minimax": "Minimax", "AlphaBeta": "AlphaBeta_Full"}  # modules of the course
LONGEST = 200  # moves of a game, over four times what the rules allow


class FileGame:
    """A student's game, searched by the course's modules within `seconds` per answer."""

    def __init__(self, path: str, rules: Rules, seed: int, seconds: float) -> None:
        self.agent = make_external(path, rules)
        if self.agent.submission.interface != "arena":
            raise ValueError(f"--file {path!r}: expected the classes GameState and Game")
        self.agent.submission = self.agent.submission._replace(interface="arena/tables", word="")
        self.rules, self.seed, self.seconds = rules, seed, seconds
        self.printed = ""
        """The output of the processes that have ended."""

    def ask(self, **request: Any) -> dict[str, Any]:
        """Return the answer of the process, which is started if needed, or raise its Offence."""
        if self.agent.process is None:
            self.agent.start()
            self.agent.greet(bare_greeting(self.seed))
        assert self.agent.process is not None
        try:
            answer = self.agent.process.answer(request, self.seconds)
            if "move" not in answer:
                raise answer_offence(answer, "no answer")
        except Offence:
            self.close()
            raise
        return dict(json.loads(answer["move"]))

    def first_moves(self, limits: range) -> Iterator[FirstMove]:
        """Yield the results of both searches at each depth limit, until one runs out of time."""
        for algorithm, searcher in SEARCHERS.items():
            for limit in limits:
                try:
                    found = self.ask(ask="search", searcher=searcher, limit=limit)
                except Offence as offence:
                    if offence.ending != OUT_OF_TIME:
                        raise
                    yield FirstMove(algorithm, limit, self.seconds)
                    break
                found["move"] = shorten(found["move"])
                yield FirstMove(algorithm, limit, **found)

    def full_game(self, light: int, wily: int) -> Iterator[str]:
        """Yield the moves of a game between two depth limits, then the file's congratulation."""
        self.ask(ask="start", limits=[light, wily])
        for _ in range(LONGEST):
            told = self.ask(ask="ply")
            if "words" in told:
                yield shorten(told["words"]) or "the file's congratulate prints nothing"
                return
            lives = ", ".join(f"{name} {before} → {life}" for name, before, life in told["lives"])
            who = seat_name(self.rules, told["side"])
            yield shorten(f"{who}: {told['move']}{f' ({lives})' if lives else ''}")
        raise ValueError(f"the game of the file has not ended after {LONGEST} moves")

    def close(self) -> None:
        """End the process, and keep its output."""
        self.agent.kill()
        self.printed += self.agent.log
        self.agent.log = ""
