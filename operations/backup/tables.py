"""What a backup holds: every table, and how its rows belong to a club."""

from collections.abc import Mapping

from django.apps import apps
from django.apps.registry import Apps
from django.db.models import Model, Q, QuerySet

from clubs.models import Club

VERSION = 1
"""Of the format. A change that an older program could not read, or read wrongly, raises it."""

OF_A_CLUB: Mapping[str, tuple[str, ...]] = {
    "clubs.Club": ("pk",),
    "clubs.ClubPicture": ("club",),
    "clubs.Account": ("memberships__club",),
    "clubs.Passkey": (),
    "clubs.SecondFactor": (),
    "clubs.RecoveryCode": (),
    "clubs.Membership": ("club",),
    "clubs.HouseRules": ("club",),
    "clubs.UsualNight": ("club",),
    "clubs.RecurringNight": ("club",),
    "clubs.ChangedDate": ("night__club",),
    "clubs.Family": ("club",),
    "clubs.Person": ("club",),
    "clubs.DuesPeriod": ("club",),
    "clubs.Dues": ("period__club",),
    "clubs.ClubAction": ("club",),
    "clubs.Incident": ("club",),
    "clubs.Webhook": (),
    "scoring.Terms": ("events__club", "matches__card__club"),
    "scoring.TableCard": ("club",),
    "scoring.Match": ("card__club",),
    "scoring.Player": ("match__card__club",),
    "scoring.Mark": ("match__card__club",),
    "scoring.RefusedMark": ("match__card__club",),
    "scoring.Agreement": ("match__card__club",),
    "scoring.Dispute": ("match__card__club",),
    "tournaments.Event": ("club",),
    "tournaments.Entry": ("event__club",),
    "tournaments.Round": ("event__club",),
    "tournaments.Table": ("round__event__club",),
    "tournaments.Seating": ("round__event__club",),
    "tournaments.Adjustment": ("event__club",),
    "tournaments.Fee": ("event__club",),
    "tournaments.Prize": ("event__club",),
    "tournaments.PrizeCategory": ("event__club",),
    "tournaments.Action": ("event__club",),
    "tournaments.Standings": ("event__club",),
    "tournaments.PublishedStandings": ("event__club",),
    "tournaments.ClubKey": ("club",),
    "tournaments.LogEntry": ("club",),
    "tournaments.SentEvent": ("event__club",),
    "tournaments.KnownSnapshot": ("event__club",),
    "tournaments.Pairing": ("club",),
    "tournaments.Mirror": ("event__club",),
    "tournaments.Plan": ("club",),
    "tournaments.Season": ("club",),
    "tournaments.Tally": ("match__card__club",),
    "tournaments.PersonRecord": ("club",),
    "tournaments.ClubRecord": ("club",),
    "tournaments.InvitedClub": (),
    "tournaments.Visitor": (),
    "tournaments.SharedNight": (),
    "federations.ClubFeed": ("club",),
    "federations.PersonIdentity": ("person__club",),
    "federations.Federation": (),
    "federations.FollowedFeed": (),
}
"""Each table by its name, and the ways from its rows to their club. Rows without any are an account's own, as
passwords are, or between clubs: they go with the whole installation only."""

BETWEEN_CLUBS: Mapping[str, Q] = {"tournaments.Season": Q(is_shared=True)}
"""Rows of a club that speak of others' people and events: they go with the whole installation only, too."""

LEFT_OUT = frozenset(
    {
        "auth.Group",
        "auth.Permission",
        "clubs.ApiToken",
        "clubs.Invitation",
        "clubs.DeviceSession",
        "clubs.MailedLink",
        "clubs.SecurityEvent",
        "clubs.ToldNews",
        "clubs.Tries",
        "clubs.WebhookDelivery",
        "config.Installation",
        "contenttypes.ContentType",
        "jobs.Course",
        "jobs.Job",
        "live.Revision",
        "scoring.TablePhone",
        "sessions.Session",
        "tournaments.AlertSubscription",
        "tournaments.PublicSite",
    }
)
"""What an installation makes anew: nobody stays signed in or has tried to, no link that was handed over or
mailed is open, no work is under way, no phone was heard or has asked to be told
(services of push know the other secret), and a page that somebody has kept is out of date,
whatever its revision, since the secret of the data folder is another one."""


def model_of(label: str) -> type[Model]:
    return apps.get_model(label)


def table_labels(models: Apps) -> list[str]:
    """The tables that there are in the database, where these are its models."""
    known = {model._meta.label for model in models.get_models()}
    return [label for label in OF_A_CLUB if label in known]


def table_rows(label: str, club: Club | None, models: Apps = apps) -> QuerySet[Model]:
    """The rows of a table, by key: all of them, or those of a club."""
    rows: QuerySet[Model] = models.get_model(label)._default_manager.order_by("pk")
    if club is None:
        return rows
    mine = Q(pk__in=())
    for way in OF_A_CLUB[label]:
        mine |= Q(**{way: club.pk})
    alone = ~BETWEEN_CLUBS[label] if label in BETWEEN_CLUBS else Q()
    return rows.filter(mine, alone).distinct()
