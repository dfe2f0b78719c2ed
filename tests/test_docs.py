"""The documents tell the truth: their commands run, their links lead somewhere, all is there.

A line `$ ludex …` in a `console` block is run, and what follows it must be what it prints, up to a
line `…`. Where a prompt follows, what stands behind it is typed. What begins with `ludex: ` is a
refusal. A block that begins with a comment of a file's name is that file; Python without a name
goes on with the game that a page writes.
"""

import ast
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
import pytest
from click.testing import CliRunner, Result

from ludex.agents.registry import default_agent, make_agent
from ludex.cli import COMMANDS, cli
from ludex.conformance.check import check_game
from ludex.core.observation import observation_of
from ludex.core.rules import DECLARED, initial, levels_of, title
from ludex.games import GAMES, find, rules_class

pytestmark = [pytest.mark.plain, pytest.mark.unmeasured]

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
HEADINGS = [
    "Rules",
    "State",
    "Actions",
    "Chance",
    "End",
    "What is known",
    "Rules that can be changed",
    "Picture",
    "Versions",
]
GAME_FILE = "kayles.py"  # the game that docs/add-a-game.md writes
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"\$ (?:printf '(?P<given>.*)' \| )?ludex (?P<arguments>.+)")
PROMPT = re.compile(r"[\w.-]+(?: \w+)?> (?P<typed>.+)")
CUT = "…"


class Session(NamedTuple):
    """A command of a page, what should follow it, and the files that the page has by then."""

    page: str
    command: str
    shown: list[str]
    files: dict[str, str]


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str) -> list[tuple[str, str]]:
    return [(kind, content) for kind, content in BLOCK.findall(text_of(page))]


def named(content: str) -> str:
    """Return the file that a block is, if it begins with a comment of its name."""
    found = re.match(r"# (\w+\.\w+)\n", content)
    return found[1] if found else ""


def sessions(page: str) -> Iterator[Session]:
    files: dict[str, str] = {}
    for kind, content in blocks(page):
        if named(content):
            files[named(content)] = content
        elif kind == "python":
            files[GAME_FILE] = files.get(GAME_FILE, "") + "\n\n" + content
        elif kind == "console":
            for part in re.split(r"^(?=\$ )", content, flags=re.MULTILINE)[1:]:
                command, *shown = part.splitlines()
                if COMMAND.fullmatch(command):
                    yield Session(page, command, shown, dict(files))


SESSIONS = [one for page in PAGES for one in sessions(str(page.relative_to(ROOT)))]


def run(arguments: list[str], given: str = "", echo: bool = False) -> Result:
    return CliRunner(echo_stdin=echo).invoke(cli, arguments, input=given, prog_name="ludex")


def plain_lines(text: str) -> list[str]:
    """Return the lines of a text without the spaces with which tables are filled up."""
    return [line.rstrip() for line in text.splitlines()]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that looks like the repository to a command and takes what it writes."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "examples").symlink_to(ROOT / "examples")
    return folder


