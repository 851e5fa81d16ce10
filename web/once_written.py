"""What is drawn from values and nothing else is drawn once: it lies in a file, and whoever wants it again is
given that."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile


def written_once(path: Path, draw: Callable[[], bytes]) -> bytes:
    """As it lies there, else drawn, and kept for the next one. Safe to repeat, and at the same time."""
    with suppress(FileNotFoundError):
        return path.read_bytes()
    drawn = draw()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=f"{path.stem}.", suffix=".part", delete=False) as part:
        part.write(drawn)
    Path(part.name).replace(path)
    return drawn
