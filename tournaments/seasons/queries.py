"""Queries for season standings: the events of a season and their results."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from django.db.models import Case, F, Q, QuerySet, When

from clubs.models import Club, ClubAction, Person
from engine.changes import Changes, find_changed_nights
from engine.ladders import (
    LadderNight,
    LadderPerson,
    LadderRowJson,
    NightResult,
    PersonId,
    Players,
    Score,
    build_scores_key,
    compute_ladder_standings,
    get_row_figures,
    ladders_from_json,
    list_score_events,
    rows_to_json,
    scores_from_json,
    scores_to_json,
    split_figures,
)
from engine.ranking import MISSED_KINDS, DisqualificationRule, OutcomeKind
from engine.standings import StandingsRowJson, build_count_key
from tournaments.events.queries import counts_publicly
from tournaments.lifecycle import EventState
from tournaments.models import (
    Entry,
    Event,
    InvitationAnswer,
    PublishedStandings,
    Season,
    Seating,
    SharedNight,
    Standings,
    Visitor,
)
from tournaments.rounds.queries.bye_players import list_byes, map_players_at_close
from web.names import get_group_key


def select_season_events(season: Season) -> QuerySet[Event]:
    """Return the club's events during the season, whether or not they count, first to last. Of a series, the
    events assigned to it, of all clubs that take part."""
    if season.is_shared:
        events = Event.objects.filter(shared_night__season=season).filter(
            Q(club=season.club_id) | Q(club__in=_select_invited_clubs(season))
        )
    else:
        events = Event.objects.filter(club=season.club_id, held_on__range=(season.starts, season.ends))
    return events.filter(is_put_away=False).order_by("held_on", "pk")


def select_started_events(season: Season) -> QuerySet[Event]:
    """Return the events of a season that have begun, which can count or be left out."""
    return select_season_events(season).exclude(state=EventState.PREPARING)


def select_counted_events(season: Season) -> QuerySet[Event]:
    """Return the public events of a season that count."""
    return select_season_events(season).filter(counts_publicly()).exclude(pk__in=season.left_out)


def select_seasons(club_id: int) -> QuerySet[Season]:
    """Return the seasons of a club, and the series of others in which it takes part. One query."""
    is_joined_series = Q(is_shared=True, invited_clubs__club=club_id, invited_clubs__answer=InvitationAnswer.ACCEPTED)
    series_ids = Season.objects.filter(is_joined_series).order_by().values("pk")
    own_ids = Season.objects.filter(club=club_id).order_by().values("pk")
    return Season.objects.filter(pk__in=own_ids.union(series_ids)).order_by("pk")


def find_closed_season(event: Event, *, held_on: date | None = None) -> Season | None:
    """Return a closed season or series whose standings include the event, held on this day or its own. One query."""
    closed_seasons = _select_event_seasons(event, held_on or event.held_on).exclude(closed_at=None).defer("rows")
    return next((season for season in closed_seasons if event.pk in list_score_events(season.scores)), None)


def select_open_event_seasons(event: Event) -> QuerySet[Season]:
    """Return the open seasons of its club, and series, that may count the event. One query."""
    return _select_event_seasons(event, event.held_on).filter(closed_at=None)


def is_in_open_season(event: Event) -> bool:
    """Check whether an open season of its club, or a series, may count the event."""
    return select_open_event_seasons(event).exists()


def _select_event_seasons(event: Event, held_on: date) -> QuerySet[Season]:
    club_seasons = Season.objects.filter(is_shared=False, club=event.club_id, starts__lte=held_on, ends__gte=held_on)
    series = SharedNight.objects.filter(event=event).order_by().values("season")
    return Season.objects.filter(pk__in=club_seasons.order_by().values("pk").union(series))


def list_season_nights(season: Season) -> list[LadderNight]:
    """Return the public nights that count, by their public standings; none without a result. Seven
    queries at most; three more for a series."""
    counted_events = select_counted_events(season)
    standings_by_event = _get_standings_by_event(counted_events)
    home_ids, clubs = _map_series_clubs(season) if season.is_shared else ({}, {})
    entries_by_event: dict[int, dict[int, _PlayedEntry]] = defaultdict(dict)
    entries = Entry.objects.filter(event__in=standings_by_event, is_waiting=False)
    for event, number, team, player_1, player_2, disqualification in entries.values_list(
        "event", "number", "team", "player_1", "player_2", "disqualification"
    ):
        rules = standings_by_event[event].event.ranking_rules if disqualification else None
        if rules is not None and rules.disqualified is DisqualificationRule.LAST:
            continue
        players = tuple(PersonId(home_ids.get(person, person)) for person in (player_1, player_2) if person is not None)
        host_id = standings_by_event[event].event.club_id
        club = clubs.get(get_group_key(team)) if team else host_id if season.is_shared else None
        entries_by_event[event][number] = _PlayedEntry(players=players, club=club)
    for event, number, round_number, place, person in _iter_substitutes(standings_by_event):
        if number in entries_by_event[event]:
            entries_by_event[event][number].add_substitute(PersonId(home_ids.get(person, person)), round_number, place)
    for event, number, round_number, people in _iter_bye_players(standings_by_event):
        if number in entries_by_event[event]:
            players = tuple(PersonId(home_ids.get(person, person)) for person in people)
            entries_by_event[event][number].add_bye_players(players, round_number)
    nights = (_build_night(player_1, entries_by_event[event]) for event, player_1 in standings_by_event.items())
    return sorted((night for night in nights if night.results), key=lambda night: (night.held_on, night.event))


def get_season_people(season: Season) -> dict[PersonId, LadderPerson]:
    """Return the facts about people that standings need, of all clubs in a series, with normalized groups.
    One query."""
    clubs = Q(club=season.club_id)
    if season.is_shared:
        clubs |= Q(club__in=_select_invited_clubs(season))
    rows = Person.objects.filter(clubs).values_list("pk", "is_guest", "labels")
    return {
        PersonId(pk): LadderPerson(is_guest=is_guest, labels=frozenset(map(get_group_key, labels)))
        for pk, is_guest, labels in rows
    }


def _get_standings_by_event(events: QuerySet[Event]) -> dict[int, Standings | PublishedStandings]:
    """Return the standings of each event as last computed, or as published if final. Two queries."""
    live = Standings.objects.filter(event__in=events.filter(final=None)).select_related("event")
    final = PublishedStandings.objects.filter(event__in=events, number=F("event__final"))
    final_rows = final.select_related("event")
    return {standings.event_id: standings for standings in final_rows} | {
        standings.event_id: standings for standings in live
    }


@dataclass(slots=True, kw_only=True)
class _PlayedEntry:
    """The players of an entry, its club, and substitutes who played for it (``players_by_round``)."""

    players: Players
    club: int | None
    players_by_round: dict[int, Players] = field(default_factory=dict)

    def add_substitute(self, person: PersonId, round_number: int, place: int) -> None:
        round_players = list(self.players_by_round.get(round_number, self.players))
        round_players[place] = person
        self.players_by_round[round_number] = tuple(round_players)

    def add_bye_players(self, players: Players, round_number: int) -> None:
        if players != self.players:
            self.players_by_round[round_number] = players


def _iter_substitutes(events: Iterable[int]) -> Iterable[tuple[int, int, int, int, int]]:
    """Yield those who sat in a place of an entry that is another player's now. Values are event, entry,
    round, place in the entry, and person. One query."""
    seatings = Seating.objects.filter(round__event__in=events, entry__is_waiting=False).annotate(
        seat=F("table__match__players__seat"),
        person=F("table__match__players__person"),
        now=Case(
            When(Q(entry__player_2=None) | Q(seat__lt=2), then=F("entry__player_1")),
            default=F("entry__player_2"),
        ),
    )
    is_pair_seat = Q(entry__player_2__isnull=False, side=F("seat") % 2)
    is_single_seat = Q(entry__player_2=None, seat=F("side") + 2 * F("place"))
    others = seatings.filter(is_pair_seat | is_single_seat, ~Q(person=F("now")))
    rows = others.values_list("round__event", "entry__number", "round__number", "seat", "person", "place")
    for event, number, round_number, seat, person, place in rows:
        yield event, number, round_number, seat // 2 - place, person


def _iter_bye_players(events: Collection[int]) -> Iterable[tuple[int, int, int, list[int]]]:
    """Yield event, entry, round and people of each bye. Three queries at most."""
    byes = list_byes(events)
    players = map_players_at_close([(bye.round, bye.entry) for bye in byes])
    for bye in byes:
        people = [person.pk for person in players[bye.round_id, bye.entry_id]]
        yield bye.round.event_id, bye.entry.number, bye.round.number, people


def _map_series_clubs(season: Season) -> tuple[dict[int, int], dict[str, int]]:
    """Return two maps for a series: guests to their people at home, and normalized names to clubs. Former
    names of clubs are included, as an entry keeps its club's name. Three queries."""
    clubs = Club.objects.filter(Q(pk=season.club_id) | Q(pk__in=_select_invited_clubs(season)))
    renamings = ClubAction.objects.filter(club__in=clubs.order_by(), kind="change_club").order_by("pk")
    ids_by_former_name = {get_group_key(name): pk for pk, name in renamings.values_list("club", "details__before")}
    ids_by_name = ids_by_former_name | {
        get_group_key(name): pk for pk, name in clubs.order_by("-pk").values_list("pk", "name")
    }
    visitors = Visitor.objects.filter(person__club__in=ids_by_name.values()).order_by("-pk")
    return dict(visitors.values_list("known_as", "person")), ids_by_name