@pytest.fixture
def at_desk(desk: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(desk)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("LUDEX_SOLUTIONS", str(desk / "solutions"))
    return desk


@pytest.mark.parametrize(
    "session", SESSIONS, ids=[f"{one.page}: {one.command[2:]}" for one in SESSIONS]
)
def test_a_command_prints_what_its_page_says(session: Session, at_desk: Path) -> None:
    for name, content in session.files.items():
        (at_desk / name).write_text(content, encoding="utf-8")
    found = COMMAND.fullmatch(session.command)
    assert found is not None
    typed = [prompt["typed"] for line in session.shown if (prompt := PROMPT.fullmatch(line))]
    given = (found["given"] or "").replace("\\n", "\n") + "".join(f"{one}\n" for one in typed)
    result = run(shlex.split(found["arguments"]), given, echo=bool(typed))
    if session.shown and session.shown[0].startswith("ludex: "):
        assert result.exit_code == 2
        assert plain_lines(result.stderr) == session.shown
        return
    assert result.exit_code == 0, result.output
    printed = plain_lines(result.stdout)
    if CUT in session.shown:
        assert session.shown[-1] == CUT
        assert printed[: len(session.shown) - 1] == session.shown[:-1]
    elif session.shown:
        assert printed == session.shown


def test_the_readme_and_the_first_steps_are_sessions() -> None:
    pages = [session.page for session in SESSIONS]
    assert pages.count("README.md") >= 6 and pages.count("docs/start.md") >= 10


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_documented_and_its_help_has_an_example(name: str) -> None:
    assert f"$ ludex {name}" in "".join(text_of(str(page.relative_to(ROOT))) for page in PAGES)
    shown = run([name, "--help"]).stdout
    assert [line for line in shown.splitlines() if line.strip().startswith(f"ludex {name}")]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_has_the_first_line_of_their_help(name: str) -> None:
    assert isinstance(cli, click.Group)
    command = cli.get_command(click.Context(cli), name)
    assert command is not None and command.help is not None
    assert command.help.splitlines()[0] == COMMANDS[name]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_a_page_with_the_headings_of_all(game: str) -> None:
    page = text_of(f"docs/games/{game}.md")
    assert re.findall(r"^# (.*)$", page, re.MULTILINE) == [title(find(game))]
    assert re.findall(r"^##+ (.*)$", page, re.MULTILINE) == HEADINGS
    assert f"(../pictures/{game}.svg)" in page


@pytest.mark.parametrize("game", GAMES)
def test_the_versions_of_a_game_end_with_its_own(game: str) -> None:
    versions = text_of(f"docs/games/{game}.md").partition("\n## Versions\n")[2]
    listed = [int(number) for number in re.findall(r"^- (\d+): ", versions, re.MULTILINE)]
    assert listed == list(range(1, find(game).VERSION + 1))


@pytest.mark.parametrize("page", [str(page.relative_to(ROOT)) for page in PAGES])
def test_links_and_pictures_lead_somewhere(page: str) -> None:
    prose = re.sub("<!-- lab: .* -->", "", BLOCK.sub("", text_of(page)))  # see test_looks.py
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if not target.startswith(("https://", "http://", "mailto:")):
            file, _, anchor = target.partition("#")
            path = (ROOT / page).parent / file if file else ROOT / page
            assert path.exists(), target
            assert not anchor or anchor in anchors(path), target


def anchors(page: Path) -> list[str]:
    """Return the names by which the headings of a page are reached."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings]


def game_steps() -> list[str]:
    """Return the parts of the game that the page writes; the last is the whole file."""
    return [
        content
        for kind, content in blocks("docs/add-a-game.md")
        if kind == "python" and named(content) in ("", GAME_FILE)
    ]


def written(folder: Path, content: str, name: str = GAME_FILE) -> str:
    file = folder / name
    file.write_text(content, encoding="utf-8")
    return str(file)


def test_the_whole_game_is_the_sum_of_its_steps() -> None:
    *steps, whole = game_steps()
    assert whole == f"# {GAME_FILE}\n" + "\n\n".join(steps)


@pytest.mark.parametrize("steps", [2, 3])
def test_the_game_keeps_the_contract_after_every_step(steps: int, tmp_path: Path) -> None:
    parts = game_steps()
    assert len(parts) == 5
    game = find(written(tmp_path, "\n\n".join(parts[:steps])))
    report = check_game(rules_class(game)(), lines=20)
    assert report.fault == "" and report.states > 100


def test_the_whole_game_keeps_the_contract(tmp_path: Path) -> None:
    report = check_game(rules_class(find(written(tmp_path, game_steps()[-1])))(), lines=20)
    assert report.fault == "" and report.states > 100


def test_broken_games_break_the_contract_as_their_page_says(at_desk: Path) -> None:
    page = blocks("docs/add-a-game.md")
    files = {named(content): content for kind, content in page if kind == "python"}
    changes = [content for kind, content in page if kind == "diff"]
    for change, told in zip(changes, [one for kind, one in page if kind == "text"], strict=True):
        old, new = (line[1:] for line in change.splitlines())
        command, *shown = told.splitlines()
        name = command.removeprefix("$ ludex check ")
        assert files[name].count(old) == 1
        written(at_desk, files[name].replace(old, new), name)
        result = run(["check", name])
        assert result.exit_code == 1
        assert plain_lines(result.stdout) == shown


def test_the_words_for_agents_and_networks_work_in_the_whole_game(tmp_path: Path) -> None:
    words = [content for kind, content in blocks("docs/add-a-game.md") if kind == "py"]
    rules = rules_class(find(written(tmp_path, "\n\n".join([game_steps()[-1], *words]))))()
    for text in (*levels_of(rules), "minimax:depth=2,guess=odd"):
        rng = np.random.default_rng(0)
        assert make_agent(text, rules).consider(rules, initial(rules), 0, rng).action >= 0
    assert len(levels_of(rules)) == 3 and default_agent(rules) == "medium"
    assert observation_of(rules, initial(rules), 1).tolist() == [[[1.0] * 9], [[0.0] * 9]]


@pytest.mark.parametrize("name", [name for name in DECLARED if name.isupper()])
def test_every_name_that_a_game_may_set_is_explained(name: str) -> None:
    prose = re.sub(r"^[|].*$", "", BLOCK.sub("", text_of("docs/add-a-game.md")), flags=re.M)
    assert re.search(rf"`{name}\b", prose)


def test_every_test_that_a_page_names_exists() -> None:
    tests = "".join(file.read_text(encoding="utf-8") for file in ROOT.glob("tests/**/test_*.py"))
    for page in PAGES:
        for name in re.findall(r"`(test_\w+)`", page.read_text(encoding="utf-8")):
            assert f"def {name}(" in tests, f"{page.name}: {name}"


@pytest.mark.parametrize("page", [str(page.relative_to(ROOT)) for page in PAGES])
def test_every_module_that_a_page_names_exists(page: str) -> None:
    text = text_of(page)
    for path in re.findall(r"\bludex/[\w/]+\.(?:py|js)\b", text):
        assert (ROOT / path).exists(), path
    packages = "|".join(folder.name for folder in (ROOT / "ludex").iterdir() if folder.is_dir())
    named = re.findall(rf"\bludex\.(?:{packages})\b(?:\.[a-z_]+\b)*", text)
    imported = re.findall(r"\b(?:from|import) (ludex(?:\.\w+)+)", text)
    for name in named + imported:
        path = ROOT.joinpath(*name.split("."))
        assert path.is_dir() or path.with_suffix(".py").exists(), name


def test_every_package_and_every_dependency_is_on_the_page_of_the_architecture() -> None:
    settings = tomllib.loads(text_of("pyproject.toml"))
    rows = "".join(re.findall(r"^\|[^|]*\|", text_of("docs/architecture.md"), re.MULTILINE))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    project = settings["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *extras["test"], *extras["site"]]
    for name in [one for layer in layers for one in layer.split(" | ")] + needed:
        assert f"`{re.split('[<>=]', name)[0]}`" in rows, name


def test_every_package_that_is_imported_is_a_dependency() -> None:
    imported = set()
    for file in ROOT.glob("ludex/**/*.py"):
        if {"provided", "skeletons"} & set(file.parts):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                imported.add((node.module or "").partition(".")[0])
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    # What is there for our tests and our site alone is not there for users.
    optional = project["optional-dependencies"].items()
    extras = {name for extra, names in optional if extra not in ("test", "site") for name in names}
    # Modules of numba-cuda, and of what it needs.
    extras |= {"_numba_cuda_redirector", "numba_cuda", "cuda"}
    declared = {re.split("[<>=]", name)[0] for name in project["dependencies"]}
    handed_out = {file.stem for file in ROOT.glob("ludex/external/provided/**/*.py")}
    found = imported - {"ludex"} - sys.stdlib_module_names - handed_out
    assert declared <= found <= declared | extras
    pinned = text_of("constraints.txt").lower()
    assert all(f"\n{name}==" in pinned for name in declared)
