"""Experiments from Python: run one, list them, and write the report of one that was run."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ludex.lab.kinds import missing_extra
from ludex.lab.page import facts_of, write_report
from ludex.lab.reader import (
    differences,
    make_experiment,
    read_experiment,
    resolved,
    shipped,
    told_apart,
)
from ludex.lab.runner import Outcome, recalled, run
from ludex.lab.spec.experiment import Experiment
from ludex.lab.spec.game_file import short_name
from ludex.library.history import open_store
from ludex.library.progress import shown
from ludex.library.table import Table
from ludex.store import Store
from ludex.store.notebook import Notebook
from ludex.workers.pool import Pool


class Findings:
    """What an experiment has found out."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome

    @property
    def facts(self) -> dict[str, Any]:
        """All of it for programs, as `ludex lab run --json` prints it."""
        return facts_of(self.outcome)

    @property
    def tables(self) -> dict[str, Table]:
        """The tables of the report by their captions, with the texts that people read."""
        return {
            one["caption"]: Table(
                dict(zip(one["columns"], row, strict=True)) for row in one["rows"]
            )
            for one in self.facts["tables"]
        }

    def write(self, folder: str | Path) -> Path:
        """Write the report into a folder, and return its page."""
        return write_report(self.outcome, Path(folder))

    def __repr__(self) -> str:
        return f"<Findings: {self.outcome.experiment.title}>"

    def _repr_html_(self) -> str:
        return "".join(table._repr_html_() for table in self.tables.values())


def experiment(
    order: "str | Path | Mapping[str, Any]",
    scale: float = 1.0,
    seed: int | None = None,
    fresh: bool = False,
    store: "str | Store | None" = None,
    progress: bool = True,
    **pool: Any,
) -> Findings:
    """Return what an experiment finds out: one of ours by its name, a file, or what it would say.

    What is found out is kept in a store, so that an experiment goes on where it stopped; fresh
    does all of it again. The work is done by `processes`, or on a cluster, `dask`.
    """
    chosen = read_order(order, scale, seed)
    notebook = Notebook(store if isinstance(store, Store) else Store(store))
    with shown(progress) as tell:
        outcome = run(
            *(chosen, notebook, Pool(**pool)),
            lambda done, total: tell(chosen.name, done, total),
            fresh,
        )
    return Findings(outcome)


def read_order(
    order: "str | Path | Mapping[str, Any]", scale: float = 1.0, seed: int | None = None
) -> Experiment:
    """Return the experiment of a name, of a file, or of what a file would say."""
    if not isinstance(order, Mapping):
        return read_experiment(str(order), scale, seed)
    name = f"{short_name(str(order.get('game', '')))}-{order.get('kind', '')}"
    return told_apart(make_experiment(name, dict(order), scale, seed))


def past_experiment(
    order: "int | str | Path", store: "str | Store | None" = None, **changes: Any
) -> Findings:
    """Return what an experiment has found that was run: by its number, or by its order."""
    notebook = Notebook(open_store(store))
    if not isinstance(order, int):
        return Findings(recalled(read_order(order, **changes), notebook))
    row = notebook.experiment(order)
    if row is None:
        raise ValueError(f"no experiment {order}: ludex lab list shows those there are")
    return Findings(recalled(resolved(Experiment(**row.ordered)), notebook))


def available_experiments() -> Table:
    """Return the experiments that come with Ludex, and which extra each needs, if it is missing."""
    return Table(
        {
            "name": one.name,
            "kind": one.kind,
            "game": one.game,
            "title": one.title,
            "needs": missing_extra(one.kind),
        }
        for one in map(read_experiment, shipped())
    )


def past_experiments(store: "str | Store | None" = None) -> Table:
    """Return the experiments that were run, and what tells each apart from others of its name."""
    return Table(
        {
            "number": row.id,
            "name": row.name,
            "kind": row.kind,
            "game": row.game,
            "title": row.ordered["title"],
            "differs": differs(row),
            "began": row.began,
            "ended": row.ended,
        }
        for row in Notebook(open_store(store)).experiments()
    )


def differs(row: Any) -> str:
    """Return what tells a run apart from others of its name; nothing if its game is gone."""
    try:
        return differences(resolved(Experiment(**row.ordered)))
    except (ValueError, TypeError, KeyError):  # of another Ludex, or about a file that is no more
        return ""
