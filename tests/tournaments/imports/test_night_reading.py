"""Reading the files of a recorded night into a value, or into a list of all their errors."""

import json

import pytest

from rules import CANADIAN, MatchFormat
from tournaments.imports.recorded_nights.files import recorded_nights
from tournaments.imports.recorded_nights.parser import read_night

from .night_sheets import ENTRIES, HANDS, RIGHT, TABLES, change_files, replace_line


class TestReadNight:
    def test_night_files_are_read_completely(self) -> None:
        night, refusals = read_night(RIGHT)
        assert refusals == []
        assert night is not None
        assert (night.ruleset, night.match_format) == (CANADIAN, MatchFormat(games_to_win=1))
        assert night.entries[1] == ("Jeannine Roy", "Marcel Dubé")
        assert [[table.table for table in played] for played in night.rounds] == [[1, 2], [1, 2]]
        first = night.rounds[0][0]
        assert (first.side_a, first.side_b, first.first_dealer, first.is_over) == (1, 2, 0, True)
        assert first.hands[0] == {
            "kind": "hand",
            "dealer": "0",
            "side": "A",
            "contract": "6",
            "trump": "H",
            "tricks": "7",
            "outcome": "made",
        }
        assert night.rounds[0][1].hands[0] == {"kind": "passed_out", "dealer": "2"}

    def test_night_may_end_in_mid_round(self) -> None:
        night, _ = read_night(RIGHT)
        assert night is not None
        assert [table.is_over for table in night.rounds[1]] == [True, False]

    def test_last_round_may_have_a_table_without_hands(self) -> None:
        night, refusals = read_night(change_files(hands=b"\n".join(HANDS.splitlines()[:-1])))
        assert refusals == []
        assert night is not None
        assert (night.rounds[1][1].hands, night.rounds[1][1].first_dealer) == ((), None)

    def test_night_may_have_no_rounds(self) -> None:
        night, refusals = read_night(change_files(tables=TABLES.splitlines()[0], hands=HANDS.splitlines()[0]))
        assert refusals == []
        assert night is not None
        assert night.rounds == ()

    def test_night_may_omit_the_dealer(self) -> None:
        night, refusals = read_night(change_files(hands=replace_line(HANDS, 4, "1,2,1,,,pass,,,passed_out")))
        assert refusals == []
        assert night is not None
        assert night.rounds[0][1].first_dealer is None

    def test_two_player_night_has_entries_of_one(self) -> None:
        night, refusals = read_night(
            {
                "night.json": b'{"ruleset": "two-player", "games_to_win": 1}',
                "entries.csv": b"entry,player_1\n1,Lise Albert\n2,Paul Albert\n",
                "tables.csv": b"round,table,side_a,side_b\n1,1,2,1\n",
                "hands.csv": HANDS.splitlines()[0] + b"\n1,1,1,1,A,charlemagne,H,8,made\n",
            }
        )
        assert refusals == []
        assert night is not None
        assert night.entries == {1: ("Lise Albert",), 2: ("Paul Albert",)}

    @pytest.mark.slow
    @pytest.mark.parametrize("name", recorded_nights())
    def test_bundled_sample_night_has_no_errors(self, name: str) -> None:
        night, refusals = read_night(recorded_nights()[name])
        assert refusals == []
        assert night is not None
        night_data = json.loads(recorded_nights()[name]["night.json"])
        assert (len(night.entries), len(night.rounds)) == (night_data["pairs"], night_data["rounds"])
        assert all(table.is_over for played in night.rounds for table in played)


class TestFileSyntax:
    def test_semicolons_separate_values_like_commas(self) -> None:
        files = {name: content.replace(b",", b";") for name, content in RIGHT.items() if name != "night.json"}
        assert read_night(RIGHT | files) == read_night(RIGHT)

    @pytest.mark.parametrize("ends", [b"\r\n", b"\r"])
    def test_any_line_ending_is_read(self, ends: bytes) -> None:
        assert read_night({name: text.replace(b"\n", ends) for name, text in RIGHT.items()}) == read_night(RIGHT)

    @pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "utf-16-le"])
    def test_any_common_encoding_is_read(self, encoding: str) -> None:
        files = {name: content.decode().encode(encoding) for name, content in RIGHT.items()}
        assert read_night(files) == read_night(RIGHT)

    def test_tabs_titles_and_french_headings_are_read(self) -> None:
        entries = "Soirée du mardi\n\nNuméro\tNom\tPrénom\tNom\tPrénom\n1\tROY\tJeannine\tDubé\tMarcel\n"
        more = "2\tCyr\tGhislaine\tOuellet\tNormand\n3\tAlbert\tLise\tAlbert\tPaul\n"
        more += "4\tHudon\tRita\tHudon\tYvon\n"
        heads = "Ronde\tTable\tMain\tDonneur\tCamp\tContrat\tAtout\tLevées\tRésultat"
        hands = heads.encode() + HANDS[HANDS.index(b"\n") :].replace(b",", b"\t")
        tables = "Ronde;Table;Numéro, équipe bleue;Numéro, équipe orange".encode()
        tables += TABLES[TABLES.index(b"\n") :].replace(b",", b";")
        files = change_files(entries=(entries + more).encode(), hands=hands, tables=tables)
        assert read_night(files) == read_night(RIGHT)

    def test_line_without_a_table_is_a_bye(self) -> None:
        assert read_night(change_files(tables=TABLES + b"2,,1,\n")) == read_night(RIGHT)

    def test_utf8_byte_order_mark_is_ignored(self) -> None:
        marked = {name: b"\xef\xbb\xbf" + content for name, content in RIGHT.items()}
        assert read_night(marked) == read_night(RIGHT)

    def test_empty_lines_and_spaces_are_ignored(self) -> None:
        spaced = TABLES.replace(b",", b" , ").replace(b"\n", b"\n\n,,,\n")
        assert read_night(change_files(tables=spaced)) == read_night(RIGHT)

    def test_columns_are_read_in_any_order(self) -> None:
        turned = b"note,side_b,side_a,table,round\n,2,1,1,1\n,4,3,2,1\n,3,1,1,2\nlate,4,2,2,2\n"
        assert read_night(change_files(tables=turned)) == read_night(RIGHT)

    def test_quoted_values_are_read(self) -> None:
        assert read_night(
            change_files(entries=replace_line(ENTRIES, 2, '1,"Jeannine Roy","Marcel Dubé"'))
        ) == read_night(RIGHT)

    def test_names_are_normalized_on_read(self) -> None:
        night, _ = read_night(
            change_files(entries=replace_line(ENTRIES, 2, "1,Jeannine\u00a0 Roy,Marcel\u200b Dube\u0301"))
        )
        assert night is not None
        assert night.entries[1] == ("Jeannine Roy", "Marcel Dubé")
