"""Parts of the pages of a class: charts of ratings, and how often somebody may ask."""

import math

import pytest

from ludex.classroom.facts import ProgramFacts
from ludex.classroom.ladder import PastRating
from ludex.games import game_rules
from ludex.match.session import Match
from ludex.web.classroom.charts import Line, Scale, history_chart, interval_bar, scale_of
from ludex.web.classroom.desk import Running
from ludex.web.classroom.matches import running_html
from ludex.web.classroom.program import endings_html
from ludex.web.classroom.rates import Rates
from ludex.web.classroom.replay import analysis_text

pytestmark = pytest.mark.plain
PAST = [PastRating(10, 0.0, -math.inf, math.inf, 2), PastRating(40, 120.0, 20.0, 260.0, 1)]


def test_an_interval_without_an_end_is_drawn_open() -> None:
    scale = Scale(-100.0, 100.0)
    assert 'class="lx-error"' in interval_bar(scale, 0.0, -50.0, 50.0)
    assert "lx-error lx-open-high" in interval_bar(scale, 0.0, -50.0, math.inf)
    both = interval_bar(scale, 0.0, -math.inf, math.inf)
    assert "lx-open-low lx-open-high" in both and "left:0.0%;width:100.0%" in both
    assert "not known yet" in both


def test_a_scale_shows_all_ratings_and_no_end_that_is_far_out() -> None:
    scale = scale_of([0.0, 300.0], [-50.0, 5000.0, math.inf])
    assert scale.low <= -50.0 and 300.0 <= scale.high < 5000.0
    assert all(scale.low <= tick <= scale.high for tick in scale.ticks())
    assert 2 <= len(scale.ticks()) <= 6


def test_a_chart_has_a_line_for_each_program_and_a_band_for_one() -> None:
    lines = [Line("<Ann>", PAST, "/class/program/1", own=True), Line("Bob", PAST[1:], "/2")]
    chart = history_chart(lines)
    assert chart.count("<polyline") == 2 and chart.count("lx-own") == 1
    assert "&lt;Ann&gt;" in chart and "40 matches" in chart
    assert "<polygon" in history_chart(lines[:1], band=True)
    dot = history_chart([Line("Bob", PAST[1:], "/2")]).partition('points="')[2].partition('"')[0]
    first, second = dot.split()
    assert first == second  # a line of two points is drawn, and one of a single point is not
    assert "Nothing has been played yet" in history_chart([Line("Ann", [], "/1")])


def test_endings_and_times_are_in_words_of_people() -> None:
    endings = {"OUT_OF_TIME": 2, "TRUNCATED": 3}
    facts = ProgramFacts({}, {}, endings, {"OUT_OF_TIME": 1}, 0.03, 0.02, 1000, 0, {}, [])
    shown = endings_html(facts)
    assert "out of time" in shown and "stopped, as it was too long" in shown
    assert "30.0 µs each on average; at most 20.0 ms in a match" in shown


def test_what_is_worked_on_is_said() -> None:
    assert "Nothing at the moment" in running_html(Running([], 0, 0))
    shown = running_html(Running([((1, "best"), (2, "<Ann> #1"), True)], 1, 2))
    assert '<a href="/class/program/2">&lt;Ann&gt; #1</a> <span class="lx-badge">final' in shown
    assert "1 program is being checked." in shown and "2 lost matches are being ana" in shown


def test_why_a_match_has_no_analysis_is_said() -> None:
    match = Match(game_rules("nuts"), seed=1)
    match.push("take 3")
    match.forfeit("CRASHED", [1], "ValueError: no idea (line 6 of mine.py)")
    shown = analysis_text(match, None)
    assert "Player 1 wins" in shown and "ValueError: no idea (line 6 of mine.py)" in shown
    assert shown.startswith("Only matches that end by the rules are analysed.")
    match = Match(game_rules("nuts", {"nuts": "10"}), seed=1)
    for move in ("take 3", "take 3", "take 3", "take 1"):
        match.push(move)
    assert "only the first 20 that a program lost are" in analysis_text(match, None)
    assert analysis_text(match, {"errors": [{}], "source": "By search."}) == "1 mistake. By search."


def test_whoever_asks_too_often_waits_and_others_do_not() -> None:
    now = 0.0
    rates = Rates(2, 0.5, lambda: now)
    assert [rates.take("ann") for _ in range(3)] == [True, True, False]
    assert rates.take("bob")
    now = 2.0
    assert [rates.take("ann") for _ in range(2)] == [True, False]


def test_rates_forget_those_who_may_ask_again_and_then_the_oldest() -> None:
    now = 0.0
    rates = Rates(2, 1.0, lambda: now, most=4)
    for name in "abcd":
        rates.take(name)
        now += 0.1
    rates.take("e")
    assert list(rates.buckets) == ["c", "d", "e"]
    now = 9.0
    rates.take("f")
    rates.take("g")
    assert list(rates.buckets) == ["f", "g"]
