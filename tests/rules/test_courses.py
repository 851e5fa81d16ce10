"""Course of a recorded hand: the parts that may be recorded, and the result that follows from them."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import Refusal
from rules import (
    BAS_SAINT_LAURENT,
    CANADIAN,
    MAINE,
    PASS,
    RULESETS,
    TWO_PLAYER,
    AllPassRule,
    Call,
    Card,
    DealtCards,
    HandCourse,
    PassedOutHand,
    PlayedHand,
    Ruleset,
    Seat,
    Side,
    Suit,
    build_auction,
    build_record,
    compute_hand_points,
    follow_course,
    list_reading_refusals,
    prepare_play,
    read_course_text,
    read_record,
    record_to_json,
)
from rules.records import check_record, list_record_refusals
from tests.rules.hands import build_random_course, list_partial_courses, play_random
from tests.rules.sheets import A, B, get_refusal, property_settings

rulesets = st.sampled_from(sorted(RULESETS)).map(RULESETS.__getitem__)
seeds = st.integers(0, 10**6)


def read_course(ruleset: Ruleset, *lines: str, dealer: int = 0) -> HandCourse:
    return read_course_text(ruleset, "\n".join(lines), dealer=Seat(dealer))


DEAL = (
    "hand A1: X2 9D JH AH 7S KD 10S KH",
    "hand B1: AC 8S KC 10H JS 8C KS AS",
    "hand A2: 9H 9S QD 10D 8H JD JC QH",
    "hand B2: QC 7C 7D 8D QS X1 AD 9C",
    "kitty: 7H 10C",
)
CALLS = "calls: pass, 5, 6, pass"
CHOICES = "mode: kitty, trump S, discards 7H 10C"
TRICKS = (
    "trick 1 led by A1: 10S 8S JC X1",
    "trick 2 led by B2: 7C JH AC QD",
    "trick 3 led by B1: 10H QH QS AH",
    "trick 4 led by B2: AD KD KS 10D",
    "trick 5 led by B1: KC 9S 9C 9D",
    "trick 6 led by A2: 9H 8D KH AS",
    "trick 7 led by B1: 8C JD QC X2",
    "trick 8 led by A1: 7S JS 8H 7D",
)
"""Canadian rules: A1 deals, B2 bids 6 in spades and wins six tricks with B1."""

COMPLETE_COURSE = read_course(CANADIAN, *DEAL, CALLS, CHOICES, *TRICKS)
SIX = PlayedHand(
    side=B,
    contract="6",
    made=True,
    tricks=6,
    trump=Suit.SPADES,
    declarer=Seat(3),
    mode="kitty",
    dealer=Seat(0),
    course=COMPLETE_COURSE,
)


def get_points(ruleset: Ruleset, course: HandCourse) -> tuple[int, int] | None:
    """Return the points of both sides; None if the outcome is not certain."""
    try:
        return compute_hand_points(ruleset, build_record(ruleset, course))
    except Refusal:
        return None


def build_auction_record(text: str, **fields: Any) -> dict[str, Any]:
    return {"kind": "hand", "dealer": 0, "course": f"calls: {text}", "tricks": 6} | fields


class TestResultFromCourse:
    def test_complete_course_gives_the_full_record(self) -> None:
        assert {build_record(CANADIAN, COMPLETE_COURSE)} == {SIX}

    @property_settings
    @given(rulesets, seeds)
    def test_complete_course_reproduces_result_and_score(self, ruleset: Ruleset, seed: int) -> None:
        whole = build_random_course(ruleset, seed)
        assert whole.dealt is not None
        assert whole.calls is not None
        dealer = whole.dealt.dealer
        record = build_record(ruleset, whole)
        outcome = build_auction(ruleset, whole.calls, dealer=dealer).outcome
        if outcome is None or whole.preparation is None:
            assert record == PassedOutHand(dealer=dealer, course=whole)
            return
        played = prepare_play(ruleset, whole.dealt, outcome, whole.preparation)
        for card in whole.plays:
            played = played.add_card(played.turn, card)
        tricks = played.declarer_tricks
        side = Side.A if outcome.declarer in (0, 2) else Side.B
        shallow = {"side": side.name, "contract": outcome.contract.key, "tricks": tricks}
        assert isinstance(record, PlayedHand)
        assert (record.tricks, record.declarer) == (tricks, outcome.declarer)
        assert compute_hand_points(ruleset, record) == compute_hand_points(ruleset, read_record(ruleset, shallow))

    @pytest.mark.slow
    @property_settings
    @given(rulesets, seeds)
    def test_record_accepts_its_course_at_any_depth(self, ruleset: Ruleset, seed: int) -> None:
        record = build_record(ruleset, build_random_course(ruleset, seed))
        assert record.course is not None
        for depth in list_partial_courses(record.course):
            assert list_record_refusals(ruleset, replace(record, course=depth)) == []

    @pytest.mark.slow
    @property_settings
    @given(rulesets, seeds)
    def test_certain_outcome_is_not_changed_by_later_cards(self, ruleset: Ruleset, seed: int) -> None:
        whole = build_random_course(ruleset, seed)
        points = [get_points(ruleset, depth) for depth in list_partial_courses(whole)[3:]]
        certain = [get_points(ruleset, whole)] * sum(moved is not None for moved in points)
        assert points == [None] * (len(points) - len(certain)) + certain

    @pytest.mark.slow
    @property_settings
    @given(rulesets, seeds, st.integers(0, 7), st.integers(0, 8))
    def test_claimed_tricks_must_be_reachable_from_an_unfinished_play(
        self, ruleset: Ruleset, seed: int, finished: int, claimed: int
    ) -> None:
        whole = build_random_course(ruleset, seed)
        record = build_record(ruleset, whole)
        assert whole.dealt is not None
        if isinstance(record, PassedOutHand) or whole.preparation is None:
            return
        start = follow_course(ruleset, replace(whole, plays=()), dealer=whole.dealt.dealer).play
        assert start is not None
        play = play_random(start, Random(seed), tricks=finished)
        broken_off = replace(whole, plays=tuple(card for trick in play.tricks for _, card in trick))
        made = ruleset.get_contract(record.contract).is_made_with(claimed)
        claim = replace(record, tricks=claimed, made=made, course=broken_off)
        taken = play.declarer_tricks
        possible = taken <= claimed <= taken + 8 - finished
        assert [refusal.field for refusal in list_record_refusals(ruleset, claim)] == ([] if possible else ["tricks"])


class TestRecordWithCourse:
    @pytest.mark.parametrize("name", ["trump", "declarer", "mode", "tricks"])
    def test_record_may_omit_details_of_its_course(self, name: str) -> None:
        less: dict[str, Any] = {name: None}
        check_record(CANADIAN, replace(SIX, **less))

    @pytest.mark.parametrize(
        ("changes", "field"),
        [
            ({"side": A, "declarer": None}, "side"),
            ({"contract": "5", "made": True}, "contract"),
            ({"declarer": Seat(1)}, "declarer"),
            ({"trump": Suit.CLUBS}, "trump"),
            ({"contract": "gros_charlemagne", "made": False, "mode": "card"}, "contract"),
            ({"dealer": Seat(1)}, "dealer"),
            ({"tricks": 7}, "tricks"),
            ({"tricks": None, "made": False}, "outcome"),
        ],
        ids=lambda changes: changes if isinstance(changes, str) else "",
    )
    def test_record_that_contradicts_its_course_is_refused(self, changes: dict[str, Any], field: str) -> None:
        (first, *_) = list_record_refusals(CANADIAN, replace(SIX, **changes))
        assert (first.code, first.field) == ("contradicts_course", field)

    def test_mode_other_than_the_prepared_one_is_refused(self) -> None:
        whole = next(
            record
            for record in (build_record(CANADIAN, build_random_course(CANADIAN, seed)) for seed in range(500))
            if isinstance(record, PlayedHand) and record.mode == "card"
        )
        (refusal,) = list_record_refusals(CANADIAN, replace(whole, mode="kitty"))
        assert (refusal.code, refusal.field) == ("contradicts_course", "mode")

    def test_director_may_award_against_the_cards(self) -> None:
        check_record(CANADIAN, replace(SIX, made=False, awarded=True))
        before_the_renege = replace(COMPLETE_COURSE, plays=COMPLETE_COURSE.plays[:9])
        check_record(CANADIAN, replace(SIX, made=False, tricks=None, awarded=True, course=before_the_renege))

    def test_director_award_must_keep_the_contract_bid(self) -> None:
        awarded = replace(SIX, contract="5", awarded=True)
        assert get_refusal(check_record, CANADIAN, awarded) == ("contradicts_course", "contract")

    def test_course_requires_a_dealer_and_earlier_parts(self) -> None:
        (refusal,) = list_record_refusals(CANADIAN, replace(SIX, dealer=None))
        assert (refusal.code, refusal.field) == ("dealer_required", "dealer")
        assert get_refusal(build_record, CANADIAN, HandCourse(calls=COMPLETE_COURSE.calls)) == (
            "part_missing",
            "course.dealt",
        )
        assert get_refusal(build_record, CANADIAN, HandCourse(dealt=COMPLETE_COURSE.dealt)) == (
            "part_missing",
            "course.calls",
        )

    def test_played_and_passed_out_records_must_match_their_course(self) -> None:
        thrown_in = HandCourse(calls=(PASS,) * 4)
        check_record(CANADIAN, PassedOutHand(dealer=Seat(0), course=thrown_in))
        played = replace(SIX, course=thrown_in)
        assert get_refusal(check_record, CANADIAN, played) == ("contradicts_course", "kind")
        passed_out = PassedOutHand(dealer=Seat(0), course=HandCourse(calls=COMPLETE_COURSE.calls))
        assert get_refusal(check_record, CANADIAN, passed_out) == ("contradicts_course", "kind")

    @pytest.mark.parametrize(
        ("calls", "kind"), [((PASS,) * 4, "passed_out"), (COMPLETE_COURSE.calls, "hand")], ids=["not", "played"]
    )
    def test_refusal_states_whether_the_course_was_played(self, calls: tuple[Call, ...], kind: str) -> None:
        course = HandCourse(calls=calls)
        (written,) = {"hand", "passed_out"} - {kind}
        other = PassedOutHand(dealer=Seat(0)) if written == "passed_out" else SIX
        (refusal,) = list_record_refusals(CANADIAN, replace(other, course=course))
        assert refusal.details == {"course": kind}

    def test_low_bids_are_passed_out_unless_the_club_plays_them(self) -> None:
        low = HandCourse(calls=(Call("3", Suit.HEARTS), PASS, PASS, PASS))
        check_record(BAS_SAINT_LAURENT, PassedOutHand(dealer=Seat(0), course=low))
        with_low_bids = replace(BAS_SAINT_LAURENT, plays_low_bids=True)
        check_record(with_low_bids, PlayedHand(side=B, contract="3", made=True, dealer=Seat(0), course=low))

    def test_trump_named_after_the_discard_needs_no_call(self) -> None:
        shallow = replace(SIX, trump=Suit.HEARTS, course=HandCourse(calls=COMPLETE_COURSE.calls))
        check_record(CANADIAN, shallow)

    def test_trump_named_in_the_bid_must_match_the_record(self) -> None:
        record_json = build_auction_record("pass, pass, 6 H, pass", side="B", contract="6", trump="S")
        assert get_refusal(read_record, MAINE, record_json) == ("contradicts_course", "trump")

    def test_invalid_record_is_not_also_compared_with_its_course(self) -> None:
        refusals = list_record_refusals(CANADIAN, replace(SIX, contract="9", tricks=9))
        assert {refusal.code for refusal in refusals} == {"no_such_bid", "tricks_out_of_range"}


def replace_parts(**parts: Any) -> HandCourse:
    return replace(COMPLETE_COURSE, **parts)


def replace_deal(**parts: Any) -> HandCourse:
    assert COMPLETE_COURSE.dealt is not None
    return replace_parts(dealt=replace(COMPLETE_COURSE.dealt, **parts))


def replace_preparation(**parts: Any) -> HandCourse:
    assert COMPLETE_COURSE.preparation is not None
    return replace_parts(preparation=replace(COMPLETE_COURSE.preparation, **parts))


HANDS = COMPLETE_COURSE.dealt.hands if COMPLETE_COURSE.dealt is not None else ()


@pytest.mark.parametrize(
    ("wrong", "refusal"),
    [
        (HandCourse(), ("course_is_empty", "course")),
        (replace_parts(dealt=None), ("part_missing", "course.dealt")),
        (replace_parts(calls=None), ("part_missing", "course.calls")),
        (replace_parts(preparation=None), ("part_missing", "course.preparation")),
        (HandCourse(plays=COMPLETE_COURSE.plays), ("part_missing", "course.dealt")),
        (replace_deal(hands=HANDS[:3]), ("wrong_deal", "course.dealt")),
        (replace_deal(hands=(HANDS[0][:7], *HANDS[1:])), ("wrong_deal", "course.dealt")),
        (replace_deal(kitty=()), ("wrong_deal", "course.dealt")),
        (replace_deal(kitty=(Card("7H"), Card("7S"))), ("card_twice", "course.dealt")),
        (replace_deal(kitty=(Card("7H"), Card("6S"))), ("no_such_card", "course.dealt")),
        (replace_parts(calls=()), ("auction_not_over", "course.calls")),
        (replace_parts(calls=(PASS, Call("6"), Call("5"), PASS)), ("not_higher", "course.calls")),
        (replace_parts(calls=(PASS,) * 5), ("auction_over", "course.calls")),
        (replace_parts(calls=(PASS,) * 4), ("passed_out", "course.preparation")),
        (replace_preparation(mode="alone"), ("no_such_mode", "course.preparation")),
        (replace_preparation(trump=None), ("trump_required", "course.preparation")),
        (replace_preparation(discards=(Card("7H"),)), ("wrong_number_of_discards", "course.preparation")),
        (replace_preparation(discards=(Card("7H"), Card("X1"))), ("card_not_held", "course.plays")),
        (replace_preparation(discards=(Card("7H"), Card("X2"))), ("card_not_held", "course.preparation")),
        (replace_preparation(partner_card=Card("AS")), ("card_not_allowed", "course.preparation")),
        (replace_preparation(defender=Seat(7)), ("no_such_seat", "course.preparation")),
        (replace_parts(plays=COMPLETE_COURSE.plays[1:]), ("card_not_held", "course.plays")),
        (replace_parts(plays=(*COMPLETE_COURSE.plays, Card("7D"))), ("play_is_over", "course.plays")),
    ],
)
def test_impossible_course_is_refused(wrong: HandCourse, refusal: tuple[str, str]) -> None:
    assert get_refusal(lambda: follow_course(CANADIAN, wrong, dealer=Seat(0))) == refusal


def test_course_refusal_gives_the_position_of_the_call_or_card() -> None:
    with pytest.raises(Refusal) as caught:
        follow_course(CANADIAN, replace_parts(calls=(PASS, Call("6"), Call("5"), PASS)), dealer=Seat(0))
    assert caught.value.details["at"] == 2
    renege = (COMPLETE_COURSE.plays[0], Card("AC"), *COMPLETE_COURSE.plays[2:])
    with pytest.raises(Refusal) as caught:
        follow_course(CANADIAN, replace_parts(plays=renege), dealer=Seat(0))
    assert (caught.value.code, caught.value.details["at"]) == ("must_follow", 1)


def test_course_rejects_a_dealer_without_a_seat() -> None:
    thrown_in = HandCourse(calls=(PASS, PASS))
    assert get_refusal(lambda: follow_course(TWO_PLAYER, thrown_in, dealer=Seat(2))) == ("no_such_seat", "dealer")


def test_two_player_deal_equals_the_drawn_hands() -> None:
    whole = build_random_course(TWO_PLAYER, 20)
    assert whole.dealt is not None
    assert [len(hand) for hand in whole.dealt.hands] == [8, 8]
    again = DealtCards(dealer=whole.dealt.dealer, hands=whole.dealt.hands)
    assert build_record(TWO_PLAYER, replace(whole, dealt=again)).course == whole


def test_the_outcome_is_not_certain_before_the_play() -> None:
    assert get_refusal(
        build_record, CANADIAN, HandCourse(dealt=COMPLETE_COURSE.dealt, calls=COMPLETE_COURSE.calls)
    ) == (
        "outcome_not_certain",
        "course.plays",
    )


def test_mulot_is_lost_with_its_first_trick() -> None:
    lost = (
        "hand A1: 10C 9S KD AD KC 10D JH JS",
        "hand B1: 10S 9H 7H KH KS JD 8D AS",
        "hand A2: QD JC 7S QC QH 7C AC AH",
        "hand B2: X1 9D 9C QS 8C 7D 8S 10H",
        "kitty: X2 8H",
        "calls: pass, pass, pass, mulot",
        "mode: alone",
        "trick 1: KS 7S 9S",
    )
    record = build_record(CANADIAN, read_course(CANADIAN, *lost, dealer=1))
    assert isinstance(record, PlayedHand)
    assert (record.made, record.tricks, record.trump) == (False, None, None)
    assert compute_hand_points(CANADIAN, record) == (7, 0)


@pytest.mark.slow
@pytest.mark.parametrize("key", RULESETS)
def test_random_hands_reach_every_mode_and_contract(key: str) -> None:
    ruleset = RULESETS[key]
    records = [build_record(ruleset, build_random_course(ruleset, seed)) for seed in range(120)]
    modes = {record.mode for record in records if isinstance(record, PlayedHand)}
    contracts = {record.contract for record in records if isinstance(record, PlayedHand)}
    assert modes == {mode for contract in ruleset.playable for mode in contract.modes}
    assert contracts == set(ruleset.played_keys)
    may_be_passed_out = ruleset.all_pass is not AllPassRule.DEALER_MUST_BID
    assert any(isinstance(record, PassedOutHand) for record in records) is may_be_passed_out


class TestCourseSerialization:
    def test_course_is_serialized_as_text(self) -> None:
        record_json = record_to_json(SIX)
        assert record_json["course"].split("\n")[5:] == [
            "calls: pass, 5, 6, pass",
            "mode: kitty, trump S, discards 7H 10C",
            f"play: {' '.join(COMPLETE_COURSE.plays)}",
        ]

    @pytest.mark.slow
    @property_settings
    @given(rulesets, seeds, st.integers(0, 40))
    def test_record_with_course_survives_a_round_trip(self, ruleset: Ruleset, seed: int, depth: int) -> None:
        record = build_record(ruleset, build_random_course(ruleset, seed))
        assert record.course is not None
        depths = [record.course, *list_partial_courses(record.course)]
        record = replace(record, course=depths[depth % len(depths)])
        assert read_record(ruleset, record_to_json(record)) == record

    @pytest.mark.parametrize(
        ("changes", "refusal"),
        [
            ({"course": 7}, ("not_text", "course")),
            ({"course": "cards: AS"}, ("not_understood", "course")),
            ({"course": "calls: pass, 7, 6, pass"}, ("not_higher", "course.calls")),
            ({"dealer": ""}, ("dealer_required", "dealer")),
            ({"dealer": "north"}, ("not_a_number", "dealer")),
            ({"dealer": 4}, ("no_such_seat", "dealer")),
            ({"side": "C"}, ("no_such_side", "side")),
            ({"side": "B"}, ("contradicts_course", "side")),
        ],
    )
    def test_invalid_course_text_is_refused_at_its_field(
        self, changes: dict[str, Any], refusal: tuple[str, str]
    ) -> None:
        record_json = build_auction_record("pass, 6, pass, pass", side="A", contract="6") | changes
        assert [(found.code, found.field) for found in list_reading_refusals(CANADIAN, record_json)] == [refusal]

    @pytest.mark.parametrize("blank", [None, "", " \n "])
    def test_blank_course_is_read_as_none(self, blank: str | None) -> None:
        record = read_record(CANADIAN, build_auction_record("", side="A", contract="6", course=blank))
        assert isinstance(record, PlayedHand)
        assert record.course is None
