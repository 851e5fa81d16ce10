"""API operations as values: one ``Operation`` for each method of a path."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from uuid import UUID

from django.http import Http404
from rest_framework.request import Request
from rest_framework.serializers import Serializer

from clubs.audit.log import Actor
from clubs.calendar import today_in
from clubs.models import ORIGIN_LENGTH, ApiToken, Club, Role, Scope
from clubs.policy import BY_SCOPE, MAY, Audience, Opening, Permission
from rules import Refusal
from tournaments.events.queries import event_named
from tournaments.models import Event
from tournaments.public.queries.nights import is_past
from web.client_address import client_address

IDEMPOTENCY_KEY = "Idempotency-Key"
SAFE = ("get", "head")


@dataclass(kw_only=True)
class ProgramCall:
    """One request of a program: what its address names, what it sent, and who it is; ``is_deferred``: the
    worker does it."""

    request: Request
    operation: "Operation"
    path: Mapping[str, Any]
    body: Mapping[str, Any] = field(default_factory=dict)
    is_deferred: bool = False

    @property
    def token(self) -> ApiToken | None:
        return self.request.auth if isinstance(self.request.auth, ApiToken) else None

    @cached_property
    def deeds(self) -> frozenset[Permission]:
        """What the token opens, within the role of whoever made it; a read opens to any token of the club."""
        if self.token is None:
            return frozenset()
        mine = MAY[Role(vars(self.token)["role"])]
        is_open = self.operation.method in SAFE and not self.operation.shows_codes
        reads = {Permission.HELP} if is_open else set[Permission]()
        return mine & (BY_SCOPE[Scope(self.token.scope)] | reads)

    @cached_property
    def club(self) -> Club:
        """The club of the address. Http404: there is none, or a token of another one asks for more than
        everybody sees."""
        if "short" in self.path:
            return self.event.club
        found = Club.objects.filter(slug=self.path["slug"]).first()
        if found is None or (self.operation.is_for_tokens and not self._is_mine(found.pk)):
            raise Http404
        return found

    @cached_property
    def event(self) -> Event:
        """The event of the address: of the token's club, or one that everybody may see. One query."""
        found = event_named(self.path["short"])
        if found is not None and self._is_mine(found.club_id):
            return found
        if found is None or self.operation.is_for_tokens or not found.is_public:
            raise Http404
        return found

    @property
    def is_staff(self) -> bool:
        """Whether a program of the club itself reads, which sees drafts and what is kept back."""
        return Permission.HELP in self.deeds and self._is_mine(self.club.pk)

    @property
    def may_mark(self) -> bool:
        """Whether it may know the codes of the tables: whoever has one marks there."""
        is_marker = self.token is not None and Permission.HELP in BY_SCOPE[Scope(self.token.scope)]
        return is_marker and self.is_staff

    def _is_mine(self, club_id: int) -> bool:
        return self.token is not None and self.token.club_id == club_id

    @cached_property
    def by(self) -> Actor:
        """Who does it, as the history names them. Refuses: key_not_a_uuid."""
        assert self.token is not None
        origin = f"{self.token.name}, {client_address(self.request)}"
        return Actor(
            account=self.token.account,
            key=self.key,
            reason=self.reason,
            origin=origin[:ORIGIN_LENGTH],
            permission=str(self.operation.needs),
        )

    @property
    def reason(self) -> str:
        return str(self.body.get("reason", ""))

    @cached_property
    def key(self) -> UUID | None:
        """The request's own id, by which its repeat is known. Refuses: key_not_a_uuid."""
        said = self.request.headers.get(IDEMPOTENCY_KEY)
        try:
            return None if said is None else UUID(said.strip('"'))
        except ValueError:
            raise Refusal("key_not_a_uuid", field=IDEMPOTENCY_KEY) from None

    def check(self) -> None:
        """Whether the program may do this, under a key of its own that can be read. Refuses: token_required,
        scope_too_small, past_night, key_not_a_uuid."""
        self._check_scope()
        _ = self.operation.method in SAFE or self.key

    def _check_scope(self) -> None:
        needs = self.operation.needs
        if needs is Audience.PUBLIC or needs is Audience.TABLE:
            return
        if self.token is None:
            raise Refusal("token_required")
        if "short" in self.path or "slug" in self.path:
            club = self.club
            if needs not in self.deeds:
                raise Refusal("scope_too_small", scope=self.operation.least_scope)
            if "short" in self.path and self.deeds == MAY[Role.DESK] and is_past(self.event, today_in(club)):
                raise Refusal("past_night")


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method of an address. ``needs`` says to whom it opens; ``run`` does it and gives what ``gives``
    serializes; ``takes`` reads the body, ``asks`` the query. ``does`` is the service that it is for: a test
    counts the services that have no address. For a large event it ``may_be_deferred`` to the worker. One that
    ``shows_codes`` of tables is for keys that may mark there."""

    method: str
    path: str
    name: str
    says: str
    needs: Opening
    run: Callable[[ProgramCall], Any]
    gives: type[Serializer[Any]] | None = None
    takes: type[Serializer[Any]] | None = None
    asks: Mapping[str, str] = field(default_factory=dict)
    does: tuple[Callable[..., Any], ...] = ()
    status: int = 200
    is_paged: bool = False
    may_be_deferred: bool = False
    shows_codes: bool = False
    revision: Callable[[ProgramCall], str] | None = None

    @property
    def is_for_tokens(self) -> bool:
        return isinstance(self.needs, Permission)

    @property
    def least_scope(self) -> Scope | None:
        """The smallest scope that opens it; None where none is needed. Any key reads what the desk reads."""
        if not isinstance(self.needs, Permission):
            return Scope.READ if self.needs is Audience.LINK else None
        if self.method in SAFE and self.needs is Permission.HELP and not self.shows_codes:
            return Scope.READ
        return next(scope for scope in Scope if self.needs in BY_SCOPE[scope])


def read(
    path: str, name: str, says: str, run: Any, gives: Any, needs: Opening = Audience.PUBLIC, **more: Any
) -> Operation:
    """An operation that changes nothing."""
    return Operation(method="get", path=path, name=name, says=says, needs=needs, run=run, gives=gives, **more)
