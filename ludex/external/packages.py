"""Packages for external programs, installed once by pip into a folder of their own.

An environment variable names them, so that worker processes know them too.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ludex.io.files import user_folder, writable_folder

PACKAGES = "LUDEX_PACKAGES"  # requirements, separated by spaces
GRADING = "LUDEX_GRADING"  # set while an assignment determines the packages
MOUNT_POINT = "/packages"  # of the folder, inside a sandbox
WORD = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
RELEASE = r"(?:==|>=|<=|~=|!=|<|>)[A-Za-z0-9][A-Za-z0-9.*+!_-]*"
REQUIREMENT = re.compile(rf"{WORD}(?:\[{WORD}(?:,{WORD})*\])?(?:{RELEASE}(?:,{RELEASE})*)?")
MISSING = re.compile(r"ModuleNotFoundError: No module named '(\w+)'")
# Packages named differently from their modules.
OTHER_NAMES = {
    "PIL": "pillow",
    "cv2": "opencv-python-headless",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
}


def read_requirements(texts: Sequence[str], place: str = "packages") -> tuple[str, ...]:
    """Return requirements with their spaces removed; refuse paths, URLs and options."""
    found = tuple(re.sub(r"\s", "", one) for one in texts)
    for one in found:
        if not REQUIREMENT.fullmatch(one):
            raise ValueError(
                f"{place} has {one!r}: expected the name of a package, such as 'termcolor' or"
                " 'termcolor>=2,<4'"
            )
    return found


def required_packages() -> tuple[str, ...]:
    """Return the requirements in the environment, in alphabetical order."""
    return read_requirements(sorted(set(os.environ.get(PACKAGES, "").split())), PACKAGES)


def packages_folder() -> Path | None:
    """Return the folder of the required packages, installed if needed; None if there are none.

    A ValueError says in one line why they cannot be installed.
    """
    requirements = required_packages()
    if not requirements:
        return None
    tag = [sys.implementation.cache_tag, sys.platform, *requirements]
    name = hashlib.sha256("\n".join(map(str, tag)).encode()).hexdigest()[:16]
    folder = user_folder("LUDEX_CACHE", "cache").absolute() / "packages" / name
    if not folder.exists():
        install(requirements, folder)
    return folder


def install(requirements: Sequence[str], folder: Path) -> None:
    """Install packages into a folder, which appears only when it is complete."""
    named = ", ".join(requirements)
    print(f"installing {named} for agents, once …", file=sys.stderr, flush=True)
    place = writable_folder(folder.parent, "packages", "LUDEX_CACHE")
    begun = Path(tempfile.mkdtemp(dir=place, prefix=".new-"))
    options = ["--quiet", "--no-input", "--disable-pip-version-check", "--target", str(begun)]
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pip", "install", *options, *requirements],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise ValueError(f"packages {named} cannot be installed: {pip_error(done.stderr)}")
        for path in (begun, *begun.rglob("*")):  # readable to the user of a sandbox
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        try:
            begun.rename(folder)
        except OSError:
            if not folder.exists():  # another process may have been quicker
                raise
    finally:
        shutil.rmtree(begun, ignore_errors=True)


def pip_error(errors: str) -> str:
    """Return pip's error message in one line."""
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    said = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return (said or lines or ["pip failed"])[-1]


@contextmanager
def provide_packages(requirements: Sequence[str]) -> Iterator[None]:
    """Let programs started within the context import these packages, and no others."""
    before = {name: os.environ[name] for name in (PACKAGES, GRADING) if name in os.environ}
    os.environ.update({PACKAGES: " ".join(requirements), GRADING: "1"})
    try:
        packages_folder()
        yield
    finally:
        del os.environ[PACKAGES], os.environ[GRADING]
        os.environ.update(before)


def install_hint(words: str) -> str:
    """Return in brackets how to install the module that an import error names, or ""."""
    found = MISSING.match(words)
    if found is None or found[1] in sys.stdlib_module_names:
        return ""
    package = OTHER_NAMES.get(found[1], found[1])
    if os.environ.get(GRADING):
        return f' (packages = ["{package}"] in the assignment would bring it)'
    return f" ({PACKAGES}={package} in the environment would bring it)"
