"""API operations as values: one ``Operation`` for each method of a path."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.http import Http404
from django.utils.functional import cached_property
from django.utils.http import quote_etag
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.serializers import Serializer

from clubs.audit.log import Actor
from clubs.calendar import get_club_today
from clubs.models import ORIGIN_LENGTH, ApiToken, Club, IdempotencyKey, Role, Scope
from clubs.policy import ROLE_PERMISSIONS, SCOPE_PERMISSIONS, Access, Audience, Permission
from errors import Refusal
from tournaments.events.queries import find_event, is_past
from tournaments.models import Event
from web.client_address import get_client_address
from web.sheets.tables import Sheet

from .sheets import serialize_sheet

IDEMPOTENCY_KEY = "Idempotency-Key"
IF_MATCH = "If-Match"
SAFE = ("get", "head")


def compute_etag(data: Any) -> str:
    """Return the ETag of a resource, from its JSON values."""
    return quote_etag(sha256(JSONRenderer().render(data)).hexdigest()[:32])


@dataclass(kw_only=True)
class ApiCall:
    """One API request: the values of its path, its body and its caller. ``is_deferred`` if the worker does
    it."""

    request: Request
    operation: "Operation"
    path: Mapping[str, Any]
    body: Mapping[str, Any] = field(default_factory=dict)
    is_deferred: bool = False

    @property
    def token(self) -> ApiToken | None:
        return self.request.auth if isinstance(self.request.auth, ApiToken) else None

    @cached_property
    def permissions(self) -> frozenset[Permission]:
        """Permissions of the API key, limited by the role of its owner. Any key of the club may read."""
        if self.token is None:
            return frozenset()
        role_permissions = ROLE_PERMISSIONS[Role(vars(self.token)["role"])]
        is_open = self.operation.method in SAFE and not self.operation.shows_codes
        read_permissions = {Permission.HELP} if is_open else set[Permission]()
        return role_permissions & (SCOPE_PERMISSIONS[Scope(self.token.scope)] | read_permissions)

    @cached_property
    def club(self) -> Club:
        """The club in the path. Http404 if there is none, or if the operation needs a key and this one is
        another club's."""
        if "short" in self.path:
            return self.event.club
        found = Club.objects.filter(slug=self.path["slug"]).first()
        if found is None or (self.operation.requires_token and not self._is_own_club(found.pk)):
            raise Http404
        return found

    @cached_property
    def event(self) -> Event:
        """The event in the path: of the key's club, or public. One query."""
        found = find_event(self.path["short"])
        if found is not None and self._is_own_club(found.club_id):
            return found
        if found is None or self.operation.requires_token or not found.is_public:
            raise Http404
        return found

    @property
    def is_staff(self) -> bool:
        """Whether the key belongs to the club, and thus sees drafts and hidden results."""
        return Permission.HELP in self.permissions and self._is_own_club(self.club.pk)

    @property
    def can_record_hands(self) -> bool:
        """Whether the key may see table codes, with which hands can be recorded."""
        is_marker = self.token is not None and Permission.HELP in SCOPE_PERMISSIONS[Scope(self.token.scope)]
        return is_marker and self.is_staff

    def _is_own_club(self, club_id: int) -> bool:
        return self.token is not None and self.token.club_id == club_id

    @cached_property
    def actor(self) -> Actor:
        """The actor, as recorded in the history. Refuses: key_not_a_uuid."""
        assert self.token is not None
        origin = f"{self.token.name}, {get_client_address(self.request)}"
        return Actor(
            account=self.token.account,
            key=self._request_key,
            reason=self.reason,
            origin=origin[:ORIGIN_LENGTH],
            permission=str(self.operation.access),
            precondition=self.check_before_change,
        )

    def check_before_change(self) -> None:
        """Claim the idempotency key, and check that the resource is as the request has seen it. Within the
        transaction of the change and under its lock. Refuses: key_reused, precondition_failed."""
        if self._claim_key():
            self.check_unchanged()

    def _claim_key(self) -> bool:
        """Claim the idempotency key for this request; False if the request is a repeat. Refuses: key_reused."""
        key, digest = self.idempotency_key, self._request_key
        if key is None or digest is None:
            return True
        try:
            with transaction.atomic():
                IdempotencyKey.objects.create(key=key, digest=digest)  # waits for another that claims the key
        except IntegrityError:
            if IdempotencyKey.objects.filter(key=key, digest=digest).exists():
                return False
            raise Refusal("key_reused", field=IDEMPOTENCY_KEY) from None
        return True

    def check_unchanged(self) -> None:
        """Check that the resource is as the request has seen it, by its ETag. Refuses: precondition_failed,
        with the ``current`` resource, or None if there is none."""
        resource = self.operation.resource
        if resource is None or IF_MATCH not in self.request.headers:
            return
        current = self._read(resource)
        etags = [tag.strip().removeprefix("W/") for tag in self.request.headers[IF_MATCH].split(",")]
        is_unchanged = current is not None and (etags == ["*"] or compute_etag(current) in etags)
        if not is_unchanged:
            raise Refusal("precondition_failed", field=IF_MATCH, current=current)

    def _read(self, operation: "Operation") -> Any:
        """Return what this operation reads at the address of the request; None if there is nothing."""
        call = ApiCall(request=self.request, operation=operation, path=self.path)
        call.check_access()
        try:
            return call.serialize(operation.run(call))
        except Http404:
            return None

    def serialize(self, result: Any) -> Any:
        """Return the result of the operation as JSON values."""
        shape = self.operation.response_shape
        if isinstance(result, Sheet):
            return serialize_sheet(result)
        if shape is None:
            return result if isinstance(result, dict) else None
        return shape(result, context={"call": self}).data

    @property
    def reason(self) -> str:
        return str(self.body.get("reason", ""))

    @cached_property
    def idempotency_key(self) -> UUID | None:
        """The idempotency key of the request. Refuses: key_not_a_uuid."""
        header = self.request.headers.get(IDEMPOTENCY_KEY)
        try:
            return None if header is None else UUID(header.strip('"'))
        except ValueError:
            raise Refusal("key_not_a_uuid", field=IDEMPOTENCY_KEY) from None

    @cached_property
    def _request_key(self) -> UUID | None:
        """The key of this request in histories: half of the idempotency key, half of the address and body."""
        if self.idempotency_key is None:
            return None
        request_data = [self.operation.method, self.request.path, self.request.data]
        content = json.dumps(request_data, sort_keys=True).encode()
        halves = (sha256(part).digest()[:8] for part in (self.idempotency_key.bytes, content))
        return UUID(bytes=b"".join(halves))

    def check_access(self) -> None:
        """Check the scope of the API key, and the idempotency key. Refuses: token_required, scope_too_small,
        past_night, key_not_a_uuid."""
        self._check_scope()
        _ = self.operation.method in SAFE or self.idempotency_key

    def _check_scope(self) -> None:
        access = self.operation.access
        if access is Audience.PUBLIC or access is Audience.TABLE:
            return
        if self.token is None:
            raise Refusal("token_required")
        if "short" in self.path or "slug" in self.path:
            club = self.club
            if access not in self.permissions:
                raise Refusal("scope_too_small", scope=self.operation.minimum_scope)
            if (
                "short" in self.path
                and self.permissions == ROLE_PERMISSIONS[Role.DESK]
                and is_past(self.event, get_club_today(club))
            ):
                raise Refusal("past_night")


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method of an API path.

    ``access`` is who may call it. ``run`` does the work, and ``response_shape`` serializes its result;
    ``request_shape`` reads the body, ``asks`` the query. ``does`` lists the services that it exposes: a test finds
    services without an operation. ``resource`` reads what it changes: with that ETag, a request can require that
    nobody has changed it since. It is the ``get`` operation at ``resource_path``, by default its own path, or the
    nearest above. ``can_be_deferred``: the worker does it for a large event. ``shows_codes``: it shows table codes,
    and needs a key that may record hands.
    """

    method: str
    path: str
    name: str
    description: str
    access: Access
    run: Callable[[ApiCall], Any]
    response_shape: type[Serializer[Any]] | None = None
    request_shape: type[Serializer[Any]] | None = None
    asks: Mapping[str, str] = field(default_factory=dict)
    does: tuple[Callable[..., Any], ...] = ()
    status: int = 200
    is_paged: bool = False
    resource_path: str = ""
    resource: "Operation | None" = None
    can_be_deferred: bool = False
    shows_codes: bool = False
    revision: Callable[[ApiCall], str] | None = None

    @property
    def requires_token(self) -> bool:
        return isinstance(self.access, Permission)

    @property
    def minimum_scope(self) -> Scope | None:
        """The smallest scope that may call it; None if no key is needed. Any key may read what the desk
        reads."""
        if not isinstance(self.access, Permission):
            return Scope.READ if self.access is Audience.LINK else None
        if self.method in SAFE and self.access is Permission.HELP and not self.shows_codes:
            return Scope.READ
        return next(scope for scope in Scope if self.access in SCOPE_PERMISSIONS[scope])


def read_operation(
    path: str, run: Callable[[ApiCall], Any], response_shape: Any, access: Access = Audience.PUBLIC, **options: Any
) -> Operation:
    """Build an operation that only reads, with the name and the description of its function."""
    return Operation(
        method="get",
        path=path,
        name=to_camel_case(run.__name__.removeprefix("_")),
        description=extract_description(run),
        access=access,
        run=run,
        response_shape=response_shape,
        **options,
    )


def to_camel_case(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def extract_description(function: Callable[..., Any]) -> str:
    """Return the first paragraph of the function's docstring without its refusals, which each response
    lists."""
    text = " ".join((function.__doc__ or "").partition("\n\n")[0].split())
    return text.partition(" Refuses")[0].replace("``", "`")
