"""Public papers, rendered on request and cached by their content."""

import json
from dataclasses import replace
from hashlib import sha256

from web.render_cache import written_once

from .paper_files import FILES
from .typesetting import Document, Values
from .typesetting.layout import laid_out, layout_text, render_pages

DOTS_PER_INCH = 120.0
"""Resolution of pictures: a Letter page is 1020 × 1320."""


class DrawnPaper:
    """A document of one part as a file. ``kind`` is ``pdf``, or ``png`` for the first page in colour."""

    def __init__(self, document: Document, kind: str) -> None:
        self._layout, self._kind = document.layout, kind
        shown = replace(document, shared={**document.shared, "in_colour": kind == "png"})
        self._values: Values = next(shown.parts())

    @property
    def digest(self) -> str:
        """Digest of the content and the layout, by which the file is cached."""
        whole = json.dumps([layout_text(self._layout), self._values], sort_keys=True)
        return sha256(whole.encode()).hexdigest()[:40]

    def content(self, club_id: int) -> bytes:
        """Return the file, from the cache among the club's papers or newly rendered."""
        return written_once(FILES.folder / f"{club_id}-{self.digest}.{self._kind}", self._draw)

    def _draw(self) -> bytes:
        if self._kind == "pdf":
            return laid_out(self._layout, self._values)
        return render_pages(self._layout, self._values, dots_per_inch=DOTS_PER_INCH)[0]
