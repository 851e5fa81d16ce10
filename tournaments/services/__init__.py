"""Every change of an event goes through here."""

from .changes import NOBODY, By, undo_action
from .entries import add_entries, add_entry_list, remove_entry
from .events import create_event, end_event, plan_tables, resume_event, start_event
from .importing import import_night
from .rounds import (
    begin_round,
    close_round,
    discard_draft,
    draw_round,
    enter_draw,
    hold_round,
    publish_round,
    reopen_round,
    unpublish_round,
)
from .standings import refresh_standings

__all__ = [
    "NOBODY",
    "By",
    "add_entries",
    "add_entry_list",
    "begin_round",
    "close_round",
    "create_event",
    "discard_draft",
    "draw_round",
    "end_event",
    "enter_draw",
    "hold_round",
    "import_night",
    "plan_tables",
    "publish_round",
    "refresh_standings",
    "remove_entry",
    "reopen_round",
    "resume_event",
    "start_event",
    "undo_action",
    "unpublish_round",
]
