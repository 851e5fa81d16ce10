"""The hand that turned a match, counted again from the hands alone: by adding up, and by ending it early."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.turning_hands import Turn, turning_hand
from rules import (
    CANADIAN,
    MAINE,
    DecidedBy,
    MatchFormat,
    Misdeal,
    PlayedHand,
    Record,
    Side,
    TimeCalled,
    fold,
    hand_points,
)
from tests.rules.sheets import ONE_GAME, TWO_GAMES, A, B, failed, law, made, match_of, standing_at
from tests.rules.test_match_laws import Sheet, sheets


def turned(*records: Record, match_format: MatchFormat = ONE_GAME) -> Turn | None:
    return turning_hand(match_of(CANADIAN, *records, match_format=match_format))


class TestTheHand:
    def test_is_the_one_with_which_the_winner_went_ahead_for_good(self) -> None:
        found = turned(made(A, "7"), made(B, "gros_mulot"), made(A, "mulot"), made(A, "charlemagne"))
        assert found is not None
        assert (found.winner, found.number, found.hand) == (A, 4, made(A, "charlemagne"))
        assert (found.game, found.points) == (1, (38, 30))

    def test_may_be_one_that_the_others_failed(self) -> None:
        found = turned(made(B, "5"), failed(B, "gros_mulot"), made(A, "gros_mulot"))
        assert found is not None
        assert (found.number, found.hand.side, found.winner, found.points) == (2, B, A, (15, 5))

    def test_is_not_the_one_that_was_lost_again(self) -> None:
        found = turned(made(A, "7"), made(B, "8"), made(A, "gros_charlemagne"))
        assert found is not None
        assert found.number == 3

    def test_is_not_one_that_made_it_level(self) -> None:
        found = turned(made(B, "7"), made(A, "7"), Misdeal(), made(A, "5"), made(A, "gros_mulot"))
        assert found is not None
        assert found.number == 4

    def test_has_no_points_where_it_won_the_game_whatever_they_were(self) -> None:
        found = turning_hand(match_of(MAINE, made(B, "7"), failed(B, "charlemagne")))
        assert found is not None
        assert (found.number, found.winner, found.points) == (2, A, None)

    def test_is_a_contract_that_won_the_game_at_once_whoever_led_before(self) -> None:
        ahead = turning_hand(match_of(MAINE, made(A, "7"), made(A, "charlemagne")))
        assert ahead is not None
        assert (ahead.number, ahead.winner, ahead.points) == (2, A, None)
        since = turning_hand(match_of(MAINE, made(B, "5"), made(A, "7"), made(A, "charlemagne")))
        assert since is not None
        assert since.number == 3, "not the hand that took the lead before it"

    def test_of_several_games_is_in_the_one_that_decided(self) -> None:
        """Points of games that are over lead nobody, however many they are."""
        big = "gros_charlemagne"
        found = turned(
            *(made(A, big), made(B, "gros_mulot"), made(B, "7"), made(B, "5"), made(A, "6"), made(B, "8")),
            match_format=TWO_GAMES,
        )
        assert found is None, "it goes on"
        found = turned(
            *(made(A, big), made(B, big), made(A, "7"), made(B, "8"), made(B, big)), match_format=TWO_GAMES
        )
        assert found is not None
        assert (found.number, found.game, found.points, found.winner) == (4, 3, (8, 7), B)

    def test_by_the_clock_counts_every_point(self) -> None:
        clock = MatchFormat(minutes=50, decided_by=DecidedBy.POINTS)
        found = turned(
            *(made(B, "5"), made(A, "gros_charlemagne"), made(B, "6"), TimeCalled()), match_format=clock
        )
        assert found is not None
        assert (found.number, found.winner) == (2, A)


class TestThereIsNone:
    @pytest.mark.parametrize(
        "records",
        [
            (),
            (made(A, "7"),),
            (made(B, "7"), standing_at(20, 7), made(A, "mulot")),
            (made(B, "7"), replace(made(A, "gros_charlemagne"), awarded=True)),
            (Misdeal(), made(A, "7"), made(B, "5"), made(A, "gros_charlemagne")),
            (made(A, "7"), made(B, "7"), made(A, "gros_charlemagne")),
        ],
        ids=["nothing marked", "it goes on", "totals from a sheet", "awarded", "led all along", "only level"],
    )
    def test_in(self, records: tuple[Record, ...]) -> None:
        assert turned(*records) is None

    def test_in_a_match_that_nobody_won(self) -> None:
        by_hands = MatchFormat(hands=2)
        assert turned(made(A, "7"), made(B, "7"), match_format=by_hands) is None


@law
@given(sheet=sheets())
def test_whoever_leads_at_the_end_led_after_every_hand_from_it_on_and_not_before(sheet: Sheet) -> None:
    """Each match is played again up to each of its hands, and ended there."""
    match = sheet.match()
    found = turning_hand(match)
    stops = replace(sheet.match_format, hands=sheet.match_format.hands or 10**6)
    if found is None or found.points is None or not sheet.match_format.may_stop_in_a_game:
        return

    def ahead(until: int) -> Side | None:
        early = fold(sheet.ruleset, stops, [*sheet.places[:until], (until + 1, TimeCalled())])
        return early.winner

    assert found.winner is match.winner
    counted = [line.number for line in match.lines if not line.is_surplus]
    assert all(ahead(number) is found.winner for number in counted if number >= found.number)
    assert ahead(found.number - 1) is not found.winner
    assert sheet.records[found.number - 1] == found.hand
    assert any(ahead(number) is found.winner.other for number in range(found.number))


hands = st.lists(
    st.builds(
        PlayedHand,
        side=st.sampled_from(Side),
        contract=st.sampled_from(CANADIAN.played_keys),
        made=st.booleans(),
    ),
    min_size=1,
    max_size=30,
)


@law
@given(records=hands)
def test_in_one_game_it_is_found_by_adding_up(records: list[PlayedHand]) -> None:
    """Backwards from the hand that won: the last one before which the winner was not ahead."""
    totals, running = [], [0, 0]
    for record in records:
        running = [sum(pair) for pair in zip(running, hand_points(CANADIAN, record), strict=True)]
        totals.append(tuple(running))
        if max(running) >= 32:
            break
    found = turning_hand(match_of(CANADIAN, *records))
    if max(running) < 32:
        assert found is None
        return
    winner = A if running[0] > running[1] else B
    margins = [0, *(mine[winner] - mine[winner.other] for mine in totals)]
    last_behind = max(place for place, margin in enumerate(margins) if margin <= 0)
    assert (found is not None) == any(margin < 0 for margin in margins)
    if found is not None:
        assert (found.winner, found.number) == (winner, last_behind + 1)
        assert found.points == (totals[last_behind][winner], totals[last_behind][winner.other])


@law
@given(records=hands, games=st.integers(2, 3))
def test_in_several_games_it_is_found_by_adding_up_game_by_game(
    records: list[PlayedHand], games: int
) -> None:
    """Games won, then points of the game: neither side may be behind after it, and one was before."""
    won, running, standing = [0, 0], [0, 0], [[0, 0, 0, 0]]
    for record in records * 6:
        running = [sum(pair) for pair in zip(running, hand_points(CANADIAN, record), strict=True)]
        if max(running) >= 32:
            won[running.index(max(running))] += 1
            running = [0, 0]
        standing.append([*won, *running])
        if max(won) == games:
            break
    places = (records * 6)[: len(standing) - 1]
    found = turning_hand(match_of(CANADIAN, *places, match_format=MatchFormat(games_to_win=games)))
    if max(won) < games:
        assert found is None
        return
    winner = won.index(games)
    margins = [(each[winner] - each[1 - winner], each[2 + winner] - each[3 - winner]) for each in standing]
    last_behind = max(place for place, margin in enumerate(margins) if margin <= (0, 0))
    assert (found is not None) == any(margin < (0, 0) for margin in margins)
    assert found is None or (found.winner, found.number) == (winner, last_behind + 1)
