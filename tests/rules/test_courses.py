"""Depth of a recorded hand: what may be noted, and the result that follows from it."""

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
    AllPass,
    Call,
    Card,
    Dealt,
    HandCourse,
    PassedOut,
    PlayedHand,
    Ruleset,
    Seat,
    Side,
    Suit,
    auction_of,
    follow_course,
    hand_points,
    prepare,
    read_course_text,
    read_record,
    reading_refusals,
    record_of,
    record_to_json,
)
from rules.records import check_record, record_refusals
from tests.rules.hands import less_deep, random_course, random_play
from tests.rules.sheets import A, B, law, refused

rulesets = st.sampled_from(sorted(RULESETS)).map(RULESETS.__getitem__)
seeds = st.integers(0, 10**6)


def course(ruleset: Ruleset, *lines: str, dealer: int = 0) -> HandCourse:
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
"""Canadian: A1 deals, B2 plays 6 in spades and takes six tricks with B1."""

WHOLE = course(CANADIAN, *DEAL, CALLS, CHOICES, *TRICKS)
SIX = PlayedHand(
    side=B,
    contract="6",
    made=True,
    tricks=6,
    trump=Suit.SPADES,
    declarer=Seat(3),
    mode="kitty",
    dealer=Seat(0),
    course=WHOLE,
)


def points_of(ruleset: Ruleset, course: HandCourse) -> tuple[int, int] | None:
    """None where the outcome is not certain."""
    try:
        return hand_points(ruleset, record_of(ruleset, course))
    except Refusal:
        return None


def of_calls(text: str, **said: Any) -> dict[str, Any]:
    return {"kind": "hand", "dealer": 0, "course": f"calls: {text}", "tricks": 6} | said


class TestTheResultFollows:
    def test_a_whole_course_gives_the_record_with_every_detail(self) -> None:
        assert {record_of(CANADIAN, WHOLE)} == {SIX}

    @law
    @given(rulesets, seeds)
    def test_a_whole_course_reproduces_result_and_score(self, ruleset: Ruleset, seed: int) -> None:
        whole = random_course(ruleset, seed)
        assert whole.dealt is not None
        assert whole.calls is not None
        dealer = whole.dealt.dealer
        record = record_of(ruleset, whole)
        outcome = auction_of(ruleset, whole.calls, dealer=dealer).outcome
        if outcome is None or whole.preparation is None:
            assert record == PassedOut(dealer=dealer, course=whole)
            return
        played = prepare(ruleset, whole.dealt, outcome, whole.preparation)
        for card in whole.plays:
            played = played.after(played.turn, card)
        tricks = played.tricks_of_declarer
        side = Side.A if outcome.declarer in (0, 2) else Side.B
        shallow = {"side": side.name, "contract": outcome.contract.key, "tricks": tricks}
        assert isinstance(record, PlayedHand)
        assert (record.tricks, record.declarer) == (tricks, outcome.declarer)
        assert hand_points(ruleset, record) == hand_points(ruleset, read_record(ruleset, shallow))

    @pytest.mark.slow
    @law
    @given(rulesets, seeds)
    def test_a_record_may_stand_with_its_course_at_any_depth(self, ruleset: Ruleset, seed: int) -> None:
        record = record_of(ruleset, random_course(ruleset, seed))
        assert record.course is not None
        for depth in less_deep(record.course):
            assert record_refusals(ruleset, replace(record, course=depth)) == []

    @pytest.mark.slow
    @law
    @given(rulesets, seeds)
    def test_from_where_the_outcome_is_certain_no_card_changes_it(self, ruleset: Ruleset, seed: int) -> None:
        whole = random_course(ruleset, seed)
        points = [points_of(ruleset, depth) for depth in less_deep(whole)[3:]]
        certain = [points_of(ruleset, whole)] * sum(moved is not None for moved in points)
        assert points == [None] * (len(points) - len(certain)) + certain

    @law
    @given(rulesets, seeds, st.integers(0, 7), st.integers(0, 8))
    def test_the_tricks_of_a_broken_off_play_are_those_that_can_still_come(
        self, ruleset: Ruleset, seed: int, finished: int, claimed: int
    ) -> None:
        whole = random_course(ruleset, seed)
        record = record_of(ruleset, whole)
        assert whole.dealt is not None
        if isinstance(record, PassedOut) or whole.preparation is None:
            return
        start = follow_course(ruleset, replace(whole, plays=()), dealer=whole.dealt.dealer).play
        assert start is not None
        play = random_play(start, Random(seed), tricks=finished)
        broken_off = replace(whole, plays=tuple(card for trick in play.tricks for _, card in trick))
        made = ruleset.contract(record.contract).is_made_with(claimed)
        claim = replace(record, tricks=claimed, made=made, course=broken_off)
        taken = play.tricks_of_declarer
        possible = taken <= claimed <= taken + 8 - finished
        assert [refusal.field for refusal in record_refusals(ruleset, claim)] == (
            [] if possible else ["tricks"]
        )


