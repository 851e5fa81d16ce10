"""Every error in a recorded night is reported in one pass, with file, line, column and code."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.imports.recorded_nights.files import NIGHT_FILES
from tournaments.imports.recorded_nights.parser import MAX_REFUSALS, read_night

from .night_sheets import (
    ENTRIES,
    HANDS,
    RIGHT,
    TABLES,
    RefusalRow,
    change_files,
    get_refusals,
    list_refusals,
    replace_line,
)

BAD_LINES: list[tuple[str, bytes, int, str, list[RefusalRow]]] = [
    (
        "entries",
        ENTRIES,
        3,
        "x,Ghislaine Cyr,Normand Ouellet",
        [("entries.csv", 3, "entry", "number_expected")],
    ),
    (
        "entries",
        ENTRIES,
        3,
        "0,Ghislaine Cyr,Normand Ouellet",
        [("entries.csv", 3, "entry", "number_expected")],
    ),
    ("entries", ENTRIES, 3, "2,,Normand Ouellet", [("entries.csv", 3, "player_1", "name_required")]),
    ("entries", ENTRIES, 3, "2,Ghislaine Cyr", [("entries.csv", 3, "player_2", "name_required")]),
    ("entries", ENTRIES, 3, f"2,{'x' * 81},Paul", [("entries.csv", 3, "player_1", "name_too_long")]),
    ("entries", ENTRIES, 3, "2,Cyr 🎉,Paul", [("entries.csv", 3, "player_1", "strange_character")]),
    ("entries", ENTRIES, 6, "4,Anne Roy,Luc Roy", [("entries.csv", 6, "entry", "entry_twice")]),
    ("tables", TABLES, 2, "1,1,1,9", [("tables.csv", 2, "side_b", "no_such_entry")]),
    ("tables", TABLES, 2, "1,1,1,1", [("tables.csv", 2, "side_b", "seated_twice")]),
    ("tables", TABLES, 3, "1,2,3,1", [("tables.csv", 3, "side_b", "seated_twice")]),
    ("tables", TABLES, 2, "1,1,one,2", [("tables.csv", 2, "side_a", "number_expected")]),
    ("tables", TABLES, 2, "1,-1,1,2", [("tables.csv", 2, "table", "number_expected")]),
    ("tables", TABLES, 2, "1,1,1,99999", [("tables.csv", 2, "side_b", "number_expected")]),
    ("tables", TABLES, 2, "1,1,1,２", [("tables.csv", 2, "side_b", "number_expected")]),
    ("hands", HANDS, 2, "1,1,1,0,A,6,H,9,made", [("hands.csv", 2, "tricks", "tricks_out_of_range")]),
    ("hands", HANDS, 2, "1,1,1,0,A,6,H,-1,made", [("hands.csv", 2, "tricks", "tricks_out_of_range")]),
    ("hands", HANDS, 2, "1,1,1,0,A,6,H,huit,made", [("hands.csv", 2, "tricks", "not_a_number")]),
    ("hands", HANDS, 2, "1,1,1,0,A,6,H,5,made", [("hands.csv", 2, "tricks", "tricks_contradict_outcome")]),
    ("hands", HANDS, 2, "1,1,1,0,A,petite,,0,made", [("hands.csv", 2, "contract", "no_such_bid")]),
    ("hands", HANDS, 2, "1,1,1,0,A,mulot,H,0,made", [("hands.csv", 2, "trump", "trump_not_allowed")]),
    ("hands", HANDS, 2, "1,1,1,0,A,6,X,7,made", [("hands.csv", 2, "trump", "no_such_suit")]),
    ("hands", HANDS, 2, "1,1,1,0,C,6,H,7,made", [("hands.csv", 2, "side", "no_such_side")]),
    ("hands", HANDS, 2, "1,1,1,0,,6,H,7,made", [("hands.csv", 2, "side", "side_required")]),
    ("hands", HANDS, 2, "1,1,1,4,A,6,H,7,made", [("hands.csv", 2, "dealer", "no_such_seat")]),
    ("hands", HANDS, 2, "1,1,1,0,A,6,H,7,won", [("hands.csv", 2, "outcome", "no_such_outcome")]),
    ("hands", HANDS, 2, "1,1,1,0,A,6,H,,", [("hands.csv", 2, "tricks", "result_required")]),
    ("hands", HANDS, 3, "1,3,1,0,A,6,H,7,made", [("hands.csv", 3, "table", "no_such_table")]),
    ("hands", HANDS, 8, "2,1,3,0,A,6,H,7,made", [("hands.csv", 8, "hand", "match_over")]),
    ("hands", HANDS, 8, "2,2,2,0,A,6,H,7,made", [("hands.csv", 8, "hand", "number_skips")]),
    ("hands", HANDS, 2, "1,1,,0,A,6,H,7,made", [("hands.csv", 2, "hand", "number_expected")]),
]


class TestInvalidLine:
    @pytest.mark.parametrize(("file", "content", "line", "text", "expected"), BAD_LINES)
    def test_invalid_line_is_reported_with_file_line_column_and_code(
        self, file: str, content: bytes, line: int, text: str, expected: list[RefusalRow]
    ) -> None:
        assert expected[0] in get_refusals(**{file: replace_line(content, line, text)})

    @pytest.mark.parametrize(
        "bad",
        [
            {"hands": replace_line(HANDS, 3, "1,1,2,1,A,gros_charlemagne,S,9,made")},
            {"hands": replace_line(HANDS, 8, "2,2,2,0,A,6,H,7,made")},
            {"entries": replace_line(ENTRIES, 2, "one,Jeannine Roy,Marcel Roy")},
            {"tables": replace_line(TABLES, 2, "1,1,1,two")},
            {"tables": replace_line(TABLES, 2, "one,1,1,2")},
            {"entries": None},
            {"tables": None},
            {"hands": None},
        ],
        ids=str,
    )
    def test_root_error_is_reported_without_its_consequences(self, bad: dict[str, bytes | None]) -> None:
        assert len(get_refusals(**bad)) == 1

    def test_refusal_includes_the_details_of_its_sentence(self) -> None:
        _, (refusal,) = read_night(change_files(hands=replace_line(HANDS, 2, "1,1,1,0,A,6,H,9,made")))
        assert refusal.details == {"file": "hands.csv", "line": 2, "most": 8}

    def test_all_errors_are_reported_together(self) -> None:
        assert get_refusals(
            entries=replace_line(ENTRIES, 3, "2,,Normand Ouellet 2"),
            tables=replace_line(TABLES, 5, "2,2,2,2"),
            hands=replace_line(replace_line(HANDS, 2, "1,1,1,9,A,6,H,9,made"), 8, "2,9,1,0,A,6,,7,made"),
        ) == [
            ("entries.csv", 3, "player_1", "name_required"),
            ("entries.csv", 3, "player_2", "strange_character"),
            ("tables.csv", 5, "side_b", "seated_twice"),
            ("hands.csv", 2, "dealer", "no_such_seat"),
            ("hands.csv", 2, "tricks", "tricks_out_of_range"),
            ("hands.csv", 8, "table", "no_such_table"),
        ]

    def test_multiline_values_keep_line_numbers_correct(self) -> None:
        quoted = replace_line(ENTRIES, 2, '1,"Jeannine\nRoy",Marcel Roy')
        assert get_refusals(entries=replace_line(quoted, 4, "2,,Paul Roy")) == [
            ("entries.csv", 4, "player_1", "name_required")
        ]


class TestInconsistentFiles:
    def test_table_repeated_in_a_round_is_reported(self) -> None:
        assert ("tables.csv", 3, "table", "table_twice") in get_refusals(tables=replace_line(TABLES, 3, "1,1,3,4"))

    def test_missing_round_is_reported_at_the_next_round(self) -> None:
        tables = TABLES.replace(b"\n2,", b"\n4,")
        assert get_refusals(tables=tables, hands=HANDS.replace(b"\n2,", b"\n4,")) == [
            ("tables.csv", 4, "round", "round_missing")
        ]

    def test_unfinished_match_before_a_later_round_is_reported(self) -> None:
        assert get_refusals(hands=HANDS.replace(b"1,2,2,3,B,gros_charlemagne", b"1,2,2,3,B,6")) == [
            ("tables.csv", 3, "table", "match_not_over")
        ]

    def test_omitted_hand_is_reported_once(self) -> None:
        lines = HANDS.splitlines()
        more = [b"2,2,3,0,B,6,H,6,made", b"2,2,4,0,B,6,H,6,made", b"2,2,5,0,B,6,H,6,made"]
        assert get_refusals(hands=b"\n".join([*lines, *more])) == [("hands.csv", 9, "hand", "number_skips")]

    @pytest.mark.parametrize("entries", [b"", b"\n1,Jeannine Roy,Marcel Roy"])
    def test_fewer_than_two_entries_are_refused(self, entries: bytes) -> None:
        header = ENTRIES.splitlines()[0]
        assert get_refusals(entries=header + entries, tables=TABLES.splitlines()[0], hands=HANDS.splitlines()[0]) == [
            ("entries.csv", None, None, "too_few_entries")
        ]


class TestUnreadableFile:
    def test_every_missing_file_is_reported(self) -> None:
        _, refusals = read_night({})
        assert list_refusals(refusals) == [(name, None, None, "file_missing") for name in NIGHT_FILES]

    @pytest.mark.parametrize("file", ["entries", "tables", "hands"])
    def test_empty_file_reports_missing_columns(self, file: str) -> None:
        for content in (b"", b"\n", b"\n\n"):
            codes = {
                code for name, line, _, code in get_refusals(**{file: content}) if (name, line) == (f"{file}.csv", 1)
            }
            assert codes == {"column_missing"}

    def test_every_missing_column_is_reported(self) -> None:
        assert get_refusals(tables=b"round,table,a,b\n1,1,1,2\n") == [
            ("tables.csv", 1, "side_a", "column_missing"),
            ("tables.csv", 1, "side_b", "column_missing"),
        ]

    def test_duplicate_column_is_refused(self) -> None:
        assert get_refusals(entries=ENTRIES.replace(b"player_2", b"Number")) == [
            ("entries.csv", 1, "Number", "column_twice"),
        ]

    @pytest.mark.parametrize(
        ("content", "code"),
        [(b"entry,player_1\n1,Anne \x81\n", "not_utf8"), (b"\x89PNG\r\n\x1a\n", "column_missing")],
        ids=["no known letters", "a picture"],
    )
    def test_binary_or_non_csv_file_is_reported_with_its_line(self, content: bytes, code: str) -> None:
        (refusal,) = get_refusals(entries=content)
        assert (refusal[0], refusal[3]) == ("entries.csv", code)
        assert refusal[1] in {1, 2}

    @pytest.mark.parametrize(
        ("content", "line"),
        [
            (replace_line(ENTRIES, 4, '3,"Lise Albert,Paul Albert'), 4),
            (replace_line(ENTRIES, 4, '3,"Lise" Albert,Paul Albert'), 4),
            (replace_line(ENTRIES, 4, f"3,{'x' * 140_000},Paul Albert"), 4),
        ],
        ids=["open quotation mark", "letters after one", "no end"],
    )
    def test_malformed_csv_is_reported_where_it_begins(self, content: bytes, line: int) -> None:
        assert get_refusals(entries=content) == [("entries.csv", line, None, "malformed_csv")]

    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            (b"", ("night.json", 1, "1", "not_json")),
            (b"{\n  'ruleset': 1}", ("night.json", 2, "3", "not_json")),
            (b"[" * 100_000, ("night.json", None, None, "not_json")),
            (b'{"a":' * 100_000, ("night.json", None, None, "not_json")),
            (b'{"games_to_win": ' + b"1" * 5_000 + b"}", ("night.json", None, None, "not_json")),
            (b"[]", ("night.json", None, None, "not_an_object")),
            (b"null", ("night.json", None, None, "not_an_object")),
            (b"{}", ("night.json", None, "games_to_win", "not_a_number")),
            (b'{"games_to_win": "1"}', ("night.json", None, "games_to_win", "not_a_number")),
            (b'{"games_to_win": true}', ("night.json", None, "games_to_win", "not_a_number")),
            (b'{"games_to_win": 1.0}', ("night.json", None, "games_to_win", "not_a_number")),
            (b'{"games_to_win": NaN}', ("night.json", None, "games_to_win", "not_a_number")),
            (b'{"games_to_win": 99999}', ("night.json", None, "games_to_win", "not_a_number")),
            (b'{"games_to_win": 1}', ("night.json", None, "ruleset", "no_such_ruleset")),
            (b'{"games_to_win": 1, "ruleset": "whist"}', ("night.json", None, "ruleset", "no_such_ruleset")),
            (b'{"games_to_win": 1, "ruleset": []}', ("night.json", None, "ruleset", "no_such_ruleset")),
            (
                b'{"games_to_win": 0, "ruleset": "maine"}',
                ("night.json", None, "games_to_win", "length_not_positive"),
            ),
        ],
        ids=lambda value: value[:30] if isinstance(value, bytes) else "",
    )
    def test_invalid_json_is_reported(self, content: bytes, expected: RefusalRow) -> None:
        assert get_refusals(night=content) == [expected]

    def test_invalid_json_does_not_hide_errors_in_other_files(self) -> None:
        assert get_refusals(night=b"", tables=replace_line(TABLES, 2, "1,1,1,1"), hands=b"round\n") == [
            ("night.json", 1, "1", "not_json"),
            ("tables.csv", 2, "side_b", "seated_twice"),
            *(
                ("hands.csv", 1, column, "column_missing")
                for column in HANDS.decode().splitlines()[0].split(",")
                if column not in ("round", "dealer", "trump", "outcome")
            ),
        ]


class TestOversizedFile:
    def test_refusals_stop_at_a_maximum(self) -> None:
        refusals = get_refusals(hands=HANDS.splitlines()[0] + b"\nx" * 1_000_000)
        assert MAX_REFUSALS <= len(refusals) < MAX_REFUSALS + 10

    def test_distant_round_number_reports_one_missing_round(self) -> None:
        assert get_refusals(tables=TABLES + b"9999,1,1,2\n")[0] == ("tables.csv", 6, "round", "round_missing")

    @pytest.mark.long
    def test_overlong_value_is_truncated_in_the_refusal(self) -> None:
        _, (refusal,) = read_night(change_files(hands=replace_line(HANDS, 2, f"1,1,1,0,A,6,H,{'9' * 100_000},made")))
        assert len(refusal.details["value"]) == 200
        _, (refusal,) = read_night(change_files(night=b'{"games_to_win": 1, "ruleset": "' + b"x" * 100_000 + b'"}'))
        assert len(refusal.details["ruleset"]) == 200

    @pytest.mark.parametrize("file", ["entries", "tables", "hands"])
    def test_overlong_number_is_refused(self, file: str) -> None:
        content = {"entries": ENTRIES, "tables": TABLES, "hands": HANDS}[file]
        line = "9" * 10_000 + content.decode().splitlines()[1][1:]
        assert get_refusals(**{file: replace_line(content, 2, line)})[0][3] == "number_expected"


JUNK = st.binary(max_size=60) | st.text(alphabet="0123456789,;\"\nAB'é\x00 ", max_size=60).map(str.encode)


@pytest.mark.slow
@settings(deadline=None)
@given(files=st.dictionaries(st.sampled_from(NIGHT_FILES), st.builds(bytes.__add__, JUNK, JUNK)))
def test_random_files_are_refused_without_a_crash(files: dict[str, bytes]) -> None:
    night, refusals = read_night(files)
    assert night is None
    assert all(refusal.details["file"] in NIGHT_FILES for refusal in refusals)


@pytest.mark.long
@settings(deadline=None)
@given(
    name=st.sampled_from(NIGHT_FILES),
    cut=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    junk=JUNK,
)
def test_corrupted_file_is_either_read_or_refused(name: str, cut: tuple[float, float], junk: bytes) -> None:
    content = RIGHT[name]
    start, end = (int(len(content) * place) for place in sorted(cut))
    night, refusals = read_night(RIGHT | {name: content[:start] + junk + content[end:]})
    assert (night is None) == bool(refusals)
