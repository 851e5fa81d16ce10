"""A club, and its own ways of playing."""

from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from clubs.people_import import CONTACT_LENGTH
from rules import Ruleset, ruleset_named, with_house_rules
from versioning import VersionedJSONField
from web import names

from .folded_names import FoldedNameField

HALL_LENGTH, ADDRESS_LENGTH = 120, 200
ABOUT_LENGTH, WEBSITE_LENGTH = 2_000, 200
OFFICERS_LENGTH = 1_000
CLUB_NAME_LENGTH = 80


class PublicNames(models.TextChoices):
    """What public pages call those who chose nothing themselves."""

    SHORT = "short", _("First name and initial")
    NONE = "none", _("Number only")


class TimeZone(models.TextChoices):
    """By whose clock a club plays: the zones of those who play the game."""

    EASTERN = "America/Montreal", _("Eastern: Quebec, Ontario, Maine")
    ATLANTIC = "America/Moncton", _("Atlantic: New Brunswick, Magdalen Islands")
    NEWFOUNDLAND = "America/St_Johns", _("Newfoundland")
    CENTRAL = "America/Winnipeg", _("Central: Manitoba")
    MOUNTAIN = "America/Edmonton", _("Mountain: Alberta")
    PACIFIC = "America/Vancouver", _("Pacific: British Columbia")


def club_topic(club_id: int) -> str:
    """``Club.topic``, by its id."""
    return f"club:{club_id}"


class Club(models.Model):
    """A club, its language, the rules it usually plays by, whether it rates its people, and what it shows of
    them.

    ``responsible_name`` is who answers for personal information, and ``responsible_contact`` how to reach
    them; where no name was given, an owner does. ``hall`` is where it usually plays, at ``hall_address``;
    ``about``, ``contact`` and ``website`` are what its own page tells of it, and ``officers`` who holds which
    office, a line each: ``Présidente: Jeannine Roy``. After ``forget_after`` years
    without playing, somebody is proposed to be forgotten; never, where it is None. ``list_layouts`` are how
    it assigned the columns of lists, as ``clubs.list_layouts`` reads them.
    """

    name = models.CharField(max_length=CLUB_NAME_LENGTH)
    slug = models.SlugField(max_length=60, unique=True)
    language = models.CharField(max_length=8, default="fr")
    time_zone = models.CharField(max_length=40, default=TimeZone.EASTERN.value)
    usual_ruleset = models.CharField(max_length=40, default="canadian")
    has_ratings = models.BooleanField(default=True)
    public_names = models.CharField(max_length=8, choices=PublicNames, default=PublicNames.SHORT)
    has_public_people = models.BooleanField(default=True)
    responsible_name = models.CharField(max_length=names.NAME_LENGTH, blank=True, default="")
    responsible_contact = models.CharField(max_length=CONTACT_LENGTH, blank=True, default="")
    hall = models.CharField(max_length=HALL_LENGTH, blank=True, default="", db_default="")
    hall_address = models.CharField(max_length=ADDRESS_LENGTH, blank=True, default="", db_default="")
    about = models.TextField(blank=True, default="", db_default="")
    contact = models.CharField(max_length=HALL_LENGTH, blank=True, default="", db_default="")
    officers = models.TextField(blank=True, default="", db_default="")
    website = models.URLField(max_length=WEBSITE_LENGTH, blank=True, default="", db_default="")
    forget_after = models.PositiveSmallIntegerField(null=True, blank=True)
    list_layouts = VersionedJSONField(default=list, blank=True, db_default=[])
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name

    def address_of(self, place: str) -> str:
        """That of its hall; "" of any other place, of which the club knows nothing."""
        return self.hall_address if place == self.hall else ""

    @property
    def offices(self) -> list[tuple[str, str]]:
        """Each office with whoever holds it, in the order in which the club names them."""
        named = (line.partition(": ") for line in self.officers.splitlines())
        return [(office, name) for office, _, name in named]

    @property
    def topic(self) -> str:
        """What the pages of its people are watched with."""
        return club_topic(self.pk)

    @property
    def calendar_topic(self) -> str:
        """What its calendar is watched with."""
        return f"calendar:{self.pk}"


class HouseRules(models.Model):
    """A club's own way of playing, by name: a difference from a built-in system, never a copy.

    An event keeps the whole value that it is made with, so nothing that happens here touches it. What is
    removed stays, to be put back.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="house_rules")
    name = models.CharField(max_length=names.NAME_LENGTH)
    folded_name = FoldedNameField()
    base = models.CharField(max_length=40)
    difference = VersionedJSONField()
    is_removed = models.BooleanField(default=False)

    CHOICE = "house-"

    class Meta:
        ordering = ["folded_name", "pk"]
        verbose_name_plural = "house rules"
        constraints = [
            models.UniqueConstraint(
                fields=["club", "folded_name"],
                condition=models.Q(is_removed=False),
                name="one_name_for_house_rules",
            )
        ]

    def __str__(self) -> str:
        return self.name

    @cached_property
    def ruleset(self) -> Ruleset:
        return with_house_rules(ruleset_named(self.base), self.difference)

    @property
    def choice(self) -> str:
        """How a form names it beside the keys of the built-in systems, which have no number."""
        return f"{self.CHOICE}{self.pk}"