class TestWhatARecordMaySay:
    @pytest.mark.parametrize("name", ["trump", "declarer", "mode", "tricks"])
    def test_it_may_say_less_than_its_course(self, name: str) -> None:
        less: dict[str, Any] = {name: None}
        check_record(CANADIAN, replace(SIX, **less))

    @pytest.mark.parametrize(
        ("said", "field"),
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
        ids=lambda said: said if isinstance(said, str) else "",
    )
    def test_what_its_course_contradicts_is_refused(self, said: dict[str, Any], field: str) -> None:
        (first, *_) = record_refusals(CANADIAN, replace(SIX, **said))
        assert (first.code, first.field) == ("contradicts_course", field)

    def test_another_mode_than_the_prepared_one_is_refused(self) -> None:
        whole = next(
            record
            for record in (record_of(CANADIAN, random_course(CANADIAN, seed)) for seed in range(500))
            if isinstance(record, PlayedHand) and record.mode == "card"
        )
        (refusal,) = record_refusals(CANADIAN, replace(whole, mode="kitty"))
        assert (refusal.code, refusal.field) == ("contradicts_course", "mode")

    def test_a_director_may_award_against_the_cards_d9(self) -> None:
        check_record(CANADIAN, replace(SIX, made=False, awarded=True))
        before_the_renege = replace(WHOLE, plays=WHOLE.plays[:9])
        check_record(CANADIAN, replace(SIX, made=False, tricks=None, awarded=True, course=before_the_renege))

    def test_even_a_director_awards_the_contract_that_was_bid(self) -> None:
        awarded = replace(SIX, contract="5", awarded=True)
        assert refused(check_record, CANADIAN, awarded) == ("contradicts_course", "contract")

    def test_who_writes_the_course_writes_the_dealer(self) -> None:
        (refusal,) = record_refusals(CANADIAN, replace(SIX, dealer=None))
        assert (refusal.code, refusal.field) == ("dealer_required", "dealer")
        assert refused(record_of, CANADIAN, HandCourse(calls=WHOLE.calls)) == ("part_missing", "course.dealt")
        assert refused(record_of, CANADIAN, HandCourse(dealt=WHOLE.dealt)) == ("part_missing", "course.calls")

    def test_played_hands_were_not_passed_out_nor_the_other_way_round(self) -> None:
        thrown_in = HandCourse(calls=(PASS,) * 4)
        check_record(CANADIAN, PassedOut(dealer=Seat(0), course=thrown_in))
        played = replace(SIX, course=thrown_in)
        assert refused(check_record, CANADIAN, played) == ("contradicts_course", "kind")
        passed_out = PassedOut(dealer=Seat(0), course=HandCourse(calls=WHOLE.calls))
        assert refused(check_record, CANADIAN, passed_out) == ("contradicts_course", "kind")

    @pytest.mark.parametrize(
        ("calls", "kind"), [((PASS,) * 4, "passed_out"), (WHOLE.calls, "hand")], ids=["not", "played"]
    )
    def test_who_wrote_the_other_one_is_told_whether_the_hand_was_played(
        self, calls: tuple[Call, ...], kind: str
    ) -> None:
        course = HandCourse(calls=calls)
        (written,) = {"hand", "passed_out"} - {kind}
        other = PassedOut(dealer=Seat(0)) if written == "passed_out" else SIX
        (refusal,) = record_refusals(CANADIAN, replace(other, course=course))
        assert refusal.details == {"course": kind}

    def test_bids_of_four_or_less_are_not_played_where_the_dealer_deals_again_d1(self) -> None:
        low = HandCourse(calls=(Call("3", Suit.HEARTS), PASS, PASS, PASS))
        check_record(BAS_SAINT_LAURENT, PassedOut(dealer=Seat(0), course=low))
        with_low_bids = replace(BAS_SAINT_LAURENT, plays_low_bids=True)
        check_record(with_low_bids, PlayedHand(side=B, contract="3", made=True, dealer=Seat(0), course=low))

    def test_trump_that_is_named_after_the_discard_is_not_in_the_calls(self) -> None:
        shallow = replace(SIX, trump=Suit.HEARTS, course=HandCourse(calls=WHOLE.calls))
        check_record(CANADIAN, shallow)

    def test_trump_that_is_named_in_the_bid_is_j(self) -> None:
        said = of_calls("pass, pass, 6 H, pass", side="B", contract="6", trump="S")
        assert refused(read_record, MAINE, said) == ("contradicts_course", "trump")

    def test_a_record_that_is_wrong_by_itself_is_not_held_against_its_course(self) -> None:
        refusals = record_refusals(CANADIAN, replace(SIX, contract="9", tricks=9))
        assert {refusal.code for refusal in refusals} == {"no_such_bid", "tricks_out_of_range"}


