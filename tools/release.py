"""Build a release, and refuse it unless everything holds.

Nothing is uploaded or tagged: the last lines say what to type for that.
"""

import argparse
import functools
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SMOKE = Path(__file__).with_name("smoke.py")
BRANCH = "main"
PYTHONS = ("3.11", "3.12", "3.13")
OURS = ("test", "site")  # extras for those who work on Ludex
GUIDES = ("docs/*.md", "docs/pictures")  # in the wheel as ludex_guides
TAIL = 30  # lines of a failed command that are shown


class Refused(Exception):
    """Why there is no release, in one line."""


class Release(NamedTuple):
    """What is released, and with what."""

    root: Path
    version: str
    """As given, or else that of the package."""
    dist: Path
    """Where the archives go."""
    pythons: tuple[Path, ...] = ()
    """Interpreters to use before those that are found."""

    @property
    def wheel(self) -> Path:
        """The wheel."""
        return self.dist / f"ludex-{self.version}-py3-none-any.whl"

    @property
    def archive(self) -> Path:
        """The source archive."""
        return self.dist / f"ludex-{self.version}.tar.gz"


# Running other programs. --------------------------------------------------------------------------


def output(*words: str, cwd: Path) -> str:
    """Return what a program prints; an empty text if it fails."""
    ended = subprocess.run(words, cwd=cwd, capture_output=True, text=True)
    return ended.stdout.strip() if ended.returncode == 0 else ""


