"""An event and what belongs to it. Whatever a director changes here, a ``Change`` writes and can undo."""

from dataclasses import replace
from typing import Any

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.functional import cached_property

from clubs.models import ORIGIN_LENGTH, Account, Club, Person
from rules import Side
from scoring.models import Match, Terms

from .draws import FORMATS
from .draws.stages import StagePlan, stage_plan
from .lifecycle import EventState, RoundState
from .ranking import USUAL_ORDER, RankingRules, stored_rules


def usual_ranking() -> dict[str, Any]:
    return {"order": list(USUAL_ORDER)}


def usual_stages() -> list[dict[str, Any]]:
    return [{"format": "random"}]


class Event(models.Model):
    """A club night or a tournament. ``short`` is the name that its public address ends in.

    ``stages`` say how its rounds are drawn, one stage after another, as ``draws.stages.stage_plan`` reads
    them. ``sections`` are groups with a standing of their own, and perhaps tables:
    ``[{"name": "Beginners", "first_table": 1, "last_table": 8}]``, the last two null where anywhere.
    ``ranking`` is what ranks, in which order; ``lot`` the seed of its lots. It ``is_seeded`` where the
    starting list goes by strength, and not by who was typed first. Where anybody ``signs_up``, no
    more than ``most_entries`` are in: who comes later waits. ``key`` is the id of the form that made it.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="events")
    short = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    held_on = models.DateField()
    terms = models.ForeignKey(Terms, on_delete=models.PROTECT, related_name="events")
    table_count = models.PositiveSmallIntegerField()
    stages = models.JSONField(default=usual_stages)
    sections = models.JSONField(default=list, blank=True)
    ranking = models.JSONField(default=usual_ranking)
    lot = models.BigIntegerField(default=0)
    is_seeded = models.BooleanField(default=False)
    signs_up = models.BooleanField(default=False)
    most_entries = models.PositiveSmallIntegerField(null=True, blank=True)
    state = models.CharField(max_length=12, choices=EventState, default=EventState.PREPARING)
    key = models.UUIDField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-held_on", "-pk"]
        constraints = [models.UniqueConstraint(fields=["club", "key"], name="one_event_per_form")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("event", args=[self.short])

    @property
    def topic(self) -> str:
        """What changes with this event, and what its table cards carry."""
        return f"event:{self.pk}"

    @property
    def topics(self) -> tuple[str, str]:
        """What all pages of this event are watched with: the event, and the people whose names they show."""
        return self.topic, self.club.topic

    @property
    def plan(self) -> StagePlan:
        return stage_plan(self.stages)

    @property
    def tells_how_far(self) -> bool:
        """Whether there are stages to reach, or a place in a bracket."""
        return len(self.stages) > 1 or self.has_bracket

    @property
    def has_bracket(self) -> bool:
        return any(FORMATS[stage.format].is_bracket for stage in self.plan)

    @property
    def ranking_rules(self) -> RankingRules:
        """What ranks: how far one came, where the event tells, before what it chose to rank by."""
        rules = stored_rules(self.ranking)
        far = [*(["stage"] if len(self.stages) > 1 else []), *(["bracket"] if self.has_bracket else [])]
        return replace(rules, order=(*far, *rules.order))

    @property
    def draws_partners(self) -> bool:
        """Whether people take part one by one, and get a partner for each round."""
        return FORMATS[self.stages[0]["format"]].draws_partners

    @cached_property
    def entry_size(self) -> int:
        """How many people make one entry: one where partners are drawn, or two people play."""
        return FORMATS[self.stages[0]["format"]].entry_size(self.terms.ruleset.seats)


NOT_YET = 100
"""Where an entry ``arrives`` that is in no draw until it comes: a round later than there can be."""


class Entry(models.Model):
    """Who takes part: a pair, or one person where the game is played by two or partners are drawn.

    ``number`` is the place in the starting list, by which prepared schedules and brackets go. Drawn are those
    from round ``arrives`` to round ``leaves_after``, but for the rounds in which they are ``absent``; in
    those of ``byes_asked`` they sit out by own wish. ``is_waiting``: on the waiting list, and not in yet.
    ``team`` is the club it plays for; ``table`` the only one at which it can sit.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="entries")
    number = models.PositiveSmallIntegerField()
    player_1 = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    player_2 = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    section = models.CharField(max_length=40, blank=True, default="")
    team = models.CharField(max_length=80, blank=True, default="")
    rating = models.PositiveSmallIntegerField(null=True, blank=True)
    table = models.PositiveSmallIntegerField(null=True, blank=True)
    is_waiting = models.BooleanField(default=False)
    signed_up_at = models.DateTimeField(null=True, blank=True)
    present_at = models.DateTimeField(null=True, blank=True)
    arrives = models.PositiveSmallIntegerField(default=1)
    leaves_after = models.PositiveSmallIntegerField(null=True, blank=True)
    absent = models.JSONField(default=list, blank=True)
    byes_asked = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "entries"
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="one_entry_per_number")]

    def __str__(self) -> str:
        return " / ".join(person.name for person in self.players)

    @property
    def is_awaited(self) -> bool:
        """Whether the entry was not there when the others began, and has not come since."""
        return self.arrives == NOT_YET

    def is_away(self, played_round: int) -> bool:
        """Whether the entry was not there yet, was gone, or was absent."""
        return self.has_left(played_round) or played_round < self.arrives or played_round in self.absent

    def has_left(self, played_round: int) -> bool:
        """Whether the entry is gone for good by this round."""
        return self.leaves_after is not None and self.leaves_after < played_round

    def plays_in(self, played_round: int) -> bool:
        """Whether the entry is drawn for this round, if only to sit out."""
        return not self.is_waiting and not self.is_away(played_round)

    @property
    def players(self) -> list[Person]:
        return [self.player_1] if self.player_2 is None else [self.player_1, self.player_2]