def replaced(**parts: Any) -> HandCourse:
    return replace(WHOLE, **parts)


def dealt(**parts: Any) -> HandCourse:
    assert WHOLE.dealt is not None
    return replaced(dealt=replace(WHOLE.dealt, **parts))


def prepared(**parts: Any) -> HandCourse:
    assert WHOLE.preparation is not None
    return replaced(preparation=replace(WHOLE.preparation, **parts))


HANDS = WHOLE.dealt.hands if WHOLE.dealt is not None else ()


@pytest.mark.parametrize(
    ("wrong", "refusal"),
    [
        (HandCourse(), ("course_is_empty", "course")),
        (replaced(dealt=None), ("part_missing", "course.dealt")),
        (replaced(calls=None), ("part_missing", "course.calls")),
        (replaced(preparation=None), ("part_missing", "course.preparation")),
        (HandCourse(plays=WHOLE.plays), ("part_missing", "course.dealt")),
        (dealt(hands=HANDS[:3]), ("wrong_deal", "course.dealt")),
        (dealt(hands=(HANDS[0][:7], *HANDS[1:])), ("wrong_deal", "course.dealt")),
        (dealt(kitty=()), ("wrong_deal", "course.dealt")),
        (dealt(kitty=(Card("7H"), Card("7S"))), ("card_twice", "course.dealt")),
        (dealt(kitty=(Card("7H"), Card("6S"))), ("no_such_card", "course.dealt")),
        (replaced(calls=()), ("auction_not_over", "course.calls")),
        (replaced(calls=(PASS, Call("6"), Call("5"), PASS)), ("not_higher", "course.calls")),
        (replaced(calls=(PASS,) * 5), ("auction_over", "course.calls")),
        (replaced(calls=(PASS,) * 4), ("passed_out", "course.preparation")),
        (prepared(mode="alone"), ("no_such_mode", "course.preparation")),
        (prepared(trump=None), ("trump_required", "course.preparation")),
        (prepared(discards=(Card("7H"),)), ("wrong_number_of_discards", "course.preparation")),
        (prepared(discards=(Card("7H"), Card("X1"))), ("card_not_held", "course.plays")),
        (prepared(discards=(Card("7H"), Card("X2"))), ("card_not_held", "course.preparation")),
        (prepared(partner_card=Card("AS")), ("card_not_allowed", "course.preparation")),
        (prepared(defender=Seat(7)), ("no_such_seat", "course.preparation")),
        (replaced(plays=WHOLE.plays[1:]), ("card_not_held", "course.plays")),
        (replaced(plays=(*WHOLE.plays, Card("7D"))), ("play_is_over", "course.plays")),
    ],
)
def test_a_course_that_cannot_have_been_is_refused(wrong: HandCourse, refusal: tuple[str, str]) -> None:
    assert refused(lambda: follow_course(CANADIAN, wrong, dealer=Seat(0))) == refusal


