"""How a match ends, including faults of a seat."""

import re

BY_RULES = "BY_RULES"
ILLEGAL = "ILLEGAL"
OUT_OF_TIME = "OUT_OF_TIME"
CRASHED = "CRASHED"
RESIGNED = "RESIGNED"
TRUNCATED = "TRUNCATED"
BLAMELESS = (BY_RULES, TRUNCATED)  # nobody has ended the match by what it did
ENDINGS = (BY_RULES, ILLEGAL, OUT_OF_TIME, CRASHED, RESIGNED, TRUNCATED)

WHERE = ", in position "  # between what was wrong with a move and where it was made
LONGEST_DETAIL = 300  # letters of what an agent has said
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"  # for what would steer a terminal
ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")  # and other steering that a screen never shows


class Offence(ValueError):
    """An agent has lost by what it did, not by the rules."""

    def __init__(self, ending: str, words: str) -> None:
        super().__init__(f"{ending}: {words}")
        self.ending, self.words = ending, words


def shorten(text: str) -> str:
    """Return a text in one line, without its end if it is long, and safe on any screen."""
    line = printable(" ".join(text[: 8 * LONGEST_DETAIL].split()))
    return line if len(line) <= LONGEST_DETAIL else f"{line[: LONGEST_DETAIL - 1]}…"


def printable(text: str) -> str:
    """Return a text in which nothing can steer a screen, but for newlines and tabs."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() or one in "\n\t" else REPLACEMENT for one in text)


def plain_text(text: str) -> str:
    """Return what was printed as lines that are safe on any screen; its colours are left out."""
    return printable(ESCAPES.sub("", text).replace("\r\n", "\n").replace("\r", "\n"))


def repr_of(value: object) -> str:
    """Return what a value looks like in one short line, whatever it is."""
    try:
        return shorten(repr(value))
    except Exception as error:  # an int may have too many digits, and anything may refuse
        return f"<{type(value).__name__}: {type(error).__name__}>"


def error_line(error: BaseException) -> str:
    """Return an error in one short line, whatever it is."""
    name = type(error).__name__
    try:
        return shorten(f"{name}: {error}")
    except Exception as other:
        return f"{name}: <{type(other).__name__}>"
