"""Queries on clubs, accounts, roles and their settings."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from jobs.models import Job, Status

from .calendar import NightOccurrence
from .models import (
    Account,
    ApiToken,
    Club,
    ClubPicture,
    DeviceSession,
    HouseRules,
    Invitation,
    LinkPurpose,
    MailedLink,
    Membership,
    Passkey,
    PictureKind,
    Role,
    SecondFactor,
    SecurityEvent,
    UsualNight,
    Webhook,
    WebhookDelivery,
)

MAX_REFUSALS = 200
MAX_DELIVERIES = 100
MAIL_JOB = "mail_link"
"""The kind of job that sends a mailed link; its key is the link's id."""
MAILING_ANSWER = "mail_club_answer"
"""The kind of job that mails the answer to a request for a club; its key is that of the request."""
MAILING_DEPARTURE = "mail_departure"
"""The kind of job that tells the owners that their club will be deleted; its key is the club's id."""


def query_clubs(account: Account | AnonymousUser) -> QuerySet[Club]:
    """Return the clubs in which this account has a role; none for visitors."""
    if not isinstance(account, Account):
        return Club.objects.none()
    return Club.objects.filter(memberships__account=account).order_by("name")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubMembership:
    """An account's role in a club, and whether it has a role in other clubs, too."""

    club: Club
    role: Role
    has_other_clubs: bool


def find_club_membership(account: Account, slug: str) -> ClubMembership | None:
    """Return the account's role in the club with that slug. One query."""
    others = Membership.objects.filter(account=account).exclude(club=OuterRef("club"))
    mine = Membership.objects.select_related("club").annotate(has_others=Exists(others))
    found = mine.filter(account=account, club__slug=slug).first()
    if found is None:
        return None
    return ClubMembership(club=found.club, role=Role(found.role), has_other_clubs=found.has_others)


def find_account_role(account: Account, club_id: int) -> Role | None:
    """Return the account's role in the club. One query."""
    found = Membership.objects.filter(account=account, club=club_id).values_list("role", flat=True).first()
    return None if found is None else Role(found)


def query_memberships(account: Account) -> QuerySet[Membership]:
    """Return the account's roles, with their clubs, by name. One query."""
    return Membership.objects.select_related("club").filter(account=account).order_by("club__name", "pk")


def is_club_owner(account: Account) -> bool:
    """Return whether the account owns a club. One query."""
    return query_memberships(account).filter(role=Role.OWNER).exists()


def is_installation_owner(club: Club) -> bool:
    """Check whether the installation was started with this club. One query."""
    return not Club.objects.filter(pk__lt=club.pk).exists()


def query_passkeys(account: Account) -> QuerySet[Passkey]:
    """Return the account's passkeys, the oldest first. One query."""
    return Passkey.objects.filter(account=account)


def find_second_factor(account: Account) -> SecondFactor | None:
    """Return the account's authenticator app, with the number of recovery codes ``left``. One query."""
    return SecondFactor.objects.filter(account=account).annotate(left=Count("recovery_codes")).first()


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingAddress:
    """An address to confirm, to which a link is being sent; it ``has_failed`` if the mail could
    not be sent."""

    email: str
    has_failed: bool


def find_pending_address(account: Account) -> PendingAddress | None:
    """Return the address that still has to be confirmed. Two queries at most."""
    links = MailedLink.objects.filter(purpose=LinkPurpose.ADDRESS, account=account, used_at=None)
    link = links.filter(lasts_until__gt=timezone.now()).order_by("-asked_at", "-pk").first()
    if link is None:
        return None
    jobs = Job.objects.filter(kind=MAIL_JOB, key=str(link.pk), status=Status.FAILED)
    return PendingAddress(email=link.email, has_failed=link.sent_at is None and jobs.exists())


def owns_all_clubs_of(owner: Account | None, account: Account) -> bool:
    """Return whether the owner owns every club in which the account has a role. One query."""
    if owner is None:
        return False
    owned_clubs = Membership.objects.filter(account=owner, role=Role.OWNER).values("club")
    return not Membership.objects.filter(account=account).exclude(club__in=owned_clubs).exists()


def list_team(club: Club) -> list[Membership]:
    """Return the members of a club's team with their second factor: owners first, then by name. One query."""
    found = club.memberships.select_related("account__second_factor").order_by("account__folded_name")
    return sorted(found, key=lambda member: Role.values.index(member.role))


def list_sessions(account: Account) -> list[DeviceSession]:
    """Return the account's sessions, the most recently used first. One query."""
    now = timezone.now()
    return list(account.sessions.filter(expire_date__gt=now).order_by("-seen_at", "session_key"))


