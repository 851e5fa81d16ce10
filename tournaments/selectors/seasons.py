"""What a season adds up: its events, and how everybody came out of them."""

from collections import defaultdict
from collections.abc import Sequence

from django.db.models import QuerySet

from tournaments.models import Entry, Event, Season, Standings
from tournaments.ranking import Kind
from tournaments.seasons import Counts, Night, PersonId, Score, Showing, scores_key, stored_scores
from tournaments.standings import key_of

FIGURES = tuple(counts.value for counts in Counts if counts is not Counts.RANK_POINTS)


def events_of(season: Season) -> QuerySet[Event]:
    """The events of the club that were held in the season, whether they count or not, first to last."""
    held = Event.objects.filter(held_on__range=(season.starts, season.ends))
    return held.filter(club=season.club_id, is_put_away=False).order_by("held_on", "pk")


def is_in_a_season(event: Event) -> bool:
    """Whether an open season of its club may count it."""
    open_ones = Season.objects.filter(club=event.club_id, closed_at=None)
    return open_ones.filter(starts__lte=event.held_on, ends__gte=event.held_on).exists()


def nights_of(season: Season) -> list[Night]:
    """The nights that count, as their standings were last computed; none without a result. Two queries."""
    counting = events_of(season).exclude(pk__in=season.left_out)
    kept = {one.event_id: one for one in Standings.objects.filter(event__in=counting).select_related("event")}
    players: dict[int, dict[int, tuple[PersonId, ...]]] = defaultdict(dict)
    entries = Entry.objects.filter(event__in=kept, is_waiting=False)
    for event, number, one, other in entries.values_list("event", "number", "player_1", "player_2"):
        players[event][number] = tuple(PersonId(person) for person in (one, other) if person is not None)
    nights = (_night(one, players[event]) for event, one in kept.items())
    return sorted(
        (night for night in nights if night.showings), key=lambda night: (night.held_on, night.event)
    )


def scores_of(season: Season, place: int, players: Sequence[int]) -> tuple[Score, ...]:
    """The nights of one line of a ladder, first to last, without reading those of the others. One query."""
    path = f"scores__{place}__{scores_key(players)}"
    found = Season.objects.filter(pk=season.pk).values_list(path, flat=True).first()
    return stored_scores(found or ())


def _was_there(kept: Standings, number: int) -> bool:
    """Whether the entry played, sat out, or forfeited: not one who only stood on the list."""
    count = kept.counted.get(key_of(number), {})
    return any(played.get("kind") != Kind.MISSED.value for played in count.get("rounds", ()))


def _night(kept: Standings, players: dict[int, tuple[PersonId, ...]]) -> Night:
    return Night(
        event=kept.event_id,
        held_on=kept.event.held_on,
        showings=tuple(
            Showing(
                entry=row["entry"],
                players=players[row["entry"]],
                rank=row["rank"],
                figures={name: row[name] for name in FIGURES},
            )
            for row in kept.rows
            if row["entry"] in players and _was_there(kept, row["entry"])
        ),
    )
