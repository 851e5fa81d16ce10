"""A round, its tables and its seats."""

from typing import NotRequired, TypedDict

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from rules import Side
from scoring.models import Match
from tournaments.lifecycle import RoundState
from versioning import CODE, INTERNAL, TYPED, UNRECORDED, FieldFacts, Text, VersionedJSONField, declare_facts

from .entries import Entry
from .events import Event

PROOFS = ("order", "drawn_from", "certificate")
"""Columns of a round that reproduce its draw and prove its price: large, and on no page."""


class Round(models.Model):
    """A round: its draw and its state. Format, settings, seed, ``order`` and ``drawn_from`` reproduce the
    draw.

    ``price`` is the cost of a priced draw by criterion, and ``certificate`` proves that none costs less.
    ``order`` has the entries drawn, best first by the standings of that time; the first round of a stage thus
    records who went on to it. ``drawn_from`` has the other inputs of the draw (``results.snapshot_to_json``),
    whatever is corrected later; None if the round was not drawn here. A draft is a value, ``draft``
    (``seatings.lineup_to_json``), whose tables ``held`` stay when the rest is drawn again; a published round
    has tables instead, with constraints. ``team_lineups`` has the entries by board that captains have given for
    their teams; a draft does not show them before both captains of a match gave theirs. ``postponed`` has the day, ""
    if not known yet, of each table whose team match was postponed, by its number as text. ``postponement_requests``
    has the ``day`` and ``note`` of captains who asked for it, by team, and the ``answer``, "" while there is none.
    The clock runs from ``started_at``; it is paused since ``paused_at``, if set, and was paused for
    ``paused_seconds`` before. It counts down the minutes of a match, or ``clock_minutes`` where a match has
    none, plus ``added_minutes``. ``started_at`` is by a clock that is ``clock_shift`` seconds behind this
    one, of the computer where the round began.
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
    team_lineups = VersionedJSONField(null=True, blank=True)
    postponed = VersionedJSONField(default=dict, blank=True, db_default={})
    postponement_requests = VersionedJSONField(default=dict, blank=True, db_default={})
    published_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    clock_minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    added_minutes = models.PositiveSmallIntegerField(default=0, db_default=0)
    paused_at = models.DateTimeField(null=True, blank=True)
    paused_seconds = models.PositiveIntegerField(default=0, db_default=0)
    clock_shift = models.IntegerField(default=0, db_default=0)
    last_hand_at = models.DateTimeField(null=True, blank=True)

    FACTS = declare_facts(
        {
            INTERNAL: "event clock_shift",
            TYPED: "settings drawn_from team_lineups postponement_requests",
            CODE: "price certificate postponed",
            UNRECORDED: "draft",
        },
        number=FieldFacts(_("Number"), names_row=True),
        state=FieldFacts(_("Status")),
        draw_format=FieldFacts(_("Draw format"), "format", text=Text.CODE),
        seed=FieldFacts(_("Lot number")),
        order=FieldFacts(_("Entries drawn"), "entries", text=Text.CODE),
        held=FieldFacts(_("Tables locked"), "list", text=Text.CODE),
        published_at=FieldFacts(_("Published")),
        started_at=FieldFacts(_("Started")),
        closed_at=FieldFacts(pgettext_lazy("a season or a round", "Closed")),
        clock_minutes=FieldFacts(_("Countdown (minutes)")),
        added_minutes=FieldFacts(_("Minutes added")),
        paused_at=FieldFacts(_("Clock stopped")),
        paused_seconds=FieldFacts(_("Seconds stopped")),
        last_hand_at=FieldFacts(_("Last hand called")),
    )

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="one_round_per_number")]

    def __str__(self) -> str:
        return f"{self.event}, {self.number}"


class Ruling(TypedDict):
    """A result given to a table by the director, side A first: ``forfeit``, or ``adjusted`` with the score.
    ``winner`` is None if nobody wins."""

    kind: str
    winner: str | None
    games_won: NotRequired[list[int]]
    points: NotRequired[list[int]]


class Table(models.Model):
    """A table of a published round, with the reasons of its draw and its match.

    ``slot`` is its place in a stage and a bracket. ``ruling`` is the director's result (``Ruling``), which
    replaces that of the match; None if the match counts.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    slot = models.CharField(max_length=40, blank=True, default="")
    reasons = VersionedJSONField(default=list, blank=True)
    ruling = VersionedJSONField(null=True, blank=True)
    match = models.OneToOneField(Match, on_delete=models.PROTECT, null=True, blank=True, related_name="table")

    FACTS = declare_facts({CODE: "slot reasons ruling"})

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["round", "number"], name="one_table_per_number")]

    def __str__(self) -> str:
        return f"{self.round}, {self.number}"


class Seating(models.Model):
    """Seat of an entry in a published round: a side of a table, or none, which is a bye.

    ``place`` distinguishes two entries that share a side as partners. A bye has its own reasons and slot.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seatings")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="seatings")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, blank=True, related_name="seatings")
    side = models.PositiveSmallIntegerField(null=True, blank=True, choices=[(side.value, side.name) for side in Side])
    place = models.PositiveSmallIntegerField(default=0)
    slot = models.CharField(max_length=40, blank=True, default="")
    reasons = VersionedJSONField(default=list, blank=True)

    FACTS = declare_facts({CODE: "slot reasons"})

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
                condition=Q(table__isnull=True, side__isnull=True) | Q(table__isnull=False, side__isnull=False),
                name="a_side_only_at_a_table",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry}: {self.table}"
