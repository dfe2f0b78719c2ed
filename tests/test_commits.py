"""The hook that checks commit messages."""

import subprocess
import sys
from pathlib import Path

import pytest

HOOK = Path(__file__).parent.parent / ".githooks" / "commit-msg"
WHY = "\n\nThe old way lost the last line.\n"


def check(message: str, folder: Path) -> subprocess.CompletedProcess[str]:
    file = folder / "message"
    file.write_text(message, encoding="utf-8")
    return subprocess.run([sys.executable, HOOK, file], capture_output=True, text=True)


@pytest.mark.plain
def test_a_good_message_passes(tmp_path: Path) -> None:
    assert check(f"store: keep the last line{WHY}# a comment of git\n", tmp_path).returncode == 0


@pytest.mark.plain
@pytest.mark.parametrize(
    ("message", "words"),
    [
        (f"keep the last line{WHY}", "expected 'package: what changes'"),
        (f"store: {'k' * 60}{WHY}", "at most 60"),
        (f"store: keep the last line.{WHY}", "full stop"),
        ("store: keep the last line\n", "body that says why"),
        (f"store: keep the last line\n\n{'why ' * 30}\n", "over 80 characters"),
    ],
)
def test_a_message_that_breaks_a_habit_is_refused(message: str, words: str, tmp_path: Path) -> None:
    refused = check(message, tmp_path)
    assert refused.returncode == 1
    assert words in refused.stderr
