"""The picture of a shared link: drawn for the first time by a process, drawn again, and read as it was kept.

Milliseconds, the best of some but for the first; and the memory of the process at its height.
"""

import resource
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.standings import best_of
from tournaments.sharing.link_previews import MOST_LINES, Picture, PictureLine, png_of, render_preview

PICTURE = Picture(
    club="Club de cartes de l’Âge d’or de Saint-Jean-de-la-Lande",
    title="Championnat régional de Charlemagne",
    below="samedi 21 novembre 2026 · Salle paroissiale",
    kicker="Classement final",
    lines=tuple(
        PictureLine(mark=str(rank), text="Jeannine R. et Marcel D.", figure="5 matchs gagnés")
        for rank in range(1, MOST_LINES + 1)
    ),
)


def main(_argv: list[str]) -> dict[str, Any]:
    begun = time.perf_counter()
    png = render_preview(PICTURE)
    first = time.perf_counter() - begun
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        png_of(PICTURE, path)
        kept = best_of(lambda: png_of(PICTURE, path))
    return {
        "first": round(first * 1000, 1),
        "again": round(best_of(lambda: render_preview(PICTURE)) * 1000, 1),
        "kept": round(kept * 1000, 1),
        "bytes": len(png),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
