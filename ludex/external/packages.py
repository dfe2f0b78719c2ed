"""Packages for external programs: installed once by pip, into a folder of their own.

An environment variable names them, so that every process that starts such programs knows them.
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

PACKAGES = "LUDEX_PACKAGES"  # requirements with spaces between them
GRADING = "LUDEX_GRADING"  # set while an assignment says which packages there are
MOUNT_POINT = "/packages"  # where a sandbox shows the folder
WORD = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
RELEASE = r"(?:==|>=|<=|~=|!=|<|>)[A-Za-z0-9][A-Za-z0-9.*+!_-]*"
REQUIREMENT = re.compile(rf"{WORD}(?:\[{WORD}(?:,{WORD})*\])?(?:{RELEASE}(?:,{RELEASE})*)?")
MISSING = re.compile(r"ModuleNotFoundError: No module named '(\w+)'")
# Packages whose modules have another name.
OTHER_NAMES = {
    "PIL": "pillow",
    "cv2": "opencv-python-headless",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
}


def read_requirements(texts: Sequence[str], place: str = "packages") -> tuple[str, ...]:
    """Return the names of packages, perhaps with versions, without spaces in them.

    A path, a URL or an option is refused.
    """
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


def layer() -> Path | None:
    """Return the folder with the packages that are wanted, made if it is not there; None for none.

    A ValueError says in one line why they cannot be installed.
    """
    requirements = required_packages()
    if not requirements:
        return None
    tag = [sys.implementation.cache_tag, sys.platform, *requirements]
    name = hashlib.sha256("\n".join(map(str, tag)).encode()).hexdigest()[:16]
    folder = root() / name
    if not folder.exists():
        install(requirements, folder)
    return folder


def root() -> Path:
    """Return where all such folders are: in $LUDEX_CACHE, or in the user's cache."""
    usual = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ludex"
    return Path(os.environ.get("LUDEX_CACHE") or usual).absolute() / "packages"


def install(requirements: Sequence[str], folder: Path) -> None:
    """Install packages into a new folder, which appears under its name when it is complete."""
    named = ", ".join(requirements)
    print(f"installing {named} for agents, once …", file=sys.stderr, flush=True)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        begun = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".new-"))
    except OSError as error:
        raise ValueError(
            f"cannot keep packages in {str(folder.parent)!r} ({error.strerror}); set LUDEX_CACHE to"
            " a folder that can be written"
        ) from error
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
        for path in (begun, *begun.rglob("*")):  # a sandbox reads them as another user
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        try:
            begun.rename(folder)
        except OSError:
            if not folder.exists():  # another process may have been quicker
                raise
    finally:
        shutil.rmtree(begun, ignore_errors=True)


def pip_error(errors: str) -> str:
    """Return what pip says is wrong, in one line."""
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    said = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return (said or lines or ["pip failed"])[-1]


@contextmanager
def provide_packages(requirements: Sequence[str]) -> Iterator[None]:
    """Let programs that are started meanwhile import what an assignment says, and nothing else."""
    before = {name: os.environ.get(name) for name in (PACKAGES, GRADING)}
    os.environ[PACKAGES] = " ".join(requirements)
    os.environ[GRADING] = "1"
    try:
        layer()
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def hint(words: str) -> str:
    """Return what would bring the module that an error misses, in brackets, or nothing."""
    found = MISSING.match(words)
    if found is None or found[1] in sys.stdlib_module_names:
        return ""
    package = OTHER_NAMES.get(found[1], found[1])
    if os.environ.get(GRADING):
        return f' (packages = ["{package}"] in the assignment would bring it)'
    return f" ({PACKAGES}={package} in the environment would bring it)"
