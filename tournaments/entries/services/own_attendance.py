"""Attendance reported by players themselves, through the services that the desk uses."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from clubs.audit.log import Actor
from errors import Refusal
from tournaments.entries.queries.entries import entry_of_person, last_published_round
from tournaments.entries.queries.own_words import own_words_of
from tournaments.history.services.optimistic import is_done
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event

from .check_in import change_attendance, leave_out_entry, mark_present
from .entry_actions import return_entry, withdraw_entry
from .sign_up import sign_off_entry


class OwnWord(StrEnum):
    """A player's report. It holds for both players of a pair, except that a player paired by the desk signs
    off alone."""

    HERE = "here"
    LATE = "late"
    STAYS_AWAY = "stays_away"
    MISSES = "misses"
    PLAYS = "plays"
    LEAVES = "leaves"
    STAYS = "stays"
    SIGNS_OFF = "signs_off"


def say_attendance(*, event: Event, person_id: int, word: OwnWord, by: Actor) -> None:
    """Apply a player's report as the desk would. Safe to repeat with the same key.

    Refuses: event_ended, not_in_an_entry, said_too_late, and what ``withdraw_entry``, ``return_entry`` and
    ``sign_off_entry`` do.
    """
    if is_done(event, by):
        return
    if event.state == EventState.ENDED:
        raise Refusal("event_ended")
    entry = entry_of_person(event, person_id)
    if entry is None or (entry.is_waiting and word is not OwnWord.SIGNS_OFF):
        raise Refusal("not_in_an_entry")
    try:
        _SERVICES[word](_Saying(event=event, entry=entry, person_id=person_id, by=by))
    except Refusal as refusal:
        if refusal.code == "round_is_published":
            raise Refusal("said_too_late") from None
        raise


@dataclass(frozen=True, slots=True, kw_only=True)
class _Saying:
    """A report by a player about their own entry."""

    event: Event
    entry: Entry
    person_id: int
    by: Actor

    def do(self, service: Callable[..., object], **rest: object) -> None:
        """Call the service for the entry."""
        service(event_id=self.event.pk, number=self.entry.number, by=self.by, **rest)


def _change_next_round(saying: _Saying, *, attendance: str) -> None:
    following = last_published_round(saying.event) + 1
    saying.do(change_attendance, round_number=following, attendance=attendance)


def _stay(saying: _Saying) -> None:
    """Return an entry that withdrew by its own report; one that the director withdrew must ask the
    director."""
    said = own_words_of(saying.event, [saying.entry]).get(saying.entry.number)
    if said is None or said.kind != "withdraw_entry":
        raise Refusal("said_too_late")
    saying.do(return_entry)


_SERVICES: Mapping[OwnWord, Callable[[_Saying], object]] = {
    OwnWord.HERE: lambda saying: saying.do(mark_present, is_present=True),
    OwnWord.LATE: lambda saying: saying.do(leave_out_entry, is_coming=True),
    OwnWord.STAYS_AWAY: lambda saying: saying.do(leave_out_entry, is_coming=False),
    OwnWord.MISSES: lambda saying: _change_next_round(saying, attendance="absent"),
    OwnWord.PLAYS: lambda saying: _change_next_round(saying, attendance="plays"),
    OwnWord.LEAVES: lambda saying: saying.do(withdraw_entry),
    OwnWord.STAYS: _stay,
    OwnWord.SIGNS_OFF: lambda saying: saying.do(sign_off_entry, person_id=saying.person_id),
}
