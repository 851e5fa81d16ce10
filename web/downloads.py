"""Files that were written beforehand, taken away a block at a time, however large."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import BinaryIO

from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header

BLOCK = 256 * 1024


def download(path: Path, *, name: str, content_type: str) -> StreamingHttpResponse:
    """The file, under this name, for nobody else to keep."""
    return StreamingHttpResponse(
        _blocks(path),
        headers={
            "Content-Type": content_type,
            "Content-Length": str(path.stat().st_size),
            "Content-Disposition": content_disposition_header(as_attachment=True, filename=name),
            "Content-Encoding": "identity",  # packed already
            "Cache-Control": "private, no-store",
        },
    )


async def _blocks(path: Path) -> AsyncIterator[bytes]:
    with await sync_to_async(_open_file)(path) as file:
        while block := await sync_to_async(file.read)(BLOCK):
            yield block


def _open_file(path: Path) -> BinaryIO:
    return path.open("rb")
