from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from rules import Ruleset, ruleset_named, with_house_rules

from . import names


class Accounts(BaseUserManager["Account"]):
    def get_by_natural_key(self, username: str | None) -> "Account":
        """Found by name as people write it: accents, case and surplus spaces do not matter."""
        return self.get(folded_name=names.folded(names.cleaned(username or "")))


class Account(AbstractBaseUser):
    """Somebody who signs in. Players need none."""

    name = models.CharField(max_length=names.NAME_LENGTH)
    folded_name = models.CharField(max_length=names.NAME_LENGTH * 2, unique=True)
    language = models.CharField(max_length=8)
    created_at = models.DateTimeField(auto_now_add=True)

    USERNAME_FIELD = "folded_name"
    objects = Accounts()

    def __str__(self) -> str:
        return self.name


class Club(models.Model):
    """A club, its language, and the rules it usually plays by."""

    name = models.CharField(max_length=80)
    slug = models.SlugField(max_length=60, unique=True)
    language = models.CharField(max_length=8, default="fr")
    time_zone = models.CharField(max_length=40, default="America/Montreal")
    usual_ruleset = models.CharField(max_length=40, default="canadian")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    OWNER = "owner", _("owner")
    DIRECTOR = "director", _("director")
    DESK = "desk", _("desk helper")


class Membership(models.Model):
    """What an account may do in a club."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "account"], name="one_role_per_club")]

    def __str__(self) -> str:
        return f"{self.account}: {self.role}, {self.club}"


class HouseRules(models.Model):
    """A club's own way of playing, by name: a difference from a built-in system, never a copy.

    An event keeps the whole value that it is made with, so nothing that happens here touches it. What is
    removed stays, to be put back.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="house_rules")
    name = models.CharField(max_length=names.NAME_LENGTH)
    folded_name = models.CharField(max_length=names.FOLDED_LENGTH)
    base = models.CharField(max_length=40)
    difference = models.JSONField()
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


class Person(models.Model):
    """Somebody who plays. Only a name is known; public pages shorten it unless the person agreed."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="people")
    name = models.CharField(max_length=names.NAME_LENGTH)
    folded_name = models.CharField(max_length=names.NAME_LENGTH * 2)
    shows_full_name = models.BooleanField(default=False)

    class Meta:
        indexes = [models.Index(fields=["club", "folded_name"])]
        verbose_name_plural = "people"

    def __str__(self) -> str:
        return self.name

    @property
    def public_name(self) -> str:
        return self.name if self.shows_full_name else names.first_name_and_initial(self.name)
