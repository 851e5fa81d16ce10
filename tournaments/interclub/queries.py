"""Queries for interclub play: invitations, and the people who play for a club elsewhere."""

import datetime
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils import timezone

from clubs.models import Club, Person
from engine.draws import EntryId
from engine.draws.team_lineups import TeamLineups, TeamMatch, list_team_matches
from tournaments.entries.queries.known_people import VISITORS, KnownPeople, offer_people
from tournaments.events.queries import accepted_clubs
from tournaments.lifecycle import OPEN_STATES, EventState, RoundState
from tournaments.models import Entry, Event, InvitationAnswer, InvitedClub, Round, Season, Seating, Visitor
from tournaments.rounds.byes import ByeKind, classify_bye
from tournaments.rounds.queries.rounds import lineup_of, list_missing_tables
from web.link_secrets import hash_secret
from web.names import clean_text, get_group_key

MAX_RESULTS = 12
MIN_SEARCH_LENGTH = 2
PAST_EVENTS_SHOWN = datetime.timedelta(days=30)
"""How long a past shared event stays on the pages of the invited clubs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSeat:
    """Seat of an entry in a round: its table and opponents, or its bye."""

    table: int | None
    bye: ByeKind | None
    against: tuple[Entry, ...]


def search_clubs(search: str, *, excluded_ids: Collection[int]) -> list[Club]:
    """Find clubs of the installation by the beginning of a word, ignoring accents, as many as a page shows.
    Two queries; none for a single letter."""
    prefix = get_group_key(clean_text(search))
    if len(prefix) < MIN_SEARCH_LENGTH:
        return []
    names = Club.objects.exclude(pk__in=excluded_ids).order_by("name", "pk").values_list("pk", "name")
    club_ids = [pk for pk, name in names if f" {prefix}" in f" {get_group_key(name)}"]
    clubs_by_id = Club.objects.in_bulk(club_ids[:MAX_RESULTS])
    return [clubs_by_id[pk] for pk in club_ids[:MAX_RESULTS]]


def select_invitations(occasion: Event | Season) -> QuerySet[InvitedClub]:
    """Return the clubs invited, and the invitation links not yet opened. One query."""
    invitations = occasion.invited_clubs.select_related("club")
    return invitations.exclude(
        Q(club=None) & (Q(answer=InvitationAnswer.WITHDRAWN) | Q(lasts_until__lt=timezone.now()))
    )


def list_series_clubs(season: Season) -> list[Club]:
    """Return the club of the series, then those that have accepted. One query."""
    clubs = Club.objects.filter(Q(pk=season.club_id) | Q(pk__in=accepted_clubs(season))).order_by("name", "pk")
    return sorted(clubs, key=lambda club: club.pk != season.club_id)


def list_invitations(club: Club, *, cutoff: datetime.date) -> list[InvitedClub]:
    """List the invitations that wait for an answer, then the accepted ones by day. Events before ``cutoff``
    are left out, and so are ended events without an answer. One query."""
    invitations = club.invited_to.filter(
        answer__in=(InvitationAnswer.WAITING, InvitationAnswer.ACCEPTED)
    ).select_related("event__club", "season__club")
    invitations = invitations.exclude(event__is_put_away=True)
    invitations = invitations.exclude(answer=InvitationAnswer.WAITING, event__state=EventState.ENDED)
    current = [
        invitation for invitation in invitations if invitation.event is None or invitation.event.last_day >= cutoff
    ]
    return sorted(current, key=lambda each: (each.answer != InvitationAnswer.WAITING, _get_day(each), each.pk))


def _get_day(invitation: InvitedClub) -> datetime.date:
    if invitation.event is not None:
        return invitation.event.held_on
    assert invitation.season is not None
    return invitation.season.ends


def list_joined_series(club: Club) -> list[Season]:
    """List the series of other clubs in which this one takes part, newest first. One query."""
    season_ids = club.invited_to.filter(answer=InvitationAnswer.ACCEPTED).values("season")
    return list(Season.objects.filter(pk__in=season_ids).select_related("club").defer("rows", "scores"))


def list_open_series(club: Club) -> list[Season]:
    """List the open series to which this club may add its events. One query."""
    joined_ids = club.invited_to.filter(answer=InvitationAnswer.ACCEPTED).order_by().values("season")
    season_ids = club.seasons.order_by().values("pk").union(joined_ids)
    open_series = Season.objects.filter(pk__in=season_ids, is_shared=True, closed_at=None)
    return list(open_series.select_related("club").defer("rows", "scores"))


def find_accepted_invitation(club: Club, short: str) -> InvitedClub | None:
    """Return the club's accepted invitation to another club's event. One query."""
    invitations = club.invited_to.select_related("event__club", "event__terms")
    return invitations.filter(event__short=short, event__is_put_away=False, answer=InvitationAnswer.ACCEPTED).first()


def find_link_invitation(secret: str) -> InvitedClub | None:
    """Return the invitation of an unused link; None for any other text. One query."""
    pending = InvitedClub.objects.filter(club=None, answer=InvitationAnswer.WAITING)
    unused = pending.filter(lasts_until__gt=timezone.now()).exclude(event__is_put_away=True)
    return unused.select_related("event__club", "season__club").filter(digest=hash_secret(secret)).first()


def find_used_invitation(secret: str, clubs: Collection[int]) -> InvitedClub | None:
    """Return the invitation that one of these clubs accepted by this link. One query."""
    accepted = InvitedClub.objects.filter(answer=InvitationAnswer.ACCEPTED, club__in=clubs)
    return accepted.select_related("club").filter(digest=hash_secret(secret)).first()


def get_visitors(event: Event, club: Club) -> dict[int, Person]:
    """Map people in the event's entries to the people of this club that they are. One query."""
    is_entered = Q(known_as__in=event.entries.values("player_1")) | Q(
        known_as__in=event.entries.exclude(player_2=None).values("player_2")
    )
    visitors = Visitor.objects.filter(is_entered, person__club=club).select_related("person")
    return {visitor.known_as_id: visitor.person for visitor in visitors.order_by("-pk")}


