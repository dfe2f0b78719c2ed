"""Packages of an assignment: installed once, seen read-only, and named where they are missing."""

import os
import zipfile
from pathlib import Path

import pytest

from ludex.core.termination import BY_RULES
from ludex.external import packages, sandbox
from ludex.grading import assignment
from ludex.grading.gradescope import warm_up_script
from tests.classes import GOOD, NUTS, results_of, run, submitted
from tests.players import play, written

pytestmark = pytest.mark.plain

WITH = NUTS.replace('title = "Nuts"', 'title = "Nuts"\npackages = ["tinypack >= 1, < 2"]')
IMPORTS = "import tinypack\nassert tinypack.WORD == 'tiny'\n" + GOOD


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the only package that pip can find, and room for what it installs."""
    folder = tmp_path_factory.mktemp("packages")
    facts, tag = "tinypack-1.0.dist-info", "py3-none-any"
    metadata = "Metadata-Version: 2.1\nName: tinypack\nVersion: 1.0\n"
    wheel = f"Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: {tag}\n"
    with zipfile.ZipFile(folder / f"tinypack-1.0-{tag}.whl", "w") as made:
        made.writestr("tinypack/__init__.py", "WORD = 'tiny'\n")
        made.writestr(f"{facts}/METADATA", metadata)
        made.writestr(f"{facts}/WHEEL", wheel)
        made.writestr(f"{facts}/RECORD", "")
    return folder


@pytest.fixture
def shop(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pip find nothing but the package."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(base))
    monkeypatch.setenv("LUDEX_CACHE", str(base / "cache"))
    monkeypatch.delenv(packages.PACKAGES, raising=False)


def graded(tmp_path: Path, source: str, text: str = WITH) -> tuple[float, str, str]:
    """Return points, the output of the first test, and what was said on the way."""
    file = tmp_path / "nuts.toml"
    file.write_text(text, encoding="utf-8")
    path = tmp_path / "ann"
    if not path.exists():
        submitted(tmp_path, "ann", source)
    options = ("--processes", 1, "--no-pages", "--no-tournament", "--unsafe")
    shown = run(file, path, "--out", tmp_path / "out", *options)
    assert shown.exit_code == 0, shown.output
    found = results_of(tmp_path / "out", "ann")
    return found["score"], found["tests"][0]["output"], shown.stderr


@pytest.mark.unmeasured
def test_a_package_is_installed_once_and_imported(
    shop: None, tmp_path: Path, unsafe: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDEX_CACHE", str(tmp_path / "cache"))
    score, _, said = graded(tmp_path, IMPORTS)
    assert score == 10.0 and said.startswith("installing tinypack>=1,<2 for agents, once …\n")
    monkeypatch.delenv("PIP_FIND_LINKS")
    score, _, said = graded(tmp_path, IMPORTS)
    assert score == 10.0 and "installing" not in said
    assert packages.PACKAGES not in os.environ and packages.GRADING not in os.environ


@pytest.mark.unmeasured
def test_a_missing_module_names_the_line_that_would_bring_it(
    shop: None, tmp_path: Path, unsafe: None
) -> None:
    score, output, _ = graded(tmp_path, IMPORTS, NUTS)
    assert score == 0.0
    assert (
        "CRASHED: ModuleNotFoundError: No module named 'tinypack'"
        ' (packages = ["tinypack"] in the assignment would bring it) (line 1 of agent.py)'
    ) in output
    # What was played without it is played again with it.
    assert graded(tmp_path, IMPORTS)[0] == 10.0


def test_the_hint_knows_packages_of_another_name_and_what_python_brings() -> None:
    words = "ModuleNotFoundError: No module named {!r}"
    assert "LUDEX_PACKAGES=pillow " in packages.install_hint(words.format("PIL"))
    assert packages.install_hint(words.format("tkinter")) == ""
    assert packages.install_hint("ValueError: no") == ""


@pytest.mark.parametrize("confined", [True, False])
def test_a_match_imports_what_the_environment_names(
    confined: bool, shop: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(sandbox.UNSAFE, "" if confined else "1")
    if confined and sandbox.fault():
        pytest.skip(f"no sandbox: {sandbox.fault()}")
    monkeypatch.setenv(packages.PACKAGES, "tinypack>=1,<2")
    tmp_path.chmod(0o755)
    source = IMPORTS
    if confined:
        source = f"""
import os, tinypack
assert tinypack.__file__ == "/packages/tinypack/__init__.py"
try:
    open("/packages/tinypack/more.py", "w")
    raise AssertionError("it can be written")
except OSError:
    pass
{IMPORTS}"""
    match, _ = play(written(tmp_path, source))
    assert (match.ending, match.words) == (BY_RULES, "")


def test_a_file_of_the_submission_comes_before_a_package(
    shop: None, tmp_path: Path, unsafe: None
) -> None:
    path = submitted(tmp_path, "ann", IMPORTS.replace("'tiny'", "'mine'"))
    (path / "tinypack.py").write_text("WORD = 'mine'\n")
    assert graded(tmp_path, "")[0] == 10.0


def test_what_cannot_be_installed_is_refused_before_anybody_is_graded(
    shop: None, order: Path, tmp_path: Path, unsafe: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDEX_CACHE", str(tmp_path / "cache"))
    order.write_text(WITH.replace("tinypack", "nothinglikeit"))
    out = tmp_path / "out"
    shown = run(order, submitted(tmp_path, "ann", IMPORTS), "--out", out, "--unsafe")
    assert shown.exit_code == 2 and not out.exists()
    refusal = shown.stderr.splitlines()[-1]
    assert refusal.startswith("ludex: packages nothinglikeit>=1,<2 cannot be installed: ")
    assert not list(Path(tmp_path, "cache", "packages").iterdir())


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('["./mine"]', "packages has './mine': expected the name of a package"),
        ('["--index-url=x"]', "packages has '--index-url=x': expected"),
        ('["a @ https://x.org/a.whl"]', "expected the name of a package"),
        ('["a; b"]', "expected the name of a package"),
        ('"termcolor"', "packages is 'termcolor': expected a list of texts"),
        ("[1]", "packages has 1: expected a list of texts"),
    ],
)
def test_only_names_of_packages_are_taken(text: str, wanted: str, tmp_path: Path) -> None:
    file = tmp_path / "nuts.toml"
    file.write_text(WITH.replace('["tinypack >= 1, < 2"]', text))
    with pytest.raises(ValueError, match=wanted.replace(".", r"\.")) as refused:
        assignment.read(file)
    assert "\n" not in str(refused.value)


def test_names_versions_and_extras_are_taken() -> None:
    texts = ["termcolor", "numpy==2.*", "rich[jupyter] >= 13, < 15", "a.b_c-d~=1.0"]
    wanted = ("termcolor", "numpy==2.*", "rich[jupyter]>=13,<15", "a.b_c-d~=1.0")
    assert packages.read_requirements(texts) == wanted


def test_the_autograder_installs_them_while_it_is_built(shop: None, tmp_path: Path) -> None:
    file = tmp_path / "nuts.toml"
    file.write_text(WITH)
    lines = warm_up_script(assignment.read(file)).splitlines()
    assert lines[2:4] == ["set -e", "export LUDEX_PACKAGES='tinypack>=1,<2'"]
    assert "ludex match nuts ./first.py random" in lines[4]
    file.write_text(NUTS)
    assert "LUDEX_PACKAGES" not in warm_up_script(assignment.read(file))
