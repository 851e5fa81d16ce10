"""Records of a person and of a club."""

from __future__ import annotations

import datetime
import doctest
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import records as face
from engine.records import (
    MAX_COMPANY,
    MIN_PAIR_MATCHES,
    Balance,
    Bids,
    Company,
    ContractCount,
    Feat,
    Holder,
    PersonId,
    Players,
    RecordedMatch,
    Streak,
    bids_from_json,
    bids_to_json,
    club_record_from_json,
    club_record_to_json,
    compute_club_record,
    compute_records,
    compute_yearly_records,
    count_bids,
    person_record_from_json,
    person_record_to_json,
)
from rules import CANADIAN, MatchFormat, PassedOutHand, PlayedHand, Record, Seat, Side, fold

JEAN, LISE, MARC, RITA = PEOPLE = tuple(map(PersonId, (1, 2, 3, 4)))
TUESDAY = datetime.date(2026, 9, 8)


def build_match(a: Players, b: Players, winner: Side | None = Side.A, *, event: int = 1, **more: Any) -> RecordedMatch:
    """Build a match of the year 2025 + ``event``."""
    return RecordedMatch(event=event, held_on=TUESDAY.replace(year=2025 + event), sides=(a, b), winner=winner, **more)


def hand(side: Side, contract: str, *, made: bool = True, **more: Any) -> PlayedHand:
    return PlayedHand(side=side, contract=contract, made=made, **more)


def counted(*hands: Record, **length: Any) -> tuple[Bids, ...]:
    places = enumerate(hands, start=1)
    return count_bids(fold(CANADIAN, MatchFormat(**(length or {"hands": 20})), places))


@st.composite
def evenings(draw: st.DrawFn) -> list[RecordedMatch]:
    found = []
    for event in range(1, draw(st.integers(1, 3)) + 1):
        for _ in range(draw(st.integers(0, 5))):
            a, b, c, d = draw(st.permutations([*PEOPLE, PersonId(5), PersonId(6)]))[:4]
            points = draw(st.tuples(st.integers(0, 60), st.integers(0, 60)))
            winner = draw(st.sampled_from([Side.A, Side.B, None]))
            bids = draw(
                st.lists(
                    st.builds(
                        Bids,
                        st.sampled_from(Side),
                        st.none(),
                        st.sampled_from(["6", "charlemagne"]),
                        st.just(3),
                        st.integers(0, 3),
                        st.just(0),
                        st.just(0),
                    ),
                    max_size=2,
                )
            )
            found.append(build_match((a, b), (c, d), winner, event=event, points=points, bids=tuple(bids)))
    return found


def test_package_doctest_examples_pass() -> None:
    examples = doctest.testmod(face)
    assert examples.attempted
    assert not examples.failed


class TestHandCounts:
    def test_hands_count_by_side_and_contract(self) -> None:
        found = counted(hand(Side.A, "6"), hand(Side.A, "6", made=False), hand(Side.B, "mulot"), PassedOutHand())
        assert found == (Bids(Side.A, None, "6", 2, 1, 0, 0), Bids(Side.B, None, "mulot", 1, 1, 0, 0))

    def test_hand_counts_for_a_known_declarer(self) -> None:
        (found,) = counted(hand(Side.B, "6", declarer=Seat(3)))
        assert found.seat == 3

    def test_counted_tricks_are_compared_with_the_bid(self) -> None:
        over, under = hand(Side.A, "6", tricks=8), hand(Side.A, "6", made=False, tricks=5)
        assert counted(over, under, hand(Side.A, "6")) == (Bids(Side.A, None, "6", 3, 2, 2, 1),)

    def test_bid_without_a_number_has_no_trick_comparison(self) -> None:
        assert counted(hand(Side.A, "mulot", tricks=0))[0].counted == 0

    def test_awarded_hand_has_no_trick_comparison(self) -> None:
        (found,) = counted(hand(Side.A, "6", tricks=4, awarded=True))
        assert (found.made, found.counted) == (1, 0)

    def test_hands_after_the_end_of_a_match_do_not_count(self) -> None:
        (found,) = counted(hand(Side.A, "6"), hand(Side.A, "7"), hands=1)
        assert found.contract == "6"

    def test_hand_counts_survive_json(self) -> None:
        found = counted(hand(Side.A, "6", declarer=Seat(2)), hand(Side.B, "7"))
        assert bids_from_json(json.loads(json.dumps(bids_to_json(found)))) == found


