"""What a change would do, before it is done: it is done, looked at, and taken back."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from scoring.models import Match, Player
from tournaments import selectors
from tournaments.counting import counted_field, played_of
from tournaments.draws.lineups import Difference
from tournaments.lifecycle import OPEN
from tournaments.models import Action, Event
from tournaments.ranking import rank_field

from .locking import locked_event
from .standings import contradictions_now


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """An entry, by number, whose rank would be another one; None: it is not ranked, or would not be."""

    entry: int
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """What would be otherwise. ``deeds`` are kind and details of what would stand in the history; ``lineups``
    the tables and byes that change, by round; ``playing_next`` how many entries the next draw has, before and
    after; ``later_rounds`` those already published after the first round that changes: they stay as they
    are. ``set_aside`` matches have marks, and would be taken from
    their tables until the same entries are published there again. ``reseated`` are round and table of matches
    that go on, and who joins them. ``contradicted`` are round and table of the
    published bracket where somebody would sit whom the results do not bring there; without a table, a bye."""

    deeds: tuple[tuple[str, Mapping[str, Any]], ...]
    ranks: tuple[Moved, ...]
    lineups: dict[int, Difference]
    playing_next: tuple[int, int]
    later_rounds: tuple[int, ...]
    set_aside: int
    reseated: tuple[tuple[int, int, tuple[str, ...]], ...]
    contradicted: tuple[tuple[int, int | None], ...]

    @property
    def is_odd_next(self) -> bool:
        """Whether somebody would sit out the next round, who would not otherwise."""
        before, after = self.playing_next
        return before != after and bool(after % 2)


class _TakenBack(Exception):  # noqa: N818 - no error: the way out of a transaction
    pass


def effects_of(event_id: int, deed: Callable[[], object]) -> Effects:
    """The effects of a service called with its arguments. Nothing stays of it. Refuses: what it refuses."""
    with transaction.atomic():
        event = locked_event(event_id)
        before = _Seen(event)
        last = event.actions.values_list("pk", flat=True).first() or 0
        try:
            with transaction.atomic():
                deed()
                after = _Seen(locked_event(event_id))
                done = list(event.actions.filter(pk__gt=last).order_by("pk"))
                raise _TakenBack
        except _TakenBack:
            pass
    lineups = {
        int(number): each for action in done for number, each in action.changes.get("lineups", {}).items()
    }
    touched = [*lineups, *(round_ for action in done for round_ in _rounds_decided(action))]
    return Effects(
        deeds=tuple((action.kind, action.details) for action in done),
        ranks=tuple(
            Moved(entry=entry, before=before.ranks.get(entry), after=after.ranks.get(entry))
            for entry in dict.fromkeys((*after.ranks, *before.ranks))
            if before.ranks.get(entry) != after.ranks.get(entry)
        ),
        lineups=lineups,
        playing_next=(before.playing_next, after.playing_next),
        set_aside=max(0, after.set_aside - before.set_aside),
        reseated=tuple(
            (*place, tuple(name for pk, name in players.items() if pk not in before.players[place]))
            for place, players in after.players.items()
            if place in before.players and players.keys() != before.players[place].keys()
            if str(place[1]) not in lineups.get(place[0], {}).get("tables", {})
        ),
        later_rounds=tuple(number for number in before.published if touched and number > min(touched)),
        contradicted=tuple(
            (found.round, found.table) for found in after.contradictions if found not in before.contradictions
        ),
    )


def _rounds_decided(action: Action) -> list[int]:
    """The rounds of which a result became another one."""
    ruled = [ruling[0] for ruling in action.changes.get("rulings", ())]
    return [*ruled, action.details["round"]] if action.kind == "correct_result" else ruled


class _Seen:
    """What an event looks like at this moment."""

    def __init__(self, event: Event) -> None:
        known = selectors.known_of(event)
        field = counted_field(known)
        self.ranks = {field.numbers[row.entry]: row.rank for row in rank_field(field)}
        draw = played_of(known)
        self.playing_next = sum(entrant.is_present(draw.round) for entrant in draw.entrants)
        self.set_aside = Match.objects.filter(terms=event.terms_id, withdrawn_at__isnull=False).count()
        self.players = _players(event)
        self.contradictions = contradictions_now(event)
        self.published = sorted({table.round for table in draw.history})


def _players(event: Event) -> dict[tuple[int, int], dict[int, str]]:
    """Who sits at the tables of open rounds where nothing is ruled, by round and table: names by person."""
    found: dict[tuple[int, int], dict[int, str]] = defaultdict(dict)
    seats = Player.objects.filter(
        match__table__round__event=event,
        match__table__round__state__in=OPEN,
        match__table__ruling__isnull=True,
    )
    for drawn, table, pk, name in seats.order_by("match__table__number", "seat").values_list(
        "match__table__round__number", "match__table__number", "person", "person__name"
    ):
        found[drawn, table][pk] = name
    return dict(found)
