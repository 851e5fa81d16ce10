"""Queries for a club's feed, from public data only, and for the feeds that a federation follows."""

import datetime
import hmac
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, QuerySet

from clubs.calendar import get_club_today
from clubs.models import Club, Person
from clubs.models.clubs import PublicNames
from engine.ladders import PersonId, get_row_figures
from engine.records import RecordedMatch
from engine.signed_logs import EntryKind
from engine.standings import StandingsRowJson, build_count_key
from federations.feed_files import FIGURES, MARK, VERSION, read_feed_file
from live.revisions import get_public_revision
from tournaments.agenda.queries import AgendaLine, list_upcoming
from tournaments.events.queries import counts_publicly
from tournaments.models import Entry, Event, LogEntry, PublishedStandings
from tournaments.records.queries import list_meetings
from tournaments.seasons.queries import has_taken_part

from .models import ClubFeed, Federation, FollowedFeed, PersonIdentity

SPAN = datetime.timedelta(days=731)
"""How far back a feed goes: as long as the longest season."""
ID_LENGTH = 24


def get_feed_state(feed: ClubFeed) -> str:
    """Return a value that changes whenever the content of the feed may change. Two queries."""
    club = feed.club
    today = get_club_today(club)
    events = Event.objects.filter(club=club, held_on__gte=today - SPAN).values_list("pk", flat=True)
    topics = [club.topic, club.calendar_topic, *(f"event:{pk}" for pk in events)]
    return f"{today:%Y%m%d}.{len(topics)}.{get_public_revision(*topics)}"


def build_feed_content(feed: ClubFeed) -> dict[str, Any]:
    """Return the content of the feed now, without its number, date and signature. The number of queries does
    not grow with the events."""
    club = feed.club
    today = get_club_today(club)
    builder = _FeedBuilder.load(feed, _list_final_events(club, since=today - SPAN))
    nights = [builder.build_night(event) for event in builder.events]
    return {
        MARK: VERSION,
        "id": feed.public_id.hex,
        "club": club.name,
        "people": builder.people,
        "nights": nights,
        "dates": [_build_date(line) for line in list_upcoming(club, today) if _is_own(line, club)],
    }


def list_key_entries(club: Club) -> list[dict[str, Any]]:
    """List the log entries in which one signing key names its successor. One query."""
    entries = LogEntry.objects.filter(club=club, event=None).order_by("number")
    signed_entries = [line.signed_entry for line in entries]
    return [
        {"entry": dict(each.entry), "signature": each.signature}
        for each in signed_entries
        if each.entry["kind"] == EntryKind.KEY.value
    ]


def list_federation_feeds(federation: Federation) -> QuerySet[FollowedFeed]:
    """Return the feeds of a federation without their content."""
    return federation.feeds.defer("content")


def list_stored_files(federation: Federation) -> list[Any]:
    """Read the last good file of each feed, in the order in which the feeds were followed. One query."""
    contents = federation.feeds.exclude(content="").values_list("content", flat=True)
    return [read_feed_file(content) for content in contents]


def list_identities(person: Person) -> QuerySet[PersonIdentity]:
    return person.identities.order_by("pk")


def get_public_name(person: Person, club: Club) -> str:
    """Return the public name of a person; "" if they must not be named in public."""
    is_named = person.shows_full_name or club.public_names == PublicNames.SHORT
    if person.is_hidden or person.anonymized_at is not None or not is_named:
        return ""
    return person.get_public_name(club)


def _list_final_events(club: Club, *, since: datetime.date) -> list[Event]:
    """List the events whose final standings are public, with names. One query."""
    final = Event.objects.filter(counts_publicly(), club=club, held_on__gte=since)
    shown = final.filter(is_put_away=False, is_arriving=False).exclude(final=None)
    return list(shown.order_by("held_on", "pk"))


def _get_figures(published: PublishedStandings, row: StandingsRowJson) -> dict[str, int]:
    figures = get_row_figures(row, published.counted[build_count_key(row["entry"])])
    return {name: figures[name] for name in FIGURES}