def _select_invited_clubs(season: Season) -> QuerySet[Club, int]:
    is_accepted = Q(invited_to__season=season, invited_to__answer=InvitationAnswer.ACCEPTED)
    return Club.objects.filter(is_accepted).values_list("pk", flat=True)


def compute_season_standings(season: Season) -> tuple[list[list[LadderRowJson]], list[dict[str, list[list[int]]]]]:
    """Compute the lines of each standings list as of now, and their nights. Eight queries at most; three
    more for a series."""
    nights, people = list_season_nights(season), get_season_people(season)
    ladders = [
        compute_ladder_standings(replace(ladder, label=get_group_key(ladder.label)), nights, people)
        for ladder in ladders_from_json(season.ladders)
    ]
    return [rows_to_json(rows) for rows in ladders], [scores_to_json(rows) for rows in ladders]


def find_season_changes(season: Season) -> Changes | None:
    """Return the nights that a closed season would count differently now; None without any. As many queries
    as adding it up takes."""
    if season.closed_at is None:
        return None
    _, scores = compute_season_standings(season)
    nights = find_changed_nights(season.scores, scores)
    return Changes(nights=nights) if nights else None


def get_line_scores(season: Season, place: int, players: Sequence[int]) -> tuple[Score, ...]:
    """Return the nights of one line, first to last, without reading those of others. One query."""
    path = f"scores__{place}__{build_scores_key(players)}"
    return scores_from_json(Season.objects.values_list(path, flat=True).get(pk=season.pk) or ())


