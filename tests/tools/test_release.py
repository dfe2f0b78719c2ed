"""The release says no: each wrong state of a small repository is refused in one line."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from ludex.cli import COMMANDS, cli
from tools import release, smoke

pytestmark = pytest.mark.plain

FILES = {
    "ludex/__init__.py": '"""A package."""\n\n__version__ = "1.2.0"\n',
    "ludex/table.toml": "a = 1\n",
    "docs/games/nuts.md": "# Nuts\n",
    "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\n## 1.2.0 (2026-01-02)\n\n- Something.\n",
    "Makefile": "test coverage site:\n\t@true\n",
    ".gitignore": "dist/\n",
}
STATE = ("--only", "branch", "tree", "version", "changelog")


def git(root: Path, *words: str) -> None:
    who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
    subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a repository that may be released."""
    root = tmp_path / "repository"
    for name, content in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content, encoding="utf-8")
    git(tmp_path, "init", "--quiet", "--initial-branch", "main", str(root))
    commit(root)
    return root


def commit(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--no-verify", "--message", "all")


def change(root: Path, name: str, old: str, new: str) -> None:
    """Change a file, and commit that."""
    file = root / name
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    commit(root)


def refusal(capsys: pytest.CaptureFixture[str], root: Path, *arguments: str) -> str:
    """Return the one line with which a release is refused."""
    assert release.main(arguments, root) == 1
    said = capsys.readouterr()
    assert said.err.count("\n") == 1 and "is ready" not in said.out
    return said.err


def write_wheel(root: Path, *names: str) -> None:
    (root / "dist").mkdir()
    with zipfile.ZipFile(root / "dist" / "ludex-1.2.0-py3-none-any.whl", "w") as wheel:
        for name in names:
            wheel.writestr(name, FILES.get(name, ""))


def test_a_right_state_is_not_refused(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert release.main(STATE, repository) == 0
    said = capsys.readouterr().out
    assert "ok: tree: nothing to commit" in said
    assert "ok: version: 1.2.0, as in ludex/__init__.py, and not tagged" in said
    assert "ok: changelog: 1 items below '## 1.2.0'" in said


def test_a_run_with_skips_says_that_it_is_no_release(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release.main(STATE, repository)
    said = capsys.readouterr().out.splitlines()[-1]
    assert said.startswith(
        "not a release: skipped pythons, test, coverage, site, build, contents, archive"
    )
    assert release.main(["--dry-run", "--skip", "pythons"], repository) == 0
    assert not (repository / "dist").exists()
    assert "not a release" in capsys.readouterr().out


def test_another_branch_is_refused(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(repository, "switch", "--quiet", "--create", "side")
    assert "on side: a release is made on main" in refusal(capsys, repository, *STATE)


@pytest.mark.parametrize("name", ["ludex/table.toml", "new.txt"])
def test_a_tree_with_changes_is_refused(
    repository: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / name).write_text("b = 2\n")
    said = refusal(capsys, repository, *STATE)
    assert "refused: tree: the tree is not clean" in said and name in said


def test_a_version_that_is_not_the_package_s_is_refused(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refusal(capsys, repository, "1.3.0", *STATE)
    assert "version '1.3.0', but ludex/__init__.py has '1.2.0'" in said
    change(repository, "ludex/__init__.py", "1.2.0", "1.2")
    assert "expected three numbers" in refusal(capsys, repository, *STATE)


@pytest.mark.parametrize("tag", ["v1.2.0", "1.2.0"])
def test_a_version_with_a_tag_is_refused(
    repository: Path, tag: str, capsys: pytest.CaptureFixture[str]
) -> None:
    git(repository, "tag", tag)
    assert f"released before: there is a tag {tag}" in refusal(capsys, repository, *STATE)


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("## 1.2.0", "## 1.1.0", "CHANGELOG.md has no entry below '## 1.2.0'"),
        ("- Something.\n", "", "CHANGELOG.md has no entry below '## 1.2.0'"),
        ("Unreleased\n", "Unreleased\n\n- More.\n", "1 items are still below '## Unreleased'"),
    ],
)
def test_a_changelog_without_the_version_is_refused(
    repository: Path, old: str, new: str, wanted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change(repository, "CHANGELOG.md", old, new)
    assert wanted in refusal(capsys, repository, *STATE)


@pytest.mark.parametrize("target", ["test", "coverage", "site"])
def test_failing_tests_or_a_failing_site_are_refused(
    repository: Path, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert release.main(["--only", target], repository) == 0
    capsys.readouterr()
    change(repository, "Makefile", "@true", "@false")
    assert f"make {target} failed with exit code 2" in refusal(capsys, repository, "--only", target)


def test_a_missing_interpreter_is_refused(
    repository: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    monkeypatch.setattr(release.shutil, "which", lambda name: None)  # type: ignore[attr-defined]
    here = "{}.{}".format(*sys.version_info[:2])
    found = release.find_python(here, [Path("/gone"), Path(sys.executable)])
    assert found == Path(sys.executable)
    said = refusal(capsys, repository, "--only", "pythons", "--python", sys.executable)
    assert "on the PATH or in pyenv; --python PATH names one" in said


def test_an_interpreter_of_pyenv_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = "{}.{}".format(*sys.version_info[:2])
    program = tmp_path / "versions" / f"{here}.99" / "bin" / "python"
    program.parent.mkdir(parents=True)
    program.symlink_to(sys.executable)
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setattr(release.shutil, "which", lambda name: None)  # type: ignore[attr-defined]
    assert release.find_python(here) == program


def test_a_wheel_that_lacks_a_file_is_refused(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_wheel(repository, "ludex/__init__.py", "ludex_guides/games/nuts.md")
    said = refusal(capsys, repository, "--only", "contents")
    assert said == "refused: contents: the wheel lacks ludex/table.toml\n"


def test_a_wheel_without_a_guide_is_refused(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_wheel(repository, "ludex/__init__.py", "ludex/table.toml")
    assert "lacks ludex_guides/games/nuts.md" in refusal(capsys, repository, "--only", "contents")


def test_a_whole_wheel_is_not_refused(repository: Path) -> None:
    write_wheel(repository, "ludex/__init__.py", "ludex/table.toml", "ludex_guides/games/nuts.md")
    assert release.main(["--only", "contents"], repository) == 0


def test_an_archive_that_builds_another_wheel_is_refused() -> None:
    ours = {"ludex/a.py": "1", "ludex/b.py": "2"}
    release.compare_wheels(ours, dict(ours))
    for theirs, words in (
        ({"ludex/a.py": "1"}, "from the source archive lacks ludex/b.py"),
        (ours | {"ludex/c.py": "3"}, "from the tree lacks ludex/c.py"),
        (ours | {"ludex/b.py": "4"}, "has another ludex/b.py"),
    ):
        with pytest.raises(release.Refused, match=words):
            release.compare_wheels(ours, theirs)


def test_only_a_release_without_skips_says_what_to_do_next(
    repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release, "CHECKS", dict.fromkeys(release.CHECKS, lambda found: "fine"))
    assert release.main([], repository) == 0
    said = capsys.readouterr().out
    assert "Nothing was uploaded" in said and "git tag --annotate v1.2.0" in said


def test_every_command_and_every_extra_has_a_smoke_run() -> None:
    assert smoke.without_run(smoke.commands(cli)) == []
    assert sorted(smoke.EXTRAS) == sorted(release.extras_of(release.ROOT))
    assert {name.split()[0] for name in smoke.RUNS} == set(COMMANDS) - {"serve"}


def test_a_command_without_a_smoke_run_is_named() -> None:
    assert smoke.without_run(iter([("games",), ("dance",), ("lab", "sing")])) == [
        "dance",
        "lab sing",
    ]


def test_a_run_that_fails_or_prints_something_else_is_named(tmp_path: Path) -> None:
    with pytest.raises(smoke.Failure, match="ludex show nots: exit code 2"):
        smoke.run_command(smoke.Run("show nots", ""), tmp_path)
    with pytest.raises(smoke.Failure, match="'dragons' is not in what it printed"):
        smoke.run_command(smoke.Run("show nuts", "dragons"), tmp_path)


def test_the_smoke_test_is_about_what_is_installed(tmp_path: Path) -> None:
    program = [sys.executable, str(release.SMOKE)]
    env = os.environ | {"PYTHONPATH": str(release.ROOT)}
    ended = subprocess.run(program, env=env, cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 1 and "not installed: Ludex comes from " in ended.stderr
