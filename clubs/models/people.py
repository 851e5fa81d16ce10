"""People and families of a club."""

from django.db import models
from django.utils import timezone

from clubs.name_formats import format_numbered_player
from versioning import VersionedJSONField
from web import names
from web.sealed_fields import SEALED_LENGTH, ContactField

from .clubs import Club, PublicNames
from .folded_names import FoldedNameField


class Family(models.Model):
    """People who live together: shown together at check-in, and paid for together."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="families")
    name = models.CharField(max_length=names.NAME_LENGTH)

    class Meta:
        ordering = ["name", "pk"]
        verbose_name_plural = "families"

    def __str__(self) -> str:
        return self.name


class Person(models.Model):
    """A player. Only the name is required; public pages shorten it unless the person agreed.

    A guest (``is_guest``) is not a member. People who are not ``is_active`` are offered nowhere, but keep all
    results. ``contact`` is a telephone or an e-mail address, for the club only; ``labels`` are the club's
    groups with standings of their own: ``["Women"]``. ``merged_ids`` are the ids of duplicates merged into
    this person, which permanent records still name. Without ``is_rated``, the person has no rating and no
    public record. Public pages never name a person who ``is_hidden``. An erased person (``anonymized_at``)
    has a neutral name and no other personal data. Before ``kept_until``, the program does not propose to
    erase the person.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="people")
    name = models.CharField(max_length=names.NAME_LENGTH)
    folded_name = FoldedNameField()
    shows_full_name = models.BooleanField(default=False)
    is_guest = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    family = models.ForeignKey(Family, on_delete=models.SET_NULL, null=True, blank=True, related_name="people")
    contact = ContactField(max_length=SEALED_LENGTH, blank=True, default="")
    labels = VersionedJSONField(default=list, blank=True)
    merged_ids = VersionedJSONField(default=list, blank=True)
    is_rated = models.BooleanField(default=True)
    is_hidden = models.BooleanField(default=False)
    added_at = models.DateTimeField(default=timezone.now)
    kept_until = models.DateField(null=True, blank=True)
    anonymized_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["club", "folded_name"])]
        verbose_name_plural = "people"

    def __str__(self) -> str:
        return self.name

    def get_public_name(self, club: Club, *, in_full: bool = True) -> str:
        """Return the name for public pages; ``club`` is the person's own. It is the full name only if the
        person agreed and ``in_full`` is set."""
        if self.anonymized_at is not None:
            return self.name
        if self.is_hidden:
            return self.placeholder_name
        if self.shows_full_name and in_full:
            return self.name
        return self.short_name if club.public_names == PublicNames.SHORT else self.placeholder_name

    @property
    def short_name(self) -> str:
        return names.format_first_name_initial(self.name)

    @property
    def placeholder_name(self) -> str:
        """A numbered placeholder for the name, in the reader's language."""
        return format_numbered_player(self.pk)
