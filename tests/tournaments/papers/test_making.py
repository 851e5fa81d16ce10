"""A file is written by another process, told how far it is, and is there once it is whole."""

import subprocess
from pathlib import Path

import pytest
from pypdf import PdfReader

from tournaments.papers.typesetting import make

from .papers import a_document, sheet

SHEETS = [sheet(f"Pair {number}", "Others", table=str(number)) for number in range(1, 8)]


class StopError(Exception):
    """Somebody asked to stop."""


def test_the_parts_are_one_file_in_order_and_each_is_told(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    path = tmp_path / "paper.pdf"
    document = a_document("sheets", SHEETS, in_a_part=3, title="Soirée")
    pages = make(document, path, progress=lambda done, of: seen.append((done, of)))
    pdf = PdfReader(path)
    assert pages == len(pdf.pages) == 7
    assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert [f"Pair {number}" in page.extract_text() for number, page in enumerate(pdf.pages, 1)] == [True] * 7
    assert pdf.metadata is not None
    assert pdf.metadata.title == "Soirée"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("after", [0, 1, 2])
def test_work_that_is_stopped_leaves_nothing(tmp_path: Path, after: int) -> None:
    def stop(done: int, _of: int) -> None:
        if done == after:
            raise StopError

    with pytest.raises(StopError):
        make(a_document("sheets", SHEETS, in_a_part=3), tmp_path / "paper.pdf", progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_a_layout_that_fails_leaves_nothing(tmp_path: Path) -> None:
    document = a_document("sheets", [{"table": "7"}])
    with pytest.raises(subprocess.CalledProcessError):
        make(document, tmp_path / "paper.pdf", progress=lambda _done, _of: None)
    assert list(tmp_path.iterdir()) == []


def test_a_document_without_items_has_one_part() -> None:
    document = a_document("lists", [])
    assert document.part_count == len(list(document.parts())) == 1
