"""Attendance that players reported on their own page."""

from collections.abc import Iterable, Mapping

from tournaments.history.queries import numbers_then
from tournaments.models import Action, Entry, Event

OWN_WORDS = (
    *("mark_present", "leave_out_entry", "change_attendance"),
    *("withdraw_entry", "return_entry", "disqualify_entry"),
)
"""Kinds of changes to an entry's attendance; the last is only for the director."""


def own_words_of(event: Event, entries: Iterable[Entry]) -> Mapping[int, Action]:
    """Return the last such change of each entry, by its number, if a player made it. Players act without an
    account, from a phone. One query, two where somebody did."""
    lines = event.actions.filter(kind__in=OWN_WORDS, undone_by=None).defer("changes")
    lines = lines.select_related("account", "undone_by").order_by("pk")
    if not any(map(_is_own, lines)):
        return {}
    numbers = numbers_then(event, entries)
    last = {numbers.at(line.pk).get(line.details["entry"]): line for line in lines}
    return {numbers.now[key]: line for key, line in last.items() if key is not None and _is_own(line)}


def _is_own(line: Action) -> bool:
    return line.account_id is None and bool(line.origin)
