"""Content of a link preview picture."""

import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

MAX_LINES = 4
"""Most lines that people read in passing, on a phone."""
DRAWING_VERSION = 2
"""Version of the drawing: raise it to draw every picture again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureLine:
    """A line of a list. ``mark`` is before it (a rank, a day); ``figure`` is "" without one."""

    mark: str
    text: str
    figure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """Content of a picture. ``kicker`` is above the ``lines``, or alone and large without any; ``foot`` is
    below them, smaller, three lines at most. ``curve`` has the chances of the first of two sides, in percent,
    before the first hand and after each: it is drawn below both. ``logo`` is a WebP file that replaces the
    crown."""

    club: str
    title: str
    below: str
    kicker: str
    lines: tuple[PictureLine, ...]
    foot: tuple[PictureLine, ...] = ()
    curve: tuple[int, ...] = ()
    logo: bytes = b""

    @property
    def values(self) -> dict[str, Any]:
        """The content, as JSON."""
        return asdict(self) | {"logo": list(self.logo)}

    @property
    def digest(self) -> str:
        """Digest that identifies the picture: 40 hexadecimal digits."""
        content = asdict(self) | {"logo": sha256(self.logo).hexdigest()}
        text = json.dumps([DRAWING_VERSION, content], sort_keys=True)
        return sha256(text.encode()).hexdigest()[:40]