def test_a_refusal_says_which_call_and_which_card() -> None:
    with pytest.raises(Refusal) as caught:
        follow_course(CANADIAN, replaced(calls=(PASS, Call("6"), Call("5"), PASS)), dealer=Seat(0))
    assert caught.value.details["at"] == 2
    renege = (WHOLE.plays[0], Card("AC"), *WHOLE.plays[2:])
    with pytest.raises(Refusal) as caught:
        follow_course(CANADIAN, replaced(plays=renege), dealer=Seat(0))
    assert (caught.value.code, caught.value.details["at"]) == ("must_follow", 1)


def test_nobody_else_than_the_seats_of_the_table_deals() -> None:
    thrown_in = HandCourse(calls=(PASS, PASS))
    assert refused(lambda: follow_course(TWO_PLAYER, thrown_in, dealer=Seat(2))) == ("no_such_seat", "dealer")


def test_the_deal_of_two_is_the_hands_that_they_drew_j() -> None:
    whole = random_course(TWO_PLAYER, 20)
    assert whole.dealt is not None
    assert [len(hand) for hand in whole.dealt.hands] == [8, 8]
    again = Dealt(dealer=whole.dealt.dealer, hands=whole.dealt.hands)
    assert record_of(TWO_PLAYER, replace(whole, dealt=again)).course == whole


def test_the_outcome_is_not_certain_before_the_play() -> None:
    assert refused(record_of, CANADIAN, HandCourse(dealt=WHOLE.dealt, calls=WHOLE.calls)) == (
        "outcome_not_certain",
        "course.plays",
    )


def test_a_mulot_is_lost_with_its_first_trick_p() -> None:
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
    record = record_of(CANADIAN, course(CANADIAN, *lost, dealer=1))
    assert isinstance(record, PlayedHand)
    assert (record.made, record.tricks, record.trump) == (False, None, None)
    assert hand_points(CANADIAN, record) == (7, 0)


@pytest.mark.parametrize("key", RULESETS)
def test_random_hands_reach_every_way_of_playing(key: str) -> None:
    ruleset = RULESETS[key]
    records = [record_of(ruleset, random_course(ruleset, seed)) for seed in range(120)]
    modes = {record.mode for record in records if isinstance(record, PlayedHand)}
    contracts = {record.contract for record in records if isinstance(record, PlayedHand)}
    assert modes == {mode for contract in ruleset.playable for mode in contract.modes}
    assert contracts == set(ruleset.played_keys)
    may_be_passed_out = ruleset.all_pass is not AllPass.DEALER_MUST_BID
    assert any(isinstance(record, PassedOut) for record in records) is may_be_passed_out


class TestThePlainForm:
    def test_the_course_is_one_more_field_of_text(self) -> None:
        plain = record_to_json(SIX)
        assert plain["course"].split("\n")[5:] == [
            "calls: pass, 5, 6, pass",
            "mode: kitty, trump S, discards 7H 10C",
            f"play: {' '.join(WHOLE.plays)}",
        ]

    @law
    @given(rulesets, seeds, st.integers(0, 40))
    def test_a_record_with_its_course_comes_back(self, ruleset: Ruleset, seed: int, depth: int) -> None:
        record = record_of(ruleset, random_course(ruleset, seed))
        assert record.course is not None
        depths = [record.course, *less_deep(record.course)]
        record = replace(record, course=depths[depth % len(depths)])
        assert read_record(ruleset, record_to_json(record)) == record

    @pytest.mark.parametrize(
        ("said", "refusal"),
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
    def test_what_is_wrong_with_it_is_said_of_its_field(
        self, said: dict[str, Any], refusal: tuple[str, str]
    ) -> None:
        plain = of_calls("pass, 6, pass, pass", side="A", contract="6") | said
        assert [(found.code, found.field) for found in reading_refusals(CANADIAN, plain)] == [refusal]

    @pytest.mark.parametrize("blank", [None, "", " \n "])
    def test_a_blank_course_is_none(self, blank: str | None) -> None:
        record = read_record(CANADIAN, of_calls("", side="A", contract="6", course=blank))
        assert isinstance(record, PlayedHand)
        assert record.course is None
