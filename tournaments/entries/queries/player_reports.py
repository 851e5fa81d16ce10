"""Attendance that players reported on their own page."""

from collections.abc import Iterable, Mapping

from tournaments.history.queries import read_number_history
from tournaments.models import Action, Entry, Event

ATTENDANCE_KINDS = (
    *("mark_present", "leave_out_entry", "change_attendance"),
    *("withdraw_entry", "return_entry", "disqualify_entry"),
)
"""Kinds of changes to an entry's attendance; the last is only for the director."""


def map_player_reports(event: Event, entries: Iterable[Entry]) -> Mapping[int, Action]:
    """Return the last such change of each entry, by its number, if a player made it. Players act without an
    account, from a phone. One query, two where somebody did."""
    lines = event.actions.filter(kind__in=ATTENDANCE_KINDS, undone_by=None).defer("changes")
    lines = lines.select_related("account", "undone_by").order_by("pk")
    if not any(map(_is_player_report, lines)):
        return {}
    numbers = read_number_history(event, entries)
    last_lines = {numbers.at(line.pk).get(line.details["entry"]): line for line in lines}
    return {numbers.now[key]: line for key, line in last_lines.items() if key is not None and _is_player_report(line)}


def _is_player_report(line: Action) -> bool:
    return line.account_id is None and bool(line.origin)
