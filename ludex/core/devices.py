"""The devices that compute: the cores of the CPU, or an NVIDIA card."""

import functools
import sys
import warnings

from ludex.core.rules import Rules, game_of, interpreted, name_of

CPU, CUDA, AUTO = "cpu", "cuda", "auto"
DEVICES = (CPU, CUDA, AUTO)


class NoCardWarning(UserWarning):
    """A card was asked for and there is none; the cores of the CPU take its place."""


@functools.cache
def why_no_card() -> str:
    """Return in a few words why this process has no card to use; empty if it has one."""
    try:
        from ludex.kernel.cuda import has_card
    except ImportError:
        return "numba-cuda is not installed: pip install 'ludex[gpu]'"
    return "" if has_card() else "no NVIDIA card or no driver was found"


def device_for(rules: Rules, name: str, refusal: str = "") -> str:
    """Return "cpu" or "cuda" for a game; a refusal says why a card cannot do what is asked."""
    if interpreted(game_of(rules)):
        refusal = f"{name_of(rules)} calls another program, and cannot run on a card"
    return chosen_device(name, refusal)


def chosen_device(name: str, refusal: str = "") -> str:
    """Return "cpu" or "cuda"; a card that is asked for in vain is a warning of one line.

    With a refusal, which says why a card cannot be used, "cuda" is a ValueError.
    """
    if name not in DEVICES:
        raise ValueError(f"no device {name!r} (there are {', '.join(DEVICES)})")
    if name == CUDA and refusal:
        raise ValueError(f"device {name!r}: {refusal}")
    if name == CPU or refusal:
        return CPU
    why = why_no_card()
    if why and name == CUDA:
        told = f"{why}; using the cores of the CPU instead"
        warnings.warn(told, NoCardWarning, stacklevel=level_outside())
    return CPU if why else CUDA


def level_outside() -> int:
    """Return the stack level of the code that called Ludex, whose line Python shows in a warning.

    A warning is shown once for each line.
    """
    frame, level = sys._getframe(1), 1
    while frame.f_back and frame.f_globals["__name__"].partition(".")[0] == "ludex":
        frame, level = frame.f_back, level + 1
    return level