def get_home_person_ids(event: Event, club: Club) -> dict[int, int]:
    """Map ids of people in the event's entries to ids of people of this club. One query."""
    return {guest_id: person.pk for guest_id, person in get_visitors(event, club).items()}


def list_guest_entries(event: Event, visitors: Collection[int]) -> list[Entry]:
    """Return the entries all of whose players are among these, as those of an invited club. One query."""
    entries = event.entries.select_related("player_1", "player_2").order_by("number")
    first_players = entries.filter(player_1__in=visitors)
    return list(first_players.filter(Q(player_2=None) | Q(player_2__in=visitors)))


def get_last_round_seats(event: Event, entries: Iterable[Entry]) -> tuple[int, dict[int, RoundSeat]]:
    """Return the last published round, or 0, and the seats of these entries in it. Three queries at most."""
    last_round = event.rounds.exclude(state=RoundState.DRAFT).order_by("-number").first()
    if last_round is None:
        return 0, {}
    round_seatings = Seating.objects.filter(round=last_round).select_related(
        "table", "entry__player_1", "entry__player_2"
    )
    entry_ids = {entry.pk for entry in entries}
    seatings = list(round_seatings)
    return last_round.number, {
        seating.entry_id: RoundSeat(
            table=None if seating.table is None else seating.table.number,
            bye=classify_bye(seating.reasons) if seating.table is None else None,
            against=tuple(
                other.entry
                for other in seatings
                if seating.table_id is not None and other.table_id == seating.table_id and other.side != seating.side
            ),
        )
        for seating in seatings
        if seating.entry_id in entry_ids
    }


def get_guest_people(event: Event, club: Club, search: str = "") -> KnownPeople:
    """Return the people of an invited club for its own entries. At most five queries."""
    people = Person.objects.filter(club=club, is_active=True).exclude(VISITORS)
    return offer_people(event, club.pk, people, set(get_home_person_ids(event, club).values()), search)


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamRound:
    """The last round of an event, its team matches, and the line-ups ``given`` for them."""

    round: Round
    matches: tuple[TeamMatch, ...]
    given: TeamLineups

    @property
    def is_draft(self) -> bool:
        return self.round.state == RoundState.DRAFT

    def find_match(self, team: str) -> TeamMatch | None:
        return next((match for match in self.matches if team in match.teams), None)


def read_team_round(event: Event, teams: Mapping[EntryId, str]) -> TeamRound | None:
    """Return the last round, draft or published; None before the first. One query, two if it is published."""
    round_row = event.rounds.order_by("-number").first()
    if round_row is None:
        return None
    matches = list_team_matches(lineup_of(round_row), teams)
    return TeamRound(round=round_row, matches=matches, given=round_row.team_lineups or {})


def list_movable_tables(team_round: TeamRound, match: TeamMatch) -> set[int]:
    """Return the tables of a team match that has no result and is not postponed yet; none once its round is closed.
    One query, or none."""
    numbers = {board.number for board in match.tables}
    if team_round.is_draft:
        return numbers
    return numbers & set(list_missing_tables(team_round.round)) if team_round.round.state in OPEN_STATES else set()
