"""The person responsible for personal information, and the consents of people."""

from dataclasses import dataclass
from datetime import datetime

from .models import Club, ClubAction, Person, Role

AGREED = {"shows_full_name": False, "is_hidden": False, "is_rated": True}
"""Questions of consent, with their values as long as nobody was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Responsible:
    """The person responsible for personal information, and their contact, if known."""

    name: str
    contact: str


def responsible_for(club: Club) -> Responsible:
    """Return the person that the club named, else its longest-standing owner. One query at most."""
    name = club.responsible_name
    if not name:
        owners = club.memberships.filter(role=Role.OWNER).order_by("since", "pk")
        name = owners.values_list("account__name", flat=True).first() or ""
    return Responsible(name=name, contact=club.responsible_contact)


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """A person's answer about their name (``asked``, a key of ``AGREED``), with the account that recorded it,
    when and why."""

    asked: str
    answer: bool
    when: datetime
    who: str
    reason: str


def consents_of(club: Club, person: Person) -> tuple[Consent, ...]:
    """Return a person's consents from the club's history, the latest first. One query."""
    about = club.actions.filter(details__person__in=[person.pk, *person.merged_ids])
    found = []
    for action in about.exclude(rows=[]).select_related("account").order_by("-pk"):
        found += _consents_in(action, person.pk)
    return tuple(found)


def _consents_in(action: ClubAction, person_id: int) -> list[Consent]:
    who = "" if action.account is None else action.account.name
    return [
        Consent(asked=asked, answer=after[asked], when=action.created_at, who=who, reason=action.reason)
        for kind, pk, before, after in action.rows
        if kind == "person" and pk == person_id and after is not None
        for asked, usual in AGREED.items()
        if asked in after and (before is not None or after[asked] != usual)
    ]
