"""Links between two installations of a club, made by a link of the public site that works once."""

import json
from datetime import timedelta
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import Actor, deserialize_actor, serialize_actor
from clubs.models import Club
from clubs.services.changes import ClubChange, get_row, lock_club
from errors import Refusal
from jobs.models import Job
from jobs.services import enqueue
from tournaments.mirrors.queries import find_public_site, get_requests_topic
from tournaments.models import Mirror, Pairing, PublicSite, SentEvent
from tournaments.models.mirrors import INSTALLATION_LENGTH
from tournaments.signing.services import get_signing_key
from web.link_secrets import generate_secret, hash_secret
from web.outgoing import RequestNotSentError, check_address, get_url_host, post_url
from web.sealing import decrypt_text, encrypt_text

from .delivery import build_refusal, parse_json_object

LINK_LIFETIME = timedelta(hours=24)
"""How long a link works."""
PAIRING_PATH = "/mirror/pairings"
KEY_LENGTH = 64
PAIR_SITE = "pair_with_site"
"""Kind of the jobs that link a club to a public site; a job's key is what was asked."""
SEAL_PURPOSE = "pairing link"
MAX_LINK_LENGTH = 200


@transaction.atomic
def create_pairing_link(*, club_id: int, by: Actor) -> str:
    """Make a link by which another installation can mirror its events here, and return its secret, which is
    known only this once: "" for a repeated request. Earlier links that were not used stop working. Safe to
    repeat with the same key."""
    change = ClubChange(club_id, "make_pairing_link", by)
    if change.is_repeat:
        return ""
    change.club.pairings.filter(paired_at=None).delete()
    secret, now = generate_secret(), timezone.now()
    Pairing.objects.create(club=change.club, digest=hash_secret(secret), made_at=now, lasts_until=now + LINK_LIFETIME)
    change.record()
    return secret


@transaction.atomic
def accept_pairing(*, secret: str, key: str, name: str) -> Pairing:
    """Accept the installation with this public key: it sends events from now on. Safe to repeat with the same
    key, as long as the link works. Refuses: link_over, pairing_unreadable."""
    existing = Pairing.objects.filter(digest=hash_secret(secret), ended_at=None).first()
    if existing is None or existing.lasts_until <= timezone.now():
        raise Refusal("link_over")
    if not _is_key(key):
        raise Refusal("pairing_unreadable")
    lock_club(existing.club_id)
    pairing = Pairing.objects.select_related("club").get(pk=existing.pk)
    if pairing.paired_at is not None and pairing.key != key:
        raise Refusal("link_over")
    if pairing.paired_at is None:
        pairing.key, pairing.name, pairing.paired_at = key, name[:INSTALLATION_LENGTH], timezone.now()
        pairing.save(update_fields=["key", "name", "paired_at"])
        _move_events(pairing)
        change = ClubChange(pairing.club_id, "accept_pairing")
        change.record(name=pairing.name)
    return pairing


def _move_events(pairing: Pairing) -> None:
    """Move the events of earlier pairings to the new one. That happens where an installation was restored and
    linked again."""
    earlier = Pairing.objects.filter(club=pairing.club_id, key=pairing.key).exclude(pk=pairing.pk)
    for model in (Mirror, SentEvent):
        model.objects.filter(pairing__in=earlier).update(pairing=pairing)
    earlier.filter(ended_at=None).update(ended_at=timezone.now())


@transaction.atomic
def end_pairing(*, club_id: int, pairing_id: int, by: Actor) -> None:
    """Stop taking events from an installation; the mirrors stay as they are. Safe to repeat with the same
    key. Refuses: no_such_pairing."""
    change = ClubChange(club_id, "end_pairing", by)
    if not change.is_repeat:
        rows = change.club.pairings.filter(ended_at=None)
        pairing = get_row(rows, pairing_id, refusal_code="no_such_pairing")
        pairing.ended_at = timezone.now()
        pairing.save(update_fields=["ended_at"])
        change.record(name=pairing.name)


