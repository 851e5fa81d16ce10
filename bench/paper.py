"""Measure time and memory to render 1,000 score sheets as PDF.

The documents are plain values, as the worker builds them from the database; another process lays them out.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from tournaments.papers.typesetting.documents import Document, Size
from tournaments.papers.typesetting.rendering import make_pdf

LABELS = {
    "sheet": "Feuille de pointage",
    "hand": "Main",
    "contract": "Contrat",
    "bidder": "Qui mise",
    "or": "ou",
    "made": "Réussi",
    "failed": "Manqué",
    "total": "Total",
    "agreed": "d’accord",
    "square": "La page de la table",
}
BRIEF = "Réussi : les points à l’équipe qui mise. Manqué : aux autres. Mulot 15 / 7 · Charlemagne 16 / 8."
NAMES = ("Jeannine Roy et Marcel Dubé", "Ghislaine Cyr et Normand Ouellet")


def main(argv: list[str]) -> dict[str, Any]:
    """Return ``pages``, seconds to the first part and to the file, and sizes in MB.

    The keys are ``seconds``, ``processor_seconds``, ``first_part_seconds``, ``file_mb``, and the peak memory of both
    processes, ``layout_peak_mb`` and ``worker_peak_mb``.
    """
    parser = argparse.ArgumentParser(prog="bench paper")
    parser.add_argument("--sheets", type=int, default=1_000)
    parser.add_argument("--part", type=int, default=20, help="sheets that are laid out at a time")
    options = parser.parse_args(argv)
    progress_times: list[float] = []
    started = perf_counter()
    with tempfile.TemporaryDirectory(prefix="charlemagne-bench-") as folder:
        path = Path(folder) / "sheets.pdf"
        pages = make_pdf(
            _build_document(options.sheets, options.part),
            path,
            progress=lambda _done, _of: progress_times.append(perf_counter() - started),
        )
        seconds, work = perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
        return {
            "pages": pages,
            "seconds": round(seconds, 2),
            "processor_seconds": round(work.ru_utime + work.ru_stime, 2),
            "first_part_seconds": round(progress_times[1], 2),
            "file_mb": round(path.stat().st_size / 1e6, 2),
            "layout_peak_mb": round(work.ru_maxrss / 1024),
            "worker_peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        }


def _build_document(count: int, part: int) -> Document:
    return Document(
        layout="sheets",
        title="Feuilles de pointage",
        author="Les Joyeux Atouts",
        language="fr",
        size=Size.LETTER,
        labels=LABELS,
        common={"lines": 12, "brief": BRIEF},
        items=[
            {
                "table": str(number),
                "about": "Soirée du mardi, 17 novembre 2026 · ronde 3",
                "rules": "Canadiennes, à 32",
                "sides": NAMES,
                "address": f"http://192.168.1.20:8000/t/{100_000 + number}?sheet=3",
            }
            for number in range(1, count + 1)
        ],
        items_per_part=part,
    )