class TestPersonRecord:
    def test_matches_games_and_points_add_up(self) -> None:
        played = [
            build_match((JEAN, LISE), (MARC, RITA), games=(2, 1), points=(80, 61)),
            build_match((MARC, LISE), (JEAN, RITA), None, games=(1, 1), points=(40, 40)),
            build_match((JEAN, RITA), (MARC, LISE), Side.B, games=(0, 2), points=(12, 64), event=2),
        ]
        jean = compute_records(played)[JEAN]
        assert jean.balance == Balance(won=1, drawn=1, lost=1)
        assert (jean.games, jean.points, jean.nights) == ((3, 4), (132, 165), 2)
        assert {year: one.balance.played for year, one in jean.years.items()} == {2026: 2, 2027: 1}

    def test_partners_and_opponents_are_sorted_by_frequency(self) -> None:
        played = [build_match((JEAN, LISE), (MARC, RITA))] * 2 + [build_match((JEAN, MARC), (LISE, RITA), Side.B)]
        jean = compute_records(played)[JEAN]
        assert jean.partners == (Company(LISE, Balance(2, 0, 0)), Company(MARC, Balance(0, 0, 1)))
        assert jean.opponents[0] == Company(RITA, Balance(2, 0, 1))

    def test_company_is_limited_to_what_a_page_shows(self) -> None:
        played = [build_match((JEAN,), (PersonId(number),)) for number in range(10, 12 + MAX_COMPANY)]
        assert len(compute_records(played)[JEAN].opponents) == MAX_COMPANY

    def test_a_streak_ends_with_a_draw_and_the_longest_is_kept(self) -> None:
        came = (Side.A, Side.A, None, Side.A)
        jean = compute_records(build_match((JEAN,), (LISE,), winner, event=1) for winner in came)[JEAN]
        assert (jean.streak, jean.running) == (Streak(2, 1), 1)

    def test_own_contracts_count_only_with_a_known_declarer(self) -> None:
        bids = (Bids(Side.B, Seat(3), "6", 2, 1, 2, 1), Bids(Side.B, None, "6", 1, 1, 0, 0))
        found = compute_records([build_match((JEAN, LISE), (MARC, RITA), bids=bids)])
        assert found[MARC].contracts == found[RITA].contracts == {"6": ContractCount(3, 2, 2, 1)}
        assert found[RITA].own == {"6": ContractCount(2, 1, 2, 1)}
        assert found[MARC].own == {}
        assert found[JEAN].contracts == {}
        assert [one.marked for one in found.values()] == [1] * 4

    @pytest.mark.slow
    @given(evenings())
    def test_wins_equal_losses_and_records_survive_json(self, played: list[RecordedMatch]) -> None:
        found = compute_records(played)
        won = sum(one.balance.won for one in found.values())
        lost = sum(one.balance.lost for one in found.values())
        assert won == lost == 2 * sum(meeting.winner is not None for meeting in played)
        for one in found.values():
            assert person_record_from_json(json.loads(json.dumps(person_record_to_json(one)))) == one
            assert sum(each.balance.played for each in one.partners) == one.balance.played
            assert sum(year.balance.played for year in one.years.values()) == one.balance.played


