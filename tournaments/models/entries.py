"""Entries of an event, and the director's adjustments."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.models import Person
from rules import Side
from versioning import INTERNAL, FieldFacts, Text, VersionedJSONField, declare_facts

from .events import Event

REASON_LENGTH = 200

NOT_ARRIVED = 100
"""Value of ``arrives`` for an entry in no draw until it comes: a round later than there can be."""


class Entry(models.Model):
    """A registered pair, or one person where two people play or partners are drawn.

    ``number`` is the place in the starting list, which prepared schedules and brackets use. An entry is drawn
    from round ``arrives`` to round ``leaves_after``, except in rounds where it is ``absent`` (some of them
    ``excused``) or was ``withdrawn`` before it returned; in those of ``byes_asked`` it has a bye by request.
    ``is_waiting``: on the waiting list; where pairs play, one person who waits alone ``looks_for_partner``.
    One that ``is_house`` completes a table where others would sit out, and has no rank, prize or fee.
    ``team`` is the club it plays for; ``table`` and ``side`` are the only ones where it can sit.
    ``disqualification`` is the reason, "" if it is not disqualified; a disqualified entry has left for good.
    Entries that share a comma-separated label in ``family`` or in ``car`` should not meet. ``labels``, with
    commas too, are prize categories, such as "Women" or "Juniors".
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="entries")
    number = models.PositiveSmallIntegerField()
    player_1 = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    player_2 = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    section = models.CharField(max_length=40, blank=True, default="")
    team = models.CharField(max_length=80, blank=True, default="")
    rating = models.PositiveSmallIntegerField(null=True, blank=True)
    table = models.PositiveSmallIntegerField(null=True, blank=True)
    family = models.CharField(max_length=80, blank=True, default="", db_default="")
    car = models.CharField(max_length=80, blank=True, default="", db_default="")
    labels = models.CharField(max_length=80, blank=True, default="", db_default="")
    side = models.PositiveSmallIntegerField(null=True, blank=True, choices=[(side.value, side.name) for side in Side])
    is_waiting = models.BooleanField(default=False)
    signed_up_at = models.DateTimeField(null=True, blank=True)
    present_at = models.DateTimeField(null=True, blank=True)
    arrives = models.PositiveSmallIntegerField(default=1)
    leaves_after = models.PositiveSmallIntegerField(null=True, blank=True)
    absent = VersionedJSONField(default=list, blank=True)
    excused = VersionedJSONField(default=list, blank=True, db_default=[])
    withdrawn = VersionedJSONField(default=list, blank=True, db_default=[])
    byes_asked = VersionedJSONField(default=list, blank=True)
    is_house = models.BooleanField(default=False, db_default=False)
    disqualification = models.CharField(max_length=REASON_LENGTH, blank=True, default="", db_default="")

    FACTS = declare_facts(
        {INTERNAL: "event"},
        number=FieldFacts(_("Starting number")),
        player_1=FieldFacts(_("First player"), names_row=True),
        player_2=FieldFacts(_("Second player"), names_row=True),
        section=FieldFacts(_("Section"), text=Text.TYPED),
        team=FieldFacts(pgettext_lazy("a club against clubs", "Plays for"), text=Text.TYPED),
        rating=FieldFacts(_("Rating")),
        table=FieldFacts(_("Always at table")),
        family=FieldFacts(_("Family"), text=Text.TYPED),
        car=FieldFacts(_("Car"), text=Text.TYPED),
        labels=FieldFacts(_("Category"), text=Text.TYPED),
        side=FieldFacts(_("Always on side"), "side"),
        is_waiting=FieldFacts(_("On the waiting list")),
        signed_up_at=FieldFacts(_("Signed up online")),
        present_at=FieldFacts(_("Checked in")),
        arrives=FieldFacts(_("Plays from"), "arrival"),
        leaves_after=FieldFacts(_("Last round"), "round"),
        absent=FieldFacts(_("Rounds absent"), "list", text=Text.CODE),
        excused=FieldFacts(_("Rounds excused"), "list", text=Text.CODE),
        withdrawn=FieldFacts(_("Rounds withdrawn"), "list", text=Text.CODE),
        byes_asked=FieldFacts(_("Byes requested"), "list", text=Text.CODE),
        is_house=FieldFacts(_("House player")),
        disqualification=FieldFacts(_("Reason for disqualification"), text=Text.TYPED),
    )

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "entries"
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="one_entry_per_number")]

    def __str__(self) -> str:
        return " / ".join(person.name for person in self.players)

    @property
    def is_awaited(self) -> bool:
        """Whether the entry was left out at the start and has not come since."""
        return self.arrives == NOT_ARRIVED

    @property
    def looks_for_partner(self) -> bool:
        """Whether it is one person without a partner yet, who takes no place."""
        return self.is_waiting and self.player_2_id is None and self.event.entry_size > 1

    def is_away(self, played_round: int) -> bool:
        """Whether the entry had not arrived, had left, or was absent."""
        return (
            self.has_left(played_round)
            or played_round < self.arrives
            or played_round in (*self.absent, *self.withdrawn)
        )

    def has_left(self, played_round: int) -> bool:
        """Whether the entry has left for good before this round."""
        return self.leaves_after is not None and self.leaves_after < played_round

    def plays_in(self, played_round: int) -> bool:
        """Whether the entry is drawn for this round, even for a bye."""
        return not self.is_waiting and not self.is_away(played_round)

    @property
    def players(self) -> list[Person]:
        return [self.player_1] if self.player_2 is None else [self.player_1, self.player_2]


class Adjustment(models.Model):
    """An addition to an entry's results, or a penalty, by the director, and its reason.

    ``metric`` is one of ``ranking.ADJUSTABLE``; ``round`` is the round that it belongs to, if any.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="adjustments")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="adjustments")
    round = models.PositiveSmallIntegerField(null=True, blank=True)
    metric = models.CharField(max_length=20)
    amount = models.SmallIntegerField()
    reason = models.CharField(max_length=REASON_LENGTH)

    FACTS = declare_facts(
        {INTERNAL: "event"},
        entry=FieldFacts(_("Entry"), names_row=True),
        round=FieldFacts(_("Round"), "round"),
        metric=FieldFacts(_("Adjusted criterion"), "metric", text=Text.CODE),
        amount=FieldFacts(_("Amount"), "signed"),
        reason=FieldFacts(_("Reason"), text=Text.TYPED),
    )

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.entry}: {self.amount} {self.metric}"
