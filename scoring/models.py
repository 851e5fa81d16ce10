from datetime import datetime, timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from clubs.models import Account, Club, Person
from live.hub import TABLE_TOPIC
from rules import RULESET_UPGRADES, MatchFormat, Record, Ruleset, Seat, Side, read_record
from versioning import CODE, INTERNAL, TITLE, TYPED, FieldFacts, Form, Text, VersionedJSONField, declare_facts
from web.names import NAME_LENGTH

from .card_secrets import derive_letters, derive_secret
from .clock import Clock, clock_from_json
from .desk_messages import DeskMessage, filter_current_messages, messages_from_json
from .log_chain import DAMAGE_PREFIX
from .log_values import MarkStatus
from .scorekeeper import Scorekeeper
from .stored_values import NESTED_RULESET_STEPS, parse_match_format, parse_ruleset

ANSWER_LIFETIME = timedelta(minutes=15)
"""Time for which a table can read the desk's ruling on its call."""

DESK_PREFIX = "@"
"""Prefix of ``Mark.device`` for the name of a desk helper who wrote for a table. No phone has such a name."""
RESTORED_PREFIX = "<"
"""Prefix of ``Mark.device`` before the name of the phone that restored another phone's mark."""


class Terms(models.Model):
    """Terms of a match: the whole ruleset and the match length, frozen with the first match.

    ``rules_name`` is the club's name for its house rules at that time; "" for a built-in system. ``details``
    are those of ``log_values.DETAILS`` that a hand asks for. With ``mirrored_at``, the matches are marked at
    another installation; this copy shows them as they were at that moment.
    """

    ruleset_data = VersionedJSONField(form=Form(RULESET_UPGRADES))
    rules_name = models.CharField(max_length=80, blank=True, default="")
    format_data = VersionedJSONField()
    details = VersionedJSONField(default=list, blank=True)
    mirrored_at = models.DateTimeField(null=True, blank=True)

    FACTS = declare_facts(
        {INTERNAL: "mirrored_at", TITLE: "rules_name", CODE: "ruleset_data details"},
        format_data=FieldFacts(_("Match length"), "match", text=Text.CODE),
    )

    class Meta:
        verbose_name_plural = "terms"

    def __str__(self) -> str:
        return f"{self.ruleset_data['key']}, {self.format_data}"

    @cached_property
    def ruleset(self) -> Ruleset:
        return parse_ruleset(self.ruleset_data)

    @cached_property
    def match_format(self) -> MatchFormat:
        return parse_match_format(self.format_data)


