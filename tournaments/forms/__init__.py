"""What the organizer's forms say, read and checked."""

from .lists import Typed, first_of
from .nights import LENGTHS, NIGHT_FORMATS, read_date, read_night_form, read_table_count
from .settings import (
    read_ranking,
    read_sections,
    read_stages,
    rearranged,
    typed_ranking,
    typed_sections,
    typed_settings,
    typed_stages,
)
from .tournaments import TournamentReading, read_questions, read_tournament_form

__all__ = [
    "LENGTHS",
    "NIGHT_FORMATS",
    "TournamentReading",
    "Typed",
    "first_of",
    "read_date",
    "read_night_form",
    "read_questions",
    "read_ranking",
    "read_sections",
    "read_stages",
    "read_table_count",
    "read_tournament_form",
    "rearranged",
    "typed_ranking",
    "typed_sections",
    "typed_settings",
    "typed_stages",
]
