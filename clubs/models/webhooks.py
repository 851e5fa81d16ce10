"""Webhooks, their deliveries, and the news already sent."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from versioning import CODE, TYPED, VersionedJSONField, declare_facts
from web.outgoing import MAX_URL_LENGTH

from .clubs import Club

ANSWER_LENGTH = 500


class NewsKind(models.TextChoices):
    """Kinds of webhook events. Messages contain these names: never change them."""

    ROUND_PUBLISHED = "round.published", _("Round published")
    TABLE_RESULT = "table.result", _("Table result added or changed")
    STANDINGS_FINAL = "standings.final", _("Standings final")
    STANDINGS_CORRECTED = "standings.corrected", _("Final standings corrected")
    ENTRY_CHANGED = "entry.changed", _("Entry added, changed or removed")
    NIGHT_CHANGED = "night.changed", _("Night announced, changed, started or finished")


TEST = "webhook.test"
"""The kind of a test delivery."""


class OffReason(models.TextChoices):
    """The reason why a webhook is off."""

    OWNER = "owner", _("By an owner.")
    FAILING = "failing", _("No delivery for five days.")
    GONE = "gone", _("The address no longer exists.")
    RESTORED = "restored", _("Restored from a backup. The original may still send to it.")


class Webhook(models.Model):
    """A webhook for events of these ``kinds``. Messages are signed with ``secret`` and, for a
    day after a change, with the previous one as well. ``failing_since`` is the time of the
    first failure after the last success."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="webhooks")
    address = models.CharField(max_length=MAX_URL_LENGTH)
    kinds = VersionedJSONField(default=list)
    secret = models.CharField(max_length=80)
    secret_before = models.CharField(max_length=80, blank=True, default="")
    renewed_at = models.DateTimeField(null=True, blank=True)
    key = models.UUIDField(null=True, blank=True, unique=True)
    made_at = models.DateTimeField(default=timezone.now)
    failing_since = models.DateTimeField(null=True, blank=True)
    off_because = models.CharField(max_length=10, choices=OffReason, blank=True, default="")

    FACTS = declare_facts({CODE: "address kinds secret secret_before"})

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.address

    @property
    def is_on(self) -> bool:
        return not self.off_because


class DeliveryState(models.TextChoices):
    WAITING = "waiting", _("Waiting")
    DELIVERED = "delivered", _("Delivered")
    GIVEN_UP = "given_up", _("Given up")
    WITHDRAWN = "withdrawn", _("Not sent: no longer public")


class WebhookDelivery(models.Model):
    """A delivery to one webhook, with the kind of its event. Its data is read when it is sent; stored is only
    the name of its ``subject`` within the ``ordering_key``, an event or the club's calendar.

    A waiting delivery is tried at ``due_at``, after all earlier ones of its ordering key. The sender first
    sets that to a later time, so that another tries again if it dies.
    """

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    message_id = models.CharField(max_length=40)
    kind = models.CharField(max_length=30)
    ordering_key = models.CharField(max_length=80, db_column="lane")
    subject = models.CharField(max_length=40, blank=True, default="")
    noticed_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=10, choices=DeliveryState, default=DeliveryState.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now)
    tried_at = models.DateTimeField(null=True, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    milliseconds = models.PositiveIntegerField(null=True, blank=True)
    trouble = models.CharField(max_length=30, blank=True, default="")
    answer = models.CharField(max_length=ANSWER_LENGTH, blank=True, default="")

    FACTS = declare_facts({TYPED: "answer", CODE: "message_id kind ordering_key subject trouble"})

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["webhook", "message_id"], name="one_delivery_of_a_message")]
        indexes = [models.Index(fields=["state", "due_at"], name="webhook_deliveries_due")]

    def __str__(self) -> str:
        return f"{self.kind} {self.ordering_key} {self.subject} ({self.state})"

    @property
    def is_waiting(self) -> bool:
        return self.state == DeliveryState.WAITING


class PublishedFacts(models.Model):
    """The public data with an ``ordering_key`` at the last check, as digests: any difference is news.
    ``number`` grows with each check that finds some."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    ordering_key = models.CharField(max_length=80, unique=True, db_column="lane")
    facts = VersionedJSONField(default=dict)
    number = models.PositiveIntegerField(default=1)

    FACTS = declare_facts({CODE: "ordering_key facts"})

    class Meta:
        db_table = "clubs_toldnews"

    def __str__(self) -> str:
        return self.ordering_key
