"""All text columns, by what they may say about people. A test fails for columns in no list."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.apps import apps
from django.db.models import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalColumn:
    """A column of text or JSON. ``club`` is the path from its row to the club; "" if rows belong to no
    club."""

    table: str
    name: str
    club: str

    @property
    def model(self) -> type[Model]:
        return apps.get_model(self.table)


def _build_columns(*, club: str, table: str, names: str) -> list[PersonalColumn]:
    return [PersonalColumn(table=table, name=name, club=club) for name in names.split()]


SEARCHED_COLUMNS: tuple[PersonalColumn, ...] = (
    *_build_columns(table="clubs.Club", names="about officers contact", club="pk"),
    *_build_columns(table="clubs.ClubPicture", names="description", club="club"),
    *_build_columns(table="clubs.ClubAction", names="details rows reason origin", club="club"),
    *_build_columns(table="clubs.ChangedDate", names="reason", club="night__club"),
    *_build_columns(table="clubs.RecurringNight", names="place", club="club"),
    *_build_columns(table="clubs.UsualNight", names="settings", club="club"),
    *_build_columns(table="clubs.Invitation", names="note", club="club"),
    *_build_columns(table="clubs.Incident", names="what information done", club="club"),
    *_build_columns(table="clubs.Family", names="name", club="club"),
    *_build_columns(table="clubs.Person", names="contact labels", club="club"),
    *_build_columns(table="clubs.WebhookDelivery", names="answer", club="webhook__club"),
    *_build_columns(table="scoring.Mark", names="reason device written_by", club="match__card__club"),
    *_build_columns(table="scoring.TableCard", names="messages_data", club="club"),
    *_build_columns(table="scoring.Match", names="pencil_holder pencil_asker own_terms", club="card__club"),
    *_build_columns(table="scoring.Agreement", names="device", club="match__card__club"),
    *_build_columns(table="scoring.RefusedMark", names="device", club="match__card__club"),
    *_build_columns(table="scoring.Dispute", names="note ruling device settled_by_name", club="match__card__club"),
    *_build_columns(table="tournaments.Action", names="details changes reason origin", club="event__club"),
    *_build_columns(
        table="tournaments.Event",
        names="stages sections phase_data boards messages announcement_data",
        club="club",
    ),
    *_build_columns(table="tournaments.Season", names="ladders", club="club"),
    *_build_columns(
        table="tournaments.Entry", names="section team family car labels disqualification", club="event__club"
    ),
    *_build_columns(table="tournaments.Prize", names="name", club="event__club"),
    *_build_columns(table="tournaments.PrizeCategory", names="name group prize", club="event__club"),
    *_build_columns(table="tournaments.Adjustment", names="reason", club="event__club"),
    *_build_columns(table="tournaments.Standings", names="counted before_silence", club="event__club"),
    *_build_columns(table="tournaments.PublishedStandings", names="counted", club="event__club"),
    *_build_columns(table="tournaments.Plan", names="asked found", club="club"),
    *_build_columns(table="tournaments.Round", names="settings drawn_from team_lineups", club="event__club"),
    *_build_columns(table="jobs.Job", names="key result failed_with error", club=""),
    *_build_columns(table="jobs.Course", names="asked", club=""),
)
"""Columns with text that people typed or that is about them: names are removed."""

TITLE_COLUMNS: tuple[PersonalColumn, ...] = (
    *_build_columns(table="clubs.Club", names="name", club="pk"),
    *_build_columns(table="clubs.DuesPeriod", names="name", club="club"),
    *_build_columns(table="clubs.HouseRules", names="name", club="club"),
    *_build_columns(table="clubs.UsualNight", names="name", club="club"),
    *_build_columns(table="clubs.RecurringNight", names="name", club="club"),
    *_build_columns(table="scoring.Terms", names="rules_name", club="events__club"),
    *_build_columns(table="tournaments.Event", names="name", club="club"),
    *_build_columns(table="tournaments.Season", names="name", club="club"),
)
"""Columns with titles that the club chose, perhaps in honour of a person: shown, and left to the club."""

EXEMPT_COLUMNS: Mapping[str, frozenset[str]] = {
    "auth.Group": frozenset({"name"}),
    "auth.Permission": frozenset({"name", "codename"}),
    "clubs.Account": frozenset({"name", "folded_name", "password", "language", "email"}),
    "clubs.ApiToken": frozenset({"name", "scope", "digest"}),
    "clubs.Club": frozenset(
        {"slug", "language", "time_zone", "usual_ruleset", "public_names"}
        | {"responsible_name", "responsible_contact", "hall", "hall_address", "website", "list_layouts"}
    ),
    "clubs.ClubAction": frozenset({"kind", "permission"}),
    "clubs.ClubPicture": frozenset({"kind", "digest", "content"}),
    "clubs.ClubRequest": frozenset({"name", "email", "language"}),
    "clubs.DeviceSession": frozenset({"session_key", "session_data", "device"}),
    "clubs.HouseRules": frozenset({"folded_name", "base", "difference"}),
    "clubs.Incident": frozenset({"risk"}),
    "clubs.Invitation": frozenset({"role", "digest"}),
    "clubs.Membership": frozenset({"role"}),
    "clubs.MailedLink": frozenset({"purpose", "email", "digest"}),
    "clubs.Passkey": frozenset({"name", "host", "handle", "credential_id", "credential"}),
    "clubs.Person": frozenset({"name", "folded_name", "merged_ids"}),
    "clubs.RecoveryCode": frozenset({"label", "digest"}),
    "clubs.RecurringNight": frozenset({"pattern"}),
    "clubs.SecondFactor": frozenset({"sealed"}),
    "clubs.SecurityEvent": frozenset({"kind", "network"}),
    "clubs.PublishedFacts": frozenset({"ordering_key", "facts"}),
    "clubs.RateLimitCounter": frozenset({"digest"}),
    "clubs.UsualNight": frozenset({"folded_name"}),
    "clubs.Webhook": frozenset({"address", "kinds", "secret", "secret_before", "off_because"}),
    "clubs.WebhookDelivery": frozenset({"message_id", "kind", "ordering_key", "subject", "state", "trouble"}),
    "config.Installation": frozenset({"key_digest"}),
    "contenttypes.ContentType": frozenset({"app_label", "model"}),
    "federations.ClubFeed": frozenset({"salt", "state", "written", "signature"}),
    "federations.Federation": frozenset({"name", "ladder", "worked_out"}),
    "federations.FollowedFeed": frozenset({"address", "public_id", "key", "club", "etag", "content", "trouble"}),
    "federations.PersonIdentity": frozenset({"key", "signature"}),
    "jobs.Course": frozenset({"kind", "key", "topic", "kept"}),
    "jobs.Job": frozenset({"kind", "topic", "status"}),
    "live.Revision": frozenset({"topic"}),
    "scoring.Agreement": frozenset({"agreed_to"}),
    "scoring.Mark": frozenset({"record_data", "status", "digest"}),
    "scoring.Match": frozenset({"summary", "log_digest", "withdrawn_as"}),
    "scoring.TableCard": frozenset(
        {"topic", "code", "new_digits", "turned_away", "clock_data", "public_page", "desk_page"}
    ),
    "scoring.RefusedMark": frozenset({"record_data", "code"}),
    "scoring.TablePhone": frozenset({"device"}),
    "scoring.Terms": frozenset({"ruleset_data", "format_data", "details"}),
    "sessions.Session": frozenset({"session_key", "session_data"}),
    "tournaments.Action": frozenset({"kind"}),
    "tournaments.Adjustment": frozenset({"metric"}),
    "tournaments.AlertSubscription": frozenset({"channel", "language", "address", "digest", "told"}),
    "tournaments.ClubKey": frozenset({"public", "private", "head"}),
    "tournaments.ClubRecord": frozenset({"everything", "years"}),
    "tournaments.Entry": frozenset({"absent", "byes_asked", "excused", "withdrawn"}),
    "tournaments.Event": frozenset(
        {"short", "ranking", "kept_apart", "captain_keys", "state", "shows_results", "shows_standings", "shows_names"}
    ),
    "tournaments.InvitedClub": frozenset({"answer", "digest"}),
    "tournaments.LogEntry": frozenset({"written", "signature", "sums"}),
    "tournaments.KnownSnapshot": frozenset({"head"}),
    "tournaments.Mirror": frozenset({"head", "sums", "people", "put_away", "trouble"}),
    "tournaments.Pairing": frozenset({"digest", "key", "name"}),
    "tournaments.PersonRecord": frozenset({"history", "record"}),
    "tournaments.PrizeCategory": frozenset({"among", "amounts"}),
    "tournaments.PublicSite": frozenset({"address", "name", "key", "trouble"}),
    "tournaments.PublishedStandings": frozenset({"rows", "charts"}),
    "tournaments.Round": frozenset(
        {"state", "draw_format", "order", "price", "certificate", "draft", "held", "postponed"}
    ),
    "tournaments.Season": frozenset({"left_out", "rows", "scores"}),
    "tournaments.Seating": frozenset({"slot", "reasons"}),
    "tournaments.SentEvent": frozenset({"offers", "trouble", "page", "handed_over"}),
    "tournaments.Standings": frozenset({"rows", "charts", "contradictions"}),
    "tournaments.Table": frozenset({"slot", "reasons", "ruling"}),
    "tournaments.Tally": frozenset({"bids"}),
}
"""Columns without names of players. They hold numbers, codes, fixed words, accounts, data made anew such as
handovers, and a person's own row, which is overwritten separately."""
