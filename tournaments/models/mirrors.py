"""Links between two installations of a club: what the leader of an event sends, and what the mirror has."""

from uuid import uuid4

from django.db import models
from django.utils import timezone

from clubs.models import Club
from versioning import CODE, VersionedJSONField, declare_facts
from web.outgoing import MAX_URL_LENGTH

from .events import Event

INSTALLATION_LENGTH = 120


class PublicSite(models.Model):
    """The other installation of a club, which shows the events led here, and hands events over.

    ``address`` is its address without a final slash; ``pairing`` its id of this installation; ``name`` that
    of the club there; ``key`` signs what comes from there, "" for links older than the key. It is asked again
    after ``asked_at`` plus a delay that grows with its ``attempts``; ``trouble`` is why nothing came, as a
    job stores a refusal. ``clock_ahead`` is how many seconds its clock is ahead of this one; None before it
    is known.
    """

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="public_site")
    address = models.CharField(max_length=MAX_URL_LENGTH)
    pairing = models.UUIDField()
    name = models.CharField(max_length=INSTALLATION_LENGTH)
    paired_at = models.DateTimeField(default=timezone.now)
    key = models.CharField(max_length=64, blank=True, default="", db_default="")
    clock_ahead = models.IntegerField(null=True, blank=True)
    asked_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0, db_default=0)
    trouble = VersionedJSONField(null=True, blank=True)

    FACTS = declare_facts({CODE: "address name key trouble"})

    def __str__(self) -> str:
        return self.address


class SentEvent(models.Model):
    """State of an event led here on the other installation, where its copy is at ``page``. That installation
    is the one of ``pairing``, or the public site without one.

    ``number`` counts the snapshots offered. ``offers`` has the number and the head of the last one that
    arrived and of all offered since; without an answer it is not known which of them is there. ``revision``
    is that of the event in the last one that arrived, at ``arrived_at``; ``behind_since`` is when something
    newer was first found, None if there is nothing. ``trouble`` is why it does not arrive, as a job stores a
    refusal; the next attempt is ``due_at``. ``handed_over`` is the last snapshot, with which the other
    becomes the leader: empty until it is made, None without a handover. ``epoch`` counts the handovers of the
    event so far.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="sent")
    chain = models.UUIDField(default=uuid4)
    number = models.PositiveIntegerField(default=0)
    offers = VersionedJSONField(default=list, blank=True)
    revision = models.PositiveIntegerField(default=0)
    arrived_at = models.DateTimeField(null=True, blank=True)
    behind_since = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now)
    trouble = VersionedJSONField(null=True, blank=True)
    page = models.CharField(max_length=MAX_URL_LENGTH, blank=True, default="")
    pairing = models.ForeignKey(
        "Pairing", on_delete=models.PROTECT, null=True, blank=True, related_name="sent", db_index=False
    )
    offered_revision = models.PositiveIntegerField(default=0, db_default=0)
    handed_over = models.TextField(null=True, blank=True)  # noqa: DJ001 - "" is to be made
    epoch = models.PositiveIntegerField(default=0, db_default=0)

    FACTS = declare_facts({CODE: "offers trouble page handed_over"})

    def __str__(self) -> str:
        return f"{self.event_id}, {self.number}"


class Pairing(models.Model):
    """Another installation whose events a club mirrors here, or a link that can become one.

    Of the link only a ``digest`` is stored, and it opens once, until ``lasts_until``. From then on the
    ``key`` signs what comes, under the ``public_id``; ``name`` is that of the club there. After ``ended_at``
    nothing is accepted. ``clock_ahead`` as of a public site.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="pairings")
    public_id = models.UUIDField(default=uuid4, unique=True)
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(default=timezone.now)
    lasts_until = models.DateTimeField()
    key = models.CharField(max_length=64, blank=True, default="")
    name = models.CharField(max_length=INSTALLATION_LENGTH, blank=True, default="")
    paired_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    clock_ahead = models.IntegerField(null=True, blank=True)

    FACTS = declare_facts({CODE: "digest key name"})

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name


class Mirror(models.Model):
    """Copy of an event led elsewhere, as of the last snapshot accepted from its ``chain``. The leader is the
    installation of ``pairing``, or the public site without one.

    ``number`` and ``head`` are those of that snapshot, ``as_of`` is when it was made, and ``sums`` are those
    of its file. ``people`` maps each person's id there to the id here, and to whether they came with the
    mirror. Since ``led_since`` the event is led here, and no snapshot is accepted; None while it is a mirror.
    ``put_away`` describes what only the event that it replaced has: its ``event``, and in ``marks`` rounds,
    tables and numbers of marks; None if it replaced none. ``epoch`` is that of the snapshot, or of the
    decision to lead; ``trouble`` is what an owner must settle between the two, as a job stores a refusal.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="mirror")
    pairing = models.ForeignKey(Pairing, on_delete=models.PROTECT, null=True, blank=True, related_name="mirrors")
    chain = models.UUIDField()
    number = models.PositiveIntegerField(default=0)
    head = models.CharField(max_length=64, blank=True, default="")
    as_of = models.DateTimeField()
    sums = VersionedJSONField(default=dict, blank=True)
    people = VersionedJSONField(default=dict, blank=True)
    led_since = models.DateTimeField(null=True, blank=True)
    put_away = VersionedJSONField(null=True, blank=True)
    epoch = models.PositiveIntegerField(default=0, db_default=0)
    trouble = VersionedJSONField(null=True, blank=True)

    FACTS = declare_facts({CODE: "head sums people put_away trouble"})

    def __str__(self) -> str:
        return f"{self.event_id}, {self.number}"


class KnownSnapshot(models.Model):
    """A snapshot of an event offered or accepted here, by number and head. A copy elsewhere at one of these
    can continue from here; a copy at any other has diverged."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="known_snapshots")
    number = models.PositiveIntegerField()
    head = models.CharField(max_length=64)

    FACTS = declare_facts({CODE: "head"})

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "number", "head"], name="snapshot_known_once")]

    def __str__(self) -> str:
        return f"{self.event_id}, {self.number}"
