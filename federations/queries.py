"""Queries for a club's feed, from public data only, and for the feeds that a federation follows."""

import datetime
import hmac
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, QuerySet

from clubs.calendar import today_in
from clubs.models import Club, Person
from clubs.models.clubs import PublicNames
from engine.ladders import PersonId
from engine.records import RecordedMatch
from engine.signed_logs import EntryKind
from federations.feed_files import FIGURES, MARK, VERSION, read_feed_file
from live.revisions import public_revision_of
from tournaments.agenda.queries import AgendaLine, agenda_ahead
from tournaments.events.queries import counts_publicly
from tournaments.models import Entry, Event, LogEntry, PublishedStandings
from tournaments.records.queries import meetings_of
from tournaments.seasons.queries import was_there

from .models import ClubFeed, Federation, FollowedFeed, PersonIdentity

SPAN = datetime.timedelta(days=731)
"""How far back a feed goes: as long as the longest season."""
ID_LENGTH = 24


def feed_state(feed: ClubFeed) -> str:
    """Return a value that changes whenever the content of the feed may change. Two queries."""
    club = feed.club
    today = today_in(club)
    events = Event.objects.filter(club=club, held_on__gte=today - SPAN).values_list("pk", flat=True)
    topics = [club.topic, club.calendar_topic, *(f"event:{pk}" for pk in events)]
    return f"{today:%Y%m%d}.{len(topics)}.{public_revision_of(*topics)}"


def feed_content(feed: ClubFeed) -> dict[str, Any]:
    """Return the content of the feed now, without its number, date and signature. The number of queries does
    not grow with the events."""
    club = feed.club
    today = today_in(club)
    teller = _Teller.of(feed, _final_events(club, since=today - SPAN))
    nights = [teller.night(event) for event in teller.events]
    return {
        MARK: VERSION,
        "id": feed.public_id.hex,
        "club": club.name,
        "people": teller.people,
        "nights": nights,
        "dates": [_date(line) for line in agenda_ahead(club, today) if _is_own(line, club)],
    }


def key_lines(club: Club) -> list[dict[str, Any]]:
    """List the log entries in which one signing key names its successor. One query."""
    lines = LogEntry.objects.filter(club=club, event=None).order_by("number")
    signed = [line.signed_entry for line in lines]
    return [
        {"entry": dict(each.entry), "signature": each.signature}
        for each in signed
        if each.entry["kind"] == EntryKind.KEY.value
    ]


def federation_feeds(federation: Federation) -> QuerySet[FollowedFeed]:
    """Return the feeds of a federation without their content."""
    return federation.feeds.defer("content")


def kept_files(federation: Federation) -> list[Any]:
    """Read the last good file of each feed, in the order in which the feeds were followed. One query."""
    contents = federation.feeds.exclude(content="").values_list("content", flat=True)
    return [read_feed_file(content) for content in contents]


def identities_of(person: Person) -> QuerySet[PersonIdentity]:
    return person.identities.order_by("pk")


def public_name(person: Person, club: Club) -> str:
    """Return the public name of a person; "" if they must not be named in public."""
    is_named = person.shows_full_name or club.public_names == PublicNames.SHORT
    if person.is_hidden or person.anonymized_at is not None or not is_named:
        return ""
    return person.name_in_public(club)


def _final_events(club: Club, *, since: datetime.date) -> list[Event]:
    """List the events whose final standings are public, with names. One query."""
    final = Event.objects.filter(counts_publicly(), club=club, held_on__gte=since)
    shown = final.filter(is_put_away=False, is_arriving=False).exclude(final=None)
    return list(shown.order_by("held_on", "pk"))


