"""The evenings that a club holds again and again: how it plays, and on which days."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from versioning import VersionedJSONField
from web import names

from .clubs import Club
from .folded_names import FoldedNameField

PLACE_LENGTH = 120


class UsualNight(models.Model):
    """How a club usually plays, under a name of its own: ``Mardi régulier``.

    ``settings`` are a value, kept whole (``tournaments.events.event_settings``): an evening
    that is made from them owes nothing to this row any more.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="usual_nights")
    name = models.CharField(max_length=names.NAME_LENGTH)
    folded_name = FoldedNameField()
    settings = VersionedJSONField()

    class Meta:
        ordering = ["folded_name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "folded_name"], name="one_name_for_usual_nights")
        ]

    def __str__(self) -> str:
        return self.name


class Pattern(models.TextChoices):
    """When a night comes again, counted from its first day."""

    WEEKLY = "weekly", _("every week")
    FORTNIGHTLY = "fortnightly", _("every two weeks")
    MONTHLY = "monthly", _("once a month, on the same weekday")


class RecurringNight(models.Model):
    """An evening of the calendar that comes again from ``first_on`` to ``last_on``, if it ever ends.

    The first day says the weekday, and for a monthly one which of the month: the second Tuesday. Hours are
    those of the club's time zone; one that ends before it begins ends after midnight. It is played like
    ``usual``, or like the last time where there is none.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="recurring_nights")
    name = models.CharField(max_length=names.NAME_LENGTH)
    usual = models.ForeignKey(
        UsualNight, on_delete=models.PROTECT, null=True, blank=True, related_name="recurring_nights"
    )
    pattern = models.CharField(max_length=12, choices=Pattern)
    first_on = models.DateField()
    last_on = models.DateField(null=True, blank=True)
    starts_at = models.TimeField()
    ends_at = models.TimeField(null=True, blank=True)
    place = models.CharField(max_length=PLACE_LENGTH, blank=True, default="")

    class Meta:
        ordering = ["first_on", "starts_at", "pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def hall(self) -> str:
        """Where it is held: at a place of its own, else in the club's hall; "" where nobody has said."""
        return self.place or self.club.hall


class ChangedDate(models.Model):
    """A day on which a recurring night is not held: cancelled, or put off to another day, and why."""

    night = models.ForeignKey(RecurringNight, on_delete=models.CASCADE, related_name="changed_dates")
    on = models.DateField()
    moved_to = models.DateField(null=True, blank=True)
    reason = models.CharField(max_length=PLACE_LENGTH, blank=True, default="")

    class Meta:
        ordering = ["on"]
        constraints = [models.UniqueConstraint(fields=["night", "on"], name="one_change_per_date")]

    def __str__(self) -> str:
        return f"{self.night}, {self.on}"
