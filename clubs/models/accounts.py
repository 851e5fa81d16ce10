"""Accounts and their roles in clubs."""

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from versioning import CODE, INTERNAL, FieldFacts, declare_facts
from web import names
from web.sealed_fields import SEALED_LENGTH, ContactField

from .clubs import Club
from .folded_names import FoldedNameField


class Accounts(BaseUserManager["Account"]):
    def get_by_natural_key(self, username: str | None) -> "Account":
        """Return the account of this name; accents, case and extra spaces do not matter."""
        return self.get(folded_name=names.fold_name(names.clean_text(username or "")))


class Account(AbstractBaseUser):
    """An account that signs in; players need none. ``email``, in lower case, is a confirmed address."""

    name = models.CharField(max_length=names.NAME_LENGTH)
    folded_name = FoldedNameField(unique=True)
    language = models.CharField(max_length=8)
    email = ContactField(max_length=SEALED_LENGTH, blank=True, default="", db_default="")
    created_at = models.DateTimeField(auto_now_add=True)

    USERNAME_FIELD = "folded_name"
    objects = Accounts()

    FACTS = declare_facts({CODE: "password name folded_name language email"})

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["email"], condition=~models.Q(email=""), name="one_account_of_an_address")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def has_second_factor(self) -> bool:
        """Whether six digits are asked for after the password. One query, unless the factor was
        fetched along."""
        return hasattr(self, "second_factor")


class Role(models.TextChoices):
    OWNER = "owner", _("owner")
    DIRECTOR = "director", _("director")
    DESK = "desk", _("desk helper")


class Membership(models.Model):
    """An account's role in a club, and since when."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)
    since = models.DateTimeField(default=timezone.now)

    FACTS = declare_facts(
        {INTERNAL: "club"},
        account=FieldFacts(_("Name"), names_row=True),
        role=FieldFacts(_("Role")),
        since=FieldFacts(_("Since")),
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "account"], name="one_role_per_club")]

    def __str__(self) -> str:
        return f"{self.account}: {self.role}, {self.club}"
