"""Queries for season standings: the events of a season and their results."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from django.db.models import Case, F, Q, QuerySet, When

from clubs.models import Club, ClubAction, Person
from engine.changes import Changes, changed_nights
from engine.ladders import (
    LadderNight,
    LadderPerson,
    PersonId,
    PlainLadderRow,
    Players,
    Score,
    Showing,
    events_in_scores,
    figures_of_row,
    ladder_standings,
    ladders_from_json,
    rows_to_json,
    scores_from_json,
    scores_key,
    scores_to_json,
    shares_of,
)
from engine.ranking import MISSED, Disqualified, OutcomeKind
from engine.standings import PlainRow, count_key
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
from web.names import group_key


def events_of_season(season: Season) -> QuerySet[Event]:
    """Return the club's events during the season, whether or not they count, first to last. Of a series, the
    events assigned to it, of all clubs that take part."""
    if season.is_shared:
        held = Event.objects.filter(shared_night__season=season).filter(
            Q(club=season.club_id) | Q(club__in=_invited_to(season))
        )
    else:
        held = Event.objects.filter(club=season.club_id, held_on__range=(season.starts, season.ends))
    return held.filter(is_put_away=False).order_by("held_on", "pk")


def begun_events_of(season: Season) -> QuerySet[Event]:
    """Return the events of a season that have begun, which can count or be left out."""
    return events_of_season(season).exclude(state=EventState.PREPARING)


def seasons_with(club_id: int) -> QuerySet[Season]:
    """Return the seasons of a club, and the series of others in which it takes part. One query."""
    accepted = Q(is_shared=True, invited_clubs__club=club_id, invited_clubs__answer=InvitationAnswer.ACCEPTED)
    shared = Season.objects.filter(accepted).order_by().values("pk")
    own = Season.objects.filter(club=club_id).order_by().values("pk")
    return Season.objects.filter(pk__in=own.union(shared)).order_by("pk")


def closed_season_with(event: Event) -> Season | None:
    """Return a closed season or series whose standings include the event. One query."""
    closed = _with(event).exclude(closed_at=None).defer("rows")
    return next((season for season in closed if event.pk in events_in_scores(season.scores)), None)


def open_seasons_with(event: Event) -> QuerySet[Season]:
    """Return the open seasons of its club, and series, that may count the event. One query."""
    return _with(event).filter(closed_at=None)


def is_in_a_season(event: Event) -> bool:
    """Check whether an open season of its club, or a series, may count the event."""
    return open_seasons_with(event).exists()


def _with(event: Event) -> QuerySet[Season]:
    of_club = Season.objects.filter(
        is_shared=False, club=event.club_id, starts__lte=event.held_on, ends__gte=event.held_on
    )
    series = SharedNight.objects.filter(event=event).order_by().values("season")
    return Season.objects.filter(pk__in=of_club.order_by().values("pk").union(series))


def nights_of(season: Season) -> list[LadderNight]:
    """Return the public nights that count, by their public standings; none without a result. Four queries;
    three more for a series."""
    counting = events_of_season(season).filter(counts_publicly()).exclude(pk__in=season.left_out)
    kept = _standings_by_event(counting)
    at_home, clubs = _several_clubs(season) if season.is_shared else ({}, {})
    played: dict[int, dict[int, _Played]] = defaultdict(dict)
    entries = Entry.objects.filter(event__in=kept, is_waiting=False)
    for event, number, team, one, other, disqualification in entries.values_list(
        "event", "number", "team", "player_1", "player_2", "disqualification"
    ):
        rules = kept[event].event.ranking_rules if disqualification else None
        if rules is not None and rules.disqualified is Disqualified.LAST:
            continue
        players = tuple(
            PersonId(at_home.get(person, person)) for person in (one, other) if person is not None
        )
        held_by = kept[event].event.club_id
        club = clubs.get(group_key(team)) if team else held_by if season.is_shared else None
        played[event][number] = _Played(players=players, club=club)
    for event, number, round_number, place, person in _others_who_sat(kept):
        if number in played[event]:
            played[event][number].seat(PersonId(at_home.get(person, person)), round_number, place)
    nights = (_night(one, played[event]) for event, one in kept.items())
    return sorted(
        (night for night in nights if night.showings), key=lambda night: (night.held_on, night.event)
    )


def people_of_season(season: Season) -> dict[PersonId, LadderPerson]:
    """Return the facts about people that standings need, of all clubs in a series, with normalized groups.
    One query."""
    clubs = Q(club=season.club_id)
    if season.is_shared:
        clubs |= Q(club__in=_invited_to(season))
    found = Person.objects.filter(clubs).values_list("pk", "is_guest", "labels")
    return {
        PersonId(pk): LadderPerson(is_guest=is_guest, labels=frozenset(map(group_key, labels)))
        for pk, is_guest, labels in found
    }


def _standings_by_event(events: QuerySet[Event]) -> dict[int, Standings | PublishedStandings]:
    """Return the standings of each event as last computed, or as published if final. Two queries."""
    live = Standings.objects.filter(event__in=events.filter(final=None)).select_related("event")
    final = PublishedStandings.objects.filter(event__in=events, number=F("event__final"))
    shown = final.select_related("event")
    return {one.event_id: one for one in shown} | {one.event_id: one for one in live}


@dataclass(slots=True, kw_only=True)
class _Played:
    """The players of an entry, its club, and other people who ``sat`` for it, by round."""

    players: Players
    club: int | None
    sat: dict[int, Players] = field(default_factory=dict)

    def seat(self, person: PersonId, round_number: int, place: int) -> None:
        seated = list(self.sat.get(round_number, self.players))
        seated[place] = person
        self.sat[round_number] = tuple(seated)


def _others_who_sat(events: Iterable[int]) -> Iterable[tuple[int, int, int, int, int]]:
    """Yield those who sat in a place of an entry that is another player's now. Values are event, entry,
    round, place in the entry, and person. One query."""
    seated = Seating.objects.filter(round__event__in=events, entry__is_waiting=False).annotate(
        seat=F("table__match__players__seat"),
        person=F("table__match__players__person"),
        now=Case(
            When(Q(entry__player_2=None) | Q(seat__lt=2), then=F("entry__player_1")),
            default=F("entry__player_2"),
        ),
    )
    of_pairs = Q(entry__player_2__isnull=False, side=F("seat") % 2)
    of_persons = Q(entry__player_2=None, seat=F("side") + 2 * F("place"))
    others = seated.filter(of_pairs | of_persons, ~Q(person=F("now")))
    rows = others.values_list("round__event", "entry__number", "round__number", "seat", "person", "place")
    for event, number, round_number, seat, person, place in rows:
        yield event, number, round_number, seat // 2 - place, person


def _several_clubs(season: Season) -> tuple[dict[int, int], dict[str, int]]:
    """Return two maps for a series: guests to their people at home, and normalized names to clubs. Former
    names of clubs are included, as an entry keeps its club's name. Three queries."""
    clubs = Club.objects.filter(Q(pk=season.club_id) | Q(pk__in=_invited_to(season)))
    renamed = ClubAction.objects.filter(club__in=clubs.order_by(), kind="change_club").order_by("pk")
    former = {group_key(name): pk for pk, name in renamed.values_list("club", "details__before")}
    by_name = former | {group_key(name): pk for pk, name in clubs.order_by("-pk").values_list("pk", "name")}
    visitors = Visitor.objects.filter(person__club__in=by_name.values()).order_by("-pk")
    return dict(visitors.values_list("known_as", "person")), by_name


