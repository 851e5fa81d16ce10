"""The calendar of a club: planned at the desk (``desk``), and read by everybody (``public``)."""

from .desk import calendar_page, date_page, new_night, night_page, remove_night
from .public import public_calendar

__all__ = [
    "calendar_page",
    "date_page",
    "new_night",
    "night_page",
    "public_calendar",
    "remove_night",
]