@dataclass(frozen=True, slots=True)
class _FeedBuilder:
    """Data read once for all events of a feed; ``people`` collects the people named so far."""

    feed: ClubFeed
    events: Sequence[Event]
    standings: Mapping[int, PublishedStandings]
    players: Mapping[int, Mapping[int, tuple[int, ...]]]
    matches: Mapping[int, Sequence[RecordedMatch]]
    lines: Mapping[int, LogEntry]
    people_by_id: Mapping[int, Person]
    people: dict[str, dict[str, Any]]

    @classmethod
    def load(cls, feed: ClubFeed, events: Sequence[Event]) -> "_FeedBuilder":
        published = PublishedStandings.objects.filter(event__in=events, number=F("event__final"))
        players: dict[int, dict[int, tuple[int, ...]]] = defaultdict(dict)
        entries = Entry.objects.filter(event__in=events, is_waiting=False)
        for event, number, one, other in entries.values_list("event", "number", "player_1", "player_2"):
            players[event][number] = tuple(each for each in (one, other) if each is not None)
        matches: dict[int, list[RecordedMatch]] = defaultdict(list)
        for match in list_meetings(feed.club_id):
            matches[match.event].append(match)
        lines = LogEntry.objects.filter(event__in=events).order_by("number")
        return cls(
            feed,
            events,
            standings={each.event_id: each for each in published},
            players=players,
            matches=matches,
            lines={line.event_id: line for line in lines if line.event_id is not None},
            people_by_id=feed.club.people.prefetch_related("identities").in_bulk(),
            people={},
        )

    def build_night(self, event: Event) -> dict[str, Any]:
        published, log_entry = self.standings[event.pk], self.lines.get(event.pk)
        players = self.players[event.pk]
        return {
            "id": self._get_row_id("event", event.pk),
            "name": event.name,
            "held_on": event.held_on.isoformat(),
            "page": event.get_absolute_url(),
            "revision": published.number,
            "line": log_entry.number if log_entry is not None and log_entry.published == event.final else None,
            "places": [
                {
                    "entry": row["entry"],
                    "rank": row["rank"],
                    "people": self._get_people_ids(event, players[row["entry"]]),
                    **_get_figures(published, row),
                }
                for row in published.rows
                if row["entry"] in players and has_taken_part(published, row["entry"])
            ],
            "matches": [
                [
                    *(self._get_people_ids(event, side) for side in match.sides),
                    None if match.winner is None else match.winner.name,
                ]
                for match in self.matches[event.pk]
            ],
        }

    def _get_people_ids(self, event: Event, people: Iterable[int | PersonId]) -> list[str]:
        return [self._add_person(event, self.people_by_id[each]) for each in people]

    def _add_person(self, event: Event, person: Person) -> str:
        """Return the id of a person in the feed. Without a public name, it differs from event to event."""
        name = get_public_name(person, self.feed.club)
        feed_id = self._get_row_id("person", person.pk) if name else self._get_row_id("unnamed", event.pk, person.pk)
        if feed_id not in self.people:
            identities = person.identities.all() if name else ()
            self.people[feed_id] = {
                "name": name,
                "is_rated": person.is_rated,
                "identities": [[each.key, each.signature] for each in identities],
            }
        return feed_id

    def _get_row_id(self, kind: str, *keys: int) -> str:
        return get_feed_row_id(self.feed, kind, *keys)


def get_feed_row_id(feed: ClubFeed, kind: str, *keys: int) -> str:
    """Return the id of a row in the feed: always the same, and impossible to guess."""
    message = " ".join(map(str, (kind, *keys))).encode()
    return hmac.digest(bytes.fromhex(feed.salt), message, "sha256").hex()[:ID_LENGTH]


def _is_own(line: AgendaLine, club: Club) -> bool:
    """Check that an event belongs to this club. A guest club's event is in that club's own feed."""
    return line.event is None or line.event.club_id == club.pk


def _build_date(line: AgendaLine) -> dict[str, Any]:
    return {
        "day": line.day.isoformat(),
        "starts_at": "" if line.starts_at is None else f"{line.starts_at:%H:%M}",
        "name": line.name,
        "place": line.place,
        "page": "" if line.event is None else line.event.public_page,
        "is_off": line.is_off,
    }
