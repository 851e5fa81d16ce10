"""Results and ratings of people, and the records of a club."""

from django.db import models

from clubs.models import Club, Person
from scoring.models import Match
from versioning import CODE, VersionedJSONField, declare_facts

CERTAIN_CHANCE = 10_000
"""``Tally.lowest_chance`` of a match that was won for certain, and the unit of all others."""


class Tally(models.Model):
    """Bid statistics of a match (``records.bids_to_json``), at this revision of the match.

    ``lowest_chance`` is the winner's during the match; without a winner or known chances, ``CERTAIN_CHANCE``. None in
    a row of an older version.
    """

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="tally")
    revision = models.PositiveIntegerField()
    bids = VersionedJSONField()
    lowest_chance = models.PositiveSmallIntegerField(null=True, blank=True)

    FACTS = declare_facts({CODE: "bids"})

    class Meta:
        verbose_name_plural = "tallies"

    def __str__(self) -> str:
        return str(self.match)


class PersonRecord(models.Model):
    """Results and rating of a person, as last computed from ended events.

    ``record`` is of ``records.person_record_to_json``, ``history`` of ``ratings.steps_to_json``. There is no
    rating if the club has none or the person is left out, and no rank before enough matches.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="records")
    person = models.OneToOneField(Person, on_delete=models.CASCADE, related_name="record")
    rating = models.SmallIntegerField(null=True, blank=True)
    margin = models.SmallIntegerField(null=True, blank=True)
    rank = models.PositiveIntegerField(null=True, blank=True)
    matches = models.PositiveIntegerField()
    history = VersionedJSONField(default=list)
    record = VersionedJSONField()
    computed_at = models.DateTimeField()

    FACTS = declare_facts({CODE: "history record"})

    class Meta:
        indexes = [models.Index(fields=["club", "rank"], name="ranks_of_a_club")]

    def __str__(self) -> str:
        return f"{self.person}, {self.rating}"


class ClubRecord(models.Model):
    """Records of a club (``records.club_record_to_json``), of all years and of each, last year first.

    ``begun_at`` is when the task that last wrote here began: of two at once, the later one goes on.
    """

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="record")
    everything = VersionedJSONField(null=True, blank=True)
    years = VersionedJSONField(default=dict)
    begun_at = models.DateTimeField()
    computed_at = models.DateTimeField(null=True, blank=True)

    FACTS = declare_facts({CODE: "everything years"})

    def __str__(self) -> str:
        return str(self.club)


def get_records_topic(club: Club) -> str:
    """Return the topic of the pages of ratings and records."""
    return f"records:{club.pk}"