class TableCard(models.Model):
    """The card on a table. It opens the match now played there, without an account.

    Phones know their table by ``code``, the code of its first card, which never changes. The current card has
    ``digits``, which people type, and a secret in its QR code (``card_secrets``). The digits are the code
    until a replacement card has ``new_digits``. A phone with another ``binding`` has to scan the current
    card; ``turned_away`` devices are refused, whatever card they have.

    ``topic`` is what pages watch for changes of its matches, and identifies the evening of a card;
    ``public_page`` is where everybody follows that evening, "" if nobody may; ``desk_page`` is its page for
    the organizer. From the round ``silent_from`` on, the public gets no hint that something is marked; None
    if it may. ``clock_data`` is the clock of the current round (``clock.clock_to_json``), None if there is
    none; ``messages_data`` the desk's messages for this table (``desk_messages``).
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="cards")
    topic = models.CharField(max_length=80)
    number = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=6, db_index=True)
    new_digits = models.CharField(max_length=6, blank=True, default="", db_default="", db_index=True)
    binding = models.PositiveSmallIntegerField(default=0, db_default=0)
    turned_away = VersionedJSONField(default=list, blank=True)
    public_page = models.CharField(max_length=120, blank=True)
    desk_page = models.CharField(max_length=120, blank=True)
    silent_from = models.PositiveSmallIntegerField(null=True, blank=True)
    clock_data = VersionedJSONField(null=True, blank=True)
    messages_data = VersionedJSONField(default=list, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    FACTS = declare_facts(
        {TYPED: "messages_data", CODE: "topic code new_digits turned_away public_page desk_page clock_data"}
    )

    class Meta:
        ordering = ["topic", "number"]
        constraints = [
            models.UniqueConstraint(fields=["topic", "number"], name="one_card_per_table"),
            models.UniqueConstraint(fields=["code"], condition=Q(closed_at=None), name="one_open_card_per_code"),
            models.UniqueConstraint(
                fields=["new_digits"],
                condition=Q(closed_at=None) & ~Q(new_digits=""),
                name="one_open_card_per_digits",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} ({self.digits})"

    @property
    def digits(self) -> str:
        """Digits that people type: those of the replacement card, or else the code."""
        return self.new_digits or self.code

    @property
    def own_topic(self) -> str:
        """Topic that changes with every mark at this table."""
        return f"{TABLE_TOPIC}{self.pk}"

    @property
    def table_topics(self) -> str:
        """Topics that the page of this table watches; what changes by the clock alone is not among them."""
        return f"{self.own_topic} {get_desk_topic(self.topic)}"

    @property
    def clock(self) -> Clock | None:
        return None if self.clock_data is None else clock_from_json(self.clock_data)

    def list_messages(self, now: datetime, round_number: int) -> list[DeskMessage]:
        """Return the desk's current messages for the players of that round at this table."""
        messages = filter_current_messages(messages_from_json(self.messages_data), now=now)
        return [message for message in messages if message.is_for_round(round_number)]

    @property
    def letters(self) -> str:
        """Letters printed on the card beside its code."""
        return derive_letters(self.digits)

    @property
    def secret(self) -> str:
        """Secret in the QR code of the card, and nowhere else."""
        return derive_secret(self.pk, self.digits)


def get_desk_topic(topic: str) -> str:
    """Return the topic of desk changes for all tables of an evening: a round, its clock, the seats."""
    return f"desk:{topic}"


class Match(models.Model):
    """Two sides at a table.

    Everything but the log beside it is a cache, written with the log and rebuilt by ``rebuild_matches``:
    ``summary`` (see ``fold.MatchSummary``), ``is_over``, ``has_rivals``. ``log_digest`` seals both
    (``log_chain``); "" in a match of an older version.

    A ``withdrawn`` match is set aside with its marks: it counts nowhere until the same players, named in
    ``withdrawn_as``, are to play that round again.

    ``own_terms`` are the ``ruleset`` with its ``rules_name``, or the ``match_format``, of the phase in which
    it was opened, if they differ from its terms; None if not.
    """

    card = models.ForeignKey(TableCard, on_delete=models.PROTECT, related_name="matches")
    terms = models.ForeignKey(Terms, on_delete=models.PROTECT, related_name="matches")
    own_terms = VersionedJSONField(null=True, blank=True, form=Form(NESTED_RULESET_STEPS))
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
    log_digest = models.CharField(max_length=64, blank=True, default="", db_default="")
    pencil_holder = models.CharField(max_length=40, blank=True, default="", db_default="")
    pencil_asker = models.CharField(max_length=40, blank=True, default="", db_default="")
    pencil_asked_at = models.DateTimeField(null=True, blank=True)

    FACTS = declare_facts({TYPED: "own_terms pencil_holder pencil_asker", CODE: "withdrawn_as summary log_digest"})

    SCOREKEEPER_FIELDS = ("pencil_holder", "pencil_asker", "pencil_asked_at")

    class Meta:
        verbose_name_plural = "matches"
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.card.number} · {self.round_number}"

    @property
    def ruleset(self) -> Ruleset:
        own_terms = self.own_terms or {}
        return parse_ruleset(own_terms["ruleset"]) if "ruleset" in own_terms else self.terms.ruleset

    @property
    def rules_name(self) -> str:
        own_terms = self.own_terms or {}
        return str(own_terms["rules_name"]) if "ruleset" in own_terms else self.terms.rules_name

    @property
    def match_format(self) -> MatchFormat:
        own_terms = self.own_terms or {}
        return parse_match_format(own_terms["match_format"]) if "match_format" in own_terms else self.terms.match_format

    @property
    def first_dealer_seat(self) -> Seat:
        return Seat(self.first_dealer or 0)

    @cached_property
    def written_marks(self) -> "list[Mark]":
        """The log of the match, in the order in which it was written. One query, unless its marks came with
        it."""
        return sorted(self.marks.all(), key=lambda mark: mark.pk)

    @cached_property
    def seated_players(self) -> "list[Player]":
        """Players of the match, by seat. One query, and one for each name, unless they came with it."""
        return sorted(self.players.all(), key=lambda player: player.seat)

    @cached_property
    def ordered_agreements(self) -> "list[Agreement]":
        """Agreements of the two sides, in order. One query, unless they came with the match."""
        return sorted(self.agreements.all(), key=lambda agreement: agreement.pk)

    @property
    def is_damaged(self) -> bool:
        """Whether its log was found damaged, and has not been repaired."""
        return self.log_digest.startswith(DAMAGE_PREFIX)

    @property
    def scorekeeper(self) -> Scorekeeper:
        return Scorekeeper(holder=self.pencil_holder, asker=self.pencil_asker, requested_at=self.pencil_asked_at)

    @scorekeeper.setter
    def scorekeeper(self, scorekeeper: Scorekeeper) -> None:
        self.pencil_holder, self.pencil_asker = scorekeeper.holder, scorekeeper.asker
        self.pencil_asked_at = scorekeeper.requested_at


