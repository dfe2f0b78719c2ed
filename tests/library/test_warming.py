"""What is compiled ahead of time, by a command, from Python, and for the web lab."""

import os
import signal
from pathlib import Path

import pytest
from numba import config

import ludex
from ludex.core.play import choosers, first_decision
from ludex.core.rules import initial, rule_values
from ludex.library import warming
from ludex.library.warming import EXACT, HINTS, Part, parts_of
from ludex.web.state import tasks
from ludex.web.state.catalogue import Catalogue
from tests.commands import facts, refused, run
from tests.games.test_outside import install
from tests.lines import variant

pytestmark = pytest.mark.plain


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty cache, for a compiler that is on."""
    monkeypatch.setattr(warming, "cache_root", lambda: tmp_path)
    monkeypatch.setattr(config, "DISABLE_JIT", 0)
    return tmp_path


@pytest.fixture
def compiled(cache: Path, monkeypatch: pytest.MonkeyPatch) -> list[Part]:
    """Return the parts that are compiled, which are only marked as such."""
    noted: list[Part] = []

    def prepare(part: Part) -> None:
        noted.append(part)
        mark = warming.prepared_mark(part)
        mark.parent.mkdir(exist_ok=True)
        mark.touch()

    monkeypatch.setattr(warming, "prepare", prepare)
    return noted


def test_levels_hints_and_exact_values_are_parts_of_every_game() -> None:
    parts = parts_of(["nuts", "trap"])
    assert parts[0] == Part("nuts", "medium")
    levels = ["easy", "medium", "hard", "best"]
    assert sorted(one.what for one in parts if one.game == "trap") == sorted(
        [*levels, HINTS, EXACT]
    )
    assert len(parts) == len(set(parts))


def test_a_broken_game_of_a_package_is_left_out(
    compiled: list[Part], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "gone", "no_such_module_here")
    monkeypatch.syspath_prepend(str(tmp_path))
    said = run("warm").stdout
    assert "left out: the installed game 'gone' does not import" in said
    assert {part.game for part in compiled} == {"nuts", "arena", "aeroplane", "trap", "droids"}
    assert "gone" not in Catalogue().games  # and the web lab starts
    with pytest.raises(ValueError, match="the installed game 'gone' does not import"):
        ludex.warm("gone", progress=False)


def test_what_has_been_compiled_is_not_compiled_again(compiled: list[Part]) -> None:
    first = ludex.warm("nuts", progress=False)
    assert compiled == list(first.seconds) == parts_of(["nuts"])
    again = ludex.warm("nuts", progress=False)
    assert not again.seconds and len(again.parts) == 6
    assert repr(again).startswith("all 6 parts had been compiled before: ")
    ludex.warm(ludex.load("nuts"), "droids", progress=False)
    assert {part.game for part in compiled[6:]} == {"droids"}


def test_all_games_are_compiled_if_none_is_named(compiled: list[Part]) -> None:
    assert {row["game"] for row in ludex.warm(progress=False).table} == set(ludex.available_games())


def test_another_processor_needs_other_code(
    compiled: list[Part], monkeypatch: pytest.MonkeyPatch
) -> None:
    ludex.warm("nuts", progress=False)
    monkeypatch.setattr(warming, "processor", lambda: "another one")
    assert len(ludex.warm("nuts", progress=False).seconds) == 6


def test_ctrl_c_keeps_what_was_compiled(
    compiled: list[Part], monkeypatch: pytest.MonkeyPatch
) -> None:
    note = warming.prepare

    def prepare(part: Part) -> None:
        if len(compiled) == 2:
            signal.raise_signal(signal.SIGINT)
        note(part)

    monkeypatch.setattr(warming, "prepare", prepare)
    with pytest.raises(KeyboardInterrupt) as stop:
        ludex.warm("nuts", progress=False)
    assert stop.value.__notes__ == ["2 of 6 parts compiled and kept; call it again to go on"]
    monkeypatch.setattr(warming, "prepare", note)
    assert len(ludex.warm("nuts", progress=False).seconds) == 4


def test_the_command_says_how_long_it_took_and_where_the_cache_is(
    compiled: list[Part], cache: Path
) -> None:
    shown = run("warm", "nuts").stdout
    assert "nuts  hints " in shown
    last = shown.splitlines()[-1]
    assert last.startswith("compiled 6 parts in ") and last.endswith(f": {cache} (0 MB)")
    told = facts("warm", "nuts")
    assert (told["parts"], told["compiled"], told["cache"]) == (6, 0, str(cache))
    assert "no game 'nutz'; did you mean 'nuts'?" in refused("warm", "nutz")


def test_without_the_compiler_nothing_is_compiled(
    compiled: list[Part], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "DISABLE_JIT", 1)
    assert run("warm").stdout == "nothing to compile: NUMBA_DISABLE_JIT is set\n"
    assert not compiled


def test_a_game_that_begins_with_chance_is_prepared_at_its_first_decision() -> None:
    rules = variant("aeroplane")
    assert not choosers(rules, initial(rules)) and choosers(rules, first_decision(rules)) == (0,)
    assert first_decision(variant("trap")) == initial(variant("trap"))


def test_a_variant_that_can_be_solved_is_prepared_too(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "nice", lambda more: 0)
    sizes = []
    monkeypatch.setattr(
        warming, "evaluations", lambda rules, *rest: sizes.append(rule_values(rules)["size"])
    )
    for what in (HINTS, EXACT):
        part = Part("trap", what)
        assert not warming.is_prepared(part)
        tasks.prepare_politely(part)
        assert warming.is_prepared(part)
    assert sizes == [7, 3]
