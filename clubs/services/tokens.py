"""API keys: created by an owner, shown once, and revoked."""

from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import Actor
from clubs.models import TOKEN_NAME_LENGTH, ApiToken, Scope
from clubs.queries import query_open_tokens
from errors import Refusal, check_choice
from web.link_secrets import generate_secret, hash_secret
from web.names import clean_text

from .changes import ClubChange, get_row

PREFIX = "chm_"
"""The prefix of every secret, so that people and scanners recognize a leaked one."""
LIFETIME_DAYS = (30, 90, 365)
"""The possible lifetimes of an API key, in days."""
USE_UPDATE_INTERVAL = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenSecret:
    """An API key with its secret, which is shown only this once; "" for a repeated request."""

    token: ApiToken
    secret: str


@transaction.atomic
def make_token(*, club_id: int, name: str, scope: str, days: int, by: Actor) -> TokenSecret:
    """Create an API key, which acts as ``by.account``. Safe to repeat with the same key.

    Refuses: token_name_required, name_too_long, no_such_choice.
    """
    name = clean_text(name)
    if not name:
        raise Refusal("token_name_required", field="name")
    if len(name) > TOKEN_NAME_LENGTH:
        raise Refusal("name_too_long", field="name", most=TOKEN_NAME_LENGTH)
    check_choice(scope, Scope.values, field="scope")
    check_choice(days, LIFETIME_DAYS, field="days")
    change = ClubChange(club_id, "make_token", by)
    if change.is_repeat:
        return TokenSecret(token=change.club.api_tokens.get(key=by.key), secret="")
    assert by.account is not None
    secret, now = PREFIX + generate_secret(), timezone.now()
    token = ApiToken.objects.create(
        club=change.club,
        account=by.account,
        name=name,
        scope=scope,
        digest=hash_secret(secret),
        key=by.key,
        made_at=now,
        lasts_until=now + timedelta(days=days),
    )
    change.record(name=name)
    return TokenSecret(token=token, secret=secret)


@transaction.atomic
def revoke_token(*, club_id: int, token_id: int, by: Actor) -> None:
    """Revoke an API key. Safe to repeat with the same key. Refuses: no_such_token."""
    change = ClubChange(club_id, "revoke_token", by)
    if not change.is_repeat:
        token = get_row(query_open_tokens(change.club), token_id, refusal_code="no_such_token")
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])
        change.record(name=token.name)


def record_use(token: ApiToken) -> None:
    """Record the use of an API key, once a minute at most."""
    now = timezone.now()
    if token.used_at is None or now - token.used_at > USE_UPDATE_INTERVAL:
        ApiToken.objects.filter(pk=token.pk).update(used_at=now)