def _invited_to(season: Season) -> QuerySet[Club, int]:
    accepted = Q(invited_to__season=season, invited_to__answer=InvitationAnswer.ACCEPTED)
    return Club.objects.filter(accepted).values_list("pk", flat=True)


def season_standings(season: Season) -> tuple[list[list[PlainLadderRow]], list[dict[str, list[list[int]]]]]:
    """Compute the lines of each standings list as of now, and their nights. Five queries; three more for a
    series."""
    nights, people = nights_of(season), people_of_season(season)
    ladders = [
        ladder_standings(replace(ladder, label=group_key(ladder.label)), nights, people)
        for ladder in ladders_from_json(season.ladders)
    ]
    return [rows_to_json(rows) for rows in ladders], [scores_to_json(rows) for rows in ladders]


def changes_of_season(season: Season) -> Changes | None:
    """Return the nights that a closed season would count differently now; None without any. As many queries
    as adding it up takes."""
    if season.closed_at is None:
        return None
    _, scores = season_standings(season)
    nights = changed_nights(season.scores, scores)
    return Changes(nights=nights) if nights else None


def scores_of_line(season: Season, place: int, players: Sequence[int]) -> tuple[Score, ...]:
    """Return the nights of one line, first to last, without reading those of others. One query."""
    path = f"scores__{place}__{scores_key(players)}"
    return scores_from_json(Season.objects.values_list(path, flat=True).get(pk=season.pk) or ())


def was_there(kept: Standings | PublishedStandings, number: int) -> bool:
    """Check whether the entry played, had a bye or forfeited, rather than only being on the list."""
    count = kept.counted.get(count_key(number), {})
    return any(
        OutcomeKind(played.get("kind", OutcomeKind.PLAYED)) not in MISSED
        for played in count.get("rounds", ())
    )


def _night(kept: Standings | PublishedStandings, played: dict[int, _Played]) -> LadderNight:
    return LadderNight(
        event=kept.event_id,
        held_on=kept.event.held_on,
        showings=tuple(
            _showing(kept, row, played[row["entry"]])
            for row in kept.rows
            if row["entry"] in played and was_there(kept, row["entry"])
        ),
    )


def _showing(kept: Standings | PublishedStandings, row: PlainRow, played: _Played) -> Showing:
    rounds = kept.counted[count_key(row["entry"])]["rounds"]
    figures = figures_of_row(row, rounds)
    return Showing(
        entry=row["entry"],
        players=played.players,
        rank=row["rank"],
        figures=figures,
        club=played.club,
        shares=shares_of(played.players, figures, rounds, played.sat) if played.sat else (),
    )
