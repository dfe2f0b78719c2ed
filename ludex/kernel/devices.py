"""The devices that compute: the cores of the CPU, or an NVIDIA card."""

import functools
import warnings

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


def chosen_device(name: str) -> str:
    """Return "cpu" or "cuda"; a card that is asked for in vain is a warning of one line."""
    if name not in DEVICES:
        raise ValueError(f"no device {name!r} (there are {', '.join(DEVICES)})")
    if name == CPU or not (why := why_no_card()):
        return CPU if name == CPU else CUDA
    if name == CUDA:
        warnings.warn(f"{why}; using the cores of the CPU instead", NoCardWarning, stacklevel=2)
    return CPU
