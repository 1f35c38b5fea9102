"""The folder of results: somebody else's is left alone."""

from pathlib import Path

import pytest

from strata.errors import UserError
from strata.folder import Folder


def test_a_new_folder_and_then_our_own(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "a" / "perl.strata")
    folder.claim()
    folder.write("report.html", "old")
    folder.claim()
    folder.write("report.html", "new")
    assert folder.file("report.html").read_text() == "new"


def test_other_files_in_our_folder_stay(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.claim()
    (tmp_path / "mine.txt").write_text("mine")
    folder.claim()
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_a_foreign_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(UserError, match="choose another with -o"):
        Folder(tmp_path).claim()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["thesis.tex"]


def test_a_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_text("")
    with pytest.raises(UserError, match="is a file"):
        Folder(file).claim()
