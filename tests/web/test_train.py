"""Trainings on their page: how far they are, what they know, and training on from a file."""

import re
from pathlib import Path
from unittest.mock import Mock

import pytest
from nicegui import ui
from nicegui.testing import User

from ludex.agents.training import training_of
from ludex.games import game_rules
from ludex.learn.training import Training
from ludex.web.parts.agent_field import AgentField
from ludex.web.parts.training_view import progress
from ludex.web.state.learned_table import Knowledge, Row, knowledge, table_of
from ludex.web.state.server_state import Hall, allow
from ludex.web.state.training_job import FAILED, Lesson, Report, Wanted, seen_in
from tests.webvisit import field, in_hall, until, visit

pytestmark = pytest.mark.plain


def trained(game: str, learner: str, matches: int = 30, **rules: str) -> Training:
    """Return a training of a game after some matches."""
    training = training_of(game_rules(game, rules), learner, None, 1)
    training.go_on(matches)
    training.measure(at_the_end=True)
    return training


def test_hats_are_known_whole_and_tables_by_what_was_seen_most() -> None:
    balls = knowledge(trained("nuts", "hats", nuts="10"))
    assert (balls.kind, balls.whole, balls.rows[0].seen) == ("balls", True, "1")
    assert set(balls.rows[-1].numbers) == {"take 1", "take 2", "take 3"}
    shown = table_of(balls)
    assert shown.count("<tr>") == 1 + len(balls.rows) and "<th>take 3</th>" in shown
    values = knowledge(trained("nuts", "qtable", nuts="10"))
    assert (values.kind, values.whole, values.rows[0].seen) == ("values", False, "10")
    assert values.rows[0].visits >= values.rows[-1].visits > 0
    assert "Those that were seen most." in table_of(values)
    assert "Nothing is known yet." in table_of(Knowledge())


def test_of_many_actions_the_best_are_named() -> None:
    row = Row("a <b>", 7, {f"action {number}": number / 10 for number in range(9)})
    shown = table_of(Knowledge("values", (row,)))
    assert shown.index("action 8 ") < shown.index("action 5 ") and "action 4 " not in shown
    assert "a &lt;b&gt;" in shown


def test_a_training_says_how_far_it_is_and_what_it_knows(tmp_path: Path) -> None:
    def standing(lesson: Lesson) -> None:
        lesson.process = lesson.pipe = Mock()
        known = Knowledge("balls", (Row("7", 3, {"take 2": 5}),))
        lesson.report = Report(250, 21, 50.0, [], "learning", False, 0, 1000, known)

    async def story(user: User, hall: Hall) -> None:
        await user.open("/train/nuts")
        assert [one for one, _ in field(user, "learner", AgentField).props["options"]] == [
            "hats",
            "qtable",
        ]
        assert field(user, "learner", AgentField).value == "hats"  # which the game names
        field(user, "learner", AgentField).value = "td"
        user.find("Start learning").click()
        await user.should_see("this game says no `patterns`")
        field(user, "learner", AgentField).value = "qtable:explore=0.3"
        field(user, "against", AgentField).value = "easy"
        field(user, "matches").value = "1,000"
        user.find("Start learning").click()
        said = "250 of 1,000 matches, 21 states known, 50 matches a second, about 15 s left"
        await user.should_see(said, retries=50)
        shown = "".join(one.content for one in user.find(ui.html).elements)
        assert 'aria-valuenow="25"' in shown and "<th>take 2</th>" in shown
        # The form asks for the same again.
        assert field(user, "learner", AgentField).value == "qtable:explore=0.3"
        assert field(user, "against", AgentField).value == "easy"
        assert field(user, "matches").value == "1000"
        (lesson,) = hall.lessons.values()
        lesson.report = Report(words=f"{FAILED}it could not be", done=True)
        await user.should_see("Failed: it could not be", retries=50)
        await user.should_see("Nothing was learned.")
        await user.should_not_see("it plays wherever")
        await user.should_not_see("Play against it")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lesson, "start", standing)
        visit(story, tmp_path)


