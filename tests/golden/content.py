"""An answer or a file as a text in which a difference can be read."""

from __future__ import annotations

import hashlib
import io
import re
import warnings
import zipfile
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.conf import settings
from pypdf import PdfReader
from pypdf.errors import PyPdfError

from operations.data_dir import PROJECT

SUBSTITUTIONS: Mapping[str, tuple[bytes, bytes]] = {
    "the data folder of this run": (re.escape(str(settings.DATA_DIR).encode()), b"DATA"),
    "the folder of the program": (re.escape(str(PROJECT).encode()), b"PROJECT"),
    "the real hour, which a library writes into a workbook": (
        rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*",
        rb"\1HOUR",
    ),
}
"""What cannot be the same in two runs, and what stands for it."""


def normalize(content: bytes) -> bytes:
    for pattern, instead in SUBSTITUTIONS.values():
        content = re.sub(pattern, instead, content)
    return content


def make_readable(content: bytes) -> bytes:
    """Text as it is; of archives the members, of papers the text, of pictures a digest."""
    if content.startswith(b"PK\x03\x04"):
        return _read_members(content)
    if content.startswith(b"%PDF-"):
        return _read_pages(content)
    try:
        content.decode()
    except UnicodeDecodeError:
        return _describe_digest(content)
    return normalize(content)


def _read_members(content: bytes) -> bytes:
    """Each by its name, in their order; without the hour at which it was packed."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return b"\n".join(
            b"== " + name.encode() + b"\n" + make_readable(archive.read(name)) for name in archive.namelist()
        )


@lru_cache(maxsize=100)
def _read_pages(content: bytes) -> bytes:
    """Return what stands on them, and what the file says of itself but for the hour."""
    try:
        document = PdfReader(io.BytesIO(content))
        about = {
            name: str(metadata_value)
            for name, metadata_value in (document.metadata or {}).items()
            if "Date" not in name
        }
        pages = [page.extract_text() for page in document.pages]
    except PyPdfError:
        return _describe_digest(content)
    return normalize("\n== page\n".join([str(sorted(about.items())), *pages]).encode())


def _describe_digest(content: bytes) -> bytes:
    return f"{len(content)} bytes, sha256 {hashlib.sha256(content).hexdigest()}".encode()


def serialize_response(response: Any) -> bytes:
    """The status, the headers and what is answered; headers that follow from the rest are left out."""
    headers = {name: value for name, value in response.headers.items() if name != "Content-Length"}
    lines = [
        response.wsgi_request.get_full_path(),
        str(response.status_code),
        *(f"{name}: {value}" for name, value in sorted(headers.items())),
    ]
    lines += [morsel.OutputString() for _, morsel in sorted(response.cookies.items())]
    with warnings.catch_warnings(action="ignore"):  # Django would rather stream to a server of its kind
        content = b"".join(response)
    return normalize("\n".join(lines).encode()) + b"\n\n" + make_readable(content) + b"\n"
