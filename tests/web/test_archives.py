"""An archive is written whatever the clock says."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime
from pathlib import Path

import pytest

from web.archives import Archive


def written(path: Path) -> zipfile.ZipFile:
    """A text and a file, read again."""
    path.write_text("Bérubé", encoding="utf-8")
    kept = io.BytesIO()
    with Archive(kept) as archive:
        archive.writestr("text", "é" * 1000)
        archive.write(path, "file")
    return zipfile.ZipFile(kept)


def test_has_what_it_was_given_and_packs_it(tmp_path: Path) -> None:
    archive = written(tmp_path / "a")
    assert (archive.read("text").decode(), archive.read("file").decode()) == ("é" * 1000, "Bérubé")
    assert archive.getinfo("text").compress_size < 100


@pytest.mark.usefixtures("wrong_clock")
def test_is_written_whatever_the_clock_says(tmp_path: Path) -> None:
    assert written(tmp_path / "a").testzip() is None


def test_has_the_nearest_hour_that_it_can_have(tmp_path: Path, wrong_clock: datetime) -> None:
    years = {info.date_time[0] for info in written(tmp_path / "a").infolist()}
    assert years == {1980 if wrong_clock.year < 1980 else 2107}