@dataclass(frozen=True, slots=True)
class _Teller:
    """Data read once for all events of a feed; ``people`` collects the people named so far."""

    feed: ClubFeed
    events: Sequence[Event]
    standings: Mapping[int, PublishedStandings]
    players: Mapping[int, Mapping[int, tuple[int, ...]]]
    matches: Mapping[int, Sequence[RecordedMatch]]
    lines: Mapping[int, LogEntry]
    known: Mapping[int, Person]
    people: dict[str, dict[str, Any]]

    @classmethod
    def of(cls, feed: ClubFeed, events: Sequence[Event]) -> "_Teller":
        published = PublishedStandings.objects.filter(event__in=events, number=F("event__final"))
        players: dict[int, dict[int, tuple[int, ...]]] = defaultdict(dict)
        entries = Entry.objects.filter(event__in=events, is_waiting=False)
        for event, number, one, other in entries.values_list("event", "number", "player_1", "player_2"):
            players[event][number] = tuple(each for each in (one, other) if each is not None)
        matches: dict[int, list[RecordedMatch]] = defaultdict(list)
        for match in meetings_of(feed.club_id):
            matches[match.event].append(match)
        lines = LogEntry.objects.filter(event__in=events).order_by("number")
        return cls(
            feed,
            events,
            standings={each.event_id: each for each in published},
            players=players,
            matches=matches,
            lines={line.event_id: line for line in lines if line.event_id is not None},
            known=feed.club.people.prefetch_related("identities").in_bulk(),
            people={},
        )

    def night(self, event: Event) -> dict[str, Any]:
        kept, line = self.standings[event.pk], self.lines.get(event.pk)
        players = self.players[event.pk]
        return {
            "id": self._names_of_rows("event", event.pk),
            "name": event.name,
            "held_on": event.held_on.isoformat(),
            "page": event.get_absolute_url(),
            "revision": kept.number,
            "line": line.number if line is not None and line.published == event.final else None,
            "places": [
                {
                    "entry": row["entry"],
                    "rank": row["rank"],
                    "people": self._names_of_people(event, players[row["entry"]]),
                    **{name: row[name] for name in FIGURES},
                }
                for row in kept.rows
                if row["entry"] in players and was_there(kept, row["entry"])
            ],
            "matches": [
                [
                    *(self._names_of_people(event, side) for side in match.sides),
                    None if match.winner is None else match.winner.name,
                ]
                for match in self.matches[event.pk]
            ],
        }

    def _names_of_people(self, event: Event, people: Iterable[int | PersonId]) -> list[str]:
        return [self._person(event, self.known[each]) for each in people]

    def _person(self, event: Event, person: Person) -> str:
        """Return the id of a person in the feed. Without a public name, it differs from event to event."""
        name = public_name(person, self.feed.club)
        called = (
            self._names_of_rows("person", person.pk)
            if name
            else self._names_of_rows("unnamed", event.pk, person.pk)
        )
        if called not in self.people:
            identities = person.identities.all() if name else ()
            self.people[called] = {
                "name": name,
                "is_rated": person.is_rated,
                "identities": [[each.key, each.signature] for each in identities],
            }
        return called

    def _names_of_rows(self, kind: str, *keys: int) -> str:
        return called_in(self.feed, kind, *keys)


def called_in(feed: ClubFeed, kind: str, *keys: int) -> str:
    """Return the id of a row in the feed: always the same, and impossible to guess."""
    told = " ".join(map(str, (kind, *keys))).encode()
    return hmac.digest(bytes.fromhex(feed.salt), told, "sha256").hex()[:ID_LENGTH]


def _is_own(line: AgendaLine, club: Club) -> bool:
    """Check that an event belongs to this club. A guest club's event is in that club's own feed."""
    return line.event is None or line.event.club_id == club.pk


def _date(line: AgendaLine) -> dict[str, Any]:
    return {
        "day": line.day.isoformat(),
        "starts_at": "" if line.starts_at is None else f"{line.starts_at:%H:%M}",
        "name": line.name,
        "place": line.place,
        "page": "" if line.event is None else line.event.public_page,
        "is_off": line.is_off,
    }
