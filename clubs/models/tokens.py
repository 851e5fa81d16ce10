"""API keys of a club."""

from datetime import timedelta

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from versioning import CODE, declare_facts

from .accounts import Account
from .clubs import Club

TOKEN_NAME_LENGTH = 60


class Scope(models.TextChoices):
    """The permissions of an API key; each scope includes those before it."""

    READ = "read", _("Read only")
    SCORE = "score", _("Record hands and check in")
    DIRECT = "direct", _("Run nights")
    MANAGE = "manage", _("Manage the club")


class ApiToken(models.Model):
    """An API key. It acts as the account that made it, and never beyond that account's role.

    Only a ``digest`` of the secret is stored. ``name`` says which program uses it.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="api_tokens")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=TOKEN_NAME_LENGTH)
    scope = models.CharField(max_length=10, choices=Scope)
    digest = models.CharField(max_length=64, unique=True)
    key = models.UUIDField(null=True, blank=True, unique=True)
    made_at = models.DateTimeField()
    lasts_until = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    FACTS = declare_facts({CODE: "name digest"})

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return self.name


class IdempotencyKey(models.Model):
    """An idempotency key, and the digest of the request that has claimed it."""

    RETENTION = timedelta(days=7)

    key = models.UUIDField(primary_key=True)
    digest = models.UUIDField()
    claimed_at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return str(self.key)
