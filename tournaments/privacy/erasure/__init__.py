"""Removal of a person's name from everything outside the person's own row."""

from .columns import CLOSED, SEARCHED, TITLES, PersonalColumn
from .histories import known_names, take_out_of_histories
from .texts import take_out_of_texts, titles_with

__all__ = [
    "CLOSED",
    "SEARCHED",
    "TITLES",
    "PersonalColumn",
    "known_names",
    "take_out_of_histories",
    "take_out_of_texts",
    "titles_with",
]
