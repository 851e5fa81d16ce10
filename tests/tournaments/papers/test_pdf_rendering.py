"""A PDF is rendered in another process, with progress, and its file appears only when it is complete."""

import subprocess
from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.engine.charts.events import chart_after, list_slots
from tournaments.papers.typesetting.brackets import iter_bracket_pages
from tournaments.papers.typesetting.rendering import make_pdf

from .documents import build_document, build_sheet

EDGE = 100 / 24
"""Half the height of the smallest match on a full page, in percent of the page."""

SHEETS = [build_sheet(f"Pair {number}", "Others", table=str(number)) for number in range(1, 8)]


class StopError(Exception):
    """A request to stop the rendering."""


@pytest.mark.slow
def test_parts_are_merged_in_order_with_progress(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    path = tmp_path / "paper.pdf"
    document = build_document("sheets", SHEETS, in_a_part=3, title="Soirée")
    pages = make_pdf(document, path, progress=lambda done, of: seen.append((done, of)))
    pdf = PdfReader(path)
    assert pages == len(pdf.pages) == 7
    assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert [f"Pair {number}" in page.extract_text() for number, page in enumerate(pdf.pages, 1)] == [True] * 7
    assert pdf.metadata is not None
    assert pdf.metadata.title == "Soirée"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.slow
@pytest.mark.parametrize("after", [0, 1, 2])
def test_stopped_rendering_leaves_no_file(tmp_path: Path, after: int) -> None:
    def stop(done: int, _of: int) -> None:
        if done == after:
            raise StopError

    with pytest.raises(StopError):
        make_pdf(build_document("sheets", SHEETS, in_a_part=3), tmp_path / "paper.pdf", progress=stop)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_failing_layout_leaves_no_file(tmp_path: Path) -> None:
    document = build_document("sheets", [{"table": "7"}])
    with pytest.raises(subprocess.CalledProcessError):
        make_pdf(document, tmp_path / "paper.pdf", progress=lambda _done, _of: None)
    assert list(tmp_path.iterdir()) == []


def test_empty_document_has_one_part() -> None:
    document = build_document("lists", [])
    assert document.part_count == len(list(document.iter_parts())) == 1


@pytest.mark.long
@pytest.mark.parametrize("key", ["knockout", "double_elimination", "consolation"])
@pytest.mark.parametrize(("entrants", "letters"), [(3, 0), (9, 90), (16, 90), (20, 40), (45, 30), (64, 90), (77, 0)])
def test_bracket_pages_never_split_a_match(key: str, entrants: int, letters: int) -> None:
    chart = chart_after(key, entrants)
    pages = [page for part in chart.parts for page in iter_bracket_pages(part, longest_name=letters)]
    matches = [match for page in pages for column in page for match in column.matches]
    assert sorted(match.slot.key for match in matches) == sorted(slot.key for slot in list_slots(chart))
    cut = [match.slot.key for match in matches if not EDGE <= match.middle <= 100 - EDGE]
    assert cut == []