class TestClubRecord:
    def test_club_without_matches_has_no_records(self) -> None:
        found = compute_club_record([])
        assert (found.nights, found.matches, found.people) == (0, 0, 0)
        assert (found.highest, found.charlemagnes, found.streak, found.best_pair) == (None,) * 4

    def test_highest_score_counts_for_either_side(self) -> None:
        found = compute_club_record(
            [
                build_match((LISE, JEAN), (MARC, RITA), points=(40, 60)),
                build_match((MARC, RITA), (JEAN, LISE), points=(60, 9)),
            ]
        )
        assert found.highest is not None
        assert found.highest.number == 60
        assert found.highest.holders == (Holder((MARC, RITA), 1),) * 2
        assert found.highest.shared == 2

    def test_charlemagne_record_is_that_of_one_night(self) -> None:
        made = (
            Bids(Side.A, None, "charlemagne", 2, 2, 0, 0),
            Bids(Side.A, None, "gros_charlemagne", 1, 1, 0, 0),
        )
        found = compute_club_record(
            [
                build_match((JEAN, LISE), (MARC, RITA), bids=made),
                build_match((JEAN, MARC), (LISE, RITA), bids=made[:1]),
                build_match((LISE, MARC), (JEAN, RITA), bids=made, event=2),
            ]
        )
        assert found.charlemagnes is not None
        assert (found.charlemagnes.number, found.charlemagnes.holders) == (5, (Holder((JEAN,), 1),))

    def test_lasting_partners_hold_a_record_as_a_pair(self) -> None:
        made = counted(*[hand(Side.A, "charlemagne", made=True)] * 2)
        found = compute_club_record([build_match((LISE, JEAN), (MARC, RITA), bids=made)] * 2)
        pair = Holder((JEAN, LISE), 1)
        assert (found.streak, found.charlemagnes) == (
            Feat(number=2, holders=(pair,), shared=1),
            Feat(number=4, holders=(pair,), shared=1),
        )

    def test_excluded_partner_leaves_the_other_alone_in_the_record(self) -> None:
        found = compute_club_record([build_match((JEAN, LISE), (MARC, RITA))], excluded=[LISE])
        assert found.streak == Feat(number=1, holders=(Holder((JEAN,), 1),), shared=1)

    def test_streak_continues_from_night_to_night(self) -> None:
        found = compute_club_record([build_match((JEAN,), (LISE,)), build_match((JEAN,), (MARC,), event=2)])
        assert found.streak is not None
        assert (found.streak.number, found.streak.holders) == (2, (Holder((JEAN,), 2),))

    def test_most_nights_record_names_the_most_frequent_player(self) -> None:
        found = compute_club_record(
            [build_match((JEAN,), (LISE,)), build_match((JEAN,), (LISE,)), build_match((JEAN,), (MARC,), event=2)]
        )
        assert found.most_nights is not None
        assert (found.most_nights.number, found.most_nights.holders) == (2, (Holder((JEAN,), None),))

    def test_best_pair_needs_enough_matches_together(self) -> None:
        played = [build_match((JEAN, LISE), (MARC, RITA))] * (MIN_PAIR_MATCHES - 1)
        assert compute_club_record(played).best_pair is None
        found = compute_club_record([*played, build_match((LISE, JEAN), (RITA, MARC), None)]).best_pair
        assert found is not None
        assert (found.players, found.balance) == ((JEAN, LISE), Balance(MIN_PAIR_MATCHES - 1, 1, 0))

    def test_yearly_records_start_with_the_latest_year(self) -> None:
        found = compute_yearly_records([build_match((JEAN,), (LISE,)), build_match((JEAN,), (MARC,), event=2)])
        assert [(year, one.matches) for year, one in found.items()] == [(2027, 1), (2026, 1)]

    @pytest.mark.slow
    @given(evenings(), st.sets(st.sampled_from(PEOPLE)))
    def test_excluded_person_holds_no_record(self, played: list[RecordedMatch], left_out: set[PersonId]) -> None:
        found = compute_club_record(played, excluded=left_out)
        for feat in (found.highest, found.charlemagnes, found.streak, found.most_nights):
            if feat is not None:
                assert all(left_out.isdisjoint(holder.players) for holder in feat.holders)
        assert club_record_from_json(json.loads(json.dumps(club_record_to_json(found)))) == found
        assert found.matches == compute_club_record(played).matches