@pytest.mark.parametrize(
    ("text", "agent"),
    [("hats", "hats:file=nuts-hats-a"), ("qtable:explore=0.3", "qtable:file=nuts-qtable-a")],
)
def test_what_was_trained_is_looked_into_and_trained_on(
    tmp_path: Path, text: str, agent: str
) -> None:
    name = agent.partition("=")[2]
    (tmp_path / "trained").mkdir()
    trained("nuts", text, nuts="10").save(tmp_path / f"trained/{name}.npz")
    started: list[Wanted] = []

    async def story(user: User, hall: Hall) -> None:
        await user.open("/train/nuts")
        await user.should_see(agent)
        user.find("Curve and table").click()
        await user.should_see("30 matches, 10 states known", retries=100)
        await user.should_see("Kept")
        await user.should_not_see("Go on")
        (chart,) = user.find(ui.echart).elements
        assert chart.options["series"][2]["data"][-1][0] == 30
        user.find("Train on from here").click()
        await until(lambda: started)
        (wanted,) = started
        assert wanted.path != hall.trained(name) and wanted.learner == text
        assert wanted.path.read_bytes() == hall.trained(name).read_bytes()
        # It fits: the same options, opponent and rules.
        rules = hall.catalogue.rules("nuts", wanted.texts)
        training = training_of(rules, wanted.learner, wanted.against, wanted.seed)
        training.resume(wanted.path)
        assert training.matches == 30
        await user.should_see(f"{wanted.learner} learns", retries=50)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lesson, "start", lambda lesson: started.append(lesson.wanted))
        visit(story, tmp_path)


def test_a_learned_estimate_plays_by_its_name_and_no_path_is_read(tmp_path: Path) -> None:
    (tmp_path / "trained").mkdir()
    path = tmp_path / "trained/trap-td-a.npz"
    path.write_bytes(b"")

    async def story(hall: Hall) -> None:
        (agent,) = hall.trainings("trap")
        assert agent == "expectiminimax:depth=2,estimate=learned:trap-td-a"
        text, stamp = hall.with_file(agent)
        assert text.endswith(f",estimate=learned:{path}") and stamp > 0.0
        rules = hall.catalogue.rules("trap")
        allow(agent, rules)
        with pytest.raises(ValueError, match="learned:NAME of one that was trained here"):
            allow(f"greedy:estimate=learned:{path}", rules)
        for wrong in (f"hats:file={path}", f"hats:estimate=learned:trap-td-a,file={path}"):
            with pytest.raises(ValueError, match="expected the name of one of ours"):
                hall.with_file(wrong)
        with pytest.raises(ValueError, match="no training 'b' here"):
            hall.with_file("hats:file=b")
        with pytest.raises(ValueError, match="no agent 'human'; people play under Play"):
            allow("human", rules)

    in_hall(story, tmp_path)


def test_a_browser_that_started_a_training_is_known_again(tmp_path: Path) -> None:
    async def story(user: User, hall: Hall) -> None:
        wanted = Wanted("nuts", (), "hats", "itself", 10, 1, hall.trained("nuts-hats-a"))
        lesson = hall.lessons["nuts-hats-a"] = Lesson("nuts-hats-a", "nuts", wanted)
        lesson.report = Report(10, 5, done=True, words="done")
        asked = re.compile(r"localStorage.getItem\(\"lx-train-nuts-hats-a\"")
        user.javascript_rules[asked] = lambda _: "wrong"
        await user.open("/train/nuts?lesson=nuts-hats-a")
        await user.should_not_see("Go on")
        user.javascript_rules[asked] = lambda _: lesson.key
        await user.open("/train/nuts?lesson=nuts-hats-a")
        await user.should_see("Go on", retries=50)

    visit(story, tmp_path)


def test_a_learned_estimate_is_told_by_its_patterns() -> None:
    training = training_of(game_rules("trap", {"size": "3"}), "td", None, 1)
    assert seen_in(training.memory) == 0
    training.memory.visits[5], training.memory.values[5] = 200, 0.5
    known = knowledge(training)
    assert (seen_in(training.memory), known.kind) == (1, "weights")
    assert known.rows == (Row(known.rows[0].seen, 200, {"weight": 0.5}),)
    assert "+0.500" in table_of(known)
    assert "1 pattern known" in progress(Report(10, 1, known=known))
