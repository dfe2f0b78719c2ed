"""The versions of what Ludex runs on, for reports of errors; nothing is imported for them."""

import platform
from importlib.metadata import PackageNotFoundError, version

from ludex import __version__

PACKAGES = ("numpy", "numba", "llvmlite", "nicegui", "sqlalchemy")


def versions_text() -> str:
    """Return the version of Ludex, and those that matter for a report, one to a line."""
    python = f"Python {platform.python_version()} ({platform.python_implementation()})"
    packages = [f"{name} {version_of(name)}" for name in PACKAGES]
    return "\n".join([f"ludex, version {__version__}", python, platform.platform(), *packages])


def version_of(package: str) -> str:
    """Return the version of an installed package."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "is not installed"
