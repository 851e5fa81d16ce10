"""Rounds and their tables."""

from django.db.models import Prefetch, QuerySet

from rules import Side
from scoring.models import Dispute, Match, Player
from tournaments.lifecycle import RoundState
from tournaments.models import Event, Round, Seating, Table

_PLAYERS = ("entry__player_1", "entry__player_2")


def rounds_of(event: Event) -> QuerySet[Round]:
    """The rounds that have been published, first to last, without their proofs, which no page shows and which
    are large. One query."""
    return (
        event.rounds.exclude(state=RoundState.DRAFT)
        .defer("certificate", "drawn_from", "order")
        .order_by("number")
    )


def tables_of(drawn: Round) -> list[Table]:
    """The tables of a published round with their seatings, entries and matches. Two queries."""
    seatings = Seating.objects.select_related(*_PLAYERS).order_by("side", "place")
    return list(
        drawn.tables.select_related("match__card")
        .prefetch_related(Prefetch("seatings", queryset=seatings))
        .order_by("number")
    )


def played_tables(drawn: Round) -> dict[int, Table]:
    """The tables of a published round by number, with matches and who sat there. Two queries."""
    players = Player.objects.select_related("person").order_by("seat")
    tables = drawn.tables.select_related("match").prefetch_related(
        Prefetch("match__players", queryset=players)
    )
    return {table.number: table for table in tables}


def numbers_at(table: Table) -> list[list[int]]:
    """The numbers of the entries on each side of a table. One query."""
    seated = table.seatings.order_by("place").values_list("side", "entry__number")
    return [[number for at, number in seated if at == side] for side in Side]


def byes_of(drawn: Round) -> list[Seating]:
    """Who sits out in a published round. One query."""
    return list(drawn.seatings.filter(table=None).select_related(*_PLAYERS))


def missing_tables(played: Round) -> list[int]:
    """The numbers of the tables without a result that stands: not over, two marks, or a call to the desk."""
    called = Dispute.objects.filter(settled_at=None).values("match")
    settled = Match.objects.filter(is_over=True, has_rivals=False).exclude(pk__in=called)
    missing = played.tables.filter(ruling__isnull=True).exclude(match__in=settled)
    return list(missing.order_by("number").values_list("number", flat=True))
