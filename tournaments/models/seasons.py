"""Seasons and series of a club."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.models import Club
from versioning import INTERNAL, UNRECORDED, FieldFacts, Text, VersionedJSONField, declare_facts


class Season(models.Model):
    """The nights of a club between two days, with season standings for each of its ``ladders``.

    ``ladders`` are those of ``engine.ladders.ladders_from_json``; events in ``left_out`` do not count.
    ``rows`` are the lines of each ladder (``rows_to_json``), ``scores`` their nights by key
    (``scores_to_json``), as last computed; they stay once the season is closed.
    ``is_shared``: a series of this club and those it has invited. Events belong to it through
    ``SharedNight``, not by their day.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons")
    name = models.CharField(max_length=80)
    starts = models.DateField()
    ends = models.DateField()
    ladders = VersionedJSONField()
    is_shared = models.BooleanField(default=False)
    left_out = VersionedJSONField(default=list, blank=True)
    rows = VersionedJSONField(default=list)
    scores = VersionedJSONField(default=list)
    computed_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    FACTS = declare_facts(
        {INTERNAL: "club", UNRECORDED: "rows scores computed_at"},
        name=FieldFacts(_("Name"), text=Text.TITLE),
        starts=FieldFacts(_("First day")),
        ends=FieldFacts(_("Last day")),
        ladders=FieldFacts(_("Standings of the season"), "named", text=Text.TYPED),
        is_shared=FieldFacts(_("Interclub series")),
        left_out=FieldFacts(_("Nights not counted"), "nights", text=Text.CODE),
        closed_at=FieldFacts(pgettext_lazy("a season or a round", "Closed")),
    )

    class Meta:
        ordering = ["-starts", "-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(starts__lte=models.F("ends")), name="a_season_ends_after_it_starts")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def topic(self) -> str:
        """Topic of its pages."""
        return f"season:{self.pk}"
