"""What was played in an event, as a text about it tells it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, QuerySet

from clubs.models import Person
from rules import PlayedHand, Side
from scoring.fold import CHARLEMAGNES, fold_match, log_of
from scoring.models import Mark, Match, Player
from tournaments.lifecycle import RoundState
from tournaments.models import Entry, Event, Table
from tournaments.records.queries import played_outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMatch:
    """A match of a round with its result: who sat at each side, and what each made."""

    match: Match
    round: int
    points: tuple[int, int]
    sides: tuple[tuple[Person, ...], tuple[Person, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeCharlemagne:
    """``at`` is when it was marked first, at the table; None where somebody at the desk did."""

    contract: str
    round: int
    people: tuple[Person, ...]
    at: datetime | None


def entries_seated(event: Event) -> QuerySet[Entry]:
    """Who sat at a table, or was exempt, in a published round."""
    published = [state for state in RoundState if state is not RoundState.DRAFT]
    return event.entries.filter(is_waiting=False, seatings__round__state__in=published).distinct()


def played_matches(event: Event) -> list[PlayedMatch]:
    """Those with a result that was played for, round by round, with their people. Two queries."""
    players = Player.objects.select_related("person").order_by("seat")
    tables = (
        Table.objects.filter(round__event=event, match__withdrawn_at=None)
        .exclude(match=None)
        .select_related("round", "match__terms")
        .prefetch_related(Prefetch("match__players", queryset=players))
        .order_by("round__number", "number")
    )
    return [played for table in tables if (played := _played(table)) is not None]


def _played(table: Table) -> PlayedMatch | None:
    assert table.match is not None
    outcome: Mapping[str, Any] | None = played_outcome(
        table.ruling, table.match.summary, is_over=table.match.is_over
    )
    if outcome is None:
        return None
    people = [player.person for player in table.match.players.all()]
    return PlayedMatch(
        match=table.match,
        round=table.round.number,
        points=(outcome["points"][0], outcome["points"][1]),
        sides=(tuple(people[0::2]), tuple(people[1::2])),
    )


def charlemagnes_in(played: list[PlayedMatch]) -> list[MadeCharlemagne]:
    """The Charlemagnes made in these matches, as their logs tell. One query, or none."""
    told = {one.match.pk: one for one in played if any(one.match.summary.get("charlemagnes", ()))}
    if not told:
        return []
    marks = Prefetch("marks", queryset=Mark.objects.order_by("match", "number", "pk"))
    found = Match.objects.filter(pk__in=told).select_related("terms").prefetch_related(marks)
    return [made for match in found.order_by("pk") for made in _made_in(match, told[match.pk])]


def _made_in(match: Match, played: PlayedMatch) -> list[MadeCharlemagne]:
    first: dict[int, Mark] = {}
    for mark in match.marks.all():
        first.setdefault(mark.number, mark)
    return [
        MadeCharlemagne(
            contract=line.record.contract,
            round=played.round,
            people=played.sides[list(Side).index(line.record.side)],
            at=None if first[line.number].helper else first[line.number].created_at,
        )
        for line in fold_match(match, log_of(match).places).lines
        if isinstance(line.record, PlayedHand)
        and line.record.made
        and line.record.contract in CHARLEMAGNES
        and not line.is_surplus
    ]
