"""Clubs, accounts and roles, signing in, people, recurring nights, and the history."""

from .accounts import Account, Membership, Role
from .clubs import (
    ABOUT_LENGTH,
    ADDRESS_LENGTH,
    CLUB_NAME_LENGTH,
    HALL_LENGTH,
    OFFICERS_LENGTH,
    WEBSITE_LENGTH,
    Club,
    HouseRules,
    PublicNames,
    TimeZone,
    get_club_topic,
)
from .dues import Dues, DuesPeriod
from .history import ORIGIN_LENGTH, ClubAction, HistoryRow
from .incidents import INCIDENT_TEXT_LENGTH, Incident, Risk
from .invitations import NOTE_LENGTH, Invitation
from .nights import PLACE_LENGTH, ChangedDate, Pattern, RecurringNight, UsualNight
from .people import UNCHANGED, Family, Person
from .pictures import DESCRIPTION_LENGTH, ClubPicture, PictureKind
from .requests import ClubRequest
from .sign_in import (
    DeviceSession,
    LinkPurpose,
    MailedLink,
    Passkey,
    RateLimitCounter,
    RecoveryCode,
    SecondFactor,
    SecurityEvent,
)
from .tokens import TOKEN_NAME_LENGTH, ApiToken, IdempotencyKey, Scope
from .webhooks import ANSWER_LENGTH, TEST, DeliveryState, NewsKind, OffReason, PublishedFacts, Webhook, WebhookDelivery
