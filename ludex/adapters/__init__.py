"""Adapters for Gymnasium, PettingZoo and OpenSpiel, each an optional extra."""

import importlib
from typing import Any


def import_extra(package: str, extra: str) -> Any:
    """Import a package of an extra; the ImportError says which extra to install."""
    try:
        return importlib.import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package.partition(".")[0]:
            raise
        raise ModuleNotFoundError(
            f"{package} is not installed: pip install 'ludex[{extra}]'", name=error.name
        ) from None
