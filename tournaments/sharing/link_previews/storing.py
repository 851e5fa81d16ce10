"""Pictures are drawn once: each lies in a file, and whoever wants it again is given that."""

from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from .drawing import render_preview
from .values import Picture


def png_of(picture: Picture, path: Path) -> bytes:
    """The picture as PNG: as it lies there, else drawn, and kept for the next one. Safe to repeat, and at the
    same time."""
    with suppress(FileNotFoundError):
        return path.read_bytes()
    png = render_preview(picture)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=f"{path.stem}.", suffix=".part", delete=False) as part:
        part.write(png)
    Path(part.name).replace(path)
    return png