class Player(models.Model):
    """A player at a seat of a match: side A at the even seats, side B at the odd ones."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="players")
    seat = models.PositiveSmallIntegerField()
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="seats")

    FACTS = declare_facts({INTERNAL: "match seat"}, person=FieldFacts(names_row=True))

    class Meta:
        ordering = ["match", "seat"]
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="one_player_per_seat")]

    def __str__(self) -> str:
        return f"{self.person}, {self.seat}"


class Mark(models.Model):
    """A line of a match's append-only log: a record for a place, with its time, device and reason.

    Only ``status`` ever changes: a later mark replaces what its writer saw there, which stays in the log.
    That is ``supersedes`` and what stood beside it, or with ``saw_only`` that mark alone. In an imported
    match, ``written_by`` is the name of the director who wrote the mark elsewhere, without an account here.
    ``waited`` is the number of seconds on the phone before it arrived; 0 if it arrived within a minute.
    ``digest`` is that of its content and of the digest before it (``log_chain``); "" in an older mark.
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="marks")
    number = models.PositiveSmallIntegerField()
    entry_key = models.UUIDField(unique=True)
    record_data = VersionedJSONField()
    status = models.CharField(max_length=12, choices=MarkStatus)
    supersedes = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True)
    saw_only = models.BooleanField(default=False, db_default=False)
    waited = models.PositiveIntegerField(default=0, db_default=0)
    reason = models.CharField(max_length=200, blank=True)
    device = models.CharField(max_length=40, blank=True)
    account = models.ForeignKey(Account, on_delete=models.PROTECT, null=True, blank=True)
    written_by = models.CharField(max_length=NAME_LENGTH, blank=True, default="", db_default="")
    created_at = models.DateTimeField(default=timezone.now)
    digest = models.CharField(max_length=24, blank=True, default="", db_default="")

    FACTS = declare_facts({TYPED: "reason device written_by", CODE: "record_data digest"})

    class Meta:
        ordering = ["match", "number", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "number"],
                condition=Q(status=MarkStatus.CURRENT),
                name="one_current_mark_per_hand",
            )
        ]
        indexes = [models.Index(fields=["match"], condition=Q(waited__gt=0), name="marks_that_came_late")]

    def __str__(self) -> str:
        return f"{self.number}: {self.record_data}"

    def record(self, ruleset: Ruleset) -> Record:
        return read_record(ruleset, self.record_data)

    @property
    def director(self) -> str:
        """Name of the director who wrote it; "" if no director did."""
        return self.written_by if self.account is None else self.account.name

    @property
    def is_directors(self) -> bool:
        return self.account_id is not None or self.written_by != ""

    @property
    def helper(self) -> str:
        """Name of the desk helper who wrote it for the table; "" if no helper did."""
        return self.device.removeprefix(DESK_PREFIX) if self.device.startswith(DESK_PREFIX) else ""

    @property
    def is_restored(self) -> bool:
        """Whether another phone than the one that marked it restored it."""
        return self.device.startswith(RESTORED_PREFIX)


