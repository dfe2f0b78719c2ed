"""Files are whole or not there at all."""

import os
from pathlib import Path

import pytest

from ludex.io.files import check_writable, create_beside, remove, umask, user_folder, write_text

pytestmark = pytest.mark.plain


def test_a_file_is_written_with_the_usual_permissions(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    write_text(file, "nüts\n")
    assert file.read_text(encoding="utf-8") == "nüts\n"
    assert file.stat().st_mode & 0o777 == 0o666 & ~umask()


def test_a_link_is_written_through_and_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "a.txt", tmp_path / "link.txt"
    target.write_text("old")
    link.symlink_to(target)
    write_text(link, "new")
    assert link.is_symlink() and target.read_text() == "new"


def test_an_error_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "gone" / "a.txt"
    with pytest.raises(OSError) as failed:
        write_text(file, "text")
    assert failed.value.filename == str(file)


def test_what_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_text(file, "\ud800")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_is_removed_with_what_killed_writers_left_of_it(tmp_path: Path) -> None:
    file, others = tmp_path / "a[1].npz", {"a1.npz", ".a1.npz.abcdefgh", ".a[1].npz.b", "b"}
    for name in (file.name, *others):
        (tmp_path / name).touch()
    for _ in range(2):
        os.close(create_beside(file)[0])
    remove(file)
    assert {one.name for one in tmp_path.iterdir()} == others
    remove(file)


def test_a_file_is_tried_before_the_work_and_nothing_is_harmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, link, loose = (tmp_path / name for name in ("a.txt", "link.txt", "loose.txt"))
    file.write_text("old")
    link.symlink_to(file)
    loose.symlink_to(tmp_path / "gone" / "b.txt")
    before = sorted(tmp_path.iterdir())
    for path in (file, link, tmp_path / "new.txt", Path("/dev/null")):
        check_writable(path)
    for path in (tmp_path, tmp_path / "gone" / "a.txt", file / "a.txt", loose, Path("/proc/a")):
        with pytest.raises(OSError):
            check_writable(path)
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write anything
    with pytest.raises(PermissionError, match=r"link\.txt"):
        check_writable(link)
    assert sorted(tmp_path.iterdir()) == before and file.read_text() == "old"


def test_a_variable_names_a_folder_of_the_user_before_the_system_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    found = []
    for variable, place in (("HOME", "/me"), ("XDG_CACHE_HOME", "/quick"), ("MINE", "/mine")):
        monkeypatch.setenv(variable, place)
        found.append(str(user_folder("MINE", "cache", "maps")))
    assert found == ["/me/.cache/ludex/maps", "/quick/ludex/maps", "/mine"]
