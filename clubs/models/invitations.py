"""Links that can be used once: to join a club with a role, or to choose a new password."""

from django.db import models

from versioning import CODE, TYPED, declare_facts

from .accounts import Account, Role
from .clubs import Club

NOTE_LENGTH = 80


class Invitation(models.Model):
    """A link that an owner gives to somebody: it grants ``role`` in the club, or resets the password of
    ``account``.

    Only a ``digest`` of the link's secret is stored. ``note`` says for whom it is.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=10, choices=Role, blank=True, default="")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    note = models.CharField(max_length=NOTE_LENGTH)
    digest = models.CharField(max_length=64, unique=True)
    key = models.UUIDField(null=True, blank=True, unique=True)
    made_by = models.ForeignKey(Account, on_delete=models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField()
    lasts_until = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    FACTS = declare_facts({TYPED: "note", CODE: "digest"})

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(role="", account__isnull=False)
                | (~models.Q(role="") & models.Q(account__isnull=True)),
                name="a_role_or_a_password",
            )
        ]

    def __str__(self) -> str:
        return f"{self.note}: {self.role or self.account}"
