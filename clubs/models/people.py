"""People and families of a club."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import and_, or_
from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.name_formats import format_numbered_player
from versioning import INTERNAL, FieldFacts, Text, VersionedJSONField, declare_facts
from web import names
from web.sealed_fields import SEALED_LENGTH, ContactField

from .clubs import Club, PublicNames
from .folded_names import FoldedNameField


class Family(models.Model):
    """People who live together: shown together at check-in, and paid for together."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="families")
    name = models.CharField(max_length=names.NAME_LENGTH)

    FACTS = declare_facts({INTERNAL: "club"}, name=FieldFacts(_("Name"), text=Text.TYPED))

    class Meta:
        ordering = ["name", "pk"]
        verbose_name_plural = "families"

    def __str__(self) -> str:
        return self.name


UNCHANGED = object()
"""The value of a field that erasure leaves as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonFacts(FieldFacts):
    """The facts about a field of a person: ``erased`` is its value after erasure. ``merge`` makes the value of two
    people who are merged; without it, the first one's stays. A consent is listed with who recorded it and why."""

    erased: Any = UNCHANGED
    merge: Callable[[Any, Any], Any] | None = None
    is_consent: bool = False


def _prefer_first(first: Any, second: Any) -> Any:
    return first or second


def _join_labels(first: list[str], second: list[str]) -> list[str]:
    return list(names.unify_spellings([*first, *second]).values())


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

    FACTS = declare_facts(
        club=PersonFacts(),
        name=PersonFacts(_("Name"), text=Text.OWN_NAME),
        folded_name=PersonFacts(text=Text.OWN_NAME),
        contact=PersonFacts(_("Phone or e-mail"), text=Text.TYPED, erased="", merge=_prefer_first),
        family=PersonFacts(_("Family"), erased=None, merge=_prefer_first),
        labels=PersonFacts(_("Club groups"), "list", text=Text.TYPED, erased=[], merge=_join_labels),
        is_guest=PersonFacts(_("Guest"), merge=and_),
        is_active=PersonFacts(_("Active"), erased=False, merge=or_),
        shows_full_name=PersonFacts(_("Full name on public pages"), erased=False, is_consent=True),
        is_hidden=PersonFacts(_("Hidden from public pages"), erased=False, merge=or_, is_consent=True),
        is_rated=PersonFacts(_("Included in ratings and club records"), erased=False, is_consent=True),
        added_at=PersonFacts(_("Added on"), in_history=False, merge=min),
        kept_until=PersonFacts(_("Keep until"), erased=None),
        anonymized_at=PersonFacts(_("Erased on")),
        merged_ids=PersonFacts(_("Merged numbers"), text=Text.CODE, in_history=False),
    )
    """In the order of the person's own export."""

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
