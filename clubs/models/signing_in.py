"""How an account is opened without its password, and how often somebody has tried."""

from django.db import models

from .accounts import Account

MOST_IN_A_SECRET = 1_400
"""Characters: an authenticator's id of a passkey has 1,023 bytes at most, kept in base64url."""


class Passkey(models.Model):
    """What a phone or a computer keeps of an account, of which only the public half is here.

    It opens the account on pages of ``host`` only: so browsers have it. ``handle`` is what devices know the
    account by; all passkeys of an account at a host have the same one. ``sign_count`` is 0 for ever where
    passkeys are carried from one device to the next.
    """

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="passkeys")
    name = models.CharField(max_length=80)
    host = models.CharField(max_length=253)
    handle = models.CharField(max_length=88)
    credential_id = models.CharField(max_length=MOST_IN_A_SECRET, unique=True)
    credential = models.TextField()
    sign_count = models.BigIntegerField(default=0)
    made_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["made_at", "pk"]

    def __str__(self) -> str:
        return f"{self.name}: {self.account}"


class LinkPurpose(models.TextChoices):
    SIGN_IN = "sign_in"
    ADDRESS = "address"


class MailedLink(models.Model):
    """A link that is sent to an address: to sign in, or to show that the address is the ``account``'s own.

    Of who asks to sign in, no account is known yet: whose the address is, is looked up when the mail is
    written. The secret in the link is kept nowhere, only its ``digest``, from the moment that it is sent.
    ``key`` is the id of the form that has used it.
    """

    purpose = models.CharField(max_length=10, choices=LinkPurpose)
    email = models.CharField(max_length=254)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    asked_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    lasts_until = models.DateTimeField()
    digest = models.CharField(max_length=64, blank=True, default="")
    used_at = models.DateTimeField(null=True, blank=True)
    key = models.UUIDField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["digest"], condition=~models.Q(digest=""), name="one_mailed_link_of_a_secret"
            )
        ]
        indexes = [models.Index(fields=["email", "asked_at"], name="mailed_links_by_address")]

    def __str__(self) -> str:
        return f"{self.purpose}: {self.email}"


class Tries(models.Model):
    """How often somebody has tried to sign in, or guessed a code, lately. ``digest`` stands for who, and for
    what was tried."""

    digest = models.CharField(max_length=64, unique=True)
    count = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField(db_index=True)
    wait_until = models.DateTimeField()

    class Meta:
        verbose_name_plural = "tries"

    def __str__(self) -> str:
        return f"{self.count} until {self.last_at}"
