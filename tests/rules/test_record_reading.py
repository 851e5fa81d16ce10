"""Reading a record from a form, a JSON body or a line of a sheet, and its serialized form."""

from typing import Any

import pytest

from rules import (
    CANADIAN,
    MAINE,
    GameTotals,
    Misdeal,
    PassedOutHand,
    PlayedHand,
    Record,
    Seat,
    Side,
    Suit,
    TimeCall,
    UndoneRecord,
    VoidHand,
    read_record,
    record_to_json,
)
from tests.rules.sheets import A, B

HAND = {"side": "A", "contract": "6", "tricks": "7"}
TOTALS = {"kind": "totals", "points_a": "34", "points_b": "27"}


class TestRecordReading:
    def test_side_contract_and_tricks_make_a_hand(self) -> None:
        assert read_record(CANADIAN, HAND) == PlayedHand(side=A, contract="6", made=True, tricks=7)

    def test_hand_without_tricks_is_read_by_its_outcome(self) -> None:
        record_data = {"kind": "hand", "side": "B", "contract": "mulot", "outcome": "failed", "tricks": ""}
        assert read_record(CANADIAN, record_data) == PlayedHand(side=B, contract="mulot", made=False)

    def test_every_detail_of_a_hand_is_read(self) -> None:
        details = {"trump": "H", "declarer": "2", "mode": "kitty", "dealer": "3"}
        assert read_record(CANADIAN, HAND | details) == PlayedHand(
            side=A,
            contract="6",
            made=True,
            tricks=7,
            trump=Suit.HEARTS,
            declarer=Seat(2),
            mode="kitty",
            dealer=Seat(3),
        )

    def test_director_award_may_contradict_the_tricks(self) -> None:
        record_data = HAND | {"outcome": "failed", "awarded": "on"}
        record = read_record(CANADIAN, record_data)
        assert record == PlayedHand(side=A, contract="6", made=False, tricks=7, awarded=True)

    def test_totals_of_a_paper_sheet_are_read(self) -> None:
        assert read_record(CANADIAN, TOTALS) == GameTotals(points=(34, 27))

    def test_totals_without_a_clear_winner_name_it(self) -> None:
        below = {"kind": "totals", "points_a": "20", "points_b": "3", "winner": "B"}
        assert read_record(MAINE, below) == GameTotals(points=(20, 3), winner=B)
        awarded = GameTotals(points=(20, 3), winner=B, awarded=True)
        assert read_record(CANADIAN, below | {"awarded": "1"}) == awarded

    @pytest.mark.parametrize(
        ("record_data", "record"),
        [
            ({"kind": "passed_out"}, PassedOutHand()),
            ({"kind": "passed_out", "dealer": "3"}, PassedOutHand(dealer=Seat(3))),
            ({"kind": "misdeal", "dealer": 0}, Misdeal(dealer=Seat(0))),
            ({"kind": "void"}, VoidHand()),
            ({"kind": "undone"}, UndoneRecord()),
            ({"kind": "time_called"}, TimeCall()),
        ],
    )
    def test_records_without_a_score_are_read(self, record_data: dict[str, Any], record: Record) -> None:
        assert read_record(CANADIAN, record_data) == record

    @pytest.mark.parametrize("tricks", ["7", 7, " 7 ", "7\n", "07"])
    def test_number_may_be_text_with_surrounding_whitespace(self, tricks: object) -> None:
        assert read_record(CANADIAN, HAND | {"tricks": tricks}) == read_record(CANADIAN, HAND)

    @pytest.mark.parametrize("absent", [None, "", "  "])
    @pytest.mark.parametrize("field", ["outcome", "trump", "declarer", "mode", "dealer", "awarded", "course", "kind"])
    def test_blank_field_counts_as_missing(self, field: str, absent: object) -> None:
        assert read_record(CANADIAN, HAND | {field: absent}) == read_record(CANADIAN, HAND)

    @pytest.mark.parametrize(
        ("checkbox_value", "awarded"),
        [
            (True, True),
            ("true", True),
            ("on", True),
            (1, True),
            (False, False),
            ("false", False),
            ("0", False),
        ],
    )
    def test_checkbox_values_are_read_as_booleans(self, checkbox_value: object, awarded: bool) -> None:
        record = read_record(CANADIAN, HAND | {"awarded": checkbox_value})
        assert isinstance(record, PlayedHand)
        assert record.awarded is awarded

    def test_envelope_fields_are_ignored(self) -> None:
        assert read_record(CANADIAN, HAND | {"entry_key": "9f1c", "number": 3}) == read_record(CANADIAN, HAND)


@pytest.mark.parametrize(
    "record",
    [
        PlayedHand(side=A, contract="5", made=False),
        PlayedHand(side=B, contract="8", made=True, tricks=8, trump=Suit.CLUBS, declarer=Seat(3), mode="kitty"),
        PlayedHand(side=Side.A, contract="mulot", made=True, tricks=0, dealer=Seat(0), declarer=Seat(0)),
        PlayedHand(side=Side.A, contract="5", made=False, tricks=6, awarded=True),
        PassedOutHand(),
        PassedOutHand(dealer=Seat(0)),
        Misdeal(dealer=Seat(1)),
        VoidHand(dealer=Seat(2)),
        UndoneRecord(),
        TimeCall(),
        GameTotals(points=(0, 0)),
        GameTotals(points=(63, 31)),
        GameTotals(points=(10, 20), winner=A, awarded=True),
    ],
    ids=lambda record: record.kind,
)
def test_record_survives_a_round_trip(record: Record) -> None:
    assert {read_record(CANADIAN, record_to_json(record))} == {record}


def test_serialized_record_omits_unknown_details() -> None:
    hand = PlayedHand(side=A, contract="mulot", made=True, tricks=0, declarer=Seat(0))
    assert record_to_json(hand) == {
        "kind": "hand",
        "side": "A",
        "contract": "mulot",
        "outcome": "made",
        "tricks": 0,
        "declarer": 0,
    }
    assert record_to_json(UndoneRecord()) == {"kind": "undone"}
