from django.db import models
from django.db.models import Q
from django.urls import reverse

from clubs.models import Club, Person
from rules import Side
from scoring.models import Match, Terms

from .lifecycle import EventState, RoundState

USUAL_RANKING = ["match_wins", "games_won", "difference", "points_for"]


def usual_ranking() -> list[str]:
    return list(USUAL_RANKING)


class Event(models.Model):
    """A club night or a tournament. ``short`` is the name that its public address ends in; ``draw_format``
    is how its rounds are drawn: a key of ``draws.FORMATS``."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="events")
    short = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    held_on = models.DateField()
    terms = models.ForeignKey(Terms, on_delete=models.PROTECT, related_name="events")
    table_count = models.PositiveSmallIntegerField()
    draw_format = models.CharField(max_length=20, default="random")
    ranking = models.JSONField(default=usual_ranking)
    state = models.CharField(max_length=12, choices=EventState, default=EventState.PREPARING)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-held_on", "-pk"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("event", args=[self.short])

    @property
    def topic(self) -> str:
        """What all pages of this event are watched with, and what its table cards carry."""
        return f"event:{self.pk}"


class Entry(models.Model):
    """Who takes part: a pair, or one person where the game is played by two."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="entries")
    number = models.PositiveSmallIntegerField()
    player_1 = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    player_2 = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+", null=True, blank=True)

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "entries"
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="one_entry_per_number")]

    def __str__(self) -> str:
        return " / ".join(person.name for person in self.players)

    @property
    def players(self) -> list[Person]:
        return [self.player_1] if self.player_2 is None else [self.player_1, self.player_2]


class Round(models.Model):
    """One draw and what became of it. Format, settings and seed draw it again; where it was priced, ``price``
    is what it costs by each criterion, and ``certificate`` proves that no other costs less."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=12, choices=RoundState, default=RoundState.DRAFT)
    draw_format = models.CharField(max_length=20)
    settings = models.JSONField(default=dict, blank=True)
    seed = models.BigIntegerField()
    price = models.JSONField(default=dict, blank=True)
    certificate = models.JSONField(null=True, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="one_round_per_number")]

    def __str__(self) -> str:
        return f"{self.event}, {self.number}"


class Table(models.Model):
    """A table of a round, why it was drawn so, and the match played at it once the round is published."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    reasons = models.JSONField(default=list, blank=True)
    match = models.OneToOneField(Match, on_delete=models.PROTECT, null=True, blank=True, related_name="table")

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["round", "number"], name="one_table_per_number")]

    def __str__(self) -> str:
        return f"{self.round}, {self.number}"


class Seating(models.Model):
    """Where an entry is in a round: on one side of a table, or nowhere, which is a bye."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seatings")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="seatings")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, blank=True, related_name="seatings")
    side = models.PositiveSmallIntegerField(
        null=True, blank=True, choices=[(side.value, side.name) for side in Side]
    )

    class Meta:
        ordering = ["round", "table", "side"]
        constraints = [
            models.UniqueConstraint(fields=["round", "entry"], name="one_place_per_entry_and_round"),
            models.UniqueConstraint(
                fields=["table", "side"], condition=Q(table__isnull=False), name="one_entry_per_side"
            ),
            models.CheckConstraint(
                condition=Q(table__isnull=True, side__isnull=True)
                | Q(table__isnull=False, side__isnull=False),
                name="a_side_only_at_a_table",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry}: {self.table}"


class Standings(models.Model):
    """An event's standings as last computed: ``rows`` best first, see ``standings.plain_row``."""

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="standings")
    rows = models.JSONField(default=list)
    computed_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "standings"

    def __str__(self) -> str:
        return str(self.event)