class Round(models.Model):
    """One draw and what became of it. Format, settings, seed and ``order`` draw it again; where it was
    priced, ``price`` is what it costs by each criterion, and ``certificate`` proves that none costs less.

    ``order`` is who was drawn, best first, as the standings were then: the first round of a stage so keeps
    who goes on to it. A draft is a value, ``draft`` (``draws.drafts``), and in it the tables ``held`` stay
    where they are when the rest is drawn again; a published round has tables instead, held by constraints.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=12, choices=RoundState, default=RoundState.DRAFT)
    draw_format = models.CharField(max_length=40)
    settings = models.JSONField(default=dict, blank=True)
    seed = models.BigIntegerField()
    order = models.JSONField(default=list, blank=True)
    price = models.JSONField(default=dict, blank=True)
    certificate = models.JSONField(null=True, blank=True)
    draft = models.JSONField(null=True, blank=True)
    held = models.JSONField(default=list, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="one_round_per_number")]

    def __str__(self) -> str:
        return f"{self.event}, {self.number}"


class Table(models.Model):
    """A table of a published round, why it was drawn so, and the match played at it.

    ``slot`` is its place in a stage and a bracket. ``ruling`` is a result that the director gives it, which
    counts instead of what was played (``rulings.py``); None where the match counts.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    slot = models.CharField(max_length=40, blank=True, default="")
    reasons = models.JSONField(default=list, blank=True)
    ruling = models.JSONField(null=True, blank=True)
    match = models.OneToOneField(Match, on_delete=models.PROTECT, null=True, blank=True, related_name="table")

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["round", "number"], name="one_table_per_number")]

    def __str__(self) -> str:
        return f"{self.round}, {self.number}"


class Seating(models.Model):
    """Where an entry is in a published round: on one side of a table, or nowhere, which is a bye.

    ``place`` tells two entries apart that share a side as partners. A bye has its own reasons and slot.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seatings")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="seatings")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, blank=True, related_name="seatings")
    side = models.PositiveSmallIntegerField(
        null=True, blank=True, choices=[(side.value, side.name) for side in Side]
    )
    place = models.PositiveSmallIntegerField(default=0)
    slot = models.CharField(max_length=40, blank=True, default="")
    reasons = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["round", "table", "side", "place"]
        constraints = [
            models.UniqueConstraint(fields=["round", "entry"], name="one_place_per_entry_and_round"),
            models.UniqueConstraint(
                fields=["table", "side", "place"],
                condition=Q(table__isnull=False),
                name="one_entry_per_place",
            ),
            models.CheckConstraint(
                condition=Q(table__isnull=True, side__isnull=True)
                | Q(table__isnull=False, side__isnull=False),
                name="a_side_only_at_a_table",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry}: {self.table}"


class Adjustment(models.Model):
    """What the director adds to an entry's results, or takes off as a penalty, and why.

    ``metric`` is one of ``ranking.ADJUSTABLE``; ``round`` the one that it belongs to, if any.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="adjustments")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="adjustments")
    round = models.PositiveSmallIntegerField(null=True, blank=True)
    metric = models.CharField(max_length=20)
    amount = models.SmallIntegerField()
    reason = models.CharField(max_length=200)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.entry}: {self.amount} {self.metric}"


