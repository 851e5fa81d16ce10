"""Documents made into files by another process, which is watched from here."""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from .documents import Document
from .layout import Progress

PROJECT = Path(__file__).resolve().parents[3]


def make_pdf(document: Document, path: Path, *, progress: Progress) -> int:
    """Write the document to a new file, which appears only when complete, and return its number of pages.

    ``progress`` gets the parts done and all parts. If it raises an error, the work stops and leaves no file.
    """
    with TemporaryDirectory(dir=path.parent, prefix=f"{path.stem}.") as name:
        folder = Path(name)
        parts, pdf = folder / "parts", folder / "paper.pdf"
        with parts.open("w", encoding="utf-8") as lines:
            lines.writelines(json.dumps(part) + "\n" for part in document.iter_parts())
        progress(0, document.part_count)
        pages = _run_process(document.layout, parts, pdf, progress)
        pdf.replace(path)
    return pages


def _run_process(layout: str, parts: Path, pdf: Path, progress: Progress) -> int:
    command = [sys.executable, "-m", str(__package__), layout, str(parts), str(pdf)]
    with subprocess.Popen(  # noqa: S603 -- our own module, and files of ours
        command, cwd=PROJECT, stdout=subprocess.PIPE, text=True
    ) as work:
        assert work.stdout is not None
        pages = 0
        try:
            for line in work.stdout:
                key, number = line.split()
                if key == "pages":
                    pages = int(number)
                else:
                    progress(int(key), int(number))
        except BaseException:
            work.kill()
            raise
    if work.returncode:
        raise subprocess.CalledProcessError(work.returncode, command)
    return pages