class Agreement(models.Model):
    """A side's agreement ("D'accord") to a game as it stood then; it is void once the game changes.

    ``waited`` as of a mark.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="agreements")
    game = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField(choices=[(side.value, side.name) for side in Side])
    agreed_to = models.CharField(max_length=40)
    waited = models.PositiveIntegerField(default=0, db_default=0)
    device = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    FACTS = declare_facts({TYPED: "device", CODE: "agreed_to"})

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["match", "game", "side", "agreed_to"], name="one_agreement_per_side_and_result"
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_side_display()}: {self.game}, {self.agreed_to}"


class Dispute(models.Model):
    """A table's call to the desk, open until a director settles it or the table withdraws it.

    ``entry_key`` is that of the tap, None if it had none or the call was imported; ``opened_at`` is when
    somebody at the desk first looked at the calling table. A withdrawn call has no settler;
    ``settled_by_name`` is the settler of an imported call.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="disputes")
    entry_key = models.UUIDField(unique=True, null=True)
    note = models.CharField(max_length=200, blank=True)
    device = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    opened_at = models.DateTimeField(null=True, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(Account, on_delete=models.PROTECT, null=True, blank=True)
    settled_by_name = models.CharField(max_length=NAME_LENGTH, blank=True, default="", db_default="")
    ruling = models.CharField(max_length=200, blank=True)

    FACTS = declare_facts({TYPED: "note device settled_by_name ruling"})

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match"], condition=Q(settled_at=None), name="one_open_dispute_per_match")
        ]

    def __str__(self) -> str:
        return self.note or str(self.match)

    @property
    def is_open(self) -> bool:
        return self.settled_at is None

    @property
    def is_opened(self) -> bool:
        return self.opened_at is not None

    @property
    def answers(self) -> tuple[DeskMessage, ...]:
        """The desk's ruling as a message that the table can read for a while; empty if there is none."""
        if self.settled_at is None or not self.ruling:
            return ()
        return (
            DeskMessage(
                number=0,
                text=self.ruling,
                round_number=self.match.round_number,
                sent_at=self.settled_at,
                ends_at=self.settled_at + ANSWER_LIFETIME,
            ),
        )

    @property
    def settler(self) -> str:
        """Name of the director who settled it; "" while it is open, or if the table withdrew it."""
        return self.settled_by_name if self.settled_by is None else self.settled_by.name


class RefusedMark(models.Model):
    """A late mark of a table that was refused. It counts nowhere; the desk can read it.

    It arrived more than a minute after the tap, or after its round was closed though tapped before. ``code``
    is that of the refusal, ``waited`` in seconds.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="refused_marks")
    number = models.PositiveSmallIntegerField()
    entry_key = models.UUIDField(unique=True)
    record_data = VersionedJSONField()
    code = models.CharField(max_length=40)
    waited = models.PositiveIntegerField()
    device = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    FACTS = declare_facts({TYPED: "device", CODE: "record_data code"})

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.number}: {self.record_data}, {self.code}"

    def record(self, ruleset: Ruleset) -> Record:
        return read_record(ruleset, self.record_data)


class TablePhone(models.Model):
    """A phone at a table and its last report, until the evening is over.

    It reports how many entries ``waiting`` on it are unsent, and which match it shows at which revision; None
    if it never reported, such as a phone without scripts.
    """

    card = models.ForeignKey(TableCard, on_delete=models.CASCADE, related_name="phones")
    device = models.CharField(max_length=40)
    heard_at = models.DateTimeField()
    waiting = models.PositiveSmallIntegerField(default=0)
    match_shown = models.PositiveBigIntegerField(null=True)
    revision_shown = models.PositiveIntegerField(null=True)

    FACTS = declare_facts({CODE: "device"})

    class Meta:
        ordering = ["card", "pk"]
        constraints = [models.UniqueConstraint(fields=["card", "device"], name="one_row_per_phone_and_table")]

    def __str__(self) -> str:
        return f"{self.card}: {self.device}"
