"""A player's attendance, as they or the desk reported it, and what they can report now."""

from dataclasses import dataclass
from enum import StrEnum

from clubs.wording import join_names
from tournaments.entries.queries.entries import entry_of_person, last_published_round
from tournaments.entries.queries.own_words import own_words_of
from tournaments.entries.services.own_attendance import OwnWord
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event


class AttendanceStatus(StrEnum):
    """Status of an entry for the next draw."""

    WAITS = "waits"
    LOOKS = "looks"
    EXPECTED = "expected"
    HERE = "here"
    AWAITED = "awaited"
    MISSES = "misses"
    LEAVES = "leaves"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnAttendance:
    """A player's attendance. ``names`` are those of both players of a pair, for whom it holds; "" for a
    single player. ``words`` are the possible reports, ``leaves`` whether leaving early is one of them;
    ``signs_off`` whether they can still cancel their sign-up."""

    standing: AttendanceStatus
    names: str
    words: tuple[OwnWord, ...]
    leaves: bool
    signs_off: bool


def own_attendance(event: Event, person_id: int) -> OwnAttendance | None:
    """Return the person's attendance; None if the event is over or they are in no entry. Three queries."""
    if event.state == EventState.ENDED:
        return None
    entry = entry_of_person(event, person_id)
    if entry is None:
        return None
    last = last_published_round(event)
    standing = _status_of(entry, last)
    return OwnAttendance(
        standing=standing,
        names=join_names([one.name for one in entry.players]) if len(entry.players) > 1 else "",
        words=_words(event, entry, last, standing),
        leaves=event.state == EventState.RUNNING and last > 0 and standing in _IN_THE_DRAWS,
        signs_off=_signs_off(event, entry),
    )


_IN_THE_DRAWS = frozenset(AttendanceStatus) - {
    AttendanceStatus.LEAVES,
    AttendanceStatus.WAITS,
    AttendanceStatus.LOOKS,
}


def _signs_off(event: Event, entry: Entry) -> bool:
    return event.takes_sign_offs and entry.signed_up_at is not None


def _status_of(entry: Entry, last: int) -> AttendanceStatus:
    if entry.looks_for_partner:
        return AttendanceStatus.LOOKS
    if entry.is_waiting:
        return AttendanceStatus.WAITS
    if entry.has_left(last + 1):
        return AttendanceStatus.LEAVES
    if entry.is_awaited:
        return AttendanceStatus.AWAITED
    if last and last + 1 in entry.absent:
        return AttendanceStatus.MISSES
    return AttendanceStatus.EXPECTED if entry.present_at is None else AttendanceStatus.HERE


def _words(event: Event, entry: Entry, last: int, standing: AttendanceStatus) -> tuple[OwnWord, ...]:
    if standing in (AttendanceStatus.WAITS, AttendanceStatus.LOOKS):
        return ()
    if standing is AttendanceStatus.LEAVES:
        said = own_words_of(event, [entry]).get(entry.number)
        return (OwnWord.STAYS,) if said is not None and said.kind == "withdraw_entry" else ()
    if standing is AttendanceStatus.MISSES:
        return (OwnWord.PLAYS,)
    here = () if standing is AttendanceStatus.HERE else (OwnWord.HERE,)
    if last == 0:
        return (*here, OwnWord.LATE, *(() if _signs_off(event, entry) else (OwnWord.STAYS_AWAY,)))
    return here if standing is AttendanceStatus.AWAITED else (*here, OwnWord.MISSES)
