"""Dues that members pay a club for a year: recorded, never collected."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from versioning import INTERNAL, FieldFacts, Text, declare_facts
from web import names

from .clubs import Club
from .people import Person


class DuesPeriod(models.Model):
    """A period for which a club charges dues, such as ``2026-2027``; ``amount`` is in cents."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="dues_periods")
    name = models.CharField(max_length=names.NAME_LENGTH)
    amount = models.PositiveIntegerField()
    starts = models.DateField()
    ends = models.DateField()

    FACTS = declare_facts(
        {INTERNAL: "club"},
        name=FieldFacts(_("Name"), text=Text.TITLE),
        amount=FieldFacts(_("Amount"), "amount"),
        starts=FieldFacts(_("First day")),
        ends=FieldFacts(_("Last day")),
    )

    class Meta:
        ordering = ["-starts", "-pk"]
        constraints = [models.CheckConstraint(condition=Q(starts__lte=F("ends")), name="dues_end_after_they_start")]

    def __str__(self) -> str:
        return self.name


class Dues(models.Model):
    """A person's payment for a period, in cents. ``other`` is an amount charged instead of the usual one, 0
    if the person is excused."""

    period = models.ForeignKey(DuesPeriod, on_delete=models.PROTECT, related_name="dues")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="dues")
    other = models.PositiveIntegerField(null=True, blank=True)
    paid = models.PositiveIntegerField(default=0)

    FACTS = declare_facts(
        person=FieldFacts(_("Name"), names_row=True),
        period=FieldFacts(_("Dues"), names_row=True),
        other=FieldFacts(_("Other amount"), "amount"),
        paid=FieldFacts(_("Paid"), "amount"),
    )

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "dues"
        constraints = [models.UniqueConstraint(fields=["period", "person"], name="one_row_of_dues_per_person")]

    def __str__(self) -> str:
        return f"{self.person}: {self.paid}"
