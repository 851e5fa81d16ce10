"""The standings as they were last computed, and as they were published."""

from datetime import datetime

from django.db import models

from versioning import VersionedJSONField

from .events import Event


def moment_of(kept: datetime | str | None) -> datetime | None:
    """As a column has it, or as JSON does."""
    return datetime.fromisoformat(kept) if isinstance(kept, str) else kept


class Standings(models.Model):
    """An event's standings as last computed, entries by number, for pages that only read.

    ``rows`` are those of ``standings.row_to_json``, best first; ``counted`` has what each of them is made of
    (``standings.count_to_json``) by ``standings.count_key``; ``charts`` what there is to draw
    (``charts.storing.charts_to_json``); ``contradictions`` where a bracket seats somebody whom the results do
    not bring there (``standings.contradiction_to_json``).

    ``rounds`` is the last round that was closed when they were counted; None where an older program counted.
    ``before_silence`` has the rows, counted and charts of those rounds whose results are not kept back, and
    when they were last others: its ``computed_at``. None where nothing is kept back.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="standings")
    rows = VersionedJSONField(default=list)
    counted = VersionedJSONField(default=dict)
    charts = VersionedJSONField(default=list)
    contradictions = VersionedJSONField(default=list)
    before_silence = VersionedJSONField(null=True, blank=True)
    rounds = models.PositiveSmallIntegerField(null=True, blank=True)
    computed_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "standings"

    def __str__(self) -> str:
        return str(self.event)


class PublishedStandings(models.Model):
    """Standings as they were published as final: never written over, whatever is corrected after.

    ``rows``, ``counted`` and ``charts`` as ``Standings`` keeps them; ``rounds`` is the last round that they
    count. ``corrects`` is the number of those that everybody saw until then; None where there were none.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="published_standings")
    number = models.PositiveSmallIntegerField()
    corrects = models.PositiveSmallIntegerField(null=True, blank=True)
    rounds = models.PositiveSmallIntegerField()
    rows = VersionedJSONField()
    counted = VersionedJSONField()
    charts = VersionedJSONField()
    published_at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "published standings"
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_published_standings_per_number")
        ]

    def __str__(self) -> str:
        return f"{self.event}, {self.number}"
