"""A client for the API of Charlemagne: a method for each operation, with its types."""

from .client import Client
from .transport import (
    ApiRequest,
    ApiResponse,
    Caller,
    CharlemagneError,
    ConnectionPool,
    Refused,
    Send,
    Unreachable,
    get_etag,
)

__all__ = [
    "ApiRequest",
    "ApiResponse",
    "Caller",
    "CharlemagneError",
    "Client",
    "ConnectionPool",
    "Refused",
    "Send",
    "Unreachable",
    "get_etag",
]
__version__ = "1.0.0"
