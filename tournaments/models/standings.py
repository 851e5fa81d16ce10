"""Standings of an event, as last computed and as published."""

from datetime import datetime

from django.db import models

from versioning import CODE, TYPED, VersionedJSONField, declare_facts

from .events import Event


def parse_moment(value: datetime | str | None) -> datetime | None:
    """Return a time from a database value or its JSON text."""
    return datetime.fromisoformat(value) if isinstance(value, str) else value


class Standings(models.Model):
    """Standings of an event as last computed, entries by number, for pages that only read.

    ``rows`` are those of ``standings.row_to_json``, best first; ``counted`` has their calculation
    (``standings.count_to_json``) by ``standings.build_count_key``; ``charts`` the charts to draw
    (``charts.serialization.charts_to_json``); ``contradictions`` the bracket seats that do not follow from
    the results (``standings.contradiction_to_json``).
    ``rounds`` is the last closed round counted; None if an older version counted. ``before_silence`` has the
    rows, counted and charts of the rounds whose results are visible, and when these last changed: its
    ``computed_at``. None if nothing is hidden.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="standings")
    rows = VersionedJSONField(default=list)
    counted = VersionedJSONField(default=dict)
    charts = VersionedJSONField(default=list)
    contradictions = VersionedJSONField(default=list)
    before_silence = VersionedJSONField(null=True, blank=True)
    rounds = models.PositiveSmallIntegerField(null=True, blank=True)
    computed_at = models.DateTimeField()

    FACTS = declare_facts({TYPED: "counted before_silence", CODE: "rows charts contradictions"})

    class Meta:
        verbose_name_plural = "standings"

    def __str__(self) -> str:
        return str(self.event)


class PublishedStandings(models.Model):
    """Standings published as final, never overwritten, whatever is corrected later.

    ``rows``, ``counted`` and ``charts`` are as in ``Standings``; ``rounds`` is the last round counted.
    ``corrects`` is the number of the standings that they replaced; None if there were none.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="published_standings")
    number = models.PositiveSmallIntegerField()
    corrects = models.PositiveSmallIntegerField(null=True, blank=True)
    rounds = models.PositiveSmallIntegerField()
    rows = VersionedJSONField()
    counted = VersionedJSONField()
    charts = VersionedJSONField()
    published_at = models.DateTimeField()

    FACTS = declare_facts({TYPED: "counted", CODE: "rows charts"})

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "published standings"
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="one_published_standings_per_number")]

    def __str__(self) -> str:
        return f"{self.event}, {self.number}"
