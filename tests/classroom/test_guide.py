"""The commands of the page about classes print what it says."""

import re
import shlex
from pathlib import Path

import pytest

from ludex.classroom.jobs import LEASE
from ludex.classroom.mistakes import ANALYSED
from ludex.classroom.settings import Settings
from tests.commands import run
from tests.test_docs import CUT, ROOT, blocks, named, plain_lines, text_of

pytestmark = [pytest.mark.plain, pytest.mark.unmeasured, pytest.mark.usefixtures("unsafe")]


def test_the_page_can_be_followed_from_top_to_bottom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = str(Path("docs") / "class.md")
    assert (ROOT / page).exists()
    for _, content in blocks(page):
        if name := named(content):
            body = content if name.endswith(".py") else content.partition("\n")[2]
            (tmp_path / name).write_text(body, encoding="utf-8")
    ran = 0
    for kind, content in blocks(page):
        for part in (
            re.split(r"^(?=\$ )", content, flags=re.MULTILINE)[1:] if kind == "text" else ()
        ):
            command, *shown = part.splitlines()
            result = run(*shlex.split(command.removeprefix("$ ludex ")))
            assert result.exit_code == 0, (command, result.output)
            printed = plain_lines(result.stdout)
            wanted = shown[: shown.index(CUT)] if CUT in shown else shown
            assert printed[: len(wanted)] == wanted and (CUT in shown or printed == wanted)
            ran += 1
    assert ran >= 10


def test_the_numbers_on_the_page_are_those_of_the_code() -> None:
    text = text_of("docs/class.md")
    usual = Settings._field_defaults
    for name in ("kibibytes", "files", "daily", "matches"):
        [found] = re.findall(rf"^\| `--{name}` \| .* \| (\d+) \|$", text, re.MULTILINE)
        assert int(found) == usual[name]
    assert usual["waiting"] == 2 and "Two hand-ins of a person may wait" in text
    assert ANALYSED == 20 and "the first twenty of each program" in text
    assert LEASE == 60.0 and "a lease of a minute" in text
