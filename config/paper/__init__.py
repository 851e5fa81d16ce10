"""What stands on each paper, in words: from an order to a document (tournaments.paper lays it out)."""

from .orders import document_of

__all__ = ["document_of"]
