"""A client for the API of Charlemagne: a method for each operation, with its types."""

from .client import Client
from .transport import (
    Answer,
    Asked,
    Caller,
    CharlemagneError,
    Connections,
    Refused,
    Send,
    Unreachable,
    etag_of,
)

__all__ = [
    "Answer",
    "Asked",
    "Caller",
    "CharlemagneError",
    "Client",
    "Connections",
    "Refused",
    "Send",
    "Unreachable",
    "etag_of",
]
__version__ = "1.0.0"
