"""Contents of a backup: every table, and how its rows belong to a club."""

from collections.abc import Mapping

from django.apps import apps
from django.apps.registry import Apps
from django.db.models import Model, Q, QuerySet

from clubs.models import Account, Club

FORMAT_VERSION = 1
"""Version of the format. Raised by a change that an older program could not read, or would read wrongly."""

TABLE_OWNERSHIP: Mapping[str, tuple[str, ...]] = {
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
    "clubs.ClubRequest": (),
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
"""The tables by name, with the paths from their rows to the club.

Rows without a path belong to an account, such as passwords, or to several clubs: only a backup of the whole
installation has them.
"""

SHARED_ROWS: Mapping[str, Q] = {"tournaments.Season": Q(is_shared=True)}
"""Rows of a club about other clubs' people and events: only a backup of the whole installation has them."""


def get_model(label: str) -> type[Model]:
    return apps.get_model(label)


def list_table_labels(models: Apps) -> list[str]:
    """Return the tables that exist in the database with these models."""
    labels = {model._meta.label for model in models.get_models()}
    return [label for label in TABLE_OWNERSHIP if label in labels]


def get_table_rows(label: str, club: Club | None, models: Apps = apps) -> QuerySet[Model]:
    """Return the rows of a table, by key: all of them, or those of a club."""
    rows: QuerySet[Model] = models.get_model(label)._default_manager.order_by("pk")
    if club is None:
        return rows
    club_filter = Q(pk__in=())
    for path in TABLE_OWNERSHIP[label]:
        club_filter |= Q(**{path: club.pk})
    if label == Account._meta.label:
        club_filter |= _authors(club, models)
    own_filter = ~SHARED_ROWS[label] if label in SHARED_ROWS else Q()
    return rows.filter(club_filter, own_filter).distinct()


def _authors(club: Club, models: Apps) -> Q:
    """Select the accounts that rows of the club name, also those that have left its team."""
    found = Q()
    for label in TABLE_OWNERSHIP:
        for field in models.get_model(label)._meta.concrete_fields:
            if TABLE_OWNERSHIP[label] and field.related_model is models.get_model(Account._meta.label):
                found |= Q(pk__in=get_table_rows(label, club, models).order_by().values(field.attname))
    return found
