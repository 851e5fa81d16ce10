"""Models: a club's own feed, federations, the feeds that they follow, and people's codes across clubs."""

import secrets
from datetime import timedelta
from uuid import uuid4

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from clubs.models import Club, Person
from versioning import CODE, VersionedJSONField, declare_facts
from web.outgoing import MAX_URL_LENGTH

NAME_LENGTH = 80
DIGITS = 64
REFRESH_INTERVAL = timedelta(minutes=15)
"""Pause between two fetches of a feed."""
LATE_AFTER = 3 * REFRESH_INTERVAL
"""Time without an answer after which a feed is not up to date."""


def new_salt() -> str:
    return secrets.token_hex(32)


class ClubFeed(models.Model):
    """A club's feed: the last file ``written`` and its ``signature``, both "" before the first. ``number``
    grows with each different file; ``state`` is the state of the data that it was made from. ``salt`` makes
    the ids of people and events in the feed impossible to guess."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="feed")
    public_id = models.UUIDField(default=uuid4, unique=True)
    salt = models.CharField(max_length=DIGITS, default=new_salt)
    number = models.PositiveBigIntegerField(default=0)
    state = models.CharField(max_length=80, blank=True, default="")
    written = models.TextField(blank=True, default="")
    signature = models.CharField(max_length=2 * DIGITS, blank=True, default="")

    FACTS = declare_facts({CODE: "salt state written signature"})

    def __str__(self) -> str:
        return str(self.public_id)


class PersonIdentity(models.Model):
    """A signed statement that a person of a club holds a code. ``key`` is the public key derived from the
    code, and ``signature`` its signature (``engine.federations.identities``)."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="identities")
    key = models.CharField(max_length=DIGITS)
    signature = models.CharField(max_length=2 * DIGITS)
    made_at = models.DateTimeField(default=timezone.now)

    FACTS = declare_facts({CODE: "key signature"})

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "person identities"
        constraints = [models.UniqueConstraint(fields=["person", "key"], name="one_identity_of_a_code")]

    def __str__(self) -> str:
        return self.key


class Federation(models.Model):
    """A federation run by a club, from one day to another, with points rules in ``ladder``
    (``engine.ladders.ladder_from_json``). ``worked_out`` holds the combined standings of all feeds, for
    ``presenters``. ``key`` is the id of the form that created it."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="federations")
    name = models.CharField(max_length=NAME_LENGTH)
    starts = models.DateField()
    ends = models.DateField()
    ladder = VersionedJSONField()
    worked_out = VersionedJSONField(default=dict, blank=True)
    worked_out_at = models.DateTimeField(null=True, blank=True)
    key = models.UUIDField(null=True, blank=True, unique=True)

    FACTS = declare_facts({CODE: "name ladder worked_out"})

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(starts__lte=F("ends")), name="a_federation_ends_after_it_starts")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def topic(self) -> str:
        """Topic under which its pages watch for changes."""
        return f"federation:{self.pk}"


class FollowedFeed(models.Model):
    """The feed of a club that a federation follows, at an ``address``.

    ``public_id`` and ``key`` are those of the first file received; later files must be signed by that key or
    a successor. ``content`` is the last good file as received, with its ``number``, its ``etag`` and the
    ``club`` named in it; it is empty if the club has withdrawn its feed. The feed last answered at
    ``heard_at`` and is fetched again from ``due_at``. ``trouble`` is the refusal of the last failed fetch, as
    a job stores it.
    """

    federation = models.ForeignKey(Federation, on_delete=models.CASCADE, related_name="feeds")
    address = models.CharField(max_length=MAX_URL_LENGTH)
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

    FACTS = declare_facts({CODE: "address public_id key club etag content trouble"})

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["federation", "address"], name="one_feed_at_an_address")]

    def __str__(self) -> str:
        return self.club or self.address

    @property
    def is_up_to_date(self) -> bool:
        is_recent = self.heard_at is not None and timezone.now() - self.heard_at < LATE_AFTER
        return is_recent and self.trouble is None
