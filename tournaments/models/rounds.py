"""A round as it was drawn, its tables, and who sits where."""

from typing import NotRequired, TypedDict

from django.db import models
from django.db.models import Q

from rules import Side
from scoring.models import Match
from tournaments.lifecycle import RoundState
from versioning import VersionedJSONField

from .entries import Entry
from .events import Event

PROOFS = ("order", "drawn_from", "certificate")
"""Columns of a round that draw it again and prove its price: large, and no page shows them."""


class Round(models.Model):
    """One draw and what became of it. Format, settings, seed, ``order`` and ``drawn_from`` draw it again;
    where it was priced, ``price`` is what it costs by each criterion, and ``certificate`` proves that none
    costs less.

    ``order`` is who was drawn, best first, as the standings were then: the first round of a stage so keeps
    who goes on to it. ``drawn_from`` is the rest that the draw went by (``results.snapshot_to_json``),
    whatever is corrected later; None where the round was not drawn here. A draft is a value, ``draft``
    (``seatings.lineup_to_json``), and in it the tables ``held`` stay where they are when the rest is drawn
    again; a published round has tables instead, held by constraints.

    The clock runs from ``started_at``, and stands since ``paused_at``, if it does; earlier it stood for
    ``paused_seconds``. It counts down the minutes of a match, or ``clock_minutes`` where a match has none,
    and ``added_minutes`` more.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=12, choices=RoundState, default=RoundState.DRAFT)
    draw_format = models.CharField(max_length=40)
    settings = VersionedJSONField(default=dict, blank=True)
    seed = models.BigIntegerField()
    order = VersionedJSONField(default=list, blank=True)
    drawn_from = VersionedJSONField(null=True, blank=True)
    price = VersionedJSONField(default=dict, blank=True)
    certificate = VersionedJSONField(null=True, blank=True)
    draft = VersionedJSONField(null=True, blank=True)
    held = VersionedJSONField(default=list, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    clock_minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    added_minutes = models.PositiveSmallIntegerField(default=0, db_default=0)
    paused_at = models.DateTimeField(null=True, blank=True)
    paused_seconds = models.PositiveIntegerField(default=0, db_default=0)
    last_hand_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="one_round_per_number")]

    def __str__(self) -> str:
        return f"{self.event}, {self.number}"


class Ruling(TypedDict):
    """A result that the director gives a table, side A first: ``forfeit``, or ``adjusted`` with what counts;
    ``winner`` is None where nobody wins."""

    kind: str
    winner: str | None
    games_won: NotRequired[list[int]]
    points: NotRequired[list[int]]


class Table(models.Model):
    """A table of a published round, why it was drawn so, and the match played at it.

    ``slot`` is its place in a stage and a bracket. ``ruling`` is a result that the director gives it, which
    counts instead of what was played (``Ruling``); None where the match counts.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    slot = models.CharField(max_length=40, blank=True, default="")
    reasons = VersionedJSONField(default=list, blank=True)
    ruling = VersionedJSONField(null=True, blank=True)
    match = models.OneToOneField(Match, on_delete=models.PROTECT, null=True, blank=True, related_name="table")

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["round", "number"], name="one_table_per_number")]

    def __str__(self) -> str:
        return f"{self.round}, {self.number}"


class Seating(models.Model):
    """Where an entry is in a published round: on one side of a table, or nowhere, which is a bye.

    ``place`` tells two entries apart that share a side as partners. A bye has its own reasons and slot.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seatings")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="seatings")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, blank=True, related_name="seatings")
    side = models.PositiveSmallIntegerField(
        null=True, blank=True, choices=[(side.value, side.name) for side in Side]
    )
    place = models.PositiveSmallIntegerField(default=0)
    slot = models.CharField(max_length=40, blank=True, default="")
    reasons = VersionedJSONField(default=list, blank=True)

    class Meta:
        ordering = ["round", "table", "side", "place"]
        constraints = [
            models.UniqueConstraint(fields=["round", "entry"], name="one_place_per_entry_and_round"),
            models.UniqueConstraint(
                fields=["table", "side", "place"],
                condition=Q(table__isnull=False),
                name="one_entry_per_place",
            ),
            models.CheckConstraint(
                condition=Q(table__isnull=True, side__isnull=True)
                | Q(table__isnull=False, side__isnull=False),
                name="a_side_only_at_a_table",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry}: {self.table}"
