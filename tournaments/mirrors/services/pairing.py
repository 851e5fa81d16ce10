"""Two installations of a club know each other: by a link of the public site, which opens once."""

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import Actor
from clubs.models import Club
from clubs.services.changes import ClubChange
from clubs.services.validators import lock_club, row_or_refuse
from rules import Refusal
from tournaments.mirrors.queries import public_site_of
from tournaments.models import Mirror, Pairing, PublicSite, SentEvent
from tournaments.models.mirrors import INSTALLATION_LENGTH
from tournaments.signing.services import key_to_sign
from web.one_time_links import new_secret, secret_digest
from web.outgoing import NotSent, check_address, host_of, post

from .sending import OK, SAID, read_answer

LASTS = timedelta(hours=24)
"""So long a link opens."""
PAIR = "/mirror/pairings"
KEY_LENGTH = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingLink:
    """A link as it is handed over: its secret is known this once; "" to a repeat."""

    pairing: Pairing | None
    secret: str


@transaction.atomic
def make_pairing_link(*, club_id: int, by: Actor) -> PairingLink:
    """A link by which the club's other installation becomes one whose events are mirrored here. Links made
    before and not used open nothing any more. Safe to repeat with the same key."""
    change = ClubChange(club_id, "make_pairing_link", by)
    if change.is_repeat:
        return PairingLink(pairing=None, secret="")
    change.club.pairings.filter(paired_at=None).delete()
    secret, now = new_secret(), timezone.now()
    pairing = Pairing.objects.create(
        club=change.club, digest=secret_digest(secret), made_at=now, lasts_until=now + LASTS
    )
    change.record()
    return PairingLink(pairing=pairing, secret=secret)


@transaction.atomic
def accept_pairing(*, secret: str, key: str, name: str) -> Pairing:
    """The installation whose key that is sends events from now on. Safe to repeat with the same key, as long
    as the link would open. Refuses: link_over, pairing_unreadable."""
    found = Pairing.objects.filter(digest=secret_digest(secret), ended_at=None).first()
    if found is None or found.lasts_until <= timezone.now():
        raise Refusal("link_over")
    if not _is_key(key):
        raise Refusal("pairing_unreadable")
    lock_club(found.club_id)
    pairing = Pairing.objects.select_related("club").get(pk=found.pk)
    if pairing.paired_at is not None and pairing.key != key:
        raise Refusal("link_over")
    if pairing.paired_at is None:
        pairing.key, pairing.name, pairing.paired_at = key, name[:INSTALLATION_LENGTH], timezone.now()
        pairing.save(update_fields=["key", "name", "paired_at"])
        _move_nights(pairing)
        change = ClubChange(pairing.club_id, "accept_pairing")
        change.record(name=pairing.name)
    return pairing


def _move_nights(pairing: Pairing) -> None:
    """An installation that is paired anew, as after it was restored, goes on with the nights that it had."""
    before = Pairing.objects.filter(club=pairing.club_id, key=pairing.key).exclude(pk=pairing.pk)
    for model in (Mirror, SentEvent):
        model.objects.filter(pairing__in=before).update(pairing=pairing)
    before.filter(ended_at=None).update(ended_at=timezone.now())


@transaction.atomic
def end_pairing(*, club_id: int, pairing_id: int, by: Actor) -> None:
    """Nothing is taken from there any more; the mirrors stay as they are. Safe to repeat with the same key.
    Refuses: no_such_pairing."""
    change = ClubChange(club_id, "end_pairing", by)
    if not change.is_repeat:
        rows = change.club.pairings.filter(ended_at=None)
        pairing = row_or_refuse(rows, pairing_id, otherwise="no_such_pairing")
        pairing.ended_at = timezone.now()
        pairing.save(update_fields=["ended_at"])
        change.record(name=pairing.name)


def pair_with_site(*, club: Club, link: str, by: Actor) -> PublicSite:
    """The events of the club that are led here are mirrored there from now on; ``link`` was made there. Safe
    to repeat.

    Refuses: link_unreadable; what ``check_address`` refuses; site_away; what the site refuses, or
    site_answers_otherwise.
    """
    parts = urlsplit(link.strip())
    address = f"{parts.scheme}://{parts.netloc}"
    if not parts.fragment or parts.path != PAIR:
        raise Refusal("link_unreadable", field="link")
    check_address(f"{address}{PAIR}", field="link")
    key = key_to_sign(club)
    asked = {"secret": parts.fragment, "key": key.public, "name": club.name}
    try:
        answer = post(f"{address}{PAIR}", json.dumps(asked).encode(), {"Content-Type": "application/json"})
    except NotSent as trouble:
        raise Refusal("site_away", field="link", host=host_of(address)) from trouble
    said = read_answer(answer.text)
    if answer.status != OK:
        code = said.get("code")
        raise Refusal(
            str(code) if code in SAID else "site_answers_otherwise", field="link", status=answer.status
        )
    try:
        pairing, name = UUID(said["pairing"]), str(said["club"])[:INSTALLATION_LENGTH]
        theirs = str(said.get("key", ""))
    except (KeyError, ValueError, TypeError, AttributeError):
        raise Refusal("site_answers_otherwise", field="link", status=answer.status) from None
    values = {"address": address, "pairing": pairing, "name": name}
    return _keep_site(club, {**values, "key": theirs if _is_key(theirs) else ""}, by=by)


def _is_key(key: str) -> bool:
    return len(key) == KEY_LENGTH and not set(key) - set("0123456789abcdef")


@transaction.atomic
def _keep_site(club: Club, values: dict[str, Any], *, by: Actor) -> PublicSite:
    change = ClubChange(club.pk, "pair_with_site", by)
    if change.is_repeat:
        return PublicSite.objects.get(club=club)
    site, _ = PublicSite.objects.update_or_create(
        club=club,
        defaults={**values, "asked_at": None, "attempts": 0, "trouble": None},
        create_defaults={**values, "paired_at": timezone.now()},
    )
    SentEvent.objects.filter(event__club=club).update(attempts=0, due_at=timezone.now(), trouble=None)
    change.record(host=host_of(site.address))
    return site


@transaction.atomic
def leave_site(*, club_id: int, by: Actor) -> None:
    """Nothing is sent any more; what is there stays. Safe to repeat."""
    change = ClubChange(club_id, "leave_site", by)
    site = public_site_of(change.club)
    if site is not None and not change.is_repeat:
        site.delete()
        change.record(host=host_of(site.address))
