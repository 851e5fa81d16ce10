"""What is told of an event: nothing but what everybody may see of it now, by public names."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from zoneinfo import ZoneInfo

from clubs.calendar import held_nights, recurring_nights_of, today_in
from clubs.models import Person
from engine.charts import PartKind, RoundKind, SlotState
from engine.charts.storing import stored_chart
from engine.visibility import Ranks, Results
from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import named_in
from tournaments.interclub.presenters import club_standings
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event
from tournaments.rounds.queries.rounds import rounds_of
from tournaments.sharing.press import (
    PLACES,
    Charlemagne,
    Final,
    HighScore,
    NextNight,
    People,
    Podium,
    PressReport,
    high_score,
    podium,
)
from tournaments.sharing.queries import PlayedMatch, charlemagnes_in, entries_seated, played_matches
from tournaments.standings.presenters import StandingsRow, StandingsSnapshot, kept_publicly, standings_view

from .link_previews import WITH_A_FIGURE

AHEAD = timedelta(weeks=9)
"""So far ahead the next night is looked for."""


def told_of(event: Event) -> PressReport:
    """In the reader's language; of an event that is not public, its name and day only. A dozen queries at
    most."""
    seen = event.visible
    if not seen.is_public:
        return PressReport(club=event.club.name, event=event.name, day=event.held_on)
    kept = kept_publicly(event, charts=True)
    knows_who = seen.entries or seen.draw or not kept.is_kept_back
    seated = list(entries_seated(event).select_related("player_1", "player_2")) if knows_who else []
    shown = [one for one in played_matches(event) if seen.results_in(one.round) is not Results.NOTHING]
    return PressReport(
        club=event.club.name,
        event=event.name,
        day=event.held_on,
        place=event.place,
        people=sum(len(entry.players) for entry in seated),
        pairs=len(seated) if event.entry_size == 2 else 0,
        is_over=kept.ranks is Ranks.FINAL or (event.state == EventState.ENDED and kept.ranks is Ranks.LIVE),
        podiums=_podiums(event, kept),
        final=_final(event, kept),
        clubs=_first_clubs(event, kept),
        high=_high(event, shown),
        charlemagnes=_charlemagnes(event, shown) if seen.results is Results.HANDS else (),
        next=_next_night(event),
    )


def _podiums(event: Event, kept: StandingsSnapshot) -> tuple[Podium, ...]:
    """Of each section, or of all where there are none; nothing before a result was counted. Two queries."""
    rounds = list(rounds_of(event))
    entries = entries_of(event)
    if not rounds or not kept.rows:
        return ()
    people = {entry.number: _people(event, entry) for entry in entries}
    whole = standings_view(event, kept, entries, rounds)
    if not whole.after_round:
        return ()
    metric = whole.rules.order[0]
    sections = whole.sections or ("",)
    found = (
        podium(section, metric if metric in WITH_A_FIGURE else "", _ranked(view.rows, people, metric))
        for section in sections
        for view in [standings_view(event, kept, entries, rounds, section=section)]
    )
    return tuple(one for one in found if one.placed)


def _final(event: Event, kept: StandingsSnapshot) -> Final | None:
    """That of the last stage, once it is won at a table; None where there is none. One query, or none."""
    charts = [stored_chart(chart).bracket for chart in kept.charts if chart.get("bracket")]
    slots = [
        slot
        for part in (charts[-1].parts if charts and charts[-1] else ())
        if part.kind in (PartKind.KNOCKOUT, PartKind.FINAL)
        for column in part.rounds
        for slot in column.slots
        if column.kind in (RoundKind.FINAL, RoundKind.SECOND_FINAL) and slot.state is SlotState.PLAYED
    ]
    if not slots:
        return None
    winner, loser = sorted(slots[-1].sides, key=lambda side: not side.has_won)
    entries = {entry.pk: entry for entry in entries_of(event)}
    if winner.score is None or loser.score is None or not {winner.entry, loser.entry} <= entries.keys():
        return None
    people = [_people(event, entries[side.entry]) for side in (winner, loser) if side.entry is not None]
    return Final(winner=people[0], loser=people[1], score=(winner.score, loser.score))


def _first_clubs(event: Event, kept: StandingsSnapshot) -> tuple[str, ...]:
    """Where clubs meet as such, and somebody has played. One query, or none."""
    if not event.is_interclub or not kept.rows:
        return ()
    lines = club_standings(event, kept, entries_of(event))
    return tuple(line.name for line in lines if line.rank == 1 and line.score and line.score.points)


def _ranked(
    rows: Sequence[StandingsRow], people: dict[int, People], metric: str
) -> Iterable[tuple[int, People, int | None]]:
    for row in rows:
        if row.rank > PLACES:
            return
        yield row.rank, people[row.entry], dict(row.figures).get(metric) if metric in WITH_A_FIGURE else None


def _people(event: Event, entry: Entry) -> People:
    named = named_in(event)
    return tuple(named(person) for person in entry.players)


def _told(event: Event, people: Sequence[Person]) -> People | None:
    """Who did it; None where somebody among them wants to be in no records."""
    named = named_in(event)
    return tuple(map(named, people)) if all(one.is_rated and not one.is_hidden for one in people) else None


def _high(event: Event, played: Iterable[PlayedMatch]) -> HighScore | None:
    scores = [
        (points, _told(event, side))
        for one in played
        for points, side in zip(one.points, one.sides, strict=True)
    ]
    best = max((points for points, _ in scores), default=0)
    return high_score((points, who) for points, who in scores if who is not None and points == best)


def _charlemagnes(event: Event, played: list[PlayedMatch]) -> tuple[Charlemagne, ...]:
    zone = ZoneInfo(event.club.time_zone)
    return tuple(
        Charlemagne(
            contract=made.contract,
            who=who,
            round=made.round,
            at=None if made.at is None else made.at.astimezone(zone).time().replace(second=0, microsecond=0),
        )
        for made in charlemagnes_in(played)
        if (who := _told(event, made.people)) is not None
    )


def _next_night(event: Event) -> NextNight | None:
    """The next night of the calendar that is held, from today on and after the event. Two queries."""
    first = max(today_in(event.club), event.held_on + timedelta(days=1))
    for held in held_nights(recurring_nights_of(event.club), first, first + AHEAD):
        if held.held_on is not None and held.held_on >= first:
            night = held.night
            return NextNight(name=night.name, day=held.held_on, at=night.starts_at, place=night.place)
    return None
