"""Two installations of one club: what the one that leads an event sends, and what the one that mirrors it
has."""

from uuid import uuid4

from django.db import models
from django.utils import timezone

from clubs.models import Club
from versioning import VersionedJSONField
from web.outgoing import LONGEST_ADDRESS

from .events import Event

INSTALLATION_LENGTH = 120


class PublicSite(models.Model):
    """The other installation of a club, which shows the events that this one leads, and hands events over.

    ``address`` is where it is, without a slash at its end; ``pairing`` what it calls this one; ``name`` that
    of the club there; ``key`` signs what comes from there, "" where they were paired before it was said. It
    is asked again once ``asked_at`` is so long ago as its ``attempts`` say; ``trouble`` is why nothing came,
    as a job keeps a refusal.
    """

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="public_site")
    address = models.CharField(max_length=LONGEST_ADDRESS)
    pairing = models.UUIDField()
    name = models.CharField(max_length=INSTALLATION_LENGTH)
    paired_at = models.DateTimeField(default=timezone.now)
    key = models.CharField(max_length=64, blank=True, default="", db_default="")
    asked_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0, db_default=0)
    trouble = VersionedJSONField(null=True, blank=True)

    def __str__(self) -> str:
        return self.address


class SentEvent(models.Model):
    """How far an event that is led here has got to the other installation, where its copy is at ``page``: the
    one of that ``pairing``, or the public site, where there is none.

    ``number`` counts the snapshots that were offered. ``offers`` has the number and the head of the last one
    that arrived, and of all that were offered since: which of them is there is not known while no answer came
    back. ``revision`` is that of the event in the last one that arrived, at ``arrived_at``; ``behind_since``
    is when something newer was first found, None where there is nothing. ``trouble`` is why it does not
    arrive, as a job keeps a refusal; it is tried again once it is ``due_at``. ``handed_over`` is the last
    snapshot, with which the other leads: empty until it is made, None where nothing is being handed over.
    ``epoch`` counts the handovers of the event so far.
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
    page = models.CharField(max_length=LONGEST_ADDRESS, blank=True, default="")
    pairing = models.ForeignKey(
        "Pairing", on_delete=models.PROTECT, null=True, blank=True, related_name="sent", db_index=False
    )
    offered_revision = models.PositiveIntegerField(default=0, db_default=0)
    handed_over = models.TextField(null=True, blank=True)  # noqa: DJ001 - "" is to be made
    epoch = models.PositiveIntegerField(default=0, db_default=0)

    def __str__(self) -> str:
        return f"{self.event_id}, {self.number}"


class Pairing(models.Model):
    """Another installation whose events a club mirrors here, or a link by which one becomes so.

    Of the link only a ``digest`` is kept, and it opens once, until ``lasts_until``. From then on the ``key``
    signs what comes, under the ``public_id``; ``name`` is that of the club there. Nothing is taken from one
    that has ``ended_at``.
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

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name


class Mirror(models.Model):
    """The copy of an event that is led elsewhere, by the installation of that ``pairing``, or by the public
    site, where there is none: as of the last snapshot of its ``chain`` that was taken.

    ``number`` and ``head`` are those of that snapshot, ``as_of`` is when it was made, ``sums`` are those of
    its file. ``people`` says who is who: by what they are called there, the id here, and whether they came
    with the mirror. Since ``led_since`` the event is led here, and no snapshot is taken; None while it is a
    mirror. ``put_away`` says what stands only in the event that it took the place of: its ``event``, and in
    ``marks`` rounds, tables and how many marks; None where it took no place. ``epoch`` is that of
    the snapshot, or of having chosen to lead; ``trouble`` is what an owner has to settle between the two, as
    a job keeps a refusal.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="mirror")
    pairing = models.ForeignKey(
        Pairing, on_delete=models.PROTECT, null=True, blank=True, related_name="mirrors"
    )
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

    def __str__(self) -> str:
        return f"{self.event_id}, {self.number}"


class KnownSnapshot(models.Model):
    """A snapshot of an event that was offered or taken here, by its number and head. A copy elsewhere that
    stands at one of them can go on from here; one that stands at another has something else."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="known_snapshots")
    number = models.PositiveIntegerField()
    head = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "number", "head"], name="snapshot_known_once")
        ]

    def __str__(self) -> str:
        return f"{self.event_id}, {self.number}"
