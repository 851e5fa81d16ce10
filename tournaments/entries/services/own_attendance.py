"""What a player says of themselves, through the services that the desk calls for it."""

from collections.abc import Callable, Mapping
from enum import StrEnum

from clubs.audit.log import Actor
from rules import Refusal
from tournaments.entries.queries.entries import entry_of_person, last_published_round
from tournaments.entries.queries.own_words import own_words_of
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event

from .check_in import change_attendance, leave_out_entry, mark_present
from .entry_actions import return_entry, withdraw_entry
from .sign_up import sign_off_entry


class OwnWord(StrEnum):
    """What somebody says; of a pair it holds for both, but that one of two whom the desk paired signs off."""

    HERE = "here"
    LATE = "late"
    STAYS_AWAY = "stays_away"
    MISSES = "misses"
    PLAYS = "plays"
    LEAVES = "leaves"
    STAYS = "stays"
    SIGNS_OFF = "signs_off"


def say_attendance(*, event: Event, person_id: int, word: OwnWord, by: Actor) -> None:
    """Does what the desk would do, had it been told. Safe to repeat with the same key.

    Refuses: event_ended, not_in_an_entry, said_too_late, and what ``withdraw_entry``, ``return_entry`` and
    ``sign_off_entry`` do.
    """
    if event.actions.filter(key=by.key).exists():
        return
    if event.state == EventState.ENDED:
        raise Refusal("event_ended")
    entry = entry_of_person(event, person_id)
    if entry is None or (entry.is_waiting and word is not OwnWord.SIGNS_OFF):
        raise Refusal("not_in_an_entry")
    try:
        if word is OwnWord.SIGNS_OFF:
            sign_off_entry(event_id=event.pk, number=entry.number, person_id=person_id, by=by)
        else:
            _SERVICES[word](event, entry, by)
    except Refusal as refusal:
        if refusal.code == "round_is_published":
            raise Refusal("said_too_late") from None
        raise


def _leave_out(event: Event, entry: Entry, by: Actor, *, is_coming: bool) -> None:
    leave_out_entry(event_id=event.pk, number=entry.number, is_coming=is_coming, by=by)


def _change_next_round(event: Event, entry: Entry, by: Actor, *, attendance: str) -> None:
    following = last_published_round(event) + 1
    change_attendance(
        event_id=event.pk, number=entry.number, round_number=following, attendance=attendance, by=by
    )


def _stay(event: Event, entry: Entry, by: Actor) -> None:
    """Only who said of themselves that they leave; whom the director withdrew asks the director."""
    said = own_words_of(event).get(entry.number)
    if said is None or said.kind != "withdraw_entry":
        raise Refusal("said_too_late")
    return_entry(event_id=event.pk, number=entry.number, by=by)


_SERVICES: Mapping[OwnWord, Callable[[Event, Entry, Actor], object]] = {
    OwnWord.HERE: lambda event, entry, by: mark_present(
        event_id=event.pk, number=entry.number, is_present=True, by=by
    ),
    OwnWord.LATE: lambda event, entry, by: _leave_out(event, entry, by, is_coming=True),
    OwnWord.STAYS_AWAY: lambda event, entry, by: _leave_out(event, entry, by, is_coming=False),
    OwnWord.MISSES: lambda event, entry, by: _change_next_round(event, entry, by, attendance="absent"),
    OwnWord.PLAYS: lambda event, entry, by: _change_next_round(event, entry, by, attendance="plays"),
    OwnWord.LEAVES: lambda event, entry, by: withdraw_entry(event_id=event.pk, number=entry.number, by=by),
    OwnWord.STAYS: _stay,
}
