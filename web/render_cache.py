"""Files that are drawn once from fixed values, and then reused."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile


def get_or_render(path: Path, render: Callable[[], bytes]) -> bytes:
    """Return the file's content; draw and save it first if it does not exist. Safe to repeat, also
    concurrently."""
    with suppress(FileNotFoundError):
        return path.read_bytes()
    content = render()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=f"{path.stem}.", suffix=".part", delete=False) as part:
        part.write(content)
    Path(part.name).replace(path)
    return content
