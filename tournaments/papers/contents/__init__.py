"""Contents of each paper: from an order to a document, which ``typesetting`` lays out."""

from .documents import build_file_name, document_of
