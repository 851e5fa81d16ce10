"""What a club publishes of itself, what it follows of others, and who is who in both."""

import secrets
from uuid import uuid4

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from clubs.models import Club, Person
from versioning import VersionedJSONField
from web.outgoing import LONGEST_ADDRESS

NAME_LENGTH = 80
DIGITS = 64


def new_salt() -> str:
    return secrets.token_hex(32)


class ClubFeed(models.Model):
    """What a club publishes for federations, as it was last ``written``, and its ``signature``; both are ""
    before it first was. ``number`` grows with each that differs. It was made at the ``state`` of what it
    tells; by the ``salt``, people and events are called in it what nobody can guess."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="feed")
    public_id = models.UUIDField(default=uuid4, unique=True)
    salt = models.CharField(max_length=DIGITS, default=new_salt)
    number = models.PositiveBigIntegerField(default=0)
    state = models.CharField(max_length=80, blank=True, default="")
    written = models.TextField(blank=True, default="")
    signature = models.CharField(max_length=2 * DIGITS, blank=True, default="")

    def __str__(self) -> str:
        return str(self.public_id)


class PersonIdentity(models.Model):
    """That a person of a club is the one who carries a code: ``key`` is the public half of what the code
    makes, and ``signature`` what it has signed (``engine.federations.identities``)."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="identities")
    key = models.CharField(max_length=DIGITS)
    signature = models.CharField(max_length=2 * DIGITS)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "person identities"
        constraints = [models.UniqueConstraint(fields=["person", "key"], name="one_identity_of_a_code")]

    def __str__(self) -> str:
        return self.key


class Federation(models.Model):
    """A federation that a club keeps: its points from one day to another are by the ``ladder``
    (``engine.ladders.ladder_from_json``). ``worked_out`` is what all feeds add up to, as ``presenters`` read
    it. ``key`` is the id of the form that made it."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="federations")
    name = models.CharField(max_length=NAME_LENGTH)
    starts = models.DateField()
    ends = models.DateField()
    ladder = VersionedJSONField()
    worked_out = VersionedJSONField(default=dict, blank=True)
    worked_out_at = models.DateTimeField(null=True, blank=True)
    key = models.UUIDField(null=True, blank=True, unique=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(starts__lte=F("ends")), name="a_federation_ends_after_it_starts"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def topic(self) -> str:
        """What its pages are watched with."""
        return f"federation:{self.pk}"


class FollowedFeed(models.Model):
    """The feed of a club that a federation follows, at an ``address``.

    ``public_id`` and ``key`` are those of the first one that came; only what that key has signed is taken,
    or one that it has handed on to. ``content`` is the last good one, as it came, of that ``number`` and with
    that ``etag``; ``club`` the name in it. It was last heard of at ``heard_at``, and is asked for again once
    it is ``due_at``; where the club has withdrawn it, there is no content. ``trouble`` is why nothing came
    since, as a job keeps a refusal.
    """

    federation = models.ForeignKey(Federation, on_delete=models.CASCADE, related_name="feeds")
    address = models.CharField(max_length=LONGEST_ADDRESS)
    public_id = models.CharField(max_length=DIGITS, blank=True, default="")
    key = models.CharField(max_length=DIGITS, blank=True, default="")
    club = models.CharField(max_length=NAME_LENGTH, blank=True, default="")
    number = models.PositiveBigIntegerField(default=0)
    etag = models.CharField(max_length=100, blank=True, default="")
    content = models.TextField(blank=True, default="")
    heard_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveIntegerField(default=0)
    trouble = VersionedJSONField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["federation", "address"], name="one_feed_at_an_address")
        ]

    def __str__(self) -> str:
        return self.club or self.address
