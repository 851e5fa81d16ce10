"""The register of confidentiality incidents with personal information."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from versioning import INTERNAL, FieldFacts, Text, declare_facts

from .clubs import Club

INCIDENT_TEXT_LENGTH = 1_000


class Risk(models.TextChoices):
    """Whether there is a risk of serious injury: then the people and the commission must be told."""

    OPEN = "open", _("not known yet")
    NONE = "none", _("no")
    SERIOUS = "serious", _("yes")


class Incident(models.Model):
    """An incident in the register. It can be corrected and closed, but never deleted.

    ``what`` happened, to which ``information``, what was ``done``; ``people`` is the number of people
    concerned, if known. The dates are those on which the commission and the people were told, if they were.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="incidents")
    happened_on = models.DateField()
    noticed_on = models.DateField()
    what = models.CharField(max_length=INCIDENT_TEXT_LENGTH)
    information = models.CharField(max_length=INCIDENT_TEXT_LENGTH)
    people = models.PositiveIntegerField(null=True, blank=True)
    risk = models.CharField(max_length=8, choices=Risk, default=Risk.OPEN)
    done = models.CharField(max_length=INCIDENT_TEXT_LENGTH, blank=True, default="")
    commission_told_on = models.DateField(null=True, blank=True)
    people_told_on = models.DateField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    FACTS = declare_facts(
        {INTERNAL: "club created_at"},
        happened_on=FieldFacts(_("Happened on"), names_row=True),
        noticed_on=FieldFacts(_("Discovered on")),
        what=FieldFacts(_("Circumstances"), text=Text.TYPED),
        information=FieldFacts(_("Information affected"), text=Text.TYPED),
        people=FieldFacts(_("People affected")),
        risk=FieldFacts(_("Risk of serious injury")),
        done=FieldFacts(_("Measures taken"), text=Text.TYPED),
        commission_told_on=FieldFacts(_("Commission notified on")),
        people_told_on=FieldFacts(_("People notified on")),
        closed_at=FieldFacts(pgettext_lazy("a season or a round", "Closed")),
    )

    class Meta:
        ordering = ["-happened_on", "-pk"]

    def __str__(self) -> str:
        return f"{self.club}, {self.happened_on}"
