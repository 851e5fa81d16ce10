"""Admission of requests from other installations: the sender, the signature, the time and the nonce are
checked before anything is unpacked."""

from collections.abc import Mapping
from datetime import timedelta

from django.utils import timezone

from clubs.services.rate_limit import claim_first_use, take_tokens
from errors import Refusal, get_or_refuse
from tournaments.mirrors.queries import Sender, find_sender
from tournaments.mirrors.requests import parse_headers
from tournaments.mirrors.snapshots import read_pairing

MAX_CLOCK_OFFSET = timedelta(minutes=15)
"""How far a request's time may be from this clock; the sender asks for the time if its own differs more. A
nonce is remembered for longer than twice that."""
MAX_PER_MINUTE = 600
"""Requests per minute of one installation: ten times what five nights at once need."""


def admit_request(headers: Mapping[str, str], compressed: bytes, *, path: str) -> Sender:
    """Return who sent this request. Refuses: snapshot_unreadable, without the headers; pairing_over;
    snapshot_not_signed; clocks_differ; request_repeated; site_busy, after too many in a minute."""
    request_headers = get_or_refuse(parse_headers(headers), "snapshot_unreadable")
    sender = find_sender(request_headers.pairing)
    if sender is None:
        raise Refusal("pairing_over")
    if not request_headers.is_signed_by(sender.key, path=path, compressed=compressed):
        raise Refusal("snapshot_not_signed")
    now = timezone.now()
    if abs(now - request_headers.sent_at) > MAX_CLOCK_OFFSET:
        raise Refusal("clocks_differ", now=now.isoformat())
    if not claim_first_use(f"nonce {request_headers.pairing} {request_headers.nonce}"):
        raise Refusal("request_repeated")
    if not take_tokens(f"mirror {request_headers.pairing}", "", 1, capacity=MAX_PER_MINUTE):
        raise Refusal("site_busy")
    if read_pairing(compressed) != request_headers.pairing:
        raise Refusal("snapshot_not_signed")
    return sender
