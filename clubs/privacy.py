"""The person responsible for personal information, and the consents of people."""

from dataclasses import dataclass
from datetime import datetime

from .models import Club, ClubAction, Person, Role

CONSENT_DEFAULTS = {name: getattr(Person(), name) for name, facts in Person.FACTS.items() if facts.is_consent}
"""Questions of consent, with their values as long as nobody was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyOfficer:
    """The person responsible for personal information, and their contact, if known."""

    name: str
    contact: str


def get_privacy_officer(club: Club) -> PrivacyOfficer:
    """Return the person that the club named, else its longest-standing owner. One query at most."""
    name = club.responsible_name
    if not name:
        owners = club.memberships.filter(role=Role.OWNER).order_by("since", "pk")
        name = owners.values_list("account__name", flat=True).first() or ""
    return PrivacyOfficer(name=name, contact=club.responsible_contact)


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """A person's answer about their name (``asked``, a key of ``CONSENT_DEFAULTS``), with the account that recorded it,
    when and why."""

    question: str
    answer: bool
    when: datetime
    who: str
    reason: str


def list_consents(club: Club, person: Person) -> tuple[Consent, ...]:
    """Return a person's consents from the club's history, the latest first. One query."""
    actions = club.actions.filter(details__person__in=[person.pk, *person.merged_ids])
    found = []
    for action in actions.exclude(rows=[]).select_related("account").order_by("-pk"):
        found += _build_consents(action, person.pk)
    return tuple(found)


def _build_consents(action: ClubAction, person_id: int) -> list[Consent]:
    account_name = "" if action.account is None else action.account.name
    return [
        Consent(
            question=field_name,
            answer=after[field_name],
            when=action.created_at,
            who=account_name,
            reason=action.reason,
        )
        for kind, pk, before, after in action.rows
        if kind == "person" and pk == person_id and after is not None
        for field_name, default in CONSENT_DEFAULTS.items()
        if field_name in after and (before is not None or after[field_name] != default)
    ]
