"""The sequential test gives the numbers of the field, and is wrong as often as it says."""

import math
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from ludex.stats import ACCEPT_H0, ACCEPT_H1, GO_ON, Sprt, SprtState, read_sprt
from ludex.stats.likelihood import result_scores, with_mean, with_t

pytestmark = pytest.mark.plain

some = st.integers(0, 300)


@pytest.mark.parametrize(
    ("sprt", "counts", "llr", "verdict"),
    [
        (Sprt(0, 2), (365, 16618, 36029 + 200, 16974, 390), 2.25, GO_ON),
        (Sprt(0.5, 2.5, model="logistic"), (223, 9863, 20279 + 1000, 10037, 246), -3.07, ACCEPT_H0),
    ],
)
def test_published_pairs_give_the_published_ratio(
    sprt: Sprt, counts: tuple[int, ...], llr: float, verdict: str
) -> None:
    found = sprt.after_pairs(counts)
    assert round(found.llr, 2) == llr and found.verdict == verdict


def test_the_bounds_are_those_of_wald() -> None:
    assert Sprt(0, 5).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert Sprt(0, 5, alpha=0.1, beta=0.2).bounds == pytest.approx(
        (math.log(0.2 / 0.9), math.log(0.8 / 0.1))
    )


@pytest.mark.parametrize(
    ("llr", "verdict", "along"),
    [
        (0.0, GO_ON, 0.0),
        (1.0, GO_ON, 0.5),
        (-1.0, GO_ON, -0.25),
        (2.0, ACCEPT_H1, 1.0),
        (9.0, ACCEPT_H1, 1.0),
        (-4.0, ACCEPT_H0, -1.0),
        (-9.0, ACCEPT_H0, -1.0),
    ],
)
def test_progress_says_how_far_it_is(llr: float, verdict: str, along: float) -> None:
    progress = SprtState(llr, -4.0, 2.0)
    assert (progress.verdict, progress.fraction) == (verdict, along)


def test_without_draws_the_ratio_is_that_of_coins() -> None:
    sprt = Sprt(0, 100, model="logistic")
    share = 1 / (1 + 10**-0.25)
    exact = 60 * math.log(share / 0.5) + 40 * math.log((1 - share) / 0.5)
    assert sprt.after_matches(60, 0, 40).llr == pytest.approx(exact, abs=1e-3)


@pytest.mark.parametrize("model", ["normalized", "logistic"])
@given(some, some, some)
def test_swapping_sides_turns_the_ratio(model: str, wins: int, draws: int, losses: int) -> None:
    sprt, mirrored = Sprt(-7, 3, model=model), Sprt(-3, 7, model=model)
    ours = sprt.after_matches(wins, draws, losses).llr
    assert ours == pytest.approx(-mirrored.after_matches(losses, draws, wins).llr, abs=1e-6)


@pytest.mark.parametrize("model", ["normalized", "logistic"])
@pytest.mark.parametrize("elos", [(0, 1), (-200, 200), (199, 200)])
@pytest.mark.parametrize(
    "counts",
    [(0, 0, 0, 0, 0), (1, 0, 0, 0, 0), (0, 0, 1, 0, 0), (0, 0, 0, 0, 10**7), (1, 0, 0, 0, 10**9)],
)
def test_few_results_and_one_sided_ones_have_a_ratio(
    model: str, elos: tuple[int, int], counts: tuple[int, ...]
) -> None:
    llr = Sprt(*elos, model=model).after_pairs(counts).llr
    assert math.isfinite(llr)
    if not any(counts):
        assert llr == 0.0
    elif counts[4] > 1:
        assert llr > 100
    elif counts[0]:
        assert llr < 0


