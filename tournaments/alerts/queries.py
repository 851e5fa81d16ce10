"""Where people sit now, and whether what they come for is held, as they are told it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import ClassVar

from django.db.models import Prefetch
from django.utils import timezone

from clubs.models import Person
from rules import Side
from scoring.models import Player
from tournaments.lifecycle import OPEN, EventState
from tournaments.messages.queries import messages_of
from tournaments.models import PROOFS, AlertSubscription, Event, Seating
from tournaments.rounds.byes import ByeKind, bye_kind

from .channels import MAIL

CALLED = "!"
OFF = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertSeat:
    """Of somebody in a round under way: a side of a table, or how they sit out; and the number of the
    ``call``, while the desk calls that table."""

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
        """Another one whenever there is something else to tell of the round."""
        if self.bye is not None:
            return self.bye.value
        assert self.side is not None, "who is at a table is on a side of it"
        return f"{self.table}{self.side.name}" + ("" if self.call is None else f"{CALLED}{self.call}")

    def is_news(self, told: str | None) -> bool:
        """To whom that code was told last: that a call is over is nothing to tell."""
        return told != self.code and not (told or "").startswith(self.code + CALLED)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertDay:
    """When an event that is prepared is held, at which hour if that was said; or that it ``is_off``, perhaps
    for a reason."""

    subject: ClassVar[str] = "day"

    day: date
    hour: time | None
    is_off: bool
    reason: str

    @property
    def code(self) -> str:
        """Another one whenever somebody would come for nothing, or at another time."""
        return OFF if self.is_off else f"{self.day}" if self.hour is None else f"{self.day} {self.hour}"

    def is_news(self, told: str | None) -> bool:
        """To whom that code was told last; who was told of no day yet has only to know that it is off."""
        return told != self.code and (self.is_off or told is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertPlace:
    """Whether somebody on the list of an event that is prepared has a place; else they wait for
    one, or look for a partner."""

    subject: ClassVar[str] = "place"

    has_place: bool

    @property
    def code(self) -> str:
        return "in" if self.has_place else "waits"

    def is_news(self, told: str | None) -> bool:
        """To whom that code was told last."""
        return told not in {None, self.code}


AlertNews = AlertSeat | AlertDay | AlertPlace
"""What there is to tell of a ``subject``: a round, the day, a place. What was told of it is its ``code``."""


def alert_of(event: Event, subscription_id: int) -> AlertSubscription | None:
    """One query."""
    return AlertSubscription.objects.filter(event=event, pk=subscription_id).first()


def mailed_alert(event: Event, person: Person) -> AlertSubscription | None:
    """By which the person is told by mail. One query."""
    return AlertSubscription.objects.filter(event=event, person=person, channel=MAIL).first()


def news_now(event: Event, people: Collection[int]) -> Mapping[int, Sequence[AlertNews]]:
    """By person, what these people, by id, are told as it is now; of an event that has a public page. At most
    two queries."""
    if not event.public_page:
        return dict.fromkeys(people, ())
    if event.state != EventState.PREPARING:
        return {person: tuple(seats.values()) for person, seats in seats_now(event, people).items()}
    news: dict[int, list[AlertNews]] = {person: [_day(event)] for person in people}
    for *players, is_waiting in event.entries.values_list("player_1", "player_2", "is_waiting"):
        for person in news.keys() & players:
            news[person].append(AlertPlace(has_place=not is_waiting))
    return news


def _day(event: Event) -> AlertDay:
    said = event.announcement
    return AlertDay(day=event.held_on, hour=said.starts_at, is_off=said.is_called_off, reason=said.reason_off)


def seats_now(event: Event, people: Collection[int]) -> Mapping[int, Mapping[int, AlertSeat]]:
    """By person and by number of the round, where these people, by id, sit in the rounds under way; nothing
    while nobody sees who plays where, and never a draft. Two queries."""
    found: dict[int, dict[int, AlertSeat]] = {person: {} for person in people}
    if not (event.public_page and event.visible.draw):
        return found
    seatings = (
        Seating.objects.filter(round__event=event, round__state__in=OPEN)
        .select_related("round", "entry", "table__match")
        .defer("round__draft", *(f"round__{name}" for name in PROOFS))
        .prefetch_related(Prefetch("table__match__players", queryset=Player.objects.order_by("seat")))
        .order_by("round__number", "table__number")
    )
    last_round = max((seating.round.number for seating in seatings), default=0)
    said = messages_of(event, last_round=last_round, now=timezone.now())
    calls = {each.table: each.number for each in said if each.is_call}
    for seating in seatings:
        for person, side in _seats_of(seating):
            if person in found:
                found[person].setdefault(seating.round.number, _seat(seating, side, calls))
    return found


def _seats_of(seating: Seating) -> Iterator[tuple[int, Side | None]]:
    """Who sits there: at a match its players, who may be substitutes; else those of the entry."""
    match = None if seating.table is None else seating.table.match
    if match is not None:
        yield from ((player.person_id, Side(player.seat % 2)) for player in match.players.all())
        return
    side = None if seating.side is None else Side(seating.side)
    yield from ((pk, side) for pk in (seating.entry.player_1_id, seating.entry.player_2_id) if pk is not None)


def _seat(seating: Seating, side: Side | None, calls: Mapping[int | None, int]) -> AlertSeat:
    table = None if seating.table is None else seating.table.number
    return AlertSeat(
        round=seating.round.number,
        table=table,
        call=None if table is None else calls.get(table),
        side=side,
        bye=bye_kind(seating.reasons) if table is None else None,
    )
