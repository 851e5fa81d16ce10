"""Every change of an event goes through here."""

from clubs.recording import NOBODY, By

from .clock import begin_round
from .entries import add_entries, remove_entry
from .entry_lists import add_entry_list
from .events import (
    bring_back_event,
    create_event,
    end_event,
    make_once,
    plan_tables,
    put_away_event,
    resume_event,
    start_event,
)
from .importing import import_night
from .papers import order_paper
from .rounds import (
    close_round,
    discard_draft,
    draw_round,
    enter_draw,
    hold_round,
    publish_round,
    reopen_round,
    unpublish_round,
)
from .standings import refresh_older_standings, refresh_standings
from .tables import (
    adjust_table,
    forfeit_table,
    hold_table,
    let_cards_count,
    seat_more,
    swap_entries,
)
from .undoing import undo_action

__all__ = [
    "NOBODY",
    "By",
    "add_entries",
    "add_entry_list",
    "adjust_table",
    "begin_round",
    "bring_back_event",
    "close_round",
    "create_event",
    "discard_draft",
    "draw_round",
    "end_event",
    "enter_draw",
    "forfeit_table",
    "hold_round",
    "hold_table",
    "import_night",
    "let_cards_count",
    "make_once",
    "order_paper",
    "plan_tables",
    "publish_round",
    "put_away_event",
    "refresh_older_standings",
    "refresh_standings",
    "remove_entry",
    "reopen_round",
    "resume_event",
    "seat_more",
    "start_event",
    "swap_entries",
    "undo_action",
    "unpublish_round",
]
