"""Subscriptions to alerts about seats and cancellations."""

from django.db import models
from django.utils import timezone

from clubs.models import Person
from versioning import CODE, VersionedJSONField, declare_facts
from web.sealed_fields import ContactsField

from .events import Event


class AlertSubscription(models.Model):
    """A phone that receives a person's seats, through a ``channel`` of ``alerts.channels``, in a language.

    ``address`` is what the channel needs to reach it (for e-mail, only the person, whose address the club
    has); ``digest`` tells subscriptions apart. ``told`` has what was last sent: the ``code`` of an
    ``AlertNews`` by its ``subject``.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="alerts")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="alerts")
    channel = models.CharField(max_length=20)
    language = models.CharField(max_length=10)
    address = ContactsField(names=("endpoint",))
    digest = models.CharField(max_length=64)
    told = VersionedJSONField(default=dict, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    FACTS = declare_facts({CODE: "channel language address digest told"})

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "digest"], name="one_alert_per_event_and_phone")]

    def __str__(self) -> str:
        return f"{self.event}: {self.channel} {self.pk}"
