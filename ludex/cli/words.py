"""Words that shells complete: names of games, agents and rules.

A key press must not load Numba, which takes a second. What the commands and games offer is
therefore read once, and then from a file in the cache, until a source changes.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem
from click.types import StringParamType

from ludex import __version__
from ludex.io.files import user_folder, write_text

HERE = Path(__file__).parents[1]
COMPLETE = "_LUDEX_COMPLETE"  # how a shell asks
PLAYERS = "agents/registry.py"


def remembered(name: str, sources: Iterable[Path], read: Callable[[], Any]) -> Any:
    """Return what `read` returns, from the cache if none of the sources has changed since."""
    stamps = [f"{path} {path.stat().st_mtime_ns}" for path in sorted(sources)]
    key = hashlib.sha256("\n".join([__version__, name, *stamps]).encode()).hexdigest()[:24]
    file = user_folder("LUDEX_CACHE", "cache", "compiled") / "completion" / f"{key}.json"
    if file.exists():
        return json.loads(file.read_text(encoding="utf-8"))
    found = read()
    with suppress(OSError):  # without a cache it is only slower
        file.parent.mkdir(parents=True, exist_ok=True)
        write_text(file, json.dumps(found))
    return found


def game_names() -> list[str]:
    """Return the names of the included games and of installed ones."""

    def read() -> list[str]:
        from ludex.games import GAMES

        return list(GAMES)

    included: list[str] = remembered("games", [HERE / "games/__init__.py"], read)
    installed = [entry.name for entry in entry_points(group="ludex.games")]
    return list(dict.fromkeys([*included, *installed]))


def agent_names() -> list[str]:
    """Return the names of levels and agents, and `human`."""

    def read() -> list[str]:
        from ludex.agents.registry import AGENTS, HUMAN, LEVELS

        return [HUMAN, *LEVELS, *AGENTS]

    names: list[str] = remembered("agents", [HERE / PLAYERS], read)
    return names


def rule_keys(game: str) -> list[str]:
    """Return the keys of the rules of a game that has a name; a file is not run for this."""

    def read() -> list[str]:
        from ludex.core.variants import rule_table
        from ludex.games import game_rules

        return list(rule_table(game_rules(game)))

    if game not in game_names():
        return []
    keys: list[str] = remembered(f"rules of {game}", (HERE / "games").rglob("*.py"), read)
    return keys


class Word(StringParamType):
    """A word that may be one of a list, or else the name of a file."""

    def __init__(self, name: str, words: Callable[[], list[str]]) -> None:
        self.name, self.words = name, words

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the words that begin like this; if there is none, let the shell offer files."""
        items = [CompletionItem(one) for one in self.words() if one.startswith(incomplete)]
        return items or [CompletionItem(incomplete, type="file")]


class RuleChange(StringParamType):
    """A rule with its value, KEY=VALUE."""

    name = "rule"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the rules of the game in this command that begin like this."""
        # Click leaves arguments unparsed before an option that has no value yet.
        typed = [ctx.params.get("game"), ctx.params.get("name"), *ctx.args]
        keys = [key for one in typed if one for key in rule_keys(str(one))]
        return [CompletionItem(f"{key}=") for key in keys if key.startswith(incomplete)]


GAME, AGENT, RULE = Word("game", game_names), Word("agent", agent_names), RuleChange()
TYPES: dict[str, Any] = {
    **{one.name: one for one in (GAME, AGENT, RULE)},
    "file": click.Path(),
    "path": click.Path(),
    "directory": click.Path(file_okay=False),
}


def is_completing() -> bool:
    """Return whether a shell asks for completions."""
    return COMPLETE in os.environ


def stand_in(name: str, load: Callable[[], click.Command]) -> click.Command:
    """Return a command that has the parameters of another, and imports nothing."""
    described = remembered(f"command {name}", (HERE / "cli").glob("*.py"), lambda: describe(load()))
    return rebuild(name, described)


def describe(command: click.Command) -> dict[str, Any]:
    """Return the parameters and subcommands of a command as JSON."""
    inner = command.commands.items() if isinstance(command, click.Group) else ()
    return {
        "help": command.get_short_help_str(),
        "parameters": [describe_parameter(one) for one in command.params],
        "commands": {name: describe(one) for name, one in inner},
    }


def describe_parameter(one: click.Parameter) -> dict[str, Any]:
    """Return a parameter as JSON."""
    option = isinstance(one, click.Option)
    return {
        "names": [*one.opts, *one.secondary_opts, *([one.name] if option else [])],
        "type": one.type.name if one.type.name in TYPES else click.STRING.name,
        "choices": list(one.type.choices) if isinstance(one.type, click.Choice) else [],
        "nargs": one.nargs,
        "multiple": one.multiple,
        "flag": getattr(one, "is_flag", False),
        "option": option,
        "help": getattr(one, "help", None),
    }


def rebuild(name: str, described: dict[str, Any]) -> click.Command:
    """Return the command of a description."""
    parameters = [rebuild_parameter(**one) for one in described["parameters"]]
    inner = {key: rebuild(key, one) for key, one in described["commands"].items()}
    if inner:
        return click.Group(name, inner, params=parameters, short_help=described["help"])
    return click.Command(name, params=parameters, short_help=described["help"])


def rebuild_parameter(
    names: list[str],
    type: str,
    choices: list[str],
    nargs: int,
    multiple: bool,
    flag: bool,
    option: bool,
    help: str | None,
) -> click.Parameter:
    """Return the parameter of a description."""
    kind = click.Choice(choices) if choices else TYPES.get(type, click.STRING)
    if not option:
        return click.Argument(names, type=kind, nargs=nargs, required=False)
    if flag:
        return click.Option(names, is_flag=True, help=help)
    return click.Option(names, type=kind, nargs=nargs, multiple=multiple, help=help)
