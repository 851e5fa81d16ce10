"""Requests for a club on a shared server."""

from django.db import models
from django.utils import timezone

from versioning import CODE, declare_facts
from web.sealed_fields import SEALED_LENGTH, ContactField

from .clubs import CLUB_NAME_LENGTH, Club


class ClubRequest(models.Model):
    """A request for a club named ``name``, from somebody who accepted the terms.

    It waits until the operator answers, and is deleted once the answer is sent. ``club`` is the one created
    for it, None if it was refused.
    """

    name = models.CharField(max_length=CLUB_NAME_LENGTH)
    email = ContactField(max_length=SEALED_LENGTH)
    language = models.CharField(max_length=8)
    asked_at = models.DateTimeField(default=timezone.now)
    answered_at = models.DateTimeField(null=True, blank=True)
    club = models.ForeignKey(Club, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    FACTS = declare_facts({CODE: "name email language"})

    class Meta:
        ordering = ["asked_at", "pk"]

    def __str__(self) -> str:
        return self.name
