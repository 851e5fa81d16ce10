"""What was done to a club."""

from django.db import models

from versioning import VersionedJSONField
from web.sealed_fields import ContactsField

from .accounts import Account
from .clubs import Club

ORIGIN_LENGTH = 80


class HistoryRow(models.Model):
    """What somebody did, be it to a club or to an event: a line of its history, and what undoes it.

    ``kind`` is the service, ``details`` what a sentence about it needs. ``origin`` is where it came from: an
    address and a device. ``key`` is the client's id: what comes again with the same key was done already.
    """

    kind = models.CharField(max_length=40)
    details = VersionedJSONField(default=dict, blank=True)
    reason = models.CharField(max_length=200, blank=True, default="")
    origin = models.CharField(max_length=ORIGIN_LENGTH, blank=True, default="")
    key = models.UUIDField(null=True, blank=True, unique=True)
    undoes = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="undone_by"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.kind}, {self.created_at:%H:%M}"

    @property
    def has_taken_back(self) -> bool:
        """Whether it is the undo of a deed: to undo it puts that back. An undo of one has ``put_back`` in its
        details."""
        return self.kind == "undo" and not self.details.get("put_back")


class ClubAction(HistoryRow):
    """What was done to a club's people, roles or settings; ``rows`` are those that it wrote, before and after
    (``clubs.audit.log``). ``permission`` is what it took (``clubs.policy``), and decides who may undo it;
    None in what was done before it was recorded."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="actions")
    account = models.ForeignKey(Account, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    permission = models.CharField(max_length=6, null=True, blank=True)  # noqa: DJ001 - None is not known
    rows = ContactsField(names=("contact",), default=list, blank=True)
