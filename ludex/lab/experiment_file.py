"""Read experiments from TOML files; everything is validated before any work starts."""

from pathlib import Path
from typing import Any

from ludex.core.rules import LARGEST
from ludex.core.variants import rule_texts
from ludex.io.schema import REQUIRED, TomlTable, errors_at, load_toml, read_table
from ludex.io.text import first_duplicate, nearest
from ludex.lab.kinds import KINDS
from ludex.lab.shipped_files import shipped_files
from ludex.lab.spec import game_file
from ludex.lab.spec.entrant import Entrant, check_entrant
from ludex.lab.spec.experiment import Experiment, Setting
from ludex.lab.spec.openings import AUTOMATIC, can_open

SEED = 1  # the default
KIND = {"kind": Setting(words=tuple(KINDS))}
COMMON = KIND | {
    "title": Setting(default=""),
    "about": Setting(default=""),
    "game": Setting(text="a name, or the path of a file"),
    "rules": Setting(TomlTable, {}),
    "seed": Setting(int, SEED, low=0, high=LARGEST),
}
SUFFIX_LENGTH = 6  # characters of a key that make a name unique


def read_experiment(named: str, scale: float = 1.0, seed: int | None = None) -> Experiment:
    """Read an experiment by its name or file; a ValueError names the faulty place."""
    ours = shipped_files()
    path = ours.get(named, Path(named))
    if named not in ours and not (named.endswith(".toml") or path.exists()):
        offer = nearest(named, ours)
        raise ValueError(f"no experiment {named!r}{offer} (there are {', '.join(ours)}, or a file)")
    where = f"experiment {named!r}"
    table = load_toml(path, where)
    with errors_at(where):
        experiment = make_experiment(path.stem, table, scale, seed, path.parent)
        if scale == 1.0 and seed is None and (named in ours or path.stem not in ours):
            return experiment
        plain = ours.get(path.stem, path)  # the one with this name
        original = make_experiment(path.stem, load_toml(plain, where), folder=plain.parent)
        return experiment if experiment.key() == original.key() else with_unique_name(experiment)


def with_unique_name(experiment: Experiment) -> Experiment:
    """Return an experiment with a suffix that makes its name unique."""
    end = f"-{experiment.key()[:SUFFIX_LENGTH]}"
    return experiment._replace(name=experiment.name.removesuffix(end) + end)


def base_name(name: str) -> str:
    """Return a name without the suffix that makes it unique."""
    base, _, end = name.rpartition("-")
    letters = set(end) <= set("0123456789abcdef")
    return base if base and len(end) == SUFFIX_LENGTH and letters else name


def differences(experiment: Experiment) -> str:
    """Say briefly how an experiment differs from the shipped one, or from the defaults."""
    keys = KINDS[experiment.kind].KEYS
    ours = shipped_files().get(base_name(experiment.name))
    if other := shipped_original(experiment):
        usual, seed, rules = other.given, other.seed, other.rules
    else:
        left = {key: known.default for key, known in keys.items()}
        optional = {key: value for key, value in left.items() if value is not REQUIRED}
        given = fill_defaults(experiment._replace(given=experiment.given | optional)).given
        usual = left | {key: given[key] for key in optional}
        seed, rules = SEED, {}
    changes = [
        f"{key} {value}" for key, value in experiment.rules.items() if rules.get(key) != value
    ]
    for key, known in keys.items():
        value = experiment.given[key]
        scaled = known.scaled and not ours  # the only trace of the scale
        if (scaled or value != usual[key]) and value not in ("", [], {}):
            changes.append(f"{key} {short_text(value)}")
    return ", ".join(changes + [f"seed {experiment.seed}"] * (experiment.seed != seed))


def shipped_original(experiment: Experiment) -> Experiment | None:
    """Return the shipped experiment of this name at full size, if it is of the same kind."""
    ours = shipped_files().get(base_name(experiment.name))
    other = make_experiment("", load_toml(ours, str(ours))) if ours else None
    if other and (other.kind, other.game) == (experiment.kind, experiment.game):
        return other
    return None


def reductions(experiment: Experiment, full: Experiment) -> dict[str, tuple[int, int]]:
    """Return the settings that a scale has reduced, each with its value at full size."""
    sizes = {
        key: (experiment.given[key], full.given[key])
        for key, known in KINDS[experiment.kind].KEYS.items()
        if known.scaled
    }
    return {key: (size, whole) for key, (size, whole) in sizes.items() if size < whole}


def size_share(reduced: dict[str, tuple[int, int]]) -> float:
    """Return the share of a full run that a reduced one is, by its most reduced setting."""
    return min((size / whole for size, whole in reduced.values()), default=1.0)


def short_text(value: Any) -> str:
    """Return a short text for a value of an experiment."""
    if isinstance(value, dict):
        return " ".join(f"{key}={text}" for key, text in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value)) if len(value) < 3 else f"({len(value)})"
    return str(value)


def make_experiment(
    name: str,
    table: dict[str, Any],
    scale: float = 1.0,
    seed: int | None = None,
    folder: Path | None = None,
) -> Experiment:
    """Make an experiment from a table; a ValueError names the faulty key.

    `folder` is that of its file, which may contain the game.
    """
    kind = read_table({key: table[key] for key in KIND if key in table}, KIND)["kind"]
    keys = KINDS[kind].KEYS
    values = read_table(table, COMMON | keys)
    experiment = Experiment(
        name,
        kind,
        table.get("title", name),
        values["about"],
        game_file.resolve_game(values["game"], folder),
        rule_texts(values["rules"], "rules."),
        values["seed"] if seed is None else seed,
        {key: values[key] for key in keys},
    )
    check(experiment, keys)
    experiment = fill_defaults(experiment, scale)
    KINDS[kind].check(experiment)
    return experiment


def fill_defaults(experiment: Experiment, scale: float = 1.0) -> Experiment:
    """Return an experiment with automatic values resolved and the scale applied."""
    given, rules = dict(experiment.given), experiment.variant()
    for key, known in KINDS[experiment.kind].KEYS.items():
        if known.automatic is not None and given[key] in (AUTOMATIC, [], ""):
            given[key] = known.automatic(rules, experiment.given)
        if known.scaled and given[key] > 0:
            given[key] = max(known.low, 1, round(given[key] * scale))
    return experiment._replace(given=given)


def check(experiment: Experiment, keys: dict[str, Setting]) -> None:
    """Raise a ValueError if the rules, a list, an entrant or the opening is not valid."""
    rules = experiment.variant()
    for key, known in keys.items():
        value = experiment.given[key]
        if known.kind == list[float] and min(value) <= 0:
            raise ValueError(f"{key} has {min(value)}: expected numbers above 0")
        if isinstance(value, list) and (twice := first_duplicate(value)) is not None:
            raise ValueError(f"{key}: {twice!r} is there twice")
        for one in value if known.kind == list[Entrant] else ():
            with errors_at(key):
                check_entrant(one, rules)
        if key == "opening" and not can_open(rules, value, experiment.seed):
            raise ValueError(f"opening is {value}: no match goes on after so many random moves")
