"""What the nights of a club add up to."""

from django.db import models
from django.db.models import Q

from clubs.models import Club
from versioning import VersionedJSONField


class Season(models.Model):
    """The nights of a club from one day to another, and what they add up to, once for each ladder.

    ``ladders`` are those of ``engine.ladders.ladders_from_json``; events in ``left_out`` do not count.
    ``rows`` are the lines of each ladder (``rows_to_json``), ``scores`` their nights by key
    (``scores_to_json``), as last computed; once the season is closed they stay as they are.

    One that ``is_shared`` is a series of several clubs, its own and those it has invited: not its days but
    each event says that it belongs to it (``SharedNight``).
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

    class Meta:
        ordering = ["-starts", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(starts__lte=models.F("ends")), name="a_season_ends_after_it_starts"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def topic(self) -> str:
        """What its pages are watched with."""
        return f"season:{self.pk}"
