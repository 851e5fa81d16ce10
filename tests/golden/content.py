"""Responses and files as text, in which a difference can be read."""

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
"""Values that differ between any two runs, and their replacements."""


def normalize(content: bytes) -> bytes:
    for pattern, instead in SUBSTITUTIONS.values():
        content = re.sub(pattern, instead, content)
    return content


def make_readable(content: bytes) -> bytes:
    """Return text as it is, the members of archives, the text of PDF files, a digest of images."""
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
    """Return the members with their names, in their order, without the time of packing."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return b"\n".join(
            b"== " + name.encode() + b"\n" + make_readable(archive.read(name)) for name in archive.namelist()
        )


@lru_cache(maxsize=100)
def _read_pages(content: bytes) -> bytes:
    """Return the text of the pages, and the metadata without its dates."""
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
    """Return the status, the headers and the content; Content-Length follows from the content."""
    headers = {name: value for name, value in response.headers.items() if name != "Content-Length"}
    lines = [
        response.wsgi_request.get_full_path(),
        str(response.status_code),
        *(f"{name}: {value}" for name, value in sorted(headers.items())),
    ]
    lines += [morsel.OutputString() for _, morsel in sorted(response.cookies.items())]
    with warnings.catch_warnings(action="ignore"):  # Django warns when it reads an asynchronous stream
        content = b"".join(response)
    return normalize("\n".join(lines).encode()) + b"\n\n" + make_readable(content) + b"\n"
