"""Changes of a club: checked, written and recorded as a whole."""

from collections.abc import Collection, Iterable
from typing import Any, ClassVar, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.db import models
from django.db.models import Model, QuerySet

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
from errors import Refusal, check_choice, get_or_refuse
from jobs.services import enqueue
from live.news import public_change
from live.revisions import raise_revision
from web import names

_Row = TypeVar("_Row", bound=Model)


def validate_name(name: str, *, field: str) -> str:
    """Return the cleaned name. Refuses: name_required, name_too_long, strange_character."""
    name = names.validate_title(name, field=field)
    if not name:
        raise Refusal("name_required", field=field)
    if len(name) > names.NAME_LENGTH:
        raise Refusal("name_too_long", field=field, name=name, most=names.NAME_LENGTH)
    return name


def validate_full_name(name: str, *, field: str) -> str:
    """Return the cleaned name of a person. Refuses: name_required, name_too_long, strange_character, nobody_named."""
    name = validate_name(names.clean_name(name), field=field)
    names.check_person_name(name, field=field)
    return name


def validate_length(text: str, *, field: str, max_length: int) -> str:
    """Check the length of a text, and return it. Refuses: text_too_long."""
    if len(text) > max_length:
        raise Refusal("text_too_long", field=field, most=max_length)
    return text


def lock_club(club_id: int) -> Club:
    """Lock the club for this transaction, so that concurrent changes wait. Refuses: no_such_club."""
    return get_or_refuse(Club.objects.select_for_update(no_key=True).filter(pk=club_id).first(), "no_such_club")


def get_row(rows: QuerySet[_Row], pk: int, *, refusal_code: str) -> _Row:
    """Return the row with this key. Refuses: ``refusal_code``."""
    try:
        return rows.get(pk=pk)
    except ObjectDoesNotExist:
        raise Refusal(refusal_code) from None


def validate_role(role: str) -> Role:
    """Return the role of that name. Refuses: no_such_choice."""
    return Role(check_choice(role, Role.values, field="role"))


CALENDAR_KINDS = {"club", "recurringnight", "changeddate"}
"""Kinds of rows that the calendar shows."""


class ClubChange(RecordedChange):
    """One change of a club, which stays locked until the transaction ends."""

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
    JOBS_BY_KIND: ClassVar[dict[str, tuple[str, ...]]] = {}
    """Jobs by kind of row, with which packages above update derived data. Their key is the club's id."""

    @classmethod
    def register_job(cls, job: str, kinds: Iterable[str]) -> None:
        """Request this job after changes of these kinds of rows."""
        cls.JOBS_BY_KIND |= {kind: (*cls.JOBS_BY_KIND.get(kind, ()), job) for kind in kinds}

    @classmethod
    def register_kinds(cls, *kinds: type[models.Model]) -> None:
        """Add kinds of rows from a package above that belong to a club."""
        cls.KINDS |= {str(kind._meta.model_name): kind for kind in kinds}

    def __init__(self, club_id: int, kind: str, by: Actor = NOBODY) -> None:
        self.club = lock_club(club_id)
        super().__init__(self.club.actions, kind, by)

    def check_is_deletable(self, kind: str, pks: Collection[int]) -> None:
        """Check that an undo would lose nothing: nobody joined the family since, and no date of the night
        changed. Refuses: changed_since."""
        if kind == "family" and Person.objects.filter(family__in=pks).exists():
            raise Refusal("changed_since")
        if kind == "recurringnight" and ChangedDate.objects.filter(night__in=pks).exists():
            raise Refusal("changed_since")

    def record(self, *, undoes: ClubAction | None = None, **details: Any) -> ClubAction:
        """Write the line of the history. Call it last.

        Refuses: last_owner; changed_since, if the client asked for this before, and it was undone meanwhile.
        """
        self.check_is_first()
        self._check_owner_remains()
        permission = self.by.permission if undoes is None else undoes.permission
        action: ClubAction = self.save(undoes=undoes, details=details, rows=self.rows, permission=permission)
        kinds = {kind for kind, *_ in self.rows}
        for job in sorted({job for kind in kinds for job in self.JOBS_BY_KIND.get(kind, ())}):
            enqueue(kind=job, key=str(self.club.pk), topic=self.club.topic, club_id=self.club.pk)
        raise_revision(self.club.topic)
        if kinds & CALENDAR_KINDS:
            raise_revision(self.club.calendar_topic)
            public_change.send(Club, topic=self.club.calendar_topic, club_id=self.club.pk)
        return action

    def _check_owner_remains(self) -> None:
        """Check that the club still has an owner. Refuses: last_owner."""
        had_owner = any(
            kind == "membership" and before is not None and before.get("role") == Role.OWNER
            for kind, _, before, _ in self.rows
        )
        if had_owner and not self.club.memberships.filter(role=Role.OWNER).exists():
            raise Refusal("last_owner")
