"""The second count of the standings: by hand, and that it sees what is otherwise."""

from typing import Any

from rules import CANADIAN, MatchFormat, MatchState, fold, read_record
from simulate.counting import Count


def won_by(side: str) -> MatchState:
    """A game of two Charlemagnes that were made."""
    hand = read_record(CANADIAN, {"side": side, "contract": "charlemagne", "tricks": 8})
    state = fold(CANADIAN, MatchFormat(games_to_win=1), [(1, hand), (2, hand)])
    assert state.is_over
    return state


def counted() -> Count:
    """Four entries, two matches; a fifth one sits out."""
    count = Count(games_to_win=1)
    for entry in (1, 2, 3, 4, 5):
        count.enter(entry)
    count.add_match(won_by("A"), [[1], [2]])
    count.add_match(won_by("B"), [[3], [4]])
    count.add_bye(5)
    return count


def rows_of(count: Count) -> list[dict[str, Any]]:
    names = ("match_wins", "games_won", "difference", "points_for")
    ranks = count.ranks()
    return [
        {"entry": entry, "rank": ranks[entry], "figures": dict(zip(names, tally.figures, strict=True))}
        for entry, tally in count.tallies.items()
    ]


def test_who_is_equal_in_all_has_the_same_rank() -> None:
    assert counted().ranks() == {1: 1, 4: 1, 5: 3, 2: 4, 3: 4}


def test_a_bye_is_a_match_won_without_points() -> None:
    assert counted().tallies[5].figures == (1, 1, 0, 0)


def test_rows_that_are_the_same_differ_in_nothing() -> None:
    assert counted().differences(rows_of(counted())) == []


def test_another_rank_another_figure_and_a_missing_entry_are_told() -> None:
    rows = rows_of(counted())
    rows[0]["rank"] = 2
    rows[1]["figures"]["points_for"] = 5
    assert len(counted().differences(rows)) == 2
    assert counted().differences(rows_of(counted())[1:]) == ["entry 1 is in one of both only"]
