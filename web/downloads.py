"""Downloads of files written beforehand, sent block by block at any size."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import BinaryIO

from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header

BLOCK_SIZE = 256 * 1024


def download(path: Path, *, name: str, content_type: str) -> StreamingHttpResponse:
    """Return the file as a download of this name, which no cache may store."""
    return StreamingHttpResponse(
        _read_blocks(path),
        headers={
            "Content-Type": content_type,
            "Content-Length": str(path.stat().st_size),
            "Content-Disposition": content_disposition_header(as_attachment=True, filename=name),
            "Content-Encoding": "identity",  # compressed already
            "Cache-Control": "private, no-store",
        },
    )


async def _read_blocks(path: Path) -> AsyncIterator[bytes]:
    with await sync_to_async(_open_file)(path) as file:
        while block := await sync_to_async(file.read)(BLOCK_SIZE):
            yield block


def _open_file(path: Path) -> BinaryIO:
    return path.open("rb")
