"""Public page of a table, with every hand played there."""

from dataclasses import dataclass

from engine.chances import Swing, compute_swings, find_turning_hand
from engine.visibility import Results
from scoring import queries as matches
from scoring.fold import fold_match, load_log
from tournaments.models import Event, Round
from tournaments.public.presenters.games import GameHands, list_games
from tournaments.rounds.chances import get_own_counts
from tournaments.rounds.presenters.rounds import RoundView, TableView, build_round_view
from tournaments.rounds.queries.rounds import list_table_numbers

from .people import filter_people_with_pages


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePage:
    """A table of a published round, and the numbers of the tables ``before`` and ``after`` it. ``swings`` are
    the hands with the chances that they changed, and ``turning`` is the decisive one. ``people_with_pages`` are
    the ids of its people with a page of their own."""

    round: RoundView
    table: TableView
    games: tuple[GameHands, ...]
    swings: tuple[Swing, ...]
    turning: Swing | None
    before: int | None
    after: int | None
    people_with_pages: frozenset[int]


def build_table_page(event: Event, round_row: Round, number: int) -> TablePage | None:
    """Build the public page of a table; None if it does not exist or is hidden. Twelve queries at most."""
    numbers = list_table_numbers(round_row) if event.visible.draw else []
    if number not in numbers:
        return None
    place = numbers.index(number)
    view = build_round_view(round_row, is_public=True, tables=[number])
    (table,) = view.tables
    match = None
    if view.visible_results is Results.HANDS and table.match is not None:
        match = matches.find_match(table.match)
    counts = not table.ruling and not table.is_contested
    state = None if match is None or not counts else fold_match(match, load_log(match).places)
    hands = None if state is None else get_own_counts(event, state.ruleset)
    return TablePage(
        round=view,
        table=table,
        games=list_games(match),
        swings=() if state is None else compute_swings(state, hands),
        turning=None if state is None else find_turning_hand(state, hands),
        before=numbers[place - 1] if place else None,
        after=numbers[place + 1] if place + 1 < len(numbers) else None,
        people_with_pages=filter_people_with_pages(
            event, [person.pk for side in table.sides for person in side.people]
        ),
    )
