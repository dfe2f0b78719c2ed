"""What `python -m bench.gpu` is asked for."""

from typing import Any

import pytest

from bench.gpu import read_arguments

pytestmark = pytest.mark.plain


def test_games_may_follow_the_sizes() -> None:
    asked = read_arguments(["--device", "cpu", "--sizes", "1024,16", "tictactoe", "nuts"])
    assert (asked.sizes, asked.games) == ([1024, 16], ["tictactoe", "nuts"])


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["--device", "gpu"], "argument --device: invalid choice: 'gpu'"),
        (["--sizes", "1024,0"], "'1024,0': expected numbers of boards such as 1024,16384"),
        (["nonsense"], "no game file 'examples/nonsense.py'"),
        (["--bandwidth"], "--bandwidth: no card here"),
        (["--pgx"], "--pgx: jax is not installed"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_a_line(
    texts: list[str], words: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr("bench.gpu.why_no_card", lambda: "no card here")
    monkeypatch.setattr("bench.gpu.find_spec", lambda name: None)
    with pytest.raises(SystemExit):
        read_arguments(texts)
    assert words in capsys.readouterr().err.splitlines()[-1]