def enqueue_pairing(*, club: Club, link: str, by: Actor) -> Job:
    """Have a worker link the club to a public site. Safe to repeat. Refuses: link_unreadable, and what
    ``check_address`` refuses."""
    _parse_link(link)
    request = {"club": club.pk, "link": encrypt_text(link.strip(), purpose=SEAL_PURPOSE), "by": serialize_actor(by)}
    return enqueue(kind=PAIR_SITE, key=json.dumps(request), topic=get_requests_topic(club), club_id=club.pk)


def run_pairing(key: str) -> PublicSite:
    """Link the club as the key of the job says. Refuses: what ``pair_with_site`` refuses."""
    request = json.loads(key)
    return pair_with_site(
        club=Club.objects.get(pk=request["club"]),
        link=decrypt_text(request["link"], purpose=SEAL_PURPOSE) or "",
        by=deserialize_actor(request["by"]),
    )


def pair_with_site(*, club: Club, link: str, by: Actor) -> PublicSite:
    """Link the club to a public site, which mirrors the events led here from now on. ``link`` was made there.
    Safe to repeat.

    Refuses: link_unreadable; what ``check_address`` refuses; site_away; what the site refuses, or
    site_answers_otherwise.
    """
    address, secret = _parse_link(link)
    key = get_signing_key(club)
    request = {"secret": secret, "key": key.public, "name": club.name}
    try:
        answer = post_url(
            f"{address}{PAIRING_PATH}", json.dumps(request).encode(), {"Content-Type": "application/json"}
        )
    except RequestNotSentError as trouble:
        raise Refusal("site_away", field="link", host=get_url_host(address)) from trouble
    response = parse_json_object(answer.text)
    if answer.status != HTTPStatus.OK:
        raise build_refusal(answer.status, response, field="link")
    try:
        pairing, name = UUID(response["pairing"]), str(response["club"])[:INSTALLATION_LENGTH]
        site_key = str(response.get("key", ""))
    except (KeyError, ValueError, TypeError, AttributeError):
        raise Refusal("site_answers_otherwise", field="link", status=answer.status) from None
    values = {"address": address, "pairing": pairing, "name": name}
    return _save_site(club, {**values, "key": site_key if _is_key(site_key) else ""}, by=by)


def _parse_link(link: str) -> tuple[str, str]:
    """Return the address of the site and the secret. Refuses: link_unreadable, and what ``check_address``
    refuses."""
    parts = urlsplit(link.strip())
    address = f"{parts.scheme}://{parts.netloc}"
    if not parts.fragment or parts.path != PAIRING_PATH or len(link) > MAX_LINK_LENGTH:
        raise Refusal("link_unreadable", field="link")
    check_address(f"{address}{PAIRING_PATH}", field="link")
    return address, parts.fragment


def _is_key(key: str) -> bool:
    return len(key) == KEY_LENGTH and not set(key) - set("0123456789abcdef")


@transaction.atomic
def _save_site(club: Club, values: dict[str, Any], *, by: Actor) -> PublicSite:
    change = ClubChange(club.pk, "pair_with_site", by)
    if change.is_repeat:
        return PublicSite.objects.get(club=club)
    site, _ = PublicSite.objects.update_or_create(
        club=club,
        defaults={**values, "asked_at": None, "attempts": 0, "trouble": None},
        create_defaults={**values, "paired_at": timezone.now()},
    )
    SentEvent.objects.filter(event__club=club).update(attempts=0, due_at=timezone.now(), trouble=None)
    change.record(host=get_url_host(site.address))
    return site


@transaction.atomic
def leave_site(*, club_id: int, by: Actor) -> None:
    """Stop sending events to the public site; what is there stays. Safe to repeat."""
    change = ClubChange(club_id, "leave_site", by)
    site = find_public_site(change.club)
    if site is not None and not change.is_repeat:
        site.delete()
        change.record(host=get_url_host(site.address))
