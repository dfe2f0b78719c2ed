"""Ludex as `make run` installs it, without any extra: everything works, or says what it needs.

The packages that only extras bring are hidden from a process, which then runs all commands.
"""

import functools
import json
import os
import re
import shlex
import subprocess
import sys
import urllib.request
from importlib.metadata import packages_distributions, requires
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from ludex.external import sandbox
from tests.browsing import serving
from tests.test_docs import COMMAND, PAGES, PROMPT, ROOT, blocks
from tools.smoke import REFUSED

pytestmark = pytest.mark.plain

BARE = Path(__file__).parent / "bare"
SERVE = "docs/web.md"  # its first example does not end by itself
NEED = {"docs/adapters.md": "gym"}
"""Pages whose first example is about an extra."""
HELP = "from tools.smoke import without_help\nprinted = without_help()"
MODULES = """
import importlib, pkgutil
import ludex

printed = {}
for one in pkgutil.walk_packages(ludex.__path__, "ludex."):
    if not {"provided", "skeletons", "__main__"} & set(one.name.split(".")):
        try:
            importlib.import_module(one.name)
        except ImportError as error:
            printed[one.name] = str(error)
"""
OFFERS = """
from ludex.store import Store
from ludex.web.state.experiment_process import entries_with_details

url = Store().engine.url.render_as_string()
printed = {one.name: one.lacks for one in entries_with_details(url) if one.lacks}
"""


@functools.cache
def hidden_packages() -> list[str]:
    """Return the packages here that Ludex without extras does not bring."""
    brought, left = {"ludex"}, [("ludex", "")]
    while left:
        name, extra = left.pop()
        for one in map(Requirement, requires(name) or []):
            if one.marker is None or one.marker.evaluate({"extra": extra}):
                found = canonicalize_name(one.name)
                if found not in brought or one.extras:
                    left += [(found, asked) for asked in one.extras or {""}]
                brought.add(found)
    return [
        package
        for package, several in packages_distributions().items()
        if not {canonicalize_name(one) for one in several} & brought
    ]


class Example(NamedTuple):
    """The first example of a page, as a command or as Python, and the files of the page."""

    arguments: list[str]
    given: str
    code: str
    files: dict[str, str]

    def job(self) -> dict[str, Any]:
        """Return what the other process is asked to do."""
        if self.code:
            return {"code": self.code}
        return {"arguments": self.arguments, "given": self.given}


def first_example(page: str) -> Example | None:
    """Return the first thing on a page that can be run, but for how to install Ludex."""
    files = {}
    for _, content in blocks(page):
        if named := re.match(r"# (\w+\.\w+)\n", content):
            files[named[1]] = content
    for kind, content in blocks(page):
        if kind == "python":
            return Example([], "", content, files)
        if kind in ("console", "sh") or (kind == "text" and content.startswith("$ ludex")):
            for part in re.split(r"^(?=\$ |ludex )", content, flags=re.MULTILINE):
                line, *shown = part.splitlines() or [""]
                if found := COMMAND.fullmatch(f"$ {line.removeprefix('$ ')}"):
                    typed = [one["typed"] for row in shown if (one := PROMPT.fullmatch(row))]
                    given = (found["given"] or "").replace("\\n", "\n")
                    given += "".join(f"{one}\n" for one in typed)
                    return Example(shlex.split(found["arguments"]), given, "", files)
    return None


EXAMPLES = {
    page: example
    for page in (str(path.relative_to(ROOT)) for path in PAGES)
    if (example := first_example(page))
}


@pytest.fixture(scope="module")
def bare() -> dict[str, str]:
    """Return the environment of a process without extras."""
    paths = [str(BARE), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(paths),
        "HIDDEN_PACKAGES": " ".join(hidden_packages()),
        sandbox.UNSAFE: "1",
    }


