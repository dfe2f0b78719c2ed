"""The programs of visitors in their folder: names, limits, and files named at the start."""

from pathlib import Path

import pytest

from ludex.web.state import limits
from ludex.web.state.programs import Programs
from ludex.web.state.public_text import without_paths

pytestmark = pytest.mark.plain
FIRST = """
asked = 0
def choose(position, moves, seconds):
    global asked
    asked += 1
    print("asked", asked)
    return moves[0]
"""


@pytest.fixture
def programs(tmp_path: Path) -> Programs:
    return Programs(tmp_path / "programs")


@pytest.mark.parametrize("name", ["../x.py", "x.txt", ".x.py", "a b.py", "", "x" * 80 + ".py"])
def test_only_names_of_python_files_are_kept(programs: Programs, name: str) -> None:
    with pytest.raises(ValueError, match="expected the name of a Python file"):
        programs.save(name, FIRST)
    assert not programs.folder.exists()


def test_size_and_number_of_programs_are_limited(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match="expected at most 256 KiB"):
        programs.save("big.py", "#" * (limits.BODY + 1))
    monkeypatch.setattr(limits, "PROGRAMS", 1)
    programs.save("one.py", FIRST)
    programs.save("one.py", FIRST)
    with pytest.raises(ValueError, match="no room for more"):
        programs.save("two.py", FIRST)


def test_without_a_sandbox_no_program_is_kept(programs: Programs, unsafe: None) -> None:
    with pytest.raises(ValueError, match="no sandbox"):
        programs.save("one.py", FIRST)


def test_a_file_named_at_the_start_is_offered_and_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FIRST)
    programs = Programs(tmp_path / "programs", (str(tmp_path / "mine.py"),))
    assert programs.agents() == ["program:mine.py"]
    assert programs.resolve("program:mine.py:Agent") == f"{tmp_path / 'mine.py'}:Agent"
    with pytest.raises(ValueError, match="stays as it is"):
        programs.save("mine.py", "")
    with pytest.raises(ValueError, match="did you mean 'mine\\.py'"):
        programs.resolve("program:mime.py")
    with pytest.raises(ValueError, match="there is no such file"):
        Programs(tmp_path, ("nothing.py",))


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("bad.py", b"def choose(:", "--agent bad.py: bad.py line 1: "),
        ("empty.py", b"x = 1", "--agent empty.py: empty.py lacks a function choose"),
        ("notes.txt", b"x", "--agent notes.txt: notes.txt is neither a Python file nor executable"),
        ("bytes.py", b"\xff\x00\xfe", "--agent bytes.py: bytes.py"),
        ("big.py", b"#" * (2 << 20), "--agent big.py: big.py is larger than"),
    ],
)
def test_a_file_named_at_the_start_must_be_an_agent(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError) as refused:
        Programs(tmp_path / "programs", (str(tmp_path / name),))
    assert str(refused.value).startswith(said) and str(tmp_path) not in str(refused.value)


def test_what_only_the_owner_of_the_server_can_do_is_not_said() -> None:
    words = "No module named 'torch' (LUDEX_PACKAGES=torch in the environment would bring it)"
    assert without_paths(words) == "No module named 'torch'"
