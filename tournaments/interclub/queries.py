"""Queries for interclub play: invitations, and the people who play for a club elsewhere."""

import datetime
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils import timezone

from clubs.models import Club, Person
from tournaments.entries.queries.known_people import VISITORS, KnownPeople, offer_people
from tournaments.events.queries import accepted_clubs
from tournaments.lifecycle import EventState, RoundState
from tournaments.models import Entry, Event, InvitationAnswer, InvitedClub, Season, Seating, Visitor
from tournaments.rounds.byes import ByeKind, bye_kind
from web.names import clean_text, group_key
from web.one_time_links import secret_digest

MOST_FOUND = 12
LEAST_TYPED = 2
LOOKED_BACK = datetime.timedelta(days=30)
"""How long a past shared event stays on the pages of the invited clubs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatInRound:
    """Seat of an entry in a round: its table and opponents, or its bye."""

    table: int | None
    bye: ByeKind | None
    against: tuple[Entry, ...]


def clubs_named(search: str, *, but: Collection[int]) -> list[Club]:
    """Find clubs of the installation by the beginning of a word, ignoring accents, as many as a page shows.
    Two queries; none for a single letter."""
    wanted = group_key(clean_text(search))
    if len(wanted) < LEAST_TYPED:
        return []
    names = Club.objects.exclude(pk__in=but).order_by("name", "pk").values_list("pk", "name")
    found = [pk for pk, name in names if f" {wanted}" in f" {group_key(name)}"]
    by_id = Club.objects.in_bulk(found[:MOST_FOUND])
    return [by_id[pk] for pk in found[:MOST_FOUND]]


def invited_clubs_of(occasion: Event | Season) -> QuerySet[InvitedClub]:
    """Return the clubs invited, and the invitation links not yet opened. One query."""
    invited = occasion.invited_clubs.select_related("club")
    return invited.exclude(
        Q(club=None) & (Q(answer=InvitationAnswer.WITHDRAWN) | Q(lasts_until__lt=timezone.now()))
    )


def clubs_of_series(season: Season) -> list[Club]:
    """Return the club of the series, then those that have accepted. One query."""
    clubs = Club.objects.filter(Q(pk=season.club_id) | Q(pk__in=accepted_clubs(season))).order_by(
        "name", "pk"
    )
    return sorted(clubs, key=lambda club: club.pk != season.club_id)


def invitations_to(club: Club, *, since: datetime.date) -> list[InvitedClub]:
    """List the invitations that wait for an answer, then the accepted ones by day. Events before ``since``
    are left out, and so are ended ones without an answer. One query."""
    asked = club.invited_to.filter(
        answer__in=(InvitationAnswer.WAITING, InvitationAnswer.ACCEPTED)
    ).select_related("event__club", "season__club")
    asked = asked.exclude(event__is_put_away=True)
    asked = asked.exclude(answer=InvitationAnswer.WAITING, event__state=EventState.ENDED)
    shown = [each for each in asked if each.event is None or each.event.last_day >= since]
    return sorted(shown, key=lambda each: (each.answer != InvitationAnswer.WAITING, _day_of(each), each.pk))


def _day_of(invited: InvitedClub) -> datetime.date:
    if invited.event is not None:
        return invited.event.held_on
    assert invited.season is not None
    return invited.season.ends


def series_of(club: Club) -> list[Season]:
    """List the series of other clubs in which this one takes part, newest first. One query."""
    mine = club.invited_to.filter(answer=InvitationAnswer.ACCEPTED).values("season")
    return list(Season.objects.filter(pk__in=mine).select_related("club").defer("rows", "scores"))


def open_series_for(club: Club) -> list[Season]:
    """List the open series to which this club may add its events. One query."""
    theirs = club.invited_to.filter(answer=InvitationAnswer.ACCEPTED).order_by().values("season")
    mine = club.seasons.order_by().values("pk").union(theirs)
    going_on = Season.objects.filter(pk__in=mine, is_shared=True, closed_at=None)
    return list(going_on.select_related("club").defer("rows", "scores"))


def invited_guest(club: Club, short: str) -> InvitedClub | None:
    """Return the club's accepted invitation to another club's event. One query."""
    invited = club.invited_to.select_related("event__club", "event__terms")
    return invited.filter(
        event__short=short, event__is_put_away=False, answer=InvitationAnswer.ACCEPTED
    ).first()


def invited_by_link(secret: str) -> InvitedClub | None:
    """Return the invitation of an unused link; None for any other text. One query."""
    waiting = InvitedClub.objects.filter(club=None, answer=InvitationAnswer.WAITING)
    unused = waiting.filter(lasts_until__gt=timezone.now()).exclude(event__is_put_away=True)
    return unused.select_related("event__club", "season__club").filter(digest=secret_digest(secret)).first()


def visitors_in(event: Event, club: Club) -> dict[int, Person]:
    """Map people in the event's entries to the people of this club that they are. One query."""
    playing = Q(known_as__in=event.entries.values("player_1")) | Q(
        known_as__in=event.entries.exclude(player_2=None).values("player_2")
    )
    visitors = Visitor.objects.filter(playing, person__club=club).select_related("person")
    return {visitor.known_as_id: visitor.person for visitor in visitors.order_by("-pk")}


def at_home_in(event: Event, club: Club) -> dict[int, int]:
    """Map ids of people in the event's entries to ids of people of this club. One query."""
    return {known_as: person.pk for known_as, person in visitors_in(event, club).items()}


def entries_for(event: Event, visitors: Collection[int]) -> list[Entry]:
    """Return the entries all of whose players are among these, as those of an invited club. One query."""
    entries = event.entries.select_related("player_1", "player_2").order_by("number")
    mine = entries.filter(player_1__in=visitors)
    return list(mine.filter(Q(player_2=None) | Q(player_2__in=visitors)))


def seats_of_entries(event: Event, entries: Iterable[Entry]) -> tuple[int, dict[int, SeatInRound]]:
    """Return the last published round, or 0, and the seats of these entries in it. Three queries at most."""
    last = event.rounds.exclude(state=RoundState.DRAFT).order_by("-number").first()
    if last is None:
        return 0, {}
    seated = Seating.objects.filter(round=last).select_related("table", "entry__player_1", "entry__player_2")
    mine = {entry.pk for entry in entries}
    found = list(seated)
    return last.number, {
        one.entry_id: SeatInRound(
            table=None if one.table is None else one.table.number,
            bye=bye_kind(one.reasons) if one.table is None else None,
            against=tuple(
                other.entry
                for other in found
                if one.table_id is not None and other.table_id == one.table_id and other.side != one.side
            ),
        )
        for one in found
        if one.entry_id in mine
    }


def known_people_of_guest(event: Event, club: Club, search: str = "") -> KnownPeople:
    """Return the people of an invited club for its own entries. At most five queries."""
    people = Person.objects.filter(club=club, is_active=True).exclude(VISITORS)
    return offer_people(event, club.pk, people, set(at_home_in(event, club).values()), search)
