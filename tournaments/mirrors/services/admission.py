"""Admission of requests from other installations: the sender, the signature, the time and the nonce are
checked before anything is unpacked."""

from collections.abc import Mapping
from datetime import timedelta

from django.utils import timezone

from clubs.services.rate_limit import is_first_use
from errors import Refusal
from tournaments.mirrors.queries import Sender, sender_of
from tournaments.mirrors.requests import headers_in
from tournaments.mirrors.snapshots import named_pairing
from web.rates import take

WINDOW = timedelta(minutes=15)
"""How far a request's time may be from this clock; the sender asks for the time if its own differs more. A
nonce is remembered for longer than twice that."""
PER_MINUTE = 600
"""Requests per minute of one installation: ten times what five nights at once need."""


def admit_request(headers: Mapping[str, str], packed: bytes, *, path: str) -> Sender:
    """Return who sent this request. Refuses: snapshot_unreadable, without the headers; pairing_over;
    snapshot_not_signed; clocks_differ; request_repeated; site_busy, after too many in a minute."""
    said = headers_in(headers)
    if said is None:
        raise Refusal("snapshot_unreadable")
    sender = sender_of(said.pairing)
    if sender is None:
        raise Refusal("pairing_over")
    if not said.is_of(sender.key, path=path, packed=packed):
        raise Refusal("snapshot_not_signed")
    now = timezone.now()
    if abs(now - said.at) > WINDOW:
        raise Refusal("clocks_differ", now=now.isoformat())
    if not is_first_use(f"nonce {said.pairing} {said.nonce}"):
        raise Refusal("request_repeated")
    if not take(f"mirror-{said.pairing}", 1, most=PER_MINUTE):
        raise Refusal("site_busy")
    if named_pairing(packed) != said.pairing:
        raise Refusal("snapshot_not_signed")
    return sender
