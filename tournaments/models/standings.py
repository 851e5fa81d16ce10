"""The standings as they were last computed."""

from django.db import models

from .events import Event


class Standings(models.Model):
    """An event's standings as last computed, entries by number, for pages that only read.

    ``rows`` are those of ``standings.plain_row``, best first; ``counted`` has what each of them is made of
    (``standings.plain_count``) by ``standings.key_of``; ``charts`` what there is to draw
    (``charts.storing.plain_charts``); ``contradictions`` where a bracket seats somebody whom the results do
    not bring there (``standings.plain_contradiction``).
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="standings")
    rows = models.JSONField(default=list)
    counted = models.JSONField(default=dict)
    charts = models.JSONField(default=list)
    contradictions = models.JSONField(default=list)
    computed_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "standings"

    def __str__(self) -> str:
        return str(self.event)
