"""Public page of a table, with every hand played there."""

from dataclasses import dataclass

from engine.chances import Swing, swings_of, turning_hand
from engine.visibility import Results
from scoring import queries as matches
from scoring.fold import fold_match, log_of
from tournaments.models import Event, Round
from tournaments.rounds.presenters.rounds import RoundView, TableView, round_view
from tournaments.rounds.presenters.tables import GameHands, games_of
from tournaments.rounds.queries.rounds import table_numbers

from .people import person_pages


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePage:
    """A table of a published round, and the numbers of the tables ``before`` and ``after`` it. ``swings`` are
    the hands with the chances that they changed, and ``turning`` the one that decided. ``has_page`` has the
    ids of its people with a page of their own."""

    round: RoundView
    table: TableView
    games: tuple[GameHands, ...]
    swings: tuple[Swing, ...]
    turning: Swing | None
    before: int | None
    after: int | None
    has_page: frozenset[int]


def table_page(event: Event, drawn: Round, number: int) -> TablePage | None:
    """Build the public page of a table; None if it does not exist or is hidden. Twelve queries at most."""
    numbers = table_numbers(drawn) if event.visible.draw else []
    if number not in numbers:
        return None
    place = numbers.index(number)
    view = round_view(drawn, is_public=True, tables=[number])
    (table,) = view.tables
    match = None
    if view.results_seen is Results.HANDS and table.match is not None:
        match = matches.match_with_hands(table.match)
    counts = not table.ruling and not table.is_contested
    state = None if match is None or not counts else fold_match(match, log_of(match).places)
    return TablePage(
        round=view,
        table=table,
        games=games_of(match),
        swings=() if state is None else swings_of(state),
        turning=None if state is None else turning_hand(state),
        before=numbers[place - 1] if place else None,
        after=numbers[place + 1] if place + 1 < len(numbers) else None,
        has_page=person_pages(event, [person.pk for side in table.sides for person in side.people]),
    )
