"""Hands and matches as text: written text is read back unchanged, damaged text is refused with its line number."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import Refusal
from rules import (
    CANADIAN,
    MAINE,
    RULESETS,
    TWO_PLAYER,
    GameTotals,
    HandCourse,
    MatchCriterion,
    MatchFormat,
    MatchSheet,
    Misdeal,
    PassedOutHand,
    PlayedHand,
    Record,
    Ruleset,
    Seat,
    Side,
    Suit,
    TimeCall,
    UndoneRecord,
    VoidHand,
    apply_house_rules,
    build_record,
    fold,
    format_course,
    format_match,
    format_record,
    read_course_text,
    read_match_text,
    read_record_text,
)
from rules.notation.tokens import format_seat, read_seat
from rules.records import list_record_refusals
from tests.rules.hands import build_random_course, list_partial_courses
from tests.rules.sheets import ONE_GAME, A, B, get_refusal, property_settings

ROOT = Path(__file__).parents[2]

HOUSES = (
    *RULESETS.values(),
    apply_house_rules(CANADIAN, {"target": 21, "contracts": {"mulot": {"made": 20, "failed": 10}}}),
    apply_house_rules(MAINE, {"all_pass": "next_dealer", "plays_low_bids": True, "ladder": ["3", "6", "petite"]}),
    replace(CANADIAN, key="chez nous : à 40", target=40),
    replace(MAINE, ladder=("5", "6"), contracts=MAINE.contracts[:6]),
)
"""Built-in rulesets, changed ones, and two that differ from any built-in one."""

dealers = st.none() | st.integers(0, 1).map(Seat)


@st.composite
def hands(draw: st.DrawFn, ruleset: Ruleset) -> Record:
    """Generate a recorded hand with any part of its course and any of its details."""
    record = build_record(ruleset, build_random_course(ruleset, draw(st.integers(0, 10**6))))
    assert record.course is not None
    depths = [record.course, *list_partial_courses(record.course)]
    record = replace(record, course=draw(st.sampled_from(depths)))
    if isinstance(record, PlayedHand):
        less: dict[str, Any] = dict.fromkeys(draw(st.sets(st.sampled_from(DETAILS))))
        record = replace(record, **less)
        if draw(st.booleans()):
            record = replace(record, made=not record.made, awarded=True)
    return replace(record, course=None, dealer=draw(dealers)) if draw(st.booleans()) else record


DETAILS = ("tricks", "trump", "declarer", "mode")


def records(ruleset: Ruleset) -> st.SearchStrategy[Record]:
    below = st.integers(0, ruleset.target - 1)
    return st.one_of(
        hands(ruleset),
        st.builds(PassedOutHand, dealer=dealers),
        st.builds(Misdeal, dealer=dealers),
        st.builds(VoidHand, dealer=dealers),
        st.just(UndoneRecord()),
        st.just(TimeCall()),
        st.builds(
            GameTotals,
            points=st.tuples(below, below) | st.tuples(st.just(ruleset.target), below),
            winner=st.none() | st.sampled_from(Side),
            awarded=st.booleans(),
        ),
    ).filter(lambda record: not list_record_refusals(ruleset, record))


names = st.text(max_size=20).map(lambda name: " ".join(name.split()))


@st.composite
def sheets(draw: st.DrawFn) -> MatchSheet:
    ruleset = draw(st.sampled_from(HOUSES))
    return MatchSheet(
        ruleset=ruleset,
        match_format=MatchFormat(
            games_to_win=draw(st.none() | st.integers(1, 3)),
            hands=draw(st.integers(1, 40)),
            minutes=draw(st.none() | st.integers(1, 90)),
            decided_by=draw(st.sampled_from(MatchCriterion)),
            charlemagne_points=draw(st.none() | st.integers(0, 40)),
        ),
        first_dealer=Seat(draw(st.integers(0, ruleset.seats - 1))),
        records=tuple(draw(st.lists(records(ruleset), max_size=6))),
        names=draw(st.tuples(names, names)),
    )


@pytest.mark.slow
@property_settings
@given(sheets())
def test_written_match_is_read_back_unchanged(sheet: MatchSheet) -> None:
    assert {read_match_text(format_match(sheet))} == {sheet}


def _damage(draw: st.DrawFn, text: str) -> str:
    at = draw(st.integers(0, len(text) - 1))
    put = draw(st.sampled_from(["", "\n", " ", ":", ",", ".", "#", "{"]) | st.sampled_from(text) | st.characters())
    return text[:at] + put + text[at + draw(st.integers(0, 2)) :]


@pytest.mark.slow
@property_settings
@given(st.data(), sheets())
def test_damaged_text_is_refused_or_read_as_another_match(data: st.DataObject, sheet: MatchSheet) -> None:
    text = data.draw(st.composite(_damage)(format_match(sheet)))
    try:
        read = read_match_text(text)
    except Refusal as refusal:
        assert 1 <= refusal.details["line"] <= text.count("\n") + 1  # noqa: PT017 -- most of them are refused
    else:
        assert read_match_text(format_match(read)) == read


@pytest.mark.slow
@property_settings
@given(st.data(), sheets())
def test_lost_or_moved_lines_are_refused_or_read_consistently(data: st.DataObject, sheet: MatchSheet) -> None:
    lines = format_match(sheet).split("\n")
    there = st.integers(0, len(lines))
    start, end, to = data.draw(there), data.draw(there), data.draw(there)
    text = "\n".join([*lines[:to], *lines[start : start + end % 5], *lines[to + data.draw(there) % 3 :]])
    try:
        read = read_match_text(text)
    except Refusal as refusal:
        assert refusal.details["line"] >= 1  # noqa: PT017 -- most of them are refused
    else:
        assert read_match_text(format_match(read)) == read


@pytest.mark.slow
@property_settings
@given(st.text() | st.text(alphabet="ab12 :,.\n6hsmade"))
def test_arbitrary_text_is_refused(text: str) -> None:
    assert get_refusal(read_match_text, text) == ("not_a_match", None)
    with pytest.raises(Refusal):
        read_match_text(f"Charlemagne notation 1\nrules: maine\n{text}")


@pytest.mark.slow
@property_settings
@given(sheets())
def test_case_whitespace_and_comments_are_ignored(sheet: MatchSheet) -> None:
    sheet = replace(sheet, names=("", ""))
    if not sheet.ruleset.key.startswith("chez") and sheet.ruleset.contracts[6:]:
        text = format_match(sheet).upper().replace(" ", "\t ").replace("\n", " \r\n\n # a remark\n")
        assert read_match_text(f"\ufeff{text}") == sheet


MATCH = """Charlemagne notation 1
rules: canadian
house rule: target 25
games to win: 1
first dealer: B2

