"""Measure link previews: the first rendering in a process, the next ones, and reading from the cache.

Times are in milliseconds, the best of several except the first; memory is the peak of the process.
"""

import resource
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from bench.standings import measure_best
from tournaments.sharing.link_previews.rendering import render_preview
from tournaments.sharing.link_previews.values import MAX_LINES, Picture, PictureLine
from web.render_cache import get_or_render

PICTURE = Picture(
    club="Club de cartes de l’Âge d’or de Saint-Jean-de-la-Lande",
    title="Championnat régional de Charlemagne",
    below="samedi 21 novembre 2026 · Salle paroissiale",
    kicker="Classement final",
    lines=tuple(
        PictureLine(mark=str(rank), text="Jeannine R. et Marcel D.", figure="5 matchs gagnés")
        for rank in range(1, MAX_LINES + 1)
    ),
)


def main(_argv: list[str]) -> dict[str, Any]:
    started = time.perf_counter()
    png = render_preview(PICTURE)
    first = time.perf_counter() - started
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        get_or_render(path, partial(render_preview, PICTURE))
        saved_seconds = measure_best(lambda: get_or_render(path, partial(render_preview, PICTURE)))
    return {
        "first": round(first * 1000, 1),
        "again": round(measure_best(lambda: render_preview(PICTURE)) * 1000, 1),
        "kept": round(saved_seconds * 1000, 1),
        "bytes": len(png),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
