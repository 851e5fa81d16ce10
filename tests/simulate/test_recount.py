"""The independent recount of the standings, compared by hand, and the differences that it reports."""

from typing import Any

from rules import CANADIAN, MatchFormat, MatchState, fold, read_record
from simulate.expected_standings import ExpectedStandings


def build_won_game(side: str) -> MatchState:
    """Build a game that ``side`` wins with two Charlemagnes."""
    hand = read_record(CANADIAN, {"side": side, "contract": "charlemagne", "tricks": 8})
    state = fold(CANADIAN, MatchFormat(games_to_win=1), [(1, hand), (2, hand)])
    assert state.is_over
    return state


def build_count() -> ExpectedStandings:
    """Count two matches of four entries, and the bye of a fifth."""
    count = ExpectedStandings(games_to_win=1)
    for entry in (1, 2, 3, 4, 5):
        count.enter(entry)
    count.add_match(build_won_game("A"), [[1], [2]])
    count.add_match(build_won_game("B"), [[3], [4]])
    count.add_bye(5)
    return count


def list_rows(count: ExpectedStandings) -> list[dict[str, Any]]:
    names = ("match_wins", "games_won", "difference", "points_for")
    ranks = count.compute_ranks()
    return [
        {"entry": entry, "rank": ranks[entry], "figures": dict(zip(names, tally.figures, strict=True))}
        for entry, tally in count.tallies.items()
    ]


def test_entries_equal_in_everything_share_a_rank() -> None:
    assert build_count().compute_ranks() == {1: 1, 4: 1, 5: 3, 2: 4, 3: 4}


def test_bye_is_a_match_win_without_points() -> None:
    assert build_count().tallies[5].figures == (1, 1, 0, 0)


def test_identical_rows_have_no_differences() -> None:
    assert build_count().find_differences(list_rows(build_count())) == []


def test_changed_rank_figure_and_missing_entry_are_reported() -> None:
    rows = list_rows(build_count())
    rows[0]["rank"] = 2
    rows[1]["figures"]["points_for"] = 5
    assert len(build_count().find_differences(rows)) == 2
    assert build_count().find_differences(list_rows(build_count())[1:]) == ["entry 1 is in one of both only"]
