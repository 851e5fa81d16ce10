"""Other ways to sign in than a password, sessions, and throttling."""

from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models

from versioning import CODE, declare_facts
from web.sealed_fields import SEALED_LENGTH, ContactField

from .accounts import Account

MAX_SECRET_LENGTH = 1_400
"""Characters of an authenticator's id of a passkey: at most 1,023 bytes, in base64url."""


class Passkey(models.Model):
    """The public half of a passkey; the private one stays on the user's device.

    Browsers offer it only on pages of ``host``. Devices know the account by ``handle``, which all its
    passkeys at a host share. ``sign_count`` stays 0 if passkeys are synchronized between devices.
    """

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="passkeys")
    name = models.CharField(max_length=80)
    host = models.CharField(max_length=253)
    handle = models.CharField(max_length=88)
    credential_id = models.CharField(max_length=MAX_SECRET_LENGTH, unique=True)
    credential = models.TextField()
    sign_count = models.BigIntegerField(default=0)
    made_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    FACTS = declare_facts({CODE: "name host handle credential_id credential"})

    class Meta:
        ordering = ["made_at", "pk"]

    def __str__(self) -> str:
        return f"{self.name}: {self.account}"


class SecondFactor(models.Model):
    """An authenticator app, which shows the six digits to type after the password.

    ``sealed`` is its secret, encrypted with the installation's key (``web.sealing``). ``last_step`` is the
    time step of the last digits used: digits of it or before it are refused.
    """

    account = models.OneToOneField(Account, on_delete=models.CASCADE, related_name="second_factor")
    sealed = models.CharField(max_length=255)
    last_step = models.BigIntegerField()
    made_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    FACTS = declare_facts({CODE: "sealed"})

    def __str__(self) -> str:
        return f"{self.account}, {self.made_at}"


class RecoveryCode(models.Model):
    """A one-time replacement for the six digits; the row is deleted when it is used.

    Only its first two digits are stored, as ``label``, to find it, and a ``digest`` of all,
    made like a password's.
    """

    factor = models.ForeignKey(SecondFactor, on_delete=models.CASCADE, related_name="recovery_codes")
    label = models.CharField(max_length=2)
    digest = models.CharField(max_length=128)

    FACTS = declare_facts({CODE: "label digest"})

    class Meta:
        constraints = [models.UniqueConstraint(fields=["factor", "label"], name="one_code_of_a_label")]

    def __str__(self) -> str:
        return f"{self.label}…: {self.factor}"


class LinkPurpose(models.TextChoices):
    SIGN_IN = "sign_in"
    ADDRESS = "address"


class MailedLink(models.Model):
    """A link sent by e-mail: to sign in, or to confirm an address of ``account``.

    A request to sign in names no account: the account is looked up when the mail is written.
    Only a ``digest`` of the link's secret is stored, once it is sent. ``key`` is the id of the
    form that has used it.
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

    FACTS = declare_facts({CODE: "email digest"})

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
    """A browser session, stored under a digest of its key, with an ``account`` while it is signed in.
    ``device`` is the browser's name for it; ``seen_at`` is exact to the hour."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, null=True, related_name="sessions")
    device = models.CharField(max_length=40, blank=True, default="")
    begun_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    FACTS = declare_facts({CODE: "session_key session_data device"})

    def __str__(self) -> str:
        return f"{self.device}: {self.account}"


class SecurityEvent(models.Model):
    """A refused attempt to sign in or guess a code, ``count`` times from one ``network`` since ``first_at``.
    ``account`` is the account tried, if known. Kept for ``clubs.services.security_log.RETENTION``."""

    kind = models.CharField(max_length=24)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, null=True, related_name="+")
    network = models.CharField(max_length=50, blank=True)
    count = models.PositiveIntegerField(default=1)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField(db_index=True)

    FACTS = declare_facts({CODE: "kind network"})

    class Meta:
        ordering = ["-last_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.kind}: {self.account}, {self.count}"


class RateLimitCounter(models.Model):
    """A count of recent attempts to sign in or guess a code; ``digest`` identifies the attempts
    counted together."""

    digest = models.CharField(max_length=64, unique=True)
    count = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField(db_index=True)
    wait_until = models.DateTimeField()

    FACTS = declare_facts({CODE: "digest"})

    class Meta:
        db_table = "clubs_tries"

    def __str__(self) -> str:
        return f"{self.count} until {self.last_at}"