def run(words: Sequence[object], cwd: Path, what: str, show: bool = False) -> None:
    """Run a program; if it fails, print the end of its output and refuse."""
    # Another environment or folder of modules must not stand in for the one that is tested.
    env = {key: one for key, one in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    given = [str(one) for one in words]
    ended = subprocess.run(
        given, cwd=cwd, env=env, stdout=None if show else subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if ended.returncode:
        lines = (ended.stdout or b"").decode(errors="replace").splitlines()
        print("\n".join(lines[-TAIL:]), flush=True)
        raise Refused(f"{what} failed with exit code {ended.returncode}")


def git(release: Release, *words: str) -> str:
    """Return what git prints in the repository."""
    ended = subprocess.run(["git", *words], cwd=release.root, capture_output=True, text=True)
    if ended.returncode:
        raise Refused(f"git {words[0]} failed: {ended.stderr.strip()}")
    return ended.stdout.strip()


# The checks; each returns what it found, or refuses. ----------------------------------------------


def check_branch(release: Release) -> str:
    """Expect the main branch."""
    branch = git(release, "branch", "--show-current")
    if branch != BRANCH:
        raise Refused(f"on {branch or 'no branch'}: a release is made on {BRANCH}")
    return f"on {branch} at {git(release, 'rev-parse', '--short', 'HEAD')}"


def check_tree(release: Release) -> str:
    """Expect that all is committed."""
    changed = git(release, "status", "--porcelain").splitlines()
    if changed:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        raise Refused(f"the tree is not clean: {changed[0].strip()}{more}; commit or remove that")
    return "nothing to commit"


def package_version(root: Path) -> str:
    """Return the version of the package, without importing it."""
    text = (root / "ludex" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"$', text, re.MULTILINE)
    return found[1] if found else ""


def check_version(release: Release) -> str:
    """Expect the version of the package, which has no tag yet."""
    version, own = release.version, package_version(release.root)
    if version != own:
        raise Refused(f"version {version!r}, but ludex/__init__.py has {own!r}")
    if not re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", version):
        raise Refused(f"version {version!r}: expected three numbers, such as 1.2.0 or 1.2.0rc1")
    for tag in (f"v{version}", version):
        if git(release, "tag", "--list", tag):
            raise Refused(f"version {version} was released before: there is a tag {tag}")
    return f"{version}, as in ludex/__init__.py, and not tagged"


def changelog_entry(text: str, heading: str) -> list[str]:
    """Return the items below a heading of the changelog."""
    found = re.search(
        rf"^## \[?{re.escape(heading)}\]?(?: [^\n]*)?\n(.*?)(?=^## |\Z)",
        text,
        re.MULTILINE | re.DOTALL,
    )
    return [line for line in found[1].splitlines() if line.startswith("- ")] if found else []


def check_changelog(release: Release) -> str:
    """Expect an entry for the version, and nothing left that is unreleased."""
    text = (release.root / "CHANGELOG.md").read_text(encoding="utf-8")
    items = changelog_entry(text, release.version)
    if not items:
        raise Refused(f"CHANGELOG.md has no entry below '## {release.version}'")
    if left := changelog_entry(text, "Unreleased"):
        raise Refused(f"CHANGELOG.md: {len(left)} items are still below '## Unreleased'")
    return f"{len(items)} items below '## {release.version}'"


def check_pythons(release: Release) -> str:
    """Expect an interpreter of every version that is supported."""
    return ", ".join(f"{one}: {find_python(one, release.pythons)}" for one in PYTHONS)


def find_python(version: str, given: Sequence[Path] = ()) -> Path:
    """Return an interpreter: a given one, one by its name, or one of pyenv."""
    named = shutil.which(f"python{version}")
    home = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    ours = output("pyenv", "prefix", version, cwd=Path.home()) if shutil.which("pyenv") else ""
    candidates = [
        *given,
        *([Path(named)] if named else []),
        *([Path(ours, "bin", "python")] if ours else []),
        *sorted(home.glob(f"versions/{version}.*/bin/python"), reverse=True),
    ]
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    for one in candidates:
        if one.exists() and output(str(one), "-c", code, cwd=Path.home()) == version:
            return one
    raise Refused(f"no Python {version} on the PATH or in pyenv; --python PATH names one")


def check_make(target: str, release: Release) -> str:
    """Expect that a target of the Makefile succeeds, and leaves the tree clean."""
    run(["make", target], release.root, f"make {target}", show=True)
    check_tree(release)
    return f"make {target} succeeds"


def check_build(release: Release) -> str:
    """Build both archives from the tree."""
    for one in (release.wheel, release.archive):
        one.unlink(missing_ok=True)
    words = [sys.executable, "-m", "build", "--sdist", "--wheel", "--outdir", release.dist, "."]
    run(words, release.root, "the build")
    for one in (release.wheel, release.archive):
        if not one.exists():
            raise Refused(f"the build made no {one.name}")
    return ", ".join(
        f"{one.name} ({one.stat().st_size / 1e6:.1f} MB)"
        for one in (release.wheel, release.archive)
    )


def check_contents(release: Release) -> str:
    """Expect every file of the package, and every page of the documentation, in the wheel."""
    held = contents(release.wheel)
    guides = [one.replace("docs", "ludex_guides", 1) for one in listed(release, *GUIDES)]
    missing = [one for one in [*listed(release, "ludex"), *guides] if one not in held]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise Refused(f"the wheel lacks {missing[0]}{more}")
    return f"{len(held)} files in the wheel"


def listed(release: Release, *patterns: str) -> list[str]:
    """Return the files that git knows."""
    return git(release, "ls-files", "--", *patterns).splitlines()


def contents(wheel: Path) -> dict[str, str]:
    """Return the files of a wheel with their hashes."""
    with zipfile.ZipFile(wheel) as opened:
        names = [name for name in opened.namelist() if not name.endswith("/")]
        return {name: hashlib.sha256(opened.read(name)).hexdigest() for name in names}


def check_archive(release: Release) -> str:
    """Expect that the source archive builds the same wheel."""
    with tempfile.TemporaryDirectory(prefix="ludex-sdist-") as folder:
        with tarfile.open(release.archive) as opened:
            opened.extractall(folder, filter="data")
        source, built = (
            Path(folder, release.archive.name.removesuffix(".tar.gz")),
            Path(folder, "w"),
        )
        words = [sys.executable, "-m", "build", "--wheel", "--outdir", built, "."]
        run(words, source, "the build from the source archive")
        compare_wheels(contents(release.wheel), contents(built / release.wheel.name))
    return f"{release.archive.name} builds the same wheel"


def compare_wheels(ours: dict[str, str], theirs: dict[str, str]) -> None:
    """Refuse if two wheels differ."""
    for name in sorted(ours.keys() ^ theirs.keys()):
        lacking = "the source archive" if name in ours else "the tree"
        raise Refused(f"the wheel from {lacking} lacks {name}")
    for name in sorted(ours):
        if ours[name] != theirs[name]:
            raise Refused(f"the wheel from the source archive has another {name}")


def check_installed(version: str, release: Release) -> str:
    """Install the wheel into an empty environment, run every command, and then every extra."""
    python = find_python(version, release.pythons)
    with tempfile.TemporaryDirectory(prefix=f"ludex-{version}-") as folder:
        home = Path(folder)
        base = make_environment(python, home / "base")
        install(base, str(release.wheel), home)
        run([base, SMOKE], home, f"the smoke test on Python {version}", show=True)
        extras = extras_of(release.root)
        for extra in extras:
            other = make_environment(python, home / extra, above=base)
            install(other, f"{release.wheel}[{extra}]", home)
            what = f"the extra {extra} on Python {version}"
            run([other, SMOKE, "--extra", extra], home, what, show=True)
    return f"every command, and the extras {', '.join(extras)}"


def make_environment(python: Path, folder: Path, above: Path | None = None) -> Path:
    """Create an environment, which also sees the packages of another; return its interpreter."""
    run([python, "-m", "venv", folder], folder.parent, f"creating {folder.name}")
    made = folder / "bin" / "python"
    if above is not None:
        packages = [site_packages(one) for one in (made, above)]
        (packages[0] / "above.pth").write_text(f"{packages[1]}\n", encoding="utf-8")
    return made


def site_packages(python: Path) -> Path:
    """Return the folder of the packages of an environment."""
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    return Path(output(str(python), "-c", code, cwd=python.parent))


def install(python: Path, what: str, cwd: Path) -> None:
    """Install a wheel with pip."""
    words = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", what]
    run(words, cwd, f"pip install {Path(what).name}")


def extras_of(root: Path) -> list[str]:
    """Return the extras for users."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    return [one for one in settings["project"]["optional-dependencies"] if one not in OURS]


CHECKS: dict[str, Callable[[Release], str]] = {
    "branch": check_branch,
    "tree": check_tree,
    "version": check_version,
    "changelog": check_changelog,
    "pythons": check_pythons,
    "test": functools.partial(check_make, "test"),
    "coverage": functools.partial(check_make, "coverage"),
    "site": functools.partial(check_make, "site"),
    "build": check_build,
    "contents": check_contents,
    "archive": check_archive,
    **{f"python{one}": functools.partial(check_installed, one) for one in PYTHONS},
}
"""All checks, in order, the quick ones first."""
QUICK = ("branch", "tree", "version", "changelog", "pythons")


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the command line as values."""
    parser = argparse.ArgumentParser(prog="release", description=__doc__)
    parser.add_argument("version", nargs="?", help="version to release; that of the package")
    parser.add_argument("--only", nargs="+", choices=CHECKS, help="only these checks")
    parser.add_argument("--skip", nargs="+", choices=CHECKS, default=[], help="all but these")
    parser.add_argument(
        "--dry-run", action="store_true", help="quick checks only; nothing is built or run"
    )
    parser.add_argument(
        "--python", action="append", type=Path, default=[], help="an interpreter; repeatable"
    )
    parser.add_argument("--dist", type=Path, help="folder of the archives; dist")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Check and build a release; return 1 after printing the first reason against it."""
    given = parse(arguments)
    version = given.version or package_version(root)
    dist = (given.dist or root / "dist").resolve()
    release = Release(root, version, dist, tuple(one.absolute() for one in given.python))
    chosen = [one for one in given.only or CHECKS if one not in given.skip]
    if given.dry_run:
        chosen = [one for one in chosen if one in QUICK]
    for name in chosen:
        began = time.monotonic()
        try:
            found = CHECKS[name](release)
        except Refused as why:
            print(f"refused: {name}: {why}", file=sys.stderr)
            return 1
        print(f"ok: {name}: {found} ({time.monotonic() - began:.1f} s)", flush=True)
    left = [one for one in CHECKS if one not in chosen]
    print(f"not a release: skipped {', '.join(left)}" if left else next_steps(release))
    return 0


def next_steps(release: Release) -> str:
    """Return what is left to do by hand."""
    tag = f"v{release.version}"
    return "\n".join(
        [
            f"Ludex {release.version} is ready in {release.dist}. Nothing was uploaded. Next:",
            f"  git tag --annotate {tag} --message 'Ludex {release.version}'",
            f"  git push origin {tag}",
            f"  python -m twine upload {release.wheel} {release.archive}",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
