"""What stands in a picture."""

import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

MOST_LINES = 4
"""As many as are read in passing, on a phone."""
DRAWN_AS = 2
"""Which drawing it is: another number, and every picture is drawn anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureLine:
    """A line of a list: what stands before it (a rank, a day), the text, and a figure, where there is one."""

    mark: str
    text: str
    figure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """``kicker`` stands above the ``lines``, or alone, large, where there are none; ``foot`` below them,
    smaller, three lines at most. The ``logo`` is a WebP file, and stands where the crown is otherwise."""

    club: str
    title: str
    below: str
    kicker: str
    lines: tuple[PictureLine, ...]
    foot: tuple[PictureLine, ...] = ()
    logo: bytes = b""

    @property
    def values(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self) | {"logo": list(self.logo)}

    @property
    def digest(self) -> str:
        """What it is told apart by: 40 letters and digits."""
        shown = asdict(self) | {"logo": sha256(self.logo).hexdigest()}
        text = json.dumps([DRAWN_AS, shown], sort_keys=True)
        return sha256(text.encode()).hexdigest()[:40]