@pytest.mark.parametrize("seed", range(6))
def test_the_distributions_are_the_likeliest_with_their_mean_or_t_value(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet([3.0] * (3 if seed % 2 else 5))
    worth = np.array(result_scores(len(shares)))
    t, mean = rng.uniform(-0.5, 0.5), rng.uniform(0.2, 0.8)

    def off_t(q: np.ndarray) -> float:
        spread = math.sqrt((q * (worth - q @ worth) ** 2).sum())
        return float(q @ worth - 0.5 - t * spread)

    def off_mean(q: np.ndarray) -> float:
        return float(q @ worth - mean)

    for found, off in [(with_t(list(shares), t), off_t), (with_mean(list(shares), mean), off_mean)]:
        assert sum(found) == pytest.approx(1) and off(np.array(found)) == pytest.approx(0, abs=1e-8)
        other = minimize(
            lambda q: -(shares * np.log(q)).sum(),
            np.full(len(shares), 1 / len(shares)),
            bounds=[(1e-9, 1)] * len(shares),
            constraints=[{"type": "eq", "fun": lambda q: q.sum() - 1}, {"type": "eq", "fun": off}],
            options={"ftol": 1e-10, "maxiter": 1000},
        )
        assert other.success
        assert (shares * np.log(found)).sum() > -other.fun - 1e-6


@pytest.mark.unmeasured
@pytest.mark.parametrize("model", ["normalized", "logistic"])
def test_it_is_wrong_about_as_often_as_it_says(model: str) -> None:
    runs, length, every = 400, 1200, 40
    sprt = Sprt(0, 60, alpha=0.1, beta=0.1, model=model)
    rng = np.random.default_rng(7)
    steps = rng.multinomial(every, [0.35, 0.3, 0.35], size=(runs, length // every))
    sums = steps.cumsum(axis=1)
    verdicts = np.full(runs, GO_ON, dtype=object)
    for check in range(length // every):
        going = np.flatnonzero(verdicts == GO_ON)
        kinds, which = np.unique(sums[going, check], axis=0, return_inverse=True)
        found = [sprt.after_matches(*map(int, kind)).verdict for kind in kinds]
        verdicts[going] = np.array(found, dtype=object)[which.ravel()]
    # Four standard deviations around alpha; looking every 40 matches only makes it a little less.
    assert 0.03 < (verdicts == ACCEPT_H1).mean() < 0.16
    assert (verdicts == GO_ON).mean() < 0.02


def test_a_test_is_read_from_text() -> None:
    assert read_sprt("elo0=0,elo1=10") == Sprt(0.0, 10.0)
    text = "elo0=-3.5, elo1=1e1, alpha=0.01, beta=0.1, model=logistic"
    assert read_sprt(text) == Sprt(-3.5, 10.0, 0.01, 0.1, "logistic")


@given(st.floats(-200, 0), st.floats(0.1, 200), st.floats(0.001, 0.499))
def test_a_test_is_read_back_as_it_was_written(elo0: float, elo1: float, alpha: float) -> None:
    sprt = Sprt(elo0, elo1, alpha, model="logistic")
    text = ",".join(f"{name}={value}" for name, value in asdict(sprt).items())
    assert read_sprt(text) == sprt


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "elo0 is missing"),
        ("elo0=1", "elo1 is missing"),
        ("elo0", "option 'elo0': expected NAME=VALUE"),
        ("elo0=0,elo0=1", "option 'elo0' is given twice"),
        ("elo0=x,elo1=1", "elo0 'x': expected a number"),
        ("elo0=nan,elo1=1", "elo0 'nan': expected a number"),
        ("elo0=5,elo1=5", "elo0 5: expected less than elo1, 5"),
        ("elo0=0,elo1=5,alpha=0", "alpha 0: expected a number between 0 and 0.5"),
        ("elo0=0,elo1=5,beta=0.5", "beta 0.5: expected a number between 0 and 0.5"),
        ("elo0=0,elo1=500", "elo1 500: expected -200 to 200 with model=normalized"),
        ("elo0=0,elo1=5,model=bayes", "model 'bayes': expected normalized or logistic"),
        (
            "elo0=0,elo1=5,alfa=0.1",
            "no option 'alfa'; did you mean 'alpha'? (there are elo0, elo1, alpha, beta, model)",
        ),
    ],
)
def test_a_wrong_test_is_refused_in_one_line(text: str, told: str) -> None:
    with pytest.raises(ValueError) as refused:
        read_sprt(text)
    assert str(refused.value) == told


@pytest.mark.parametrize("wrong", [(1, 2, 3), (1, 2, 3, 4, -5)])
def test_what_are_no_counts_of_pairs_is_refused(wrong: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"expected .*counts"):
        Sprt(0, 5).after_pairs(wrong)


@pytest.mark.parametrize(
    ("sprt", "verdict", "words"),
    [
        (
            Sprt(0, 10),
            ACCEPT_H1,
            "A is stronger than B; were it 0 normalized Elo or less,"
            " at most about 5 % of tests would say so",
        ),
        (
            Sprt(0, 10, beta=0.1),
            ACCEPT_H0,
            "A is not stronger than B by 10 Elo or more; were it 10 normalized Elo or more,"
            " at most about 10 % of tests would say so",
        ),
        (Sprt(5, 10), ACCEPT_H1, "A is stronger than B by more than 5 Elo; were it 5"),
        (Sprt(-5, 0), ACCEPT_H1, "A is not weaker than B by 5 Elo or more; were it -5"),
        (Sprt(-5, 0), ACCEPT_H0, "A is weaker than B; were it 0"),
        (Sprt(-9, -4), ACCEPT_H0, "A is weaker than B by more than 4 Elo; were it -4"),
        (Sprt(0, 10), GO_ON, "not decided"),
    ],
)
def test_a_verdict_is_told_in_words(sprt: Sprt, verdict: str, words: str) -> None:
    assert sprt.words(verdict, "A", "B").startswith(words)
