"""Contents of each paper: from an order to a document, which ``typesetting`` lays out."""

from .documents import document_of

__all__ = ["document_of"]