1. A 6 made 7
2. passed out
3. A1 7 H failed 5 dealer A1
    calls: pass, 6, pass, 7
"""


class TestLenientNotation:
    @pytest.mark.parametrize(
        ("written", "also"),
        [
            ("6 H", "6h"),
            ("7 H", "7H"),
            ("1. A 6", "1.A  6"),
            ("2. passed", "2 passed"),
            ("B2", "b2"),
            ("passed out", "Passed Out"),
            ("pass, 6, pass, 7", "PASS,6 ,pass,7"),
            ("    calls:", "calls :"),
            ("house rule: target 25", "House rule target: 25"),
            ("\n\n1.", "\n1."),
            ("made 7", "made 07"),
        ],
    )
    def test_variant_spellings_are_read_alike(self, written: str, also: str) -> None:
        assert format_match(read_match_text(MATCH.replace(written, also))) == MATCH

    def test_all_tricks_may_stand_on_one_line(self) -> None:
        whole = build_random_course(TWO_PLAYER, 20)
        assert whole.dealt is not None
        in_one_line = format_course(whole)
        assert "\nplay: AC 10C 7H 9H" in in_one_line
        assert read_course_text(TWO_PLAYER, in_one_line, dealer=whole.dealt.dealer) == whole

    @pytest.mark.slow
    def test_play_may_stop_after_any_card_of_a_trick(self) -> None:
        whole = build_random_course(CANADIAN, 80)
        for played in range(1, len(whole.plays) + 1):
            broken_off = replace(whole, plays=whole.plays[:played])
            record = replace(build_record(CANADIAN, whole), course=broken_off)
            text = format_record(CANADIAN, record)
            assert "trick 1 led by" in text
            assert read_record_text(CANADIAN, text) == record

    def test_leader_of_a_trick_may_be_omitted(self) -> None:
        record = build_record(CANADIAN, build_random_course(CANADIAN, 80))
        text = format_record(CANADIAN, record)
        assert "led by" in text
        assert read_record_text(CANADIAN, re.sub(" led by ..", "", text)) == record


class TestNotationRefusals:
    @pytest.mark.parametrize(
        ("written", "damaged", "code", "line"),
        [
            ("notation 1", "notation 2", "not_a_match", 1),
            ("rules: canadian\n", "", "header_required", 1),
            ("rules: canadian", "rules: québécois", "no_such_ruleset", 2),
            ("rules: canadian", "rules: {}", "not_text", 2),
            ("rules: canadian", "rules: {", "not_an_object", 2),
            ("rules: canadian", "# rules", "header_required", 1),
            ("target 25", "target 0", "target_not_positive", 3),
            ("target 25", "target soon", "not_a_number", 3),
            ("target 25", "jokers 2", "no_such_house_rule", 3),
            ("target 25", "contracts 2", "not_understood", 3),
            ("target 25", "contracts.mulot.made -1", "not_a_number", 3),
            ("target 25", "ladder 6 5", "ladder_does_not_rise", 3),
            ("games to win: 1", "games to win: 0", "length_not_positive", 4),
            ("games to win: 1", "games to win: two", "not_a_number", 4),
            ("games to win: 1\n", "", "no_match_length", 2),
            ("games to win: 1", "games to lose: 1", "not_understood", 4),
            ("games to win: 1", "games to win 1", "not_understood", 4),
            ("games to win: 1", "first dealer: A1", "said_twice", 5),
            ("first dealer: B2\n", "", "header_required", 1),
            ("first dealer: B2", "first dealer: B3", "not_a_seat", 5),
            ("rules: canadian", "rules: two-player", "no_such_seat", 5),
            ("1. A 6 made 7\n", "", "wrong_place_number", 7),
            ("2. passed", "3. passed", "wrong_place_number", 8),
            ("2. passed", "passed", "not_understood", 8),
            ("passed out", "passed by", "not_understood", 8),
            ("passed out", "passed out awarded", "not_understood", 8),
            ("passed out", "undone dealer A1", "not_understood", 8),
            ("passed out", "void\n\n  calls: pass, pass, pass, pass", "not_understood", 10),
            ("passed out", "passed out dealer C1", "not_a_seat", 8),
            ("passed out", "totals 25", "not_understood", 8),
            ("passed out", "totals 25 25", "totals_both_reach_target", 8),
            ("passed out", "totals 1 2 winner C", "no_such_side", 8),
            ("passed out", "B mulot made 1", "tricks_contradict_outcome", 8),
            ("passed out", "B mulot H made", "trump_not_allowed", 8),
            ("passed out", "B grosse made", "no_such_bid", 8),
            ("passed out", "C 6 made", "not_understood", 8),
            ("passed out", "B 6 won", "not_understood", 8),
            ("passed out", "B 6 made 9", "tricks_out_of_range", 8),
            ("passed out", "B 6 made mode alone", "no_such_mode", 8),
            ("passed out", "B 6 made awarded awarded", "said_twice", 8),
            ("dealer A1", "", "dealer_required", 9),
            ("dealer A1", "dealer B1", "contradicts_course", 9),
            ("calls: pass", "call: pass", "not_understood", 10),
            ("calls: pass", "calls: pas", "no_such_bid", 10),
            ("calls: pass", "calls: 6 H H", "not_understood", 10),
            ("6, pass, 7", "7, pass, 6", "not_higher", 10),
            (", 7\n", "\n", "auction_not_over", 10),
            (", 7\n", ", 7\n\n    calls: pass\n", "said_twice", 12),
        ],
    )
    def test_refusal_names_the_damaged_line(self, written: str, damaged: str, code: str, line: int) -> None:
        assert written in MATCH
        with pytest.raises(Refusal) as caught:
            read_match_text(MATCH.replace(written, damaged, 1))
        assert (caught.value.code, caught.value.details["line"]) == (code, line)

    @pytest.mark.parametrize(
        ("written", "damaged", "code", "line"),
        [
            ("hand B1", "hand C1", "not_understood", 3),
            ("    hand B1: 10D AH QH 7H KC 7S JD 8D\n", "", "wrong_deal", 2),
            ("10D AH QH", "10D QH", "wrong_deal", 3),
            ("10D AH QH", "10D AHQH", "no_such_card", 3),
            ("10D AH QH", "10D X1 QH", "no_such_card", 3),
            ("8S JS 9S 9H", "8S JS 9S AC", "card_twice", 5),
            ("    calls: pass, pass, 4 D, charlemagne C\n", "", "part_missing", 2),
            ("mode: card_vs_1", "mode: card_vs_3", "no_such_mode", 7),
            ("mode: card_vs_1, partner", "mode: card_vs_1, your", "not_understood", 7),
            ("discards AD", "discards AD, discards AD", "said_twice", 7),
            ("partner card JC", "partner card JH", "card_not_held", 7),
            ("discards AD", "trump X", "no_such_suit", 7),
            ("    mode: card_vs_1, partner card JC, discards AD\n", "", "part_missing", 7),
            ("defender: B1", "defender: Z1", "not_a_seat", 8),
            ("defender: B1", "defender: A2", "defender_not_opponent", 7),
            ("takes 7D", "takes 7", "no_such_card", 8),
            ("trick 1 led by A1: AC KC", "trick 1 led by A1: AC", "wrong_trick", 9),
            ("trick 2 led by A1", "trick 2 led by B1", "wrong_leader", 10),
            ("trick 2 led", "trick 3 led", "said_twice", 11),
            ("trick 8 led by A1: QS 7D", "trick 8 led by A1: QS 7D 8D", "wrong_trick", 16),
            ("trick 8 led", "trick 9 led", "not_understood", 16),
            ("    trick 4 led by A1: 8C AH\n", "", "wrong_trick", 12),
            ("trick 3 led by B1: JD KD", "trick 3 led by B1: JD 8C", "must_follow", 11),
            ("trick 8 led by A1: QS 7D", "play: QS 7D", "wrong_trick", 16),
        ],
    )
    def test_refusal_names_the_line_within_a_hand_course(
        self, written: str, damaged: str, code: str, line: int
    ) -> None:
        assert written in CHARLEMAGNE
        with pytest.raises(Refusal) as caught:
            read_record_text(MAINE, CHARLEMAGNE.replace(written, damaged, 1))
        assert (caught.value.code, caught.value.details["line"]) == (code, line)

    def test_invalid_match_is_not_written(self) -> None:
        sheet = MatchSheet(ruleset=TWO_PLAYER, match_format=ONE_GAME, first_dealer=Seat(1))
        assert get_refusal(format_match, replace(sheet, first_dealer=Seat(2))) == ("no_such_seat", "first_dealer")
        assert get_refusal(format_match, replace(sheet, names=("", "two\nlines"))) == ("not_one_line", "side_b")
        assert get_refusal(format_match, replace(sheet, match_format=MatchFormat())) == (
            "no_match_length",
            "games_to_win",
        )
        assert get_refusal(format_match, replace(sheet, ruleset=replace(TWO_PLAYER, target=0))) == (
            "target_not_positive",
            "target",
        )
        nine = PlayedHand(side=A, contract="9", made=True)
        assert get_refusal(format_match, replace(sheet, records=(nine,))) == ("no_such_bid", "contract")


CHARLEMAGNE = """A1 charlemagne C failed 7 mode card_vs_1 dealer A1
    hand A1: AC JH KD 8C KS QS AD 10H
    hand B1: 10D AH QH 7H KC 7S JD 8D
    hand A2: JC 10C KH 7C QC 9D AS 9C
    hand B2: 10S QD 8H 7D 8S JS 9S 9H
    calls: pass, pass, 4 D, charlemagne C
    mode: card_vs_1, partner card JC, discards AD
    defender: B1, takes 7D, discards 7H
    trick 1 led by A1: AC KC
    trick 2 led by A1: 10H QH
    trick 3 led by B1: JD KD
    trick 4 led by A1: 8C AH
    trick 5 led by A1: JC 8D
    trick 6 led by A1: KS 7S
    trick 7 led by A1: JH 10D
    trick 8 led by A1: QS 7D"""


class TestWrittenNotation:
    def test_complete_hand_is_written_in_full(self) -> None:
        assert format_record(MAINE, read_record_text(MAINE, CHARLEMAGNE)) == CHARLEMAGNE

    @pytest.mark.parametrize(
        ("record", "line"),
        [
            (PlayedHand(side=A, contract="6", made=True), "A 6 made"),
            (PlayedHand(side=B, contract="mulot", made=False, tricks=2), "B mulot failed 2"),
            (
                PlayedHand(
                    side=B,
                    contract="8",
                    made=True,
                    tricks=8,
                    trump=Suit.CLUBS,
                    declarer=Seat(3),
                    mode="kitty",
                    dealer=Seat(1),
                ),
                "B2 8 C made 8 mode kitty dealer B1",
            ),
            (PlayedHand(side=A, contract="5", made=False, tricks=6, awarded=True), "A 5 failed 6 awarded"),
            (PassedOutHand(), "passed out"),
            (PassedOutHand(dealer=Seat(2)), "passed out dealer A2"),
            (Misdeal(dealer=Seat(1)), "misdeal dealer B1"),
            (VoidHand(), "void"),
            (UndoneRecord(), "undone"),
            (TimeCall(), "time called"),
            (GameTotals(points=(34, 27)), "totals 34 27"),
            (GameTotals(points=(10, 20), winner=A, awarded=True), "totals 10 20 winner A awarded"),
        ],
    )
    def test_every_record_kind_has_its_line(self, record: Record, line: str) -> None:
        assert format_record(CANADIAN, record) == line
        assert {read_record_text(CANADIAN, line)} == {record}

    @pytest.mark.parametrize(("seat", "name"), [(0, "A1"), (1, "B1"), (2, "A2"), (3, "B2")])
    def test_seat_name_starts_with_its_side(self, seat: int, name: str) -> None:
        assert format_seat(Seat(seat)) == name
        assert read_seat(f" {name.lower()}") == seat

    def test_ruleset_is_written_as_a_difference_from_a_builtin_one(self) -> None:
        sheets = [MatchSheet(ruleset=house, match_format=ONE_GAME, first_dealer=Seat(0)) for house in HOUSES]
        rules = [format_match(sheet).split("\ngames")[0].split("\n")[1:] for sheet in sheets[len(RULESETS) :]]
        assert rules[0] == [
            "rules: canadian",
            "house rule: target 21",
            "house rule: contracts.mulot.made 20",
            "house rule: contracts.mulot.failed 10",
        ]
        assert rules[1] == [
            "rules: maine",
            "house rule: plays_low_bids yes",
            "house rule: all_pass next_dealer",
            "house rule: ladder 3 6 petite",
        ]
        assert [len(lines) for lines in rules[2:]] == [1, 1]
        assert rules[2][0].startswith('rules: {"key": "chez nous : \\u00e0 40", "seats": 4,')

    def test_calls_are_written_without_the_cards(self) -> None:
        thrown_in = read_course_text(CANADIAN, "calls: pass, pass, pass, pass", dealer=Seat(3))
        assert thrown_in == HandCourse(calls=thrown_in.calls)
        assert format_record(CANADIAN, PassedOutHand(dealer=Seat(3), course=thrown_in)) == (
            "passed out dealer B2\n    calls: pass, pass, pass, pass"
        )


def _list_examples() -> list[Any]:
    """Return the examples in code blocks of the notation page, each with its kind and text."""
    page = (ROOT / "docs/api/notation.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(.+?)\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    return [pytest.param(kind, text, id=f"{kind} {number}") for number, (kind, text) in enumerate(blocks)]


@pytest.mark.parametrize(("kind", "text"), _list_examples())
def test_documented_examples_are_read_and_written_unchanged(kind: str, text: str) -> None:
    if kind == "match":
        assert format_match(read_match_text(text)) == text
    else:
        ruleset = RULESETS[kind.removeprefix("hand ")]
        assert format_record(ruleset, read_record_text(ruleset, text)) + "\n" == text


def test_notation_page_has_enough_examples() -> None:
    assert len(_list_examples()) >= 7


@pytest.mark.parametrize("key", RULESETS)
def test_recorded_hands_of_every_ruleset_give_their_points(key: str) -> None:
    text = (ROOT / f"tests/vectors/hands/{key}.txt").read_text(encoding="utf-8")
    first, _, rest = text.partition("\n")
    sheet = read_match_text(text)
    match = fold(sheet.ruleset, sheet.match_format, sheet.places, first_dealer=sheet.first_dealer)
    won, points = match.games_won, match.game.points
    assert first == f"# games won {won[0]} {won[1]}, points of the running game {points[0]} {points[1]}"
    assert format_match(sheet) == rest
    assert sheet.ruleset.key == key
