"""Recurring nights of a club, and the templates for their settings."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from versioning import CODE, INTERNAL, FieldFacts, Text, VersionedJSONField, declare_facts
from web import names

from .clubs import Club
from .folded_names import FoldedNameField

PLACE_LENGTH = 120


class UsualNight(models.Model):
    """A night template: settings under a name, such as ``Mardi régulier``.

    ``settings`` are a complete value (``tournaments.events.event_settings``): a night made from them no
    longer depends on this row.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="usual_nights")
    name = models.CharField(max_length=names.NAME_LENGTH)
    folded_name = FoldedNameField()
    settings = VersionedJSONField()

    FACTS = declare_facts(
        {INTERNAL: "club", CODE: "folded_name"},
        name=FieldFacts(_("Name"), text=Text.TITLE),
        settings=FieldFacts(_("How it is played"), "template", text=Text.TYPED),
    )

    class Meta:
        ordering = ["folded_name", "pk"]
        constraints = [models.UniqueConstraint(fields=["club", "folded_name"], name="one_name_for_usual_nights")]

    def __str__(self) -> str:
        return self.name


class Pattern(models.TextChoices):
    """The frequency of a night, counted from its first date."""

    WEEKLY = "weekly", _("every week")
    FORTNIGHTLY = "fortnightly", _("every two weeks")
    MONTHLY = "monthly", _("once a month, on the same weekday")


class RecurringNight(models.Model):
    """A night that recurs from ``first_on`` to ``last_on``, or without end.

    The first date sets the weekday and, for a monthly night, its week: the second Tuesday. Hours are in the
    club's time zone; an end before the start is after midnight. It is played like ``usual``, or like the last
    time if that is None.
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

    FACTS = declare_facts(
        {INTERNAL: "club"},
        name=FieldFacts(_("Name"), text=Text.TITLE),
        usual=FieldFacts(_("Night template")),
        pattern=FieldFacts(_("Frequency")),
        first_on=FieldFacts(_("First day")),
        last_on=FieldFacts(_("Last day")),
        starts_at=FieldFacts(_("Start time")),
        ends_at=FieldFacts(_("End time")),
        place=FieldFacts(_("Place"), text=Text.TYPED),
    )

    class Meta:
        ordering = ["first_on", "starts_at", "pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def hall(self) -> str:
        """The place: the night's own, else the club's hall; "" if neither is known."""
        return self.place or self.club.hall


class ChangedDate(models.Model):
    """A date on which a recurring night is cancelled or postponed, and why."""

    night = models.ForeignKey(RecurringNight, on_delete=models.CASCADE, related_name="changed_dates")
    on = models.DateField()
    moved_to = models.DateField(null=True, blank=True)
    reason = models.CharField(max_length=PLACE_LENGTH, blank=True, default="")

    FACTS = declare_facts(
        night=FieldFacts(_("Night"), names_row=True),
        on=FieldFacts(_("Day"), names_row=True),
        moved_to=FieldFacts(_("New date")),
        reason=FieldFacts(_("Reason"), text=Text.TYPED),
    )

    class Meta:
        ordering = ["on"]
        constraints = [models.UniqueConstraint(fields=["night", "on"], name="one_change_per_date")]

    def __str__(self) -> str:
        return f"{self.night}, {self.on}"
