"""How a match ends, including faults of a seat."""

import re

BY_RULES = "BY_RULES"
ILLEGAL = "ILLEGAL"
OUT_OF_TIME = "OUT_OF_TIME"
CRASHED = "CRASHED"
RESIGNED = "RESIGNED"
TRUNCATED = "TRUNCATED"
BLAMELESS = (BY_RULES, TRUNCATED)  # endings without an offender
ENDINGS = (BY_RULES, ILLEGAL, OUT_OF_TIME, CRASHED, RESIGNED, TRUNCATED)

WHERE = ", in position "  # between what was wrong with a move and where it was made
LONGEST_DETAIL = 300  # characters of an agent's message
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"  # for control characters
ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")  # colours and the like


class Offence(ValueError):
    """An agent forfeits the match: it made an illegal move, failed, or was too slow."""

    def __init__(self, ending: str, words: str) -> None:
        super().__init__(f"{ending}: {words}")
        self.ending, self.words = ending, words


def shorten(text: str) -> str:
    """Return a text as one printable line, truncated if it is long."""
    line = printable(" ".join(text[: 8 * LONGEST_DETAIL].split()))
    return line if len(line) <= LONGEST_DETAIL else f"{line[: LONGEST_DETAIL - 1]}…"


def printable(text: str) -> str:
    """Return a text with control characters replaced, except newlines and tabs."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() or one in "\n\t" else REPLACEMENT for one in text)


def plain_text(text: str) -> str:
    """Return printed output as printable lines, without colours."""
    return printable(ESCAPES.sub("", text).replace("\r\n", "\n").replace("\r", "\n"))


def repr_of(value: object) -> str:
    """Return the repr of any value as one short line."""
    try:
        return shorten(repr(value))
    except Exception as error:  # an int may have too many digits
        return f"<{type(value).__name__}: {type(error).__name__}>"


def error_line(error: BaseException) -> str:
    """Return any error as one short line."""
    name = type(error).__name__
    try:
        return shorten(f"{name}: {error}")
    except Exception as other:
        return f"{name}: <{type(other).__name__}>"
