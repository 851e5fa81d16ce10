"""What is done to a club: one change, written whole, kept in its history, and undone whole.

The same as an event's changes (``tournaments.history.services.changes``), for people, roles and settings.
"""

from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from django.db import models

from clubs.audit.log import NOBODY, Actor, RecordedChange
from clubs.models import (
    ChangedDate,
    Club,
    ClubAction,
    Dues,
    DuesPeriod,
    Family,
    Incident,
    Membership,
    Person,
    RecurringNight,
    Role,
    UsualNight,
)
from jobs.services import enqueue
from live.news import public_change
from live.revisions import raise_revision
from rules import Refusal

from .validators import lock_club

ON_THE_CALENDAR = {"club", "recurringnight", "changeddate"}
"""Kinds of rows that the calendar shows."""


class ClubChange(RecordedChange):
    """One change of a club: the club is locked until the transaction ends."""

    KINDS: ClassVar[dict[str, type[models.Model]]] = {
        "person": Person,
        "family": Family,
        "membership": Membership,
        "club": Club,
        "duesperiod": DuesPeriod,
        "dues": Dues,
        "usualnight": UsualNight,
        "recurringnight": RecurringNight,
        "changeddate": ChangedDate,
        "incident": Incident,
    }
    NAMED_BY: ClassVar[dict[str, tuple[str, ...]]] = {
        "person": ("name",),
        "family": ("name",),
        "membership": ("account_id",),
        "club": ("name",),
        "duesperiod": ("name",),
        "dues": ("person_id", "period_id"),
        "usualnight": ("name",),
        "recurringnight": ("name",),
        "changeddate": ("night_id", "on"),
        "incident": ("what",),
    }
    NOT_RECORDED: ClassVar[dict[str, frozenset[str]]] = {"club": frozenset({"created_at"})}
    FOLLOWED_BY: ClassVar[dict[str, tuple[str, ...]]] = {}
    """By kind of row, the jobs with which rooms above bring in line what they work out of such rows; their
    key is the club's id."""

    @classmethod
    def also_records(cls, kinds: Mapping[type[models.Model], tuple[str, ...]]) -> None:
        """Rows of a room above that belong to a club, and change with it; with the fields that name them."""
        cls.KINDS |= {str(kind._meta.model_name): kind for kind in kinds}
        cls.NAMED_BY |= {str(kind._meta.model_name): fields for kind, fields in kinds.items()}

    def __init__(self, club_id: int, kind: str, by: Actor = NOBODY) -> None:
        self.club = lock_club(club_id)
        super().__init__(self.club.actions, kind, by)

    def check_may_go(self, kind: str, pks: Collection[int]) -> None:
        """Whoever has joined a family since would leave it, and no undo would bring them back; nor the dates
        of a night that were changed since. Refuses: changed_since."""
        if kind == "family" and Person.objects.filter(family__in=pks).exists():
            raise Refusal("changed_since")
        if kind == "recurringnight" and ChangedDate.objects.filter(night__in=pks).exists():
            raise Refusal("changed_since")

    def record(self, *, undoes: ClubAction | None = None, **details: Any) -> ClubAction:
        """Keeps the line in the history. Call it last.

        Refuses: last_owner; changed_since, if the client has asked for this before, and it was taken back
        meanwhile.
        """
        self.check_is_first()
        self._check_an_owner_stays()
        permission = self.by.permission if undoes is None else undoes.permission
        action: ClubAction = self.keep(undoes=undoes, details=details, rows=self.rows, permission=permission)
        kinds = {kind for kind, *_ in self.rows}
        for job in sorted({job for kind in kinds for job in self.FOLLOWED_BY.get(kind, ())}):
            enqueue(kind=job, key=str(self.club.pk), topic=self.club.topic)
        raise_revision(self.club.topic)
        if kinds & ON_THE_CALENDAR:
            raise_revision(self.club.calendar_topic)
            public_change.send(Club, topic=self.club.calendar_topic, club_id=self.club.pk)
        return action

    def _check_an_owner_stays(self) -> None:
        """Whoever was the last owner remains one. Refuses: last_owner."""
        owned = any(
            kind == "membership" and before is not None and before.get("role") == Role.OWNER
            for kind, _, before, _ in self.rows
        )
        if owned and not self.club.memberships.filter(role=Role.OWNER).exists():
            raise Refusal("last_owner")
