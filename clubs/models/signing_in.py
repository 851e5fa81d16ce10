"""How an account is opened without its password, and how often somebody has tried."""

from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models

from web.sealed_fields import SEALED_LENGTH, ContactField

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


class SecondFactor(models.Model):
    """An app that shows six digits, which are asked for after the password.

    ``sealed`` is its secret, which only the installation's key opens (``web.sealing``). ``last_step`` is that
    of the last digits that were taken: those, and all before them, are good no more.
    """

    account = models.OneToOneField(Account, on_delete=models.CASCADE, related_name="second_factor")
    sealed = models.CharField(max_length=255)
    last_step = models.BigIntegerField()
    made_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.account}, {self.made_at}"


class RecoveryCode(models.Model):
    """What stands for the six digits, once: the row goes when it is used.

    Of its digits only the first two are kept, as ``label``, to find it by; of all of them, a ``digest``, made
    as those of passwords are.
    """

    factor = models.ForeignKey(SecondFactor, on_delete=models.CASCADE, related_name="recovery_codes")
    label = models.CharField(max_length=2)
    digest = models.CharField(max_length=128)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["factor", "label"], name="one_code_of_a_label")]

    def __str__(self) -> str:
        return f"{self.label}…: {self.factor}"


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
    email = ContactField(max_length=SEALED_LENGTH)
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


class DeviceSession(AbstractBaseSession):
    """A browser that was here, found by the digest of its key; of an ``account``, while it is signed in.
    ``device`` is what the browser calls it, ``seen_at`` is right to the hour."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, null=True, related_name="sessions")
    device = models.CharField(max_length=40, blank=True, default="")
    begun_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.device}: {self.account}"


class SecurityEvent(models.Model):
    """Something refused at a door, ``count`` times from one ``network`` since ``first_at``; ``account`` is
    whose door it was, where that is known. Kept for ``clubs.services.security_log.KEPT``."""

    kind = models.CharField(max_length=24)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, null=True, related_name="+")
    network = models.CharField(max_length=50, blank=True)
    count = models.PositiveIntegerField(default=1)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ["-last_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.kind}: {self.account}, {self.count}"


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