@pytest.fixture(scope="module")
def answers(bare: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return what came of all jobs, which one process has done."""
    folder = tmp_path_factory.mktemp("bare")
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "class" / "ann").mkdir(parents=True)
    (folder / "class" / "ann" / "PlayerAI.py").touch()
    scripts = {"help": HELP, "modules": MODULES, "offers": OFFERS}
    jobs: dict[str, dict[str, Any]] = {name: {"code": code} for name, code in scripts.items()}
    for command in ("lab list --json", *REFUSED):
        jobs[command] = {"arguments": command.split(), "given": ""}
    for page, example in EXAMPLES.items():
        for name, content in example.files.items():
            (folder / name).write_text(content, encoding="utf-8")
        if page != SERVE:
            jobs[page] = example.job()
    data = {"LUDEX_DATA": str(folder / "data"), "LUDEX_SOLUTIONS": str(folder / "solutions")}
    ended = subprocess.run(
        [sys.executable, str(BARE / "jobs.py")],
        input=json.dumps(list(jobs.values())),
        env=bare | data,
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stderr
    return dict(zip(jobs, json.loads(ended.stdout), strict=True))


def test_extras_are_hidden_and_what_ludex_needs_is_not() -> None:
    hidden = hidden_packages()
    assert {"optuna", "gymnasium", "pettingzoo", "pyspiel", "distributed", "psycopg"} <= set(hidden)
    assert not {"ludex", "numpy", "numba", "nicegui", "starlette", "multipart"} & set(hidden)


def test_pages_with_examples_are_found() -> None:
    assert {"README.md", "docs/start.md", "docs/lab.md", SERVE, *NEED} <= set(EXAMPLES)
    assert EXAMPLES["docs/lab.md"].arguments == ["lab", "list"]


@pytest.mark.parametrize("page", [page for page in EXAMPLES if page != SERVE])
def test_the_first_example_of_a_page_runs(page: str, answers: dict[str, Any]) -> None:
    if page in NEED:
        assert answers[page]["said"].endswith(f"pip install 'ludex[{NEED[page]}]'")
    else:
        assert answers[page]["code"] == 0, answers[page]["said"]


def test_the_web_lab_is_served(bare: dict[str, str], tmp_path: Path) -> None:
    with (
        serving(tmp_path, EXAMPLES[SERVE].arguments, bare) as address,
        urllib.request.urlopen(f"{address}/lab") as answer,
    ):
        assert answer.status == 200


def test_every_command_has_its_help(answers: dict[str, Any]) -> None:
    assert answers["help"] == {"code": 0, "printed": [], "said": ""}


def test_every_module_is_imported_or_says_which_extra_brings_what_it_needs(
    answers: dict[str, Any],
) -> None:
    failed = answers["modules"]["printed"]
    # Imported where there is a card; without one, a device says itself which extra it needs.
    card = [f"ludex.solve.card.{name}" for name in ("exploration", "induction", "kernels")]
    for name in ("ludex.batch.card", "ludex.batch.device_array", "ludex.kernel.cuda", *card):
        assert re.search("No module named '(_?numba_)?cuda", failed.pop(name))
    assert sorted(failed) == [
        f"ludex.adapters.{name}" for name in ("gym", "spiel", "vector", "zoo")
    ]
    assert all(re.search(r"pip install 'ludex\[\w+\]'$", words) for words in failed.values())


def test_the_list_of_experiments_marks_those_that_need_an_extra(answers: dict[str, Any]) -> None:
    told = json.loads(answers["lab list --json"]["printed"])["experiments"]
    assert {one["name"]: one["needs"] for one in told if one["needs"]} == {"arena-mend": "lab"}
    marked = [row for row in answers["docs/lab.md"]["printed"].splitlines() if "needs" in row]
    assert [row.split()[0] for row in marked] == ["arena-mend"]
    assert "(needs the extra lab)" in marked[0]


def test_the_web_lab_says_which_experiments_need_an_extra(answers: dict[str, Any]) -> None:
    [(name, words)] = answers["offers"]["printed"].items()
    assert name == "arena-mend" and words.endswith("needs the extra lab: pip install 'ludex[lab]'")


@pytest.mark.parametrize("command", REFUSED)
def test_what_needs_an_extra_says_so_in_one_line(command: str, answers: dict[str, Any]) -> None:
    answer = answers[command]
    assert answer["code"] == 2 and answer["said"].count("\n") == 0
    assert answer["said"].endswith(f"pip install 'ludex[{REFUSED[command]}]'")
