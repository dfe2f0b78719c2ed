"""Read experiments from TOML files; everything is validated before any work starts."""

from pathlib import Path
from typing import Any

from ludex.core.variants import rule_texts
from ludex.io.parsing import nearest
from ludex.io.toml import table_in
from ludex.lab.kinds import KINDS
from ludex.lab.spec import game_file
from ludex.lab.spec.entrant import check as check_contender
from ludex.lab.spec.experiment import KINDS_OF_VALUES, Experiment, Key, under
from ludex.lab.spec.openings import AUTOMATIC, goes_on

FOLDER = Path(__file__).parent / "experiments"
COMMON = ("kind", "title", "about", "game", "rules", "seed")
SEED = 1  # of experiments that do not say
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
    told = table_in(path, where)
    with under(where):
        experiment = make_experiment(path.stem, told, scale, seed, path.parent)
        if scale == 1.0 and seed is None and (named in ours or path.stem not in ours):
            return experiment
        plain = ours.get(path.stem, path)  # whose name it would have
        original = make_experiment(path.stem, table_in(plain, where), folder=plain.parent)
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
    other = make_experiment("", table_in(ours, str(ours))) if ours else None
    if other is not None and other.kind == experiment.kind and other.game == experiment.game:
        usual, seed, rules = other.given, other.seed, other.rules
    else:
        left = {key: known.default for key, known in keys.items()}
        usual = resolved(experiment._replace(given={**experiment.given, **left})).given
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
    if "kind" not in told:
        raise ValueError(f"kind: which one? (there are {', '.join(KINDS)})")
    if told["kind"] not in KINDS:
        offer = nearest(str(told["kind"]), KINDS)
        raise ValueError(f"kind is {told['kind']!r}{offer} (there are {', '.join(KINDS)})")
    kind = KINDS[told["kind"]]
    names = [*COMMON, *kind.KEYS]
    for key in told:
        if key not in names:
            raise ValueError(f"{key}: no such key{nearest(key, names)} ({', '.join(names)})")
    for key in ("title", "about", "game"):
        if type(told.get(key, "")) is not str:
            raise ValueError(f"{key} is {told[key]!r}: expected a text")
    if type(told.get("seed", 0)) is not int or not 0 <= told.get("seed", 0) < 2**63:
        raise ValueError(f"seed is {told['seed']!r}: expected a whole number, at least 0")
    if "game" not in told:
        raise ValueError("game: which one?")
    rules = told.get("rules", {})
    if not isinstance(rules, dict):
        raise ValueError(f"rules is {rules!r}: expected a table")
    given = {key: read_value(key, one, told) for key, one in kind.KEYS.items()}
    experiment = Experiment(
        name,
        told["kind"],
        told.get("title", name),
        told.get("about", ""),
        game_file.settled(told["game"], folder),
        rule_texts(rules, "rules."),
        told.get("seed", SEED) if seed is None else seed,
        given,
    )
    check(experiment, kind.KEYS)
    kind.check(experiment)
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


def read_value(key: str, known: Key, told: dict[str, Any]) -> Any:
    """Return what an experiment is told under a key, or the default."""
    value = told.get(key, known.default)
    if value is None:
        raise ValueError(f"{key}: expected {KINDS_OF_VALUES[known.kind][0]} ({known.text})")
    if key not in told and known.kind != "number":
        return value
    expected, fits = KINDS_OF_VALUES[known.kind]
    if not fits(value):
        raise ValueError(f"{key} is {value!r}: expected {expected} ({known.text})")
    if known.words and value not in known.words:
        raise ValueError(f"{key} is {value!r}: expected {' or '.join(known.words)}")
    if known.kind == "number":
        if value < known.low:
            raise ValueError(f"{key} is {value}: expected at least {known.low}")
        return value
    if known.kind == "numbers" and min(value) <= 0:
        raise ValueError(f"{key} has {min(value)}: expected numbers above 0")
    return value


def check(experiment: Experiment, keys: dict[str, Key]) -> None:
    """Raise a ValueError if the rules are none, or if somebody is twice or cannot play by them."""
    rules = experiment.variant()
    for key, known in keys.items():
        if known.kind in ("contenders", "texts", "numbers"):
            several = experiment.given[key]
            for one in several:
                if several.count(one) > 1:
                    raise ValueError(f"{key}: {one!r} is there twice")
        if key == "opening" and not goes_on(rules, experiment.given[key], experiment.seed):
            raise ValueError(
                f"opening is {experiment.given[key]}: no match goes on after so many random moves"
            )
        if known.kind == "contenders":
            for one in experiment.given[key]:
                with under(key):
                    check_contender(one, rules)
