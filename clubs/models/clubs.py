"""Clubs and their house rules."""

from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from clubs.people_import import CONTACT_LENGTH
from rules import Ruleset, apply_house_rules, get_ruleset
from versioning import CODE, INTERNAL, TITLE, UNRECORDED, FieldFacts, Text, VersionedJSONField, declare_facts
from web import names

from .folded_names import FoldedNameField

HALL_LENGTH, ADDRESS_LENGTH = 120, 200
ABOUT_LENGTH, WEBSITE_LENGTH = 2_000, 200
OFFICERS_LENGTH = 1_000
CLUB_NAME_LENGTH = 80


class PublicNames(models.TextChoices):
    """The default name on public pages, for people who chose nothing themselves."""

    SHORT = "short", _("First name and initial")
    NONE = "none", _("Number only")


class TimeZone(models.TextChoices):
    """A club's time zone: those in which the game is played."""

    EASTERN = "America/Montreal", _("Eastern: Quebec, Ontario, Maine")
    ATLANTIC = "America/Moncton", _("Atlantic: N.B., Magdalen Islands")
    NEWFOUNDLAND = "America/St_Johns", _("Newfoundland")
    CENTRAL = "America/Winnipeg", _("Central: Manitoba")
    MOUNTAIN = "America/Edmonton", _("Mountain: Alberta")
    PACIFIC = "America/Vancouver", _("Pacific: British Columbia")


def get_club_topic(club_id: int) -> str:
    """Return ``Club.topic`` for an id."""
    return f"club:{club_id}"


class Club(models.Model):
    """A club: its language, usual rules, ratings, public information and privacy settings.

    ``responsible_name`` answers for personal information, reached by ``responsible_contact``; without a name,
    an owner does. The club usually plays at ``hall``, at ``hall_address``. ``about``, ``contact`` and
    ``website`` are for its public page; ``officers`` has a line per office: ``Présidente: Jeannine Roy``.
    After ``forget_after`` years without play, the program proposes to erase a person; never, if it is None.
    ``list_layouts`` are the remembered columns of lists (``clubs.list_layouts``). The operator of a shared
    server lets it store ``quota`` megabytes; None for the usual quota. At ``leaves_at`` it is deleted there.
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
    quota = models.PositiveIntegerField(null=True, blank=True)
    leaves_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    FACTS = declare_facts(
        {INTERNAL: "quota leaves_at", CODE: "slug list_layouts", UNRECORDED: "created_at"},
        name=FieldFacts(_("Club name"), text=Text.TITLE),
        language=FieldFacts(_("Club language"), "language", text=Text.CODE),
        time_zone=FieldFacts(_("Time zone"), "time_zone", text=Text.CODE),
        usual_ruleset=FieldFacts(_("Usual rules"), "ruleset", text=Text.CODE),
        has_ratings=FieldFacts(_("Ratings and records")),
        public_names=FieldFacts(_("Names on public pages")),
        has_public_people=FieldFacts(_("Public player pages")),
        responsible_name=FieldFacts(_("Person responsible"), text=Text.CODE),
        responsible_contact=FieldFacts(_("Their contact details"), text=Text.CODE),
        hall=FieldFacts(_("Hall"), text=Text.CODE),
        hall_address=FieldFacts(_("Hall address"), text=Text.CODE),
        about=FieldFacts(_("About the club"), text=Text.TYPED),
        contact=FieldFacts(_("Club contact"), text=Text.TYPED),
        officers=FieldFacts(_("Officers"), text=Text.TYPED),
        website=FieldFacts(_("Website"), text=Text.CODE),
        forget_after=FieldFacts(_("Years before erasure is suggested")),
    )

    def __str__(self) -> str:
        return self.name

    def get_place_address(self, place: str) -> str:
        """Return the hall's street address; "" for any other place."""
        return self.hall_address if place == self.hall else ""

    @property
    def offices(self) -> list[tuple[str, str]]:
        """The offices and their holders, in the club's order."""
        named = (line.partition(": ") for line in self.officers.splitlines())
        return [(office, name) for office, _, name in named]

    @property
    def topic(self) -> str:
        """The topic of the pages about its people."""
        return get_club_topic(self.pk)

    @property
    def calendar_topic(self) -> str:
        """The topic of its calendar."""
        return f"calendar:{self.pk}"


class HouseRules(models.Model):
    """House rules of a club: a name, and the differences from a built-in ruleset.

    An event keeps its own copy of the rules, so changes here never affect it. Removed house rules stay stored
    and can be restored.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="house_rules")
    name = models.CharField(max_length=names.NAME_LENGTH)
    folded_name = FoldedNameField()
    base = models.CharField(max_length=40)
    difference = VersionedJSONField()
    is_removed = models.BooleanField(default=False)

    FACTS = declare_facts({TITLE: "name", CODE: "folded_name base difference"})

    CHOICE_PREFIX = "house-"

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
        return apply_house_rules(get_ruleset(self.base), self.difference)

    @property
    def choice(self) -> str:
        """The value in forms, beside the keys of the built-in rulesets, which have no number."""
        return f"{self.CHOICE_PREFIX}{self.pk}"
