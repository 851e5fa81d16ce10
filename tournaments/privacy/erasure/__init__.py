"""Removal of a person's name from everything outside the person's own row."""

from .histories import erase_from_histories, get_all_names
from .texts import erase_from_texts, find_titles

__all__ = [
    "erase_from_histories",
    "erase_from_texts",
    "find_titles",
    "get_all_names",
]
