"""Read experiments from TOML files; everything is validated before any work starts."""

from pathlib import Path
from typing import Any

from ludex.core.rules import LARGEST
from ludex.core.variants import rule_texts
from ludex.io.parsing import nearest
from ludex.io.schema import REQUIRED, Table, errors_at, load_toml, read_table
from ludex.lab.kinds import KINDS
from ludex.lab.spec import game_file
from ludex.lab.spec.entrant import Contender
from ludex.lab.spec.entrant import check as check_contender
from ludex.lab.spec.experiment import Experiment, Key
from ludex.lab.spec.openings import AUTOMATIC, goes_on

FOLDER = Path(__file__).parent / "experiments"
SEED = 1  # of experiments that do not say
KIND = {"kind": Key(words=tuple(KINDS))}
COMMON = KIND | {
    "title": Key(default=""),
    "about": Key(default=""),
    "game": Key(text="a name, or the path of a file"),
    "rules": Key(Table, {}),
    "seed": Key(int, SEED, low=0, high=LARGEST),
}
SHORT = 6  # letters of a key that tell apart orders of one name


def shipped() -> dict[str, Path]:
    """Return the files of the experiments that come with Ludex, by name."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.toml"))}


def read_experiment(named: str, scale: float = 1.0, seed: int | None = None) -> Experiment:
    """Return the experiment of a name or a file; a ValueError names the place that is wrong."""
    ours = shipped()
    path = ours.get(named, Path(named))
    if named not in ours and not (named.endswith(".toml") or path.exists()):
        offer = nearest(named, ours)
        raise ValueError(f"no experiment {named!r}{offer} (there are {', '.join(ours)}, or a file)")
    where = f"experiment {named!r}"
    told = load_toml(path, where)
    with errors_at(where):
        experiment = make_experiment(path.stem, told, scale, seed, path.parent)
        if scale == 1.0 and seed is None and (named in ours or path.stem not in ours):
            return experiment
        plain = ours.get(path.stem, path)  # whose name it would have
        original = make_experiment(path.stem, load_toml(plain, where), folder=plain.parent)
        return experiment if experiment.key() == original.key() else told_apart(experiment)


def told_apart(experiment: Experiment) -> Experiment:
    """Return an experiment with a name that no other order has."""
    end = f"-{experiment.key()[:SHORT]}"
    return experiment._replace(name=experiment.name.removesuffix(end) + end)


def family(name: str) -> str:
    """Return a name without what tells apart orders of the same name."""
    base, _, end = name.rpartition("-")
    letters = set(end) <= set("0123456789abcdef")
    return base if base and len(end) == SHORT and letters else name


def differences(experiment: Experiment) -> str:
    """Return in few words how an order differs from the shipped one, or from a usual one."""
    keys = KINDS[experiment.kind].KEYS
    ours = shipped().get(family(experiment.name))
    other = make_experiment("", load_toml(ours, str(ours))) if ours else None
    if other is not None and other.kind == experiment.kind and other.game == experiment.game:
        usual, seed, rules = other.given, other.seed, other.rules
    else:
        left = {key: known.default for key, known in keys.items()}
        optional = {key: value for key, value in left.items() if value is not REQUIRED}
        given = resolved(experiment._replace(given=experiment.given | optional)).given
        usual = left | {key: given[key] for key in optional}
        seed, rules = SEED, {}
    said = [f"{key} {value}" for key, value in experiment.rules.items() if rules.get(key) != value]
    for key, known in keys.items():
        value = experiment.given[key]
        scaled = known.scaled and not ours  # the scale is said by these alone
        if (scaled or value != usual[key]) and value not in ("", [], {}):
            said.append(f"{key} {short_text(value)}")
    return ", ".join(said + [f"seed {experiment.seed}"] * (experiment.seed != seed))


def short_text(value: Any) -> str:
    """Return a value of an order for a table."""
    if isinstance(value, dict):
        return " ".join(f"{key}={text}" for key, text in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value)) if len(value) < 3 else f"({len(value)})"
    return str(value)


def make_experiment(
    name: str,
    told: dict[str, Any],
    scale: float = 1.0,
    seed: int | None = None,
    folder: Path | None = None,
) -> Experiment:
    """Return an experiment as it is told; a ValueError names the key that is wrong.

    The folder is that of the file that tells it: a game may lie beside.
    """
    kind = read_table({key: told[key] for key in KIND if key in told}, KIND)["kind"]
    keys = KINDS[kind].KEYS
    values = read_table(told, COMMON | keys)
    experiment = Experiment(
        name,
        kind,
        told.get("title", name),
        values["about"],
        game_file.settled(values["game"], folder),
        rule_texts(values["rules"], "rules."),
        values["seed"] if seed is None else seed,
        {key: values[key] for key in keys},
    )
    check(experiment, keys)
    KINDS[kind].check(experiment)
    return resolved(experiment, scale)


def resolved(experiment: Experiment, scale: float = 1.0) -> Experiment:
    """Return an experiment in which everything is said that was left to us."""
    given, rules = dict(experiment.given), experiment.variant()
    for key, known in KINDS[experiment.kind].KEYS.items():
        if known.usual is not None and given[key] in (AUTOMATIC, [], ""):
            given[key] = known.usual(rules, experiment.given)
        if known.scaled and given[key] > 0:
            given[key] = max(known.low, 1, round(given[key] * scale))
    return experiment._replace(given=given)


def check(experiment: Experiment, keys: dict[str, Key]) -> None:
    """Raise a ValueError if the rules are none, or if somebody is twice or cannot play by them."""
    rules = experiment.variant()
    for key, known in keys.items():
        value = experiment.given[key]
        if known.kind == list[float] and min(value) <= 0:
            raise ValueError(f"{key} has {min(value)}: expected numbers above 0")
        for one in value if isinstance(value, list) else ():
            if value.count(one) > 1:
                raise ValueError(f"{key}: {one!r} is there twice")
            if known.kind == list[Contender]:
                with errors_at(key):
                    check_contender(one, rules)
        if key == "opening" and not goes_on(rules, value, experiment.seed):
            raise ValueError(f"opening is {value}: no match goes on after so many random moves")
