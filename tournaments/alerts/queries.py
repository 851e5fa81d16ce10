"""News for alerts: where people sit now, whether they have a place, and when the event is held."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import ClassVar

from django.db.models import Prefetch
from django.utils import timezone

from clubs.models import Person
from rules import Side
from scoring.models import Player
from tournaments.lifecycle import OPEN_STATES, EventState
from tournaments.models import PROOFS, AlertSubscription, Event, Seating
from tournaments.rounds.byes import ByeKind, classify_bye
from tournaments.rounds.queries.messages import list_current_messages

from .channels import MAIL

CALL_MARK = "!"
CANCELLED_CODE = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertSeat:
    """Seat of a person in a round in progress: a side of a table, or a bye. ``call`` is the number of the
    call while the desk calls that table."""

    round: int
    table: int | None
    side: Side | None
    bye: ByeKind | None
    call: int | None = None

    @property
    def subject(self) -> str:
        return str(self.round)

    @property
    def code(self) -> str:
        """Code of this news: it changes when there is something new to tell about the round."""
        if self.bye is not None:
            return self.bye.value
        assert self.side is not None, "who is at a table is on a side of it"
        return f"{self.table}{self.side.name}" + ("" if self.call is None else f"{CALL_MARK}{self.call}")

    def is_news(self, last_code: str | None) -> bool:
        """Check whether this is new to a person who was last told this code. The end of a call is not
        news."""
        return last_code != self.code and not (last_code or "").startswith(self.code + CALL_MARK)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertDay:
    """Date of an event in preparation, with its start time if given. ``is_off`` if it is cancelled, with the
    reason if given."""

    subject: ClassVar[str] = "day"

    day: date
    hour: time | None
    is_off: bool
    reason: str

    @property
    def code(self) -> str:
        """Code of this news: it changes when somebody would come in vain, or at the wrong time."""
        return CANCELLED_CODE if self.is_off else f"{self.day}" if self.hour is None else f"{self.day} {self.hour}"

    def is_news(self, last_code: str | None) -> bool:
        """Check whether this is new to a person who was last told this code. Without an earlier code, only a
        cancellation is news."""
        return last_code != self.code and (self.is_off or last_code is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertPlace:
    """Place of a person in an event in preparation. Without a place, they are on the waiting list, or look
    for a partner."""

    subject: ClassVar[str] = "place"

    has_place: bool

    @property
    def code(self) -> str:
        return "in" if self.has_place else "waits"

    def is_news(self, last_code: str | None) -> bool:
        """Check whether this is new to a person who was last told this code."""
        return last_code not in {None, self.code}


AlertNews = AlertSeat | AlertDay | AlertPlace
"""News about a ``subject``: a round, the day, or a place. Its ``code`` records what was told."""


def find_subscription(event: Event, subscription_id: int) -> AlertSubscription | None:
    """Return the subscription of this id in the event. One query."""
    return AlertSubscription.objects.filter(event=event, pk=subscription_id).first()


def find_mail_subscription(event: Event, person: Person) -> AlertSubscription | None:
    """Return the subscription by which the person gets e-mail. One query."""
    return AlertSubscription.objects.filter(event=event, person=person, channel=MAIL).first()


def get_current_news(event: Event, people: Collection[int]) -> Mapping[int, Sequence[AlertNews]]:
    """Map each of these people, by id, to the current news of the event, if it has a public page. At most two
    queries."""
    if not event.public_page:
        return dict.fromkeys(people, ())
    if event.state != EventState.PREPARING:
        return {person: tuple(seats.values()) for person, seats in get_current_seats(event, people).items()}
    news: dict[int, list[AlertNews]] = {person: [_get_day(event)] for person in people}
    for *players, is_waiting in event.entries.values_list("player_1", "player_2", "is_waiting"):
        for person in news.keys() & players:
            news[person].append(AlertPlace(has_place=not is_waiting))
    return news


def _get_day(event: Event) -> AlertDay:
    announcement = event.announcement
    return AlertDay(
        day=event.held_on,
        hour=announcement.starts_at,
        is_off=announcement.is_called_off,
        reason=announcement.reason_off,
    )


def get_current_seats(event: Event, people: Collection[int]) -> Mapping[int, Mapping[int, AlertSeat]]:
    """Map each of these people, by id, to their seats in the rounds in progress, by number. Empty unless the
    draw is public, and drafts are never included. Two queries."""
    seats: dict[int, dict[int, AlertSeat]] = {person: {} for person in people}
    if not (event.public_page and event.visible.draw):
        return seats
    seatings = (
        Seating.objects.filter(round__event=event, round__state__in=OPEN_STATES)
        .select_related("round", "entry", "table__match")
        .defer("round__draft", *(f"round__{name}" for name in PROOFS))
        .prefetch_related(Prefetch("table__match__players", queryset=Player.objects.order_by("seat")))
        .order_by("round__number", "table__number")
    )
    last_round = max((seating.round.number for seating in seatings), default=0)
    messages = list_current_messages(event, last_round=last_round, now=timezone.now())
    calls = {message.table: message.number for message in messages if message.is_call}
    for seating in seatings:
        for person, side in _list_seats(seating):
            if person in seats:
                seats[person].setdefault(seating.round.number, _build_seat(seating, side, calls))
    return seats


def _list_seats(seating: Seating) -> Iterator[tuple[int, Side | None]]:
    """Yield the people of a seat, with their sides. They are the players of its match, who may be
    substitutes, or else those of the entry."""
    match = None if seating.table is None else seating.table.match
    if match is not None:
        yield from ((player.person_id, Side(player.seat % 2)) for player in match.players.all())
        return
    side = None if seating.side is None else Side(seating.side)
    yield from ((pk, side) for pk in (seating.entry.player_1_id, seating.entry.player_2_id) if pk is not None)


def _build_seat(seating: Seating, side: Side | None, calls: Mapping[int | None, int]) -> AlertSeat:
    table = None if seating.table is None else seating.table.number
    return AlertSeat(
        round=seating.round.number,
        table=table,
        call=None if table is None else calls.get(table),
        side=side,
        bye=classify_bye(seating.reasons) if table is None else None,
    )
