"""What the planner was asked."""

from django.db import models

from clubs.models import Club
from versioning import VersionedJSONField

from .events import Event


class Plan(models.Model):
    """What an organizer asked of the planner, and what it found: ``planning.question_to_json`` and
    ``found_to_json``, None until the worker is through. ``event`` was made of the proposal ``chosen``."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="plans")
    key = models.UUIDField(unique=True)
    asked = VersionedJSONField()
    seed = models.BigIntegerField()
    found = VersionedJSONField(null=True, blank=True)
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
