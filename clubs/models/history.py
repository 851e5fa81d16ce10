"""The history of a club."""

from django.db import models

from versioning import CODE, TYPED, VersionedJSONField, declare_facts
from web.sealed_fields import ContactsField

from .accounts import Account
from .clubs import Club

ORIGIN_LENGTH = 80


class HistoryRow(models.Model):
    """A line of the history of a club or an event, and the line that undoes it.

    ``kind`` is the service, ``details`` what its sentence needs. ``origin`` is an address and a device.
    ``key`` is the client's idempotency key: a second request with it does nothing.
    """

    kind = models.CharField(max_length=40)
    details = VersionedJSONField(default=dict, blank=True)
    reason = models.CharField(max_length=200, blank=True, default="")
    origin = models.CharField(max_length=ORIGIN_LENGTH, blank=True, default="")
    key = models.UUIDField(null=True, blank=True, unique=True)
    undoes = models.OneToOneField("self", on_delete=models.PROTECT, null=True, blank=True, related_name="undone_by")
    created_at = models.DateTimeField(auto_now_add=True)

    FACTS = declare_facts({TYPED: "details reason origin", CODE: "kind"})

    class Meta:
        abstract = True
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.kind}, {self.created_at:%H:%M}"

    @property
    def has_taken_back(self) -> bool:
        """Whether this is an undo: undoing it restores the change. An undo of an undo has
        ``put_back`` in its details."""
        return self.kind == "undo" and not self.details.get("put_back")


class ClubAction(HistoryRow):
    """A change of a club's people, roles or settings, with the ``rows`` written, before and after
    (``clubs.audit.log``). ``permission`` is the one that it required (``clubs.policy``) and decides who may
    undo it; None in changes made before it was recorded."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="actions")
    account = models.ForeignKey(Account, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    permission = models.CharField(max_length=6, null=True, blank=True)  # noqa: DJ001 - None is not known
    rows = ContactsField(names=("contact",), default=list, blank=True)

    FACTS = HistoryRow.FACTS | declare_facts({TYPED: "rows", CODE: "permission"})
