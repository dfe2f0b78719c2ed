"""The steps of the image, taken in a plain folder: there may be no Docker where tests run.

The folder stands for the root of the container, this Python for the one of the image, and a server
of our own for the container of the database.
"""

import importlib
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ludex.store import Store
from tests.browsing import serving
from tools import health

pytestmark = [pytest.mark.plain, pytest.mark.unmeasured]

ROOT = Path(__file__).parents[2]
KEY = "a key for the tests"
LIMIT = 60  # seconds of a command


class Step(NamedTuple):
    """An instruction of the Dockerfile, with its options and the rest of its line."""

    name: str
    options: tuple[str, ...]
    text: str

    @property
    def words(self) -> list[str]:
        """Its words, which may be a list of JSON."""
        found: list[str] = json.loads(self.text) if self.text[0] == "[" else self.text.split()
        return found


def steps() -> Iterator[Step]:
    """Yield the instructions of the Dockerfile."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE)
    for line in re.sub(r"\\\n\s*", "", text).splitlines():
        if line.strip():
            name, *rest = line.split()
            options = tuple(word for word in rest if word.startswith("--") and name != "RUN")
            shown = " ".join(rest)
            for option in options if name in ("COPY", "HEALTHCHECK") else ():
                shown = shown.replace(option, "", 1).strip()
            yield Step(name, options, shown)


STEPS = list(steps())
FINAL = STEPS[max(number for number, step in enumerate(STEPS) if step.name == "FROM") :]


def last(name: str) -> Step:
    """Return the last instruction of a name in the final stage."""
    return [step for step in FINAL if step.name == name][-1]


def environment() -> dict[str, str]:
    """Return the variables that the image sets."""
    return dict(word.split("=", 1) for step in FINAL if step.name == "ENV" for word in step.words)


@pytest.fixture(scope="module")
def compose() -> Any:
    yaml = importlib.import_module("yaml")  # NiceGUI brings it
    return yaml.safe_load((ROOT / "compose.yaml").read_text())


def filled(text: str, **values: str) -> str:
    """Return a text of compose.yaml with its variables replaced; one without a value is refused."""

    def value(found: re.Match[str]) -> str:
        name, default = found[1], found[2] or ""
        assert name in values or not default.startswith(":?"), default
        return values.get(name, default.removeprefix(":-"))

    return re.sub(r"\$\{(\w+)(:[-?][^}]*)?\}", value, text)


def test_what_is_copied_is_there_and_not_ignored() -> None:
    ignored = (ROOT / ".dockerignore").read_text().split()
    copied = [step for step in STEPS if step.name == "COPY" and not step.options]
    assert len(copied) == 2
    for step in copied:
        for name in step.words[:-1]:
            assert (ROOT / name).exists()
            assert not any(fnmatch(name, pattern) for pattern in ignored)
    packaged = ["README.md", "pyproject.toml", "ludex", "docs"]
    assert not set(packaged) & set(ignored)


def test_the_wheel_is_installed_with_what_the_store_needs() -> None:
    [installed] = [step.text for step in FINAL if step.name == "RUN" and "ludex[" in step.text]
    [extra] = re.findall(r"ludex\[(\w+)\]", installed)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "psycopg[binary]" in project["optional-dependencies"][extra]
    [python] = {step.words[0] for step in STEPS if step.name == "FROM"}
    version = re.findall(r"python:(\d\.\d+)-slim", python)[0]
    assert f"Programming Language :: Python :: {version}" in project["classifiers"]


def test_the_server_is_no_root_and_owns_what_it_writes(compose: Any) -> None:
    assert last("USER").text == "ludex"
    [made] = [step.text for step in FINAL if step.name == "RUN" and "useradd" in step.text]
    assert FINAL.index(last("USER")) > [step.text for step in FINAL].index(made)
    volumes = last("VOLUME").words
    for folder in volumes:
        assert re.search(rf"mkdir [^&]*{folder}\b", made)
        assert re.search(rf"chown ludex:ludex [^&]*{folder}\b", made)
    mounted = [one.partition(":") for one in compose["services"]["lab"]["volumes"]]
    assert [target for _, _, target in mounted] == volumes
    every = [
        one.partition(":")[0] for each in compose["services"].values() for one in each["volumes"]
    ]
    assert sorted(every) == sorted(compose["volumes"])
    for value in environment().values():
        assert value.startswith(tuple(volumes))


def test_without_a_key_or_a_password_nothing_is_started(compose: Any) -> None:
    asked = compose["services"]["lab"]["environment"]
    for name in ("LUDEX_KEY", "LUDEX_DB"):
        with pytest.raises(AssertionError):
            filled(asked[name])


def test_the_lab_starts_with_its_store_in_postgresql(
    compose: Any, postgresql: str, tmp_path: Path
) -> None:
    pytest.importorskip("psycopg")
    lab, values = compose["services"]["lab"], {"LUDEX_KEY": KEY, "POSTGRES_PASSWORD": "secret"}
    own = {name: f"{tmp_path}{place}" for name, place in environment().items()}
    for folder in last("VOLUME").words:
        (tmp_path / folder[1:]).mkdir()
    given = {name: filled(text, **values) for name, text in lab["environment"].items()}
    assert given["LUDEX_DB"] == "postgresql://ludex:secret@db/ludex"
    given["LUDEX_DB"] = given["LUDEX_DB"].replace("ludex:secret@db/ludex", postgresql[13:])
    env = os.environ | own | given
    assert last("ENTRYPOINT").words == ["ludex"]
    command = [filled(word) for word in lab["command"]]
    assert command[:3] == last("CMD").words
    with serving(tmp_path / "data", command, env, key=KEY) as address:
        _, program, asked = json.loads(last("HEALTHCHECK").text.partition("CMD ")[2])
        assert program == "/opt/ludex/health.py"
        here = asked.replace("http://127.0.0.1:8642", address)
        ask = [sys.executable, str(ROOT / "tools" / "health.py"), here]
        healthy = subprocess.run(ask, env=env, capture_output=True, text=True, timeout=LIMIT)
        assert healthy.returncode == 0 and '"status":"ok"' in healthy.stdout, healthy.stdout
        wrong = subprocess.run(
            ask, env=env | {"LUDEX_KEY": "another key here"}, capture_output=True, timeout=LIMIT
        )
        assert wrong.returncode == 1
        words = "match nuts random random --matches 2 --seed 1 --processes 1".split()
        play = [sys.executable, "-m", "ludex", *words]
        subprocess.run(play, env=env, check=True, capture_output=True, timeout=LIMIT)
    store = Store(postgresql)
    assert [(row.game, row.matches) for row in store.history(None, None, 5)] == [("nuts", 2)]
    store.close()
    assert not (tmp_path / "data" / "ludex.db").exists()


def test_the_health_of_a_server_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert health.main("http://127.0.0.1:9/health") == 1
    assert "refused" in capsys.readouterr().out.lower()
