"""Payments and prizes of an event: recorded, never collected."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Person
from tournaments.competitors import PrizeScope
from versioning import INTERNAL, FieldFacts, Text, VersionedJSONField, declare_facts
from web.names import NAME_LENGTH

from .events import Event


class Fee(models.Model):
    """Payment of a person for an event, in cents.

    ``other`` is their fee if it is not the usual one, 0 if excused. The payment is the person's, not the
    entry's: it remains after a withdrawal or a substitution.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="fees")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="fees")
    other = models.PositiveIntegerField(null=True, blank=True)
    paid = models.PositiveIntegerField(default=0)

    FACTS = declare_facts(
        {INTERNAL: "event"},
        person=FieldFacts(_("Name"), names_row=True),
        other=FieldFacts(_("Other amount"), "amount"),
        paid=FieldFacts(_("Paid"), "amount"),
    )

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["event", "person"], name="one_fee_per_person")]

    def __str__(self) -> str:
        return f"{self.person}: {self.paid}"


class Prize(models.Model):
    """A prize won at an event by a person, or two together: a text, and perhaps an amount in cents.

    If ``is_public`` everybody sees it, with ``shows_amount`` its amount too. ``rank`` is that of the winners
    when it was given, if it was given for the rank.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="prizes")
    name = models.CharField(max_length=NAME_LENGTH)
    amount = models.PositiveIntegerField(default=0)
    winner_1 = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    winner_2 = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    rank = models.PositiveIntegerField(null=True, blank=True)
    is_public = models.BooleanField(default=False)
    shows_amount = models.BooleanField(default=False)

    FACTS = declare_facts(
        {INTERNAL: "event"},
        name=FieldFacts(_("Prize"), text=Text.TYPED),
        amount=FieldFacts(_("Amount"), "amount"),
        winner_1=FieldFacts(_("Won by")),
        winner_2=FieldFacts(_("With")),
        rank=FieldFacts(_("Rank")),
        is_public=FieldFacts(_("On public pages")),
        shows_amount=FieldFacts(_("Show amount")),
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(winner_2=None) | ~Q(winner_2=models.F("winner_1")), name="a_prize_of_two_people"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def winners(self) -> list[Person]:
        return [self.winner_1] if self.winner_2 is None else [self.winner_1, self.winner_2]


class PrizeCategory(models.Model):
    """A category of prizes, won by rank in the standings among some entries.

    ``group`` is the label, club, section or pool meant; "" for each club, section or pool separately. Ratings
    go from ``lowest`` to ``highest``, None where that side is open. ``amounts`` has the prize of each place
    in cents, 0 for no amount. ``prize`` describes what else is won. If ``is_public`` everybody sees the
    winners of the final standings, with ``shows_amount`` the amounts too.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="prize_categories")
    name = models.CharField(max_length=NAME_LENGTH)
    among = models.CharField(max_length=12, choices=PrizeScope, default=PrizeScope.EVERYBODY)
    group = models.CharField(max_length=80, blank=True, default="")
    lowest = models.PositiveSmallIntegerField(null=True, blank=True)
    highest = models.PositiveSmallIntegerField(null=True, blank=True)
    prize = models.CharField(max_length=NAME_LENGTH, blank=True, default="")
    amounts = VersionedJSONField(default=list)
    is_public = models.BooleanField(default=True)
    shows_amount = models.BooleanField(default=False)

    FACTS = declare_facts(
        {INTERNAL: "event"},
        name=FieldFacts(_("Category"), text=Text.TYPED),
        among=FieldFacts(_("Eligible entries"), "among"),
        group=FieldFacts(_("Group"), text=Text.TYPED),
        lowest=FieldFacts(_("Minimum rating")),
        highest=FieldFacts(_("Maximum rating")),
        prize=FieldFacts(_("Prize"), text=Text.TYPED),
        amounts=FieldFacts(_("Amounts"), "amounts", text=Text.CODE),
        is_public=FieldFacts(_("On public pages")),
        shows_amount=FieldFacts(_("Show amount")),
    )

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "prize categories"

    def __str__(self) -> str:
        return self.name
