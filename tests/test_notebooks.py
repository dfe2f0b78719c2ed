"""The notebooks run in a real kernel, show what they promise, and are stored without outputs."""

import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

pytestmark = [pytest.mark.plain, pytest.mark.unmeasured]

FOLDER = Path(__file__).parent.parent / "notebooks"
FILES = sorted(FOLDER.glob("*.ipynb"))
SVG, HTML, TEXT = "image/svg+xml", "text/html", "text/plain"
# What takes long without the compiler is shorter here.
SHORTER = {"matches=1000, seed=1, watch=True": "matches=100, seed=1, watch=True"}


class Reader(NotebookClient):
    """Runs notebooks one after another in one kernel, and counts what was redrawn in a cell."""

    redrawn: Counter[str]

    def process_message(self, msg: Any, cell: Any, cell_index: int) -> Any:
        """Count the pictures that replace another."""
        if msg["msg_type"] == "update_display_data" and SVG in msg["content"]["data"]:
            self.redrawn[cell["id"]] += 1
        return super().process_message(msg, cell, cell_index)

    def read(self, file: Path) -> dict[str, dict[str, str]]:
        """Run a notebook from nothing, and return what each cell shows, by the id of the cell."""
        self.nb = nbformat.read(file, as_version=4)
        self.redrawn = Counter()
        self.reset_execution_trackers()
        self.execute_cell(nbformat.v4.new_code_cell("%reset -f"), -1)
        shown = {}
        for index, cell in enumerate(self.nb.cells):
            for long, short in SHORTER.items():
                cell["source"] = cell["source"].replace(long, short)
            if cell["cell_type"] == "code":
                self.execute_cell(cell, index)
                shown[cell["id"]] = merged(cell["outputs"])
        return shown


def merged(outputs: list[Any]) -> dict[str, str]:
    """Return the outputs of a cell by the kind that a browser shows of them."""
    found: dict[str, str] = {}
    for output in outputs:
        data = {TEXT: output["text"]} if "text" in output else output["data"]
        kind = next(kind for kind in (SVG, HTML, TEXT) if kind in data)
        found[kind] = found.get(kind, "") + data[kind]
    return found


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """Return a client with a kernel that keeps nothing in the folders of the user."""
    own = tmp_path_factory.mktemp("jupyter")
    names = ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "LUDEX_SOLUTIONS")
    with pytest.MonkeyPatch.context() as patch:
        for name in names:
            patch.setenv(name, str(own / name))
        resources = {"metadata": {"path": str(FOLDER)}}
        client = Reader(nbformat.v4.new_notebook(), timeout=120, resources=resources)
        with client.setup_kernel(env=dict(os.environ), cwd=str(FOLDER)):
            yield client


def named(number: int) -> Path:
    return FILES[number - 1]


# What is stored. --------------------------------------------------------------------------------


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_notebook_is_stored_without_outputs(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    clear = f"jupyter nbconvert --clear-output --inplace notebooks/{file.name}"
    for cell in notebook.cells:
        assert not cell["metadata"], cell["id"]
        if cell["cell_type"] == "code":
            assert not cell["outputs"] and cell["execution_count"] is None, clear
    assert f"{nbformat.writes(notebook)}\n" == text


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_cells_have_ids_that_are_names(file: Path) -> None:
    ids = [cell["id"] for cell in nbformat.read(file, as_version=4).cells]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch("[a-z][a-z-]*", one) for one in ids)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_notebook_has_a_title_and_leads_on_to_pages_that_exist(file: Path) -> None:
    prose = "".join(
        cell["source"] + "\n"
        for cell in nbformat.read(file, as_version=4).cells
        if cell["cell_type"] == "markdown"
    )
    assert prose.startswith("# ") and "## Where to go next" in prose
    links = re.findall(r"\]\(([^)#\s]+)", prose)
    assert links and all((FOLDER / link).exists() for link in links)


def test_the_notebooks_are_numbered() -> None:
    assert [int(file.name[:2]) for file in FILES] == list(range(1, len(FILES) + 1))
    assert len(FILES) == 5


def test_what_is_shortened_is_there() -> None:
    text = "".join(file.read_text(encoding="utf-8") for file in FILES)
    assert all(text.count(long) == 1 for long in SHORTER)


# What is shown. ---------------------------------------------------------------------------------


