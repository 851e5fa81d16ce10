"""Questions to the format planner."""

from django.db import models

from clubs.models import Club
from versioning import TYPED, VersionedJSONField, declare_facts

from .events import Event


class Plan(models.Model):
    """A question to the format planner, and its results: ``planning.question_to_json`` and ``proposals_to_json``,
    None until the worker has finished. ``event`` was created from the proposal ``chosen``."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="plans")
    key = models.UUIDField(unique=True)
    asked = VersionedJSONField()
    seed = models.BigIntegerField()
    found = VersionedJSONField(null=True, blank=True)
    chosen = models.PositiveSmallIntegerField(null=True, blank=True)
    event = models.ForeignKey(Event, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    FACTS = declare_facts({TYPED: "asked found"})

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.club}, {self.created_at:%Y-%m-%d %H:%M}"

    @property
    def topic(self) -> str:
        """Topic of its task."""
        return f"plan:{self.pk}"
