"""ZIP archives can be written whatever the clock says."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime
from pathlib import Path

import pytest

from web.archives import Archive


def write_archive(path: Path) -> zipfile.ZipFile:
    """Write a text and a file into an archive, and open it."""
    path.write_text("Bérubé", encoding="utf-8")
    buffer = io.BytesIO()
    with Archive(buffer) as archive:
        archive.writestr("text", "é" * 1000)
        archive.write(path, "file")
    return zipfile.ZipFile(buffer)


def test_archive_contains_its_compressed_files(tmp_path: Path) -> None:
    archive = write_archive(tmp_path / "a")
    assert (archive.read("text").decode(), archive.read("file").decode()) == ("é" * 1000, "Bérubé")
    assert archive.getinfo("text").compress_size < 100


@pytest.mark.usefixtures("wrong_clock")
def test_archive_is_written_with_any_system_clock(tmp_path: Path) -> None:
    assert write_archive(tmp_path / "a").testzip() is None


def test_archive_clamps_dates_to_the_zip_range(tmp_path: Path, wrong_clock: datetime) -> None:
    years = {info.date_time[0] for info in write_archive(tmp_path / "a").infolist()}
    assert years == {1980 if wrong_clock.year < 1980 else 2107}
