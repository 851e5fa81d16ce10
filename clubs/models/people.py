"""Who plays."""

from django.db import models
from django.utils import timezone

from clubs.wording import numbered_player
from versioning import VersionedJSONField
from web import names
from web.sealed_fields import SEALED_LENGTH, ContactField

from .clubs import Club, PublicNames
from .folded_names import FoldedNameField


class Family(models.Model):
    """People who live together: found at once when they come, and paid for together."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="families")
    name = models.CharField(max_length=names.NAME_LENGTH)

    class Meta:
        ordering = ["name", "pk"]
        verbose_name_plural = "families"

    def __str__(self) -> str:
        return self.name


class Person(models.Model):
    """Somebody who plays. Only a name is required; public pages shorten it unless the person agreed.

    A guest (``is_guest``) came without being a member. Who is not ``is_active`` any more is offered nowhere,
    and keeps all results. ``contact`` is a telephone or an e-mail address, for the club's eyes only;
    ``labels`` are the club's own words for groups that have a ladder of their own: ``["Women"]``.
    ``merged_ids`` are those of people who turned out to be this one: what was kept for good names them so.
    Who is not ``is_rated`` has no rating, and no public record. Public pages name nobody who ``is_hidden``.
    Who was forgotten (``anonymized_at``) has a neutral name, and nothing else that tells who it was. Before
    ``kept_until``, nobody is proposed to be.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="people")
    name = models.CharField(max_length=names.NAME_LENGTH)
    folded_name = FoldedNameField()
    shows_full_name = models.BooleanField(default=False)
    is_guest = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    family = models.ForeignKey(
        Family, on_delete=models.SET_NULL, null=True, blank=True, related_name="people"
    )
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

    def name_in_public(self, club: Club, *, in_full: bool = True) -> str:
        """What everybody may read, ``club`` being the person's own: in full only if the person agreed, and
        ``in_full`` is allowed."""
        if self.anonymized_at is not None:
            return self.name
        if self.is_hidden:
            return self.placeholder_name
        if self.shows_full_name and in_full:
            return self.name
        return self.short_name if club.public_names == PublicNames.SHORT else self.placeholder_name

    @property
    def short_name(self) -> str:
        return names.first_name_and_initial(self.name)

    @property
    def placeholder_name(self) -> str:
        """Without a name, and yet told apart from others, in the reader's language."""
        return numbered_player(self.pk)