class Action(models.Model):
    """What somebody did to an event: the line of its history, and what it takes to undo it.

    ``kind`` is the service, ``details`` what a sentence about it needs. ``changes`` are the rows that it
    wrote, as ``services.changes`` keeps them. ``key`` is the client's id: what comes again with the same key
    was done already.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="actions")
    kind = models.CharField(max_length=40)
    details = models.JSONField(default=dict, blank=True)
    changes = models.JSONField(default=dict, blank=True)
    reason = models.CharField(max_length=200, blank=True, default="")
    origin = models.CharField(max_length=ORIGIN_LENGTH, blank=True, default="")
    account = models.ForeignKey(Account, on_delete=models.PROTECT, null=True, blank=True)
    key = models.UUIDField(null=True, blank=True, unique=True)
    undoes = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="undone_by"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.kind}, {self.created_at:%H:%M}"


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


class Plan(models.Model):
    """What an organizer asked of the planner, and what it found: ``planning.plain_question`` and
    ``plain_found``, None until the worker is through. ``event`` was made of the proposal ``chosen``."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="plans")
    key = models.UUIDField(unique=True)
    asked = models.JSONField()
    seed = models.BigIntegerField()
    found = models.JSONField(null=True, blank=True)
    chosen = models.PositiveSmallIntegerField(null=True, blank=True)
    event = models.ForeignKey(Event, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.club}, {self.created_at:%Y-%m-%d %H:%M}"

    @property
    def topic(self) -> str:
        """What its job is watched with."""
        return f"plan:{self.pk}"


class Season(models.Model):
    """The nights of a club from one day to another, and what they add up to, once for each ladder.

    ``ladders`` are those of ``seasons.stored_ladders``; events in ``left_out`` do not count. ``rows`` are the
    lines of each ladder (``seasons.plain_rows``), ``scores`` their nights by key (``seasons.plain_scores``),
    as last computed; once the season is closed they stay as they are.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons")
    name = models.CharField(max_length=80)
    starts = models.DateField()
    ends = models.DateField()
    ladders = models.JSONField()
    left_out = models.JSONField(default=list, blank=True)
    rows = models.JSONField(default=list)
    scores = models.JSONField(default=list)
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


class Tally(models.Model):
    """What the hands of a match amount to (``records.plain_bids``), as the match was at this revision."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="tally")
    revision = models.PositiveIntegerField()
    bids = models.JSONField()

    class Meta:
        verbose_name_plural = "tallies"

    def __str__(self) -> str:
        return str(self.match)


class PersonRecord(models.Model):
    """What somebody has played, and how strong, as last worked out from the events that have ended.

    ``record`` is of ``records.plain_person_record``, ``history`` of ``ratings.plain_steps``. There is no
    rating where the club has none or the person is left out, and no rank before enough matches.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="records")
    person = models.OneToOneField(Person, on_delete=models.CASCADE, related_name="record")
    rating = models.SmallIntegerField(null=True, blank=True)
    margin = models.SmallIntegerField(null=True, blank=True)
    rank = models.PositiveIntegerField(null=True, blank=True)
    matches = models.PositiveIntegerField()
    history = models.JSONField(default=list)
    record = models.JSONField()
    computed_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["club", "rank"], name="ranks_of_a_club")]

    def __str__(self) -> str:
        return f"{self.person}, {self.rating}"


class ClubRecord(models.Model):
    """The records of a club (``records.plain_club_record``), of all years and of each, last year first.

    ``begun_at`` is when the work began that last wrote here: of two at once, the later one goes on.
    """

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="record")
    everything = models.JSONField(null=True, blank=True)
    years = models.JSONField(default=dict)
    begun_at = models.DateTimeField()
    computed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return str(self.club)


def records_topic(club: Club) -> str:
    """What the pages of ratings and records are watched with."""
    return f"records:{club.pk}"
