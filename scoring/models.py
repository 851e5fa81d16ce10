from functools import cached_property

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import Account, Club, Person
from rules import (
    RULESET_STEPS,
    MatchFormat,
    Record,
    Ruleset,
    Seat,
    Side,
    read_record,
    stored_format,
    stored_ruleset,
)
from versioning import Form, VersionedJSONField
from web.names import NAME_LENGTH

from .card_letters import letters_of
from .clock import Clock, stored_clock

AT_DESK = "@"
"""Before the name of a helper at the desk who wrote for a table: no phone is called so."""
DETAILS = ("declarer", "trump", "mode")
"""What a hand can ask for beyond its result."""


class Terms(models.Model):
    """What matches are played by: the whole ruleset and the match length, frozen with the first match.

    ``rules_name`` is what the club called its house rules then; "" for a built-in system. ``details`` are
    those of ``DETAILS`` that a hand asks for.
    """

    ruleset_data = VersionedJSONField(form=Form(RULESET_STEPS))
    rules_name = models.CharField(max_length=80, blank=True, default="")
    format_data = VersionedJSONField()
    details = VersionedJSONField(default=list, blank=True)

    class Meta:
        verbose_name_plural = "terms"

    def __str__(self) -> str:
        return f"{self.ruleset_data['key']}, {self.format_data}"

    @cached_property
    def ruleset(self) -> Ruleset:
        return stored_ruleset(self.ruleset_data)

    @cached_property
    def match_format(self) -> MatchFormat:
        return stored_format(self.format_data)


class TableCard(models.Model):
    """The card lying on a table. Its code opens the match now played there, without an account.

    ``topic`` is what its matches are watched with, and tells the cards of one evening from another's;
    ``public_page`` is where everybody follows that evening, "" where nobody may; ``desk_page`` is where its
    organizer does. ``clock_data`` is the clock of the round that is played (``clock.plain_clock``), None
    while there is none.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="cards")
    topic = models.CharField(max_length=80)
    number = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=6, unique=True)
    public_page = models.CharField(max_length=120, blank=True)
    desk_page = models.CharField(max_length=120, blank=True)
    clock_data = VersionedJSONField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["topic", "number"]
        constraints = [models.UniqueConstraint(fields=["topic", "number"], name="one_card_per_table")]

    def __str__(self) -> str:
        return f"{self.number} ({self.code})"

    @property
    def clock(self) -> Clock | None:
        return None if self.clock_data is None else stored_clock(self.clock_data)

    @property
    def letters(self) -> str:
        """What stands on the card beside its code."""
        return letters_of(self.code)


class Match(models.Model):
    """Two sides at a table. Everything but the log beside it is a cache, written with the log and rebuilt by
    ``rebuild_matches``: ``summary`` (see ``folding.summary_of``), ``is_over``, ``has_rivals``.

    One that is ``withdrawn`` was set aside with its marks: it counts nowhere, until those who sat there, whom
    ``withdrawn_as`` names, are to play that round again.
    """

    card = models.ForeignKey(TableCard, on_delete=models.PROTECT, related_name="matches")
    terms = models.ForeignKey(Terms, on_delete=models.PROTECT, related_name="matches")
    round_number = models.PositiveSmallIntegerField()
    first_dealer = models.PositiveSmallIntegerField(null=True, blank=True)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_as = models.CharField(max_length=200, blank=True, default="")
    last_marked_at = models.DateTimeField(null=True, blank=True)
    revision = models.PositiveIntegerField(default=0)
    summary = VersionedJSONField()
    is_over = models.BooleanField(default=False)
    has_rivals = models.BooleanField(default=False)

    class Meta:
        verbose_name_plural = "matches"
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.card.number} · {self.round_number}"

    @property
    def dealer_at_start(self) -> Seat:
        return Seat(self.first_dealer or 0)


class Player(models.Model):
    """Who sits at which seat in a match: side A at the even seats, side B at the odd ones."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="players")
    seat = models.PositiveSmallIntegerField()
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="seats")

    class Meta:
        ordering = ["match", "seat"]
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="one_player_per_seat")]

    def __str__(self) -> str:
        return f"{self.person}, {self.seat}"


class MarkStatus(models.TextChoices):
    CURRENT = "current", _("counts")
    SUPERSEDED = "superseded", _("replaced")
    ECHO = "echo", _("the same from another phone")
    RIVAL = "rival", _("another mark for the same hand")


class Mark(models.Model):
    """A line of a match's append-only log: what somebody wrote for a place, when, from which device, and why.

    Only ``status`` ever changes: a later mark takes the place of an earlier one, which stays. Where a match
    was brought in from another place, ``written_by`` is the name of the director who wrote it there, without
    an account here.
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="marks")
    number = models.PositiveSmallIntegerField()
    entry_key = models.UUIDField(unique=True)
    record_data = VersionedJSONField()
    status = models.CharField(max_length=12, choices=MarkStatus)
    supersedes = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    device = models.CharField(max_length=40, blank=True)
    account = models.ForeignKey(Account, on_delete=models.PROTECT, null=True, blank=True)
    written_by = models.CharField(max_length=NAME_LENGTH, blank=True, default="", db_default="")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["match", "number", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "number"],
                condition=Q(status=MarkStatus.CURRENT),
                name="one_current_mark_per_hand",
            )
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.record_data}"

    def record(self, ruleset: Ruleset) -> Record:
        return read_record(ruleset, self.record_data)

    @property
    def director(self) -> str:
        """The name of the director who wrote it; "" where nobody did."""
        return self.written_by if self.account is None else self.account.name

    @property
    def is_directors(self) -> bool:
        return self.account_id is not None or self.written_by != ""

    @property
    def helper(self) -> str:
        """The name of the helper at the desk who wrote it for the table; "" where nobody did."""
        return self.device.removeprefix(AT_DESK) if self.device.startswith(AT_DESK) else ""


class Agreement(models.Model):
    """A side said "D'accord" to a game as it stood then; once the game is another, it holds no more."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="agreements")
    game = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField(choices=[(side.value, side.name) for side in Side])
    agreed_to = models.CharField(max_length=40)
    device = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["match", "game", "side", "agreed_to"], name="one_agreement_per_side_and_result"
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_side_display()}: {self.game}, {self.agreed_to}"


class Dispute(models.Model):
    """A table that called the desk, until a director settles it or the table takes its call back.

    Nobody is named as settling what was taken back; ``settled_by_name`` is who did at another place, from
    which the match was brought in.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="disputes")
    note = models.CharField(max_length=200, blank=True)
    device = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(Account, on_delete=models.PROTECT, null=True, blank=True)
    settled_by_name = models.CharField(max_length=NAME_LENGTH, blank=True, default="", db_default="")
    ruling = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["match"], condition=Q(settled_at=None), name="one_open_dispute_per_match"
            )
        ]

    def __str__(self) -> str:
        return self.note or str(self.match)

    @property
    def settler(self) -> str:
        """The name of the director who settled it; "" while nobody has, or where the table took it back."""
        return self.settled_by_name if self.settled_by is None else self.settled_by.name