def test_a_first_match(reader: Reader) -> None:
    shown = reader.read(named(1))
    assert "The Game of Nuts" in shown["load"][HTML]
    for cell in ("match", "push", "push-choice", "reopen", "other"):
        assert shown[cell][SVG].startswith("<svg"), cell
    assert "'take 4' is not a move here" in shown["wrong"][TEXT]
    assert shown["agent"][HTML].startswith("<p>take 3, value +1")
    assert shown["loop"][TEXT] == "Player 2 wins.\n"
    assert "20 won, 0 drawn, 0 lost against random" in shown["series"][HTML]


def test_how_good_an_agent_is(reader: Reader) -> None:
    shown = reader.read(named(2))
    assert "Winner 69 won, 5 drawn, 26 lost against random" in shown["series"][HTML]
    assert "71.5 % (62.0 to 79.4)" in shown["series"][HTML]
    assert "Winner against random" in shown["plot"][SVG]
    assert "SPRT: accept H1" in shown["sprt"][HTML]
    assert ">Careful</td>" in shown["tournament"][HTML].split("<tr>")[2]
    assert shown["truth"][TEXT] == "0.0"
    assert "Careful 0 won, 19 drawn, 21 lost against exact" in shown["exact"][HTML]
    assert shown["blunders"][TEXT].startswith("21 blunders; the first was 'cell 1' instead of")
    assert shown["blunders"][SVG].startswith("<svg")
    assert re.findall(">([^<]+)</td>", shown["lesson"][HTML])[:3] == ["O", "cell 5", "0"]


def test_what_is_learned(reader: Reader) -> None:
    shown = reader.read(named(3))
    assert reader.redrawn["hats"] == 12 and reader.redrawn["q"] == 5
    for cell in ("hats", "q", "td"):
        assert shown[cell][SVG].count("<svg") == 1, cell  # redrawn in its place
    assert share(shown["hats"][TEXT]) > 95 and share(shown["q"][TEXT]) > 95
    assert ">take 1</td>" in shown["inside"][HTML]
    agents = [first_text(row) for row in shown["league"][HTML].split("<tr>")[2:6]]
    assert agents[-1] == "random" and sorted(agents[:-1]) == ["hats", "minimax:depth=10", "qtable"]
    assert shown["watch"][HTML].count("<tr>") == 6
    assert share(shown["td"][TEXT]) > 60
    assert shown["patterns"][HTML].count("<tr>") == 6 and shown["end"][SVG].startswith("<svg")


def test_how_balanced_a_game_is(reader: Reader) -> None:
    shown = reader.read(named(4))
    assert shown["exact"][TEXT] == "1.0"
    assert "take 3" in shown["first-move"][HTML].split("<tr>")[2]
    values = re.findall(r">(-?1)</td></tr>", shown["sizes"][HTML])
    assert values == ["1", "1", "1", "-1", "1", "1", "1", "-1", "1"]
    assert "at level minimax:depth=4, the worst one, Player 1 is favoured" in shown["levels"][HTML]
    assert [shown[cell][HTML].count("<svg") for cell in ("levels", "sweep", "map")] == [2, 1, 1]
    assert "Where the winner flips" in shown["sweep"][HTML]
    assert "Player 1 wins by 102, Player 2 by 24" in shown["map"][HTML]


def test_a_game_written_in_a_notebook(reader: Reader) -> None:
    shown = reader.read(named(5))
    assert "is this state OVER?" in shown["check"][HTML]
    assert "keeps the contract" in shown["fix"][HTML]
    assert shown["perft"][TEXT] == "[12, 84, 408]"
    assert shown["words"][SVG].count("<rect") == 25  # two for each square, and the panel
    assert shown["play"][TEXT].endswith("Player 1 wins.\n")
    assert shown["solve"][TEXT] == "(['eat c2'], 1.0)"
    assert shown["winning"][SVG].count("<rect") == 17
    assert re.findall("eat [a-d][1-4]", shown["sizes"][HTML])[:3] == ["eat b2", "eat c2", "eat d2"]


def share(text: str) -> float:
    """Return the percentage of a training, as it is printed."""
    found = re.search(r": ([\d.]+) %", text)
    assert found, text
    return float(found[1])


def first_text(row: str) -> str:
    """Return the first cell of a row of a table."""
    return row.partition(">")[2].partition("<")[0]