def list_refused_sign_ins(club: Club) -> list[SecurityEvent]:
    """Return refused sign-ins for accounts with a role in the club, the latest first. If it is the only club,
    include those for unknown accounts. Two queries."""
    mine = Q(account__memberships__club=club)
    if not Club.objects.exclude(pk=club.pk).exists():
        mine |= Q(account=None)
    return list(SecurityEvent.objects.filter(mine).select_related("account")[:MAX_REFUSALS])


def query_open_invitations() -> QuerySet[Invitation]:
    """Return the invitations that are neither used nor revoked, the latest first. Those from former owners
    are left out: a removed owner could otherwise return by their own link. One query."""
    owners = Membership.objects.filter(club=OuterRef("club"), account=OuterRef("made_by"), role=Role.OWNER)
    return Invitation.objects.filter(Q(made_by=None) | Exists(owners), used_at=None, revoked_at=None)


def query_club_invitations(club: Club) -> QuerySet[Invitation]:
    """Return the club's open invitations. One query."""
    return query_open_invitations().filter(club=club)


def query_open_tokens(club: Club) -> QuerySet[ApiToken]:
    """Return the API keys that are not revoked, the latest first, including recently expired
    ones. One query."""
    return club.api_tokens.select_related("account").filter(revoked_at=None)


def find_token(digest: str) -> ApiToken | None:
    """Return the valid API key with that digest, and the current role of its maker. One query."""
    return (
        ApiToken.objects.select_related("club", "account")
        .filter(digest=digest, revoked_at=None, lasts_until__gt=timezone.now())
        .filter(club__memberships__account=F("account"))
        .annotate(role=F("club__memberships__role"))
        .first()
    )


def query_house_rules(club: Club) -> QuerySet[HouseRules]:
    """Return the club's house rules by name. One query."""
    return club.house_rules.filter(is_removed=False)


def get_house_rules_by_choice(club: Club) -> dict[str, HouseRules]:
    """Return the club's house rules by their value in forms. One query."""
    return {one.choice: one for one in query_house_rules(club)}


def query_removed_house_rules(club: Club) -> QuerySet[HouseRules]:
    """Return the removed house rules, which can be restored. One query."""
    return club.house_rules.filter(is_removed=True)


def query_night_templates(club: Club) -> QuerySet[UsualNight]:
    """Return the club's night templates by name. One query."""
    return club.usual_nights.all()


def query_webhooks(club: Club) -> QuerySet[Webhook]:
    """Return the club's webhooks. One query."""
    return club.webhooks.order_by("pk")


def list_deliveries(webhook: Webhook) -> list[tuple[WebhookDelivery, str]]:
    """Return a webhook's deliveries, the latest first, each with the name of its event. Two queries."""
    found = list(webhook.deliveries.order_by("-pk")[:MAX_DELIVERIES])
    events = {one.ordering_key.partition(":")[2] for one in found if one.ordering_key.startswith("event:")}
    names = dict(webhook.club.events.filter(pk__in=events).values_list("pk", "name"))
    ordering_keys = {f"event:{pk}": name for pk, name in names.items()}
    return [(one, ordering_keys.get(one.ordering_key, "")) for one in found]


def get_logo(club: Club) -> bytes:
    """Return the file of the club's logo; b"" if it has none. One query."""
    logo = club.pictures.filter(kind=PictureKind.LOGO).first()
    return b"" if logo is None else logo.file


def get_pictures_by_kind(club: Club) -> dict[str, ClubPicture]:
    """Return the club's pictures by kind, without their files. One query."""
    return {picture.kind: picture for picture in club.pictures.defer("content")}


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarConflict:
    """A night whose calendar and event disagree. The event invites to a date that was changed, or
    ``is_called_off`` although the night is held."""

    held: NightOccurrence
    short: str
    name: str
    is_called_off: bool


def find_calendar_conflicts(club: Club, night_occurrences: Iterable[NightOccurrence]) -> list[CalendarConflict]:
    """Return the contradictions among these nights, by day. One query, or none."""
    occurrences = list(night_occurrences)
    if not occurrences:
        return []
    days = {occurrence.planned_on for occurrence in occurrences}
    events = club.events.filter(held_on__in=days, state="preparing", is_put_away=False)
    return [
        CalendarConflict(held=occurrence, short=event.short, name=event.name, is_called_off=not occurrence.is_changed)
        for occurrence in occurrences
        for event in events
        if event.held_on == occurrence.planned_on
        and occurrence.is_for_event(night_id=event.night_id, name=event.name)
        and event.announcement.is_called_off != occurrence.is_changed
    ]
