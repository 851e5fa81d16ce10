"""Who answers for what a club knows of people, and what each of them has agreed to."""

from dataclasses import dataclass
from datetime import datetime

from .models import Club, ClubAction, Person, Role

AGREED = {"shows_full_name": False, "is_hidden": False, "is_rated": True}
"""What is asked of a person, and how it is as long as nobody has asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Responsible:
    """Who answers for personal information, and how to reach them, if that is known."""

    name: str
    contact: str


def responsible_for(club: Club) -> Responsible:
    """Whom the club has named, else whoever owns it for the longest time. One query at most."""
    name = club.responsible_name
    if not name:
        owners = club.memberships.filter(role=Role.OWNER).order_by("since", "pk")
        name = owners.values_list("account__name", flat=True).first() or ""
    return Responsible(name=name, contact=club.responsible_contact)


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """What somebody said of their name (``asked``, a key of ``AGREED``), and who wrote it down, when, and
    why."""

    asked: str
    answer: bool
    when: datetime
    who: str
    reason: str


def consents_of(club: Club, person: Person) -> tuple[Consent, ...]:
    """The last one first, as the history of the club has kept them. One query."""
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
