"""Hand-ins are taken in safely, and what is kept never changes."""

import io
import stat
import zipfile
from pathlib import Path

import pytest

from ludex.classroom.package import (
    Package,
    files_in,
    package_path,
    package_upload,
    read_upload,
    unpacked,
)
from tests.classrooms import FIRST

pytestmark = pytest.mark.plain
KIB = 1 << 10


def take(name: str, data: bytes, largest: int = 64 * KIB, files: int = 5) -> Package:
    return package_upload(name, data, "nuts", largest, files)


def zipped(*files: tuple[str | zipfile.ZipInfo, str | bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files:
            packed.writestr(name, data)
    return stream.getvalue()


def linked(name: str, target: str) -> tuple[zipfile.ZipInfo, str]:
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info, target


HOSTILE = {
    "bomb": (zipped(("agent.py", b"#" * (8 << 20))), "it is larger than 64 KiB"),
    "many": (zipped(*((f"x{one}", "") for one in range(9))), "it has more than 5 files"),
    "link": (zipped(linked("agent.py", "/etc/passwd")), "agent.py is a link"),
    "above": (zipped(("../agent.py", FIRST)), "leads out of the folder"),
    "root": (zipped(("/tmp/agent.py", FIRST)), "leads out of the folder"),
    "backslash": (zipped(("\\tmp\\agent.py", FIRST)), "leads out of the folder"),
    "control": (zipped(("a\x1b[2J.py", FIRST)), "is no name of a file"),
    "deep": (zipped(("/".join("abcdefghijk") + "/agent.py", FIRST)), "more than 8 deep"),
    "folder": (zipped(("agent.py", FIRST), ("agent.py/x.py", FIRST)), "it cannot be read"),
    "long": (zipped((f"{'x' * 300}.py", FIRST)), "File name too long"),
    "text": (b"hello", "File is not a zip file"),
    "cut": (zipped(("agent.py", FIRST))[:-30], "File is not a zip file"),
    "empty": (zipped(), "it is empty"),
    "other": (zipped(("readme.txt", "hi")), "there is no agent.py in it"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_zip_is_refused_with_its_reason(name: str) -> None:
    data, words = HOSTILE[name]
    with pytest.raises(ValueError) as refused:
        take(f"{name}.zip", data)
    assert words in str(refused.value) and "/tmp/ludex-" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("mine.py", b" \n", "it is empty"),
        ("mine.exe", b"MZ", "expected a Python file or a zip"),
        ("mine.py", b"#" * (64 * KIB + 1), "it is larger than 64 KiB"),
    ],
)
def test_a_file_that_cannot_play_is_refused(name: str, data: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        take(name, data)


def test_a_name_from_a_browser_is_never_a_path() -> None:
    for name in ("../../x.py", "/etc/x.py", "x y.py", "a\nb.py", "é.py", f"{'x' * 99}.py"):
        found = take(name, FIRST.encode())
        assert found.single == "agent.py" and list(files_in(found.packed)) == ["agent.py"]
    assert take("mine.py", FIRST.encode()).single == "mine.py"


def test_the_same_files_are_the_same_content(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    (folder / "lib").mkdir(parents=True)
    (folder / "agent.py").write_text(FIRST)
    (folder / "lib" / "x.py").write_text("y = 1\n")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").write_bytes(b"x")
    here = package_path(folder, "nuts", 64 * KIB, 5)
    there = take("b.zip", zipped(("own/lib/x.py", "y = 1\n"), ("own/agent.py", FIRST)))
    assert here.hash == there.hash and here.packed == there.packed
    assert sorted(files_in(here.packed)) == ["agent.py", "lib/x.py"]
    assert take(*read_upload(folder)).hash == here.hash


def test_what_is_unpacked_is_what_was_handed_in() -> None:
    found = take("a.zip", zipped(("agent.py", FIRST)))
    folder = unpacked(found.hash, found.packed)
    assert (folder / "agent.py").read_text() == FIRST
    assert unpacked(found.hash, found.packed) == folder
    with pytest.raises(ValueError, match="is not what was handed in"):
        unpacked(found.hash, found.packed + b" ")
