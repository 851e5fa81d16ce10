"""Rounds and their tables."""

from django.db.models import Prefetch, QuerySet

from scoring.models import Dispute, Match
from tournaments.lifecycle import RoundState
from tournaments.models import Event, Round, Seating, Table

_PLAYERS = ("entry__player_1", "entry__player_2")


def rounds_of(event: Event) -> QuerySet[Round]:
    """The rounds that have been published, first to last, without their proofs, which no page shows and which
    are large. One query."""
    return event.rounds.exclude(state=RoundState.DRAFT).defer("certificate").order_by("number")


def tables_of(drawn: Round) -> list[Table]:
    """The tables of a round with their seatings, entries and matches. Two queries."""
    seatings = Seating.objects.select_related(*_PLAYERS).order_by("side")
    return list(
        drawn.tables.select_related("match__card")
        .prefetch_related(Prefetch("seatings", queryset=seatings))
        .order_by("number")
    )


def byes_of(drawn: Round) -> list[Seating]:
    """Who sits out in a round. One query."""
    return list(drawn.seatings.filter(table=None).select_related(*_PLAYERS))


def missing_tables(played: Round) -> list[int]:
    """The numbers of the tables without a result that stands: not over, two marks, or a call to the desk."""
    called = Dispute.objects.filter(settled_at=None).values("match")
    settled = Match.objects.filter(is_over=True, has_rivals=False).exclude(pk__in=called)
    return list(played.tables.exclude(match__in=settled).order_by("number").values_list("number", flat=True))
