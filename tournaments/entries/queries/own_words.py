"""What players have said of themselves, from their own page."""

from collections.abc import Mapping

from tournaments.models import Action, Event

OWN_WORDS = ("mark_present", "leave_out_entry", "change_attendance", "withdraw_entry", "return_entry")
"""Kinds of changes by which somebody says whether they are there."""


def own_words_of(event: Event) -> Mapping[int, Action]:
    """The last such line about each entry, by its number, where a player said it: without an account, from a
    phone. One query."""
    lines = event.actions.filter(kind__in=OWN_WORDS, undone_by=None).defer("changes")
    lines = lines.select_related("account", "undone_by").order_by("pk")
    last = {line.details["entry"]: line for line in lines}
    return {number: line for number, line in last.items() if line.account_id is None and line.origin}
