"""Public papers, rendered on request and cached by their content."""

import json
from dataclasses import replace
from hashlib import sha256

from web.render_cache import get_or_render

from .paper_files import PAPER_STORE
from .typesetting.documents import Document, Values
from .typesetting.layout import read_layout, render_pages, render_pdf

PICTURE_DPI = 120.0
"""Resolution of pictures: a Letter page is 1020 × 1320."""


class PublicPaper:
    """A document of one part as a file. ``kind`` is ``pdf``, or ``png`` for the first page in colour."""

    def __init__(self, document: Document, kind: str) -> None:
        self._layout, self._kind = document.layout, kind
        adapted = replace(document, common={**document.common, "in_colour": kind == "png"})
        self._values: Values = next(adapted.iter_parts())

    @property
    def digest(self) -> str:
        """Digest of the content and the layout, by which the file is cached."""
        source = json.dumps([read_layout(self._layout), self._values], sort_keys=True)
        return sha256(source.encode()).hexdigest()[:40]

    def get_content(self, club_id: int) -> bytes:
        """Return the file, from the cache among the club's papers or newly rendered."""
        return get_or_render(PAPER_STORE.folder / f"{club_id}-{self.digest}.{self._kind}", self._render)

    def _render(self) -> bytes:
        if self._kind == "pdf":
            return render_pdf(self._layout, self._values)
        return render_pages(self._layout, self._values, dpi=PICTURE_DPI)[0]