def has_taken_part(standings: Standings | PublishedStandings, number: int) -> bool:
    """Check whether the entry played, had a bye or forfeited, rather than only being on the list."""
    count = standings.counted.get(build_count_key(number), {})
    return any(
        OutcomeKind(round_result.get("kind", OutcomeKind.PLAYED)) not in MISSED_KINDS
        for round_result in (*count.get("left_out", ()), *count.get("rounds", ()))
    )


def _build_night(standings: Standings | PublishedStandings, entries: dict[int, _PlayedEntry]) -> LadderNight:
    return LadderNight(
        event=standings.event_id,
        held_on=standings.event.held_on,
        results=tuple(
            _build_showing(standings, row, entries[row["entry"]])
            for row in standings.rows
            if row["entry"] in entries and has_taken_part(standings, row["entry"])
        ),
    )


def _build_showing(
    standings: Standings | PublishedStandings, row: StandingsRowJson, entry: _PlayedEntry
) -> NightResult:
    count = standings.counted[build_count_key(row["entry"])]
    figures, rounds = get_row_figures(row, count), [*count.get("left_out", ()), *count["rounds"]]
    return NightResult(
        entry=row["entry"],
        players=entry.players,
        rank=row["rank"],
        figures=figures,
        club=entry.club,
        shares=split_figures(entry.players, figures, rounds, entry.players_by_round) if entry.players_by_round else (),
    )
