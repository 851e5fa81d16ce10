"""FIDE's Tournament Report File, written and read column by column.

The vectors: ``after_two_rounds`` follows the columns of FIDE Handbook C.04 Annex 2 (TRF16) and JaVaFo's
extensions. The others come from the random generator of bbpPairings (``--dutch -g … -o … -s 7``, and seed 3
for the one with 3 points per win); their lines end with CR alone, as it writes them. ``bye_after_an_absence``
has the results of its own test dutch_2025_C9.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.draws import Bond, DrawInput, Entrant, EntryId, PlayedPairing, draw
from engine.draws.trf import (
    PointSystem,
    ReportEntry,
    TrfAbsence,
    TrfReport,
    build_draw_input,
    build_report,
    read_report,
    render_trf,
)
from errors import Refusal
from rules import Side
from tests.long_runs import choose_count

from .events import build_bye, build_field, build_pairing, simulate_event
from .people import build_pairing_of_four

VECTORS = Path(__file__).parents[2] / "vectors" / "draws"
GENERATED_FILES = ["nine_entries", "forfeits_and_byes", "three_points_a_win"]


def read_vector(name: str) -> str:
    return (VECTORS / f"{name}.trf").read_bytes().decode()


def list_player_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("001")]


def get_refusal(text: str) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        read_report(text)
    return refusal.value


def sort_report(report: TrfReport) -> TrfReport:
    def sort(played: tuple[PlayedPairing, ...]) -> tuple[PlayedPairing, ...]:
        return tuple(sorted(played, key=lambda p: (p.round, min(p.a + p.b))))

    return replace(report, history=sort(report.history), pending=sort(report.pending))


WORTHS = st.integers(0, 40)
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=33)


@st.composite
def reports(draw_one: st.DrawFn) -> TrfReport:
    """Generate a report with random results, byes, forfeits and absences, and known parts of the next round."""
    entries = [EntryId(number) for number in range(1, draw_one(st.integers(0, 9)) + 1)]
    chance = Random(draw_one(st.integers()))
    history: list[PlayedPairing] = []
    out: dict[EntryId, dict[int, TrfAbsence]] = {entry: {} for entry in entries}
    rounds = draw_one(st.integers(0, 4)) if entries else 0
    for number in range(1, rounds + 1):
        order = chance.sample(entries, len(entries))
        bye = order.pop()
        history.append(PlayedPairing(round=number, a=(bye,)))
        while len(order) > 1:
            one, other = order.pop(), order.pop()
            match chance.choice(["met", "met", "met", "away", "asked"]):
                case "met":
                    winner = chance.choice([Side.A, Side.B, None])
                    forfeit = chance.random() < 1 / 4
                    history.append(PlayedPairing(round=number, a=(one,), b=(other,), winner=winner, is_forfeit=forfeit))
                case "asked":
                    out[one][number] = chance.choice([TrfAbsence.HALF, TrfAbsence.FULL])
                    history.append(PlayedPairing(round=number, a=(one,)))
        for one in entries:
            if not any(one in (*met.a, *met.b) for met in history if met.round == number):
                out[one][number] = TrfAbsence.ZERO
    pending: list[PlayedPairing] = []
    if rounds and chance.random() < 1 / 2:
        played = [met for met in history if met.round == rounds and met.b]
        pending = [replace(met, winner=None, is_forfeit=False) for met in chance.sample(played, min(2, len(played)))]
        at_pending = {met.a for met in pending}
        history = [met for met in history if met.round < rounds or met.a not in at_pending]
    for entry in entries:
        if chance.random() < 1 / 5:
            out[entry][rounds + 1] = chance.choice(list(TrfAbsence))
    return sort_report(
        TrfReport(
            name=draw_one(NAMES),
            entries=tuple(
                ReportEntry(
                    id=entry,
                    name=draw_one(NAMES),
                    rating=draw_one(st.integers(0, 9999)),
                    rank=draw_one(st.integers(0, 9999)),
                    absences=out[entry],
                    team=chance.choice(["", "Matane", "Rimouski-Neigette"]),
                )
                for entry in entries
            ),
            history=tuple(history),
            pending=tuple(pending),
            rounds=draw_one(st.none() | st.integers(1, 30)),
            points=draw_one(
                st.builds(
                    PointSystem,
                    win=WORTHS,
                    draw=WORTHS,
                    loss=WORTHS,
                    bye=WORTHS,
                    absence=WORTHS,
                    forfeit_loss=WORTHS,
                )
            ),
            first_side=draw_one(st.none() | st.sampled_from(list(Side))),
            apart=tuple(draw_one(st.lists(st.sampled_from(entries).map(lambda e: (e, e)), max_size=2)))
            if entries
            else (),
            apart_first=((2, (entries[0], entries[-1])),) if len(entries) > 4 else (),
            tiebreaks=tuple(draw_one(st.lists(st.sampled_from(["PTS", "BH-C1", "SB"]), unique=True))),
            extension=draw_one(st.sampled_from(["", '{"lot": 7}'])),
            arbiter=draw_one(NAMES),
        )
    )


class TestTrfRoundTrip:
    @pytest.mark.slow
    @settings(deadline=None)
    @given(reports())
    def test_report_survives_a_round_trip(self, report: TrfReport) -> None:
        assert sort_report(read_report(render_trf(report))) == report

    @pytest.mark.slow
    @settings(deadline=None)
    @given(reports())
    def test_text_survives_a_round_trip(self, report: TrfReport) -> None:
        text = render_trf(report)
        assert render_trf(read_report(text)) == text
        assert render_trf(read_report(text.replace("\r\n", "\r"))) == text
        assert render_trf(read_report("\ufeff" + text.replace("\r\n", "\n"))) == text

    @pytest.mark.parametrize("name", GENERATED_FILES)
    def test_foreign_file_players_are_rendered_column_for_column(self, name: str) -> None:
        def common(line: str) -> str:
            # The generator writes names one column further to the right.
            return line[:9] + line[47:]

        theirs, ours = read_vector(name), render_trf(read_report(read_vector(name)))
        assert [common(line) for line in list_player_lines(ours)] == [
            common(line) for line in list_player_lines(theirs)
        ]

    def test_handbook_file_is_rendered_with_blanks_as_absences(self) -> None:
        text = read_vector("after_two_rounds")
        blank = " " * 10 + "     6 b -"
        assert blank in text
        assert render_trf(read_report(text)) == text.replace(blank, "  0000 - Z     6 b -")


class TestTrfColumns:
    LINE = list_player_lines(render_trf(read_report(read_vector("after_two_rounds"))))[5]

    @pytest.mark.parametrize(
        ("first", "last", "text"),
        [
            (1, 3, "001"),
            (5, 8, "   6"),
            (15, 47, "Gagnon".ljust(33)),
            (49, 52, "    "),
            (81, 84, " 1.5"),
            (86, 89, "   2"),
            (92, 95, "   3"),
            (97, 97, "w"),
            (99, 99, "="),
            (102, 105, "   7"),
            (107, 107, "w"),
            (109, 109, "+"),
            (112, 115, "0000"),
            (117, 117, "-"),
            (119, 119, "H"),
        ],
    )
    def test_columns_follow_the_handbook(self, first: int, last: int, text: str) -> None:
        assert self.LINE[first - 1 : last] == text

    def test_every_line_ends_with_a_carriage_return(self) -> None:
        assert all(
            line.endswith("\r") for line in render_trf(read_report(read_vector("nine_entries"))).split("\n")[:-1]
        )

    def test_a_long_name_is_cut_and_cannot_break_a_line(self) -> None:
        report = TrfReport(name="a\r\nb\u2028c", entries=(ReportEntry(id=EntryId(1), name="é\n" + "x" * 40),))
        text = render_trf(report)
        assert text.startswith("012 a b c\r\n")
        assert read_report(text).entries[0].name == "é " + "x" * 31


class TestTrfPoints:
    def test_each_result_counts_by_the_point_system(self) -> None:
        one, other, third = EntryId(1), EntryId(2), EntryId(3)
        out = {7: TrfAbsence.HALF, 8: TrfAbsence.FULL}

        def match(number: int, winner: Side | None, *, is_forfeit: bool = False) -> PlayedPairing:
            return PlayedPairing(round=number, a=(one,), b=(other,), winner=winner, is_forfeit=is_forfeit)

        report = TrfReport(
            entries=tuple(
                ReportEntry(id=entry, name="x", absences=out if entry == one else {}) for entry in (one, other, third)
            ),
            history=(
                match(1, Side.A),
                match(2, None),
                match(3, Side.B),
                match(4, Side.B, is_forfeit=True),
                match(5, None, is_forfeit=True),
                *(build_bye(number, 1) for number in (6, 7, 8)),
                *(build_bye(number, 3) for number in (7, 8)),
            ),
            points=PointSystem(win=40, draw=20, loss=10, bye=30, absence=3, forfeit_loss=1),
        )
        won, drawn, lost = 40, 20, 10
        expected = [
            won + drawn + lost + 1 + 1 + 30 + drawn + won,
            lost + drawn + won + won + 1 + 3 * 3,
            6 * 3 + 2 * 30,
        ]
        lines = list_player_lines(render_trf(report))
        assert [line[80:84] for line in lines] == [f"{points / 10:4.1f}" for points in expected]
        assert [line[98::10] for line in lines] == ["1=0--UHF", "0=1+-ZZZ", "ZZZZZZUU"]

    def test_requested_bye_of_the_next_round_is_not_counted_yet(self) -> None:
        entries = (
            ReportEntry(id=EntryId(1), name="x", absences={1: TrfAbsence.HALF}),
            ReportEntry(id=EntryId(2), name="y"),
        )
        lines = list_player_lines(render_trf(TrfReport(entries=entries, history=(build_bye(1, 1),))))
        assert [line[80:] for line in lines] == [" 0.0       0000 - H", " 0.0"]

    def test_file_that_counts_a_future_bye_is_still_read(self) -> None:
        text = read_vector("after_two_rounds")
        assert read_report(text.replace(" 1.5    2", " 2.0    2")) == read_report(text)


class TestTrfReading:
    def test_white_is_side_a_and_each_match_is_listed_once(self) -> None:
        report = read_report(read_vector("after_two_rounds"))
        assert [(p.round, *p.a, *p.b, p.winner, p.is_forfeit) for p in report.history] == [
            (1, 1, 4, Side.A, False),
            (1, 2, 5, Side.A, False),
            (1, 6, 3, None, False),
            (2, 2, 1, Side.A, False),
            (2, 5, 3, None, False),
            (2, 4, None, False),
            (2, 6, 7, Side.A, True),
        ]

    def test_header_gives_event_rounds_and_entries(self) -> None:
        report = read_report(read_vector("after_two_rounds"))
        assert (report.name, report.city, report.arbiter) == (
            "Tournoi de Rimouski",
            "Rimouski",
            "Arsenault, Rose",
        )
        assert (report.rounds, report.first_side, report.apart) == (5, Side.A, ((3, 4),))
        assert [(e.id, e.name, e.rating, e.rank) for e in report.entries[:2]] == [
            (1, "Roy, Ève", 1850, 3),
            (2, "Côté, Luc", 0, 1),
        ]

    def test_absences_of_the_next_round_are_read(self) -> None:
        report = read_report(read_vector("after_two_rounds") + "XXZ 2 3\r\n")
        assert {e.id: dict(e.absences) for e in report.entries if e.absences} == {
            2: {3: TrfAbsence.ZERO},
            3: {3: TrfAbsence.ZERO},
            6: {3: TrfAbsence.HALF},
            7: {1: TrfAbsence.ZERO, 3: TrfAbsence.ZERO},
        }

    def test_next_round_is_drawn_without_absent_entries(self) -> None:
        report = read_report(read_vector("after_two_rounds") + "XXZ 2 3\r\n")
        entrants = {entrant.id: entrant for entrant in build_draw_input(report).entrants}
        assert {number: entrants[EntryId(number)].absent for number in (2, 6)} == {2: {3}, 6: frozenset()}
        assert {number: entrants[EntryId(number)].requested_byes for number in (2, 6)} == {2: frozenset(), 6: {3}}

    def test_past_absence_counts_when_the_bye_is_assigned(self) -> None:
        """bbpPairings' own test dutch_2025_C9: entry 5 missed round 1, so it plays round 2."""
        drawn = draw("swiss", build_draw_input(read_report(read_vector("bye_after_an_absence")), seed=1))
        assert [bye.entry for bye in drawn.byes] == [4]

    def test_current_round_matches_without_a_result_are_pending(self) -> None:
        text = read_vector("after_two_rounds").replace("7 w +", "7 w  ").replace("6 b -", "6 b  ")
        report = read_report(text.replace(" 1.5    2", " 0.5    2"))
        assert [(p.round, *p.a, *p.b) for p in report.pending] == [(2, 6, 7)]
        assert (report.rounds_played, len(report.history)) == (2, 6)
        drawn_from = build_draw_input(report)
        assert drawn_from.round == 3
        assert {e.id: e.score for e in drawn_from.entrants}[EntryId(6)] == 5

    def test_teams_of_either_edition_are_read_as_clubs(self) -> None:
        text = read_vector("after_two_rounds")
        old = f"{'013 Matane':36}   1    4\r\n"
        new = f"{'310   1 Matane':73}   1    4\r\n"
        for line in (old, new):
            report = read_report(text + line)
            assert {e.id: e.team for e in report.entries if e.team} == {1: "Matane", 4: "Matane"}
            bonds = {e.id: e.bonds for e in build_draw_input(report).entrants}
            assert Bond("club", "Matane") in bonds[EntryId(1)] & bonds[EntryId(4)]

    def test_byes_and_forbidden_pairs_of_the_2026_edition_are_read(self) -> None:
        text = read_vector("after_two_rounds") + "240 H 003    1    2\r260 001 002    5    7\r212 PTS, BH-C1\r"
        report = read_report(text)
        assert {e.id for e in report.entries if e.absences.get(3) is TrfAbsence.HALF} == {1, 2, 6}
        assert (report.apart, report.apart_first) == (((3, 4),), ((2, (5, 7)),))
        assert report.tiebreaks == ("PTS", "BH-C1")

    def test_short_games_count_like_any_other(self) -> None:
        text = read_vector("nine_entries")
        letters = {"1": "W", "0": "L", "=": "D"}
        short = re.sub(r"( [wb] )([10=])", lambda cell: cell[1] + letters[cell[2]], text)
        assert short.count(" L") > text.count(" L")
        assert read_report(short).history == read_report(text).history

    @pytest.mark.parametrize("name", GENERATED_FILES)
    def test_every_match_of_a_foreign_file_is_read(self, name: str) -> None:
        report = read_report(read_vector(name))
        cells = [line[91 + 10 * r : 99 + 10 * r] for line in list_player_lines(read_vector(name)) for r in range(5)]
        assert 2 * sum(len(p.b) for p in report.history) == sum(cell[5:6] in {"w", "b"} for cell in cells if cell)
        assert sum(not p.b for p in report.history) == sum(cell[7:] in {"U", "H", "F"} for cell in cells if cell)

    def test_point_system_of_either_edition_is_read(self) -> None:
        assert read_report(read_vector("three_points_a_win")).points == PointSystem(win=30, draw=10, bye=10)
        assert read_report("BBW  3.0\nBBD  1.0\nBBF  0.5\n").points == PointSystem(
            win=30, draw=10, bye=30, forfeit_loss=5
        )

    def test_rounds_and_first_colour_of_the_2026_edition_are_read(self) -> None:
        report = read_report("142 9\r152 B\r### a comment\r")
        assert (report.rounds, report.first_side) == (9, Side.B)

    def test_lower_number_is_on_side_a_without_colours(self) -> None:
        text = read_vector("after_two_rounds").replace("7 w +", "7 - +").replace("6 b -", "6 - -")
        assert read_report(text) == read_report(read_vector("after_two_rounds"))

    def test_letters_in_either_case_and_older_bye_codes_are_read(self) -> None:
        text = read_vector("after_two_rounds").replace("0000 - U", "0000 - +").replace("0000 - H", "0000 - h")
        assert read_report(text) == read_report(read_vector("after_two_rounds"))


class TestGivenPoints:
    TEXT = (
        "001    1      One                                                                0.5    2     2 w 1\r\n"
        "001    2      Two                                                               -1.0    1     1 b 0\r\n"
        "299          -0.5  001    1\r\n"
        "299          -1.0  000    2\r\n"
    )

    def test_points_given_by_the_arbiter_keep_their_columns(self) -> None:
        report = read_report(self.TEXT)
        assert [dict(entry.given) for entry in report.entries] == [{1: -5}, {0: -10}]
        assert [entrant.score for entrant in build_draw_input(report).entrants] == [5, -10]
        assert [line for line in render_trf(report).splitlines() if line[:3] in ("001", "299")] == [
            line.rstrip() for line in self.TEXT.splitlines()
        ]

    def test_points_of_the_players_may_lack_given_points(self) -> None:
        assert read_report(self.TEXT.replace(" 0.5 ", " 1.0 ").replace("-1.0    1 ", " 0.0    1 ")).history

    def test_worth_of_a_kind_of_result_is_not_given_to_anybody(self) -> None:
        text = self.TEXT.replace(" 0.5 ", " 1.0 ").replace("-1.0    1 ", " 0.0    1 ").replace("299  ", "299 +")
        assert [dict(entry.given) for entry in read_report(text).entries] == [{}, {}]

    def test_points_given_to_an_unknown_entry_are_refused(self) -> None:
        assert get_refusal(self.TEXT + "299          -1.0  001    3\r\n").code == "report_line"


class TestTrfRefusals:
    TEXT = read_vector("after_two_rounds")

    @pytest.mark.parametrize(
        ("old", "new", "line", "columns"),
        [
            ("001    1", "001    x", 12, (5, 8)),
            ("001    1", "001    0", 12, (5, 8)),
            ("1850", "18.5", 12, (49, 52)),
            (" 1.0    3", " 1,0    3", 12, (81, 84)),
            ("1.0    3", "1.0    -", 12, (86, 89)),
            ("4 w 1", "q w 1", 12, (92, 95)),
            ("4 w 1", "4 x 1", 12, (97, 97)),
            ("4 w 1", "4 w 7", 12, (99, 99)),
            ("0000 - U", "0000 w U", 15, (107, 107)),
            ("0000 - U", "0000 - 1", 15, (109, 109)),
            ("XXP 3 4", "XXP 3 x", 11, (4, 7)),
            ("XXP 3 4", "XXZ 9", 11, (4, 5)),
            ("XXR 5", "XXR five", 9, (4, 8)),
            ("XXR 5", "XXR 0", 9, (4, 8)),
            ("XXR 5", f"XXR {'9' * 5000}", 9, (4, 5004)),
            ("XXP 3 4", f"XXP 3 {'9' * 5000}", 11, (4, 5006)),
            ("XXR 5", "BBW many", 9, (5, 8)),
            ("XXR 5", "162  Q 1.0", 9, (6, 6)),
            ("XXR 5", "240 X 003    2", 9, (5, 5)),
            ("XXR 5", "240 H 003   99", 9, (4, 14)),
            ("XXR 5", "260 001 002    2    x", 9, (18, 21)),
            ("XXR 5", f"{'013 Matane':36}   99", 9, (4, 41)),
        ],
    )
    def test_refusal_names_line_and_columns(self, old: str, new: str, line: int, columns: tuple[int, int]) -> None:
        refusal = get_refusal(self.TEXT.replace(old, new, 1))
        assert (refusal.code, refusal.field) == ("report_line", "report")
        assert (refusal.details["line"], refusal.details["columns"]) == (line, columns)

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("4 w 1", "4 w 0"),
            ("4 w 1", "4 b 1"),
            ("4 w 1", "5 w 1"),
            ("4 w 1", "9 w 1"),
            ("4 w 1", "1 w 1"),
            ("4 w 1", "4 - 1"),
        ],
        ids=["result", "colour", "somebody else's opponent", "unknown", "oneself", "no colour"],
    )
    def test_refusal_names_opponents_with_different_results(self, old: str, new: str) -> None:
        refusal = get_refusal(self.TEXT.replace(old, new, 1))
        assert (refusal.code, refusal.details["line"], refusal.details["round"]) == (
            "report_opponents_differ",
            12,
            1,
        )

    def test_refusal_names_points_that_do_not_match_the_results(self) -> None:
        refusal = get_refusal(self.TEXT.replace(" 2.0    1", " 2.5    1"))
        assert refusal.code == "report_points_differ"
        assert refusal.details == {"line": 13, "entry": 2, "points": 25, "counted": 20}

    def test_refusal_names_a_duplicate_starting_number(self) -> None:
        refusal = get_refusal(self.TEXT.replace("001    2", "001    1"))
        assert (refusal.code, refusal.details) == ("drawn_twice", {"line": 13, "entry": 1})

    def test_refusal_names_an_undecided_match_of_an_earlier_round(self) -> None:
        refusal = get_refusal(self.TEXT.replace("4 w 1", "4 w  ").replace("1 b 0", "1 b  "))
        assert refusal.code == "report_undecided"
        assert refusal.details == {"line": 12, "entry": 1, "round": 1}

    @pytest.mark.slow
    @settings(max_examples=choose_count(40, long=1_200))
    @given(st.data())
    def test_random_text_is_refused_or_read_without_an_error(self, data: st.DataObject) -> None:
        text = read_vector("after_two_rounds")
        at = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(at, min(len(text), at + 12)))
        changed = text[:at] + data.draw(st.text(max_size=6) | st.sampled_from(["0000 - Z", "²"])) + text[end:]
        refused = ""
        try:
            render_trf(read_report(changed))
        except Refusal as refusal:
            refused = refusal.code
        assert refused in {"", "drawn_twice"} or refused.startswith("report_")

    @pytest.mark.parametrize(
        ("report", "code"),
        [
            (TrfReport(history=(build_pairing(1, 1, 2),)), "no_such_entrant"),
            (TrfReport(history=(build_pairing_of_four(1, (1, 2), (3, 4)),)), "not_one_a_side"),
            (TrfReport(entries=(ReportEntry(id=EntryId(10_000), name="x"),)), "report_full"),
            (TrfReport(entries=(ReportEntry(id=EntryId(1), name="x"),) * 2), "drawn_twice"),
            (
                TrfReport(entries=(ReportEntry(id=EntryId(1), name="x"),), history=(build_bye(1, 1), build_bye(1, 1))),
                "drawn_twice",
            ),
        ],
        ids=["unknown entry", "partners", "five digits", "number twice", "twice in a round"],
    )
    def test_report_refuses_results_it_cannot_express(self, report: TrfReport, code: str) -> None:
        with pytest.raises(Refusal) as refusal:
            render_trf(report)
        assert refusal.value.code == code


def list_swiss_states() -> Sequence[DrawInput]:
    return [before for entries in (2, 5, 8, 11) for before, _ in simulate_event("swiss", entries, 4, seed=entries)]


class TestTrfDraws:
    @pytest.mark.parametrize("before", list_swiss_states(), ids=lambda b: f"{len(b.entrants)} entries {b.round}")
    def test_draw_from_the_report_equals_the_draw_of_the_event(self, before: DrawInput) -> None:
        again = build_draw_input(read_report(render_trf(build_report(before, {}))), seed=before.seed)
        number = {entrant.id: EntryId(entrant.number) for entrant in before.entrants}
        ours, theirs = draw("swiss", before), draw("swiss", again)
        assert [(t.a, t.b) for t in theirs.tables] == [
            (tuple(number[e] for e in t.a), tuple(number[e] for e in t.b)) for t in ours.tables
        ]
        assert [e.score for e in again.entrants] == [5 * e.score for e in before.entrants]

    def test_report_renumbers_entries_and_keeps_names(self) -> None:
        entrants = tuple(Entrant(id=EntryId(70 + n), number=3 * n) for n in (3, 1, 2))
        history = (PlayedPairing(round=1, a=(EntryId(71),), b=(EntryId(73),), winner=Side.B),)
        before = DrawInput(round=2, entrants=entrants, history=history)
        report = build_report(before, {EntryId(71): "Roy"}, frame=TrfReport(name="Tournoi"))
        assert [(e.id, e.name, e.rank) for e in report.entries] == [(1, "Roy", 2), (2, "2", 3), (3, "3", 1)]
        assert (report.name, report.history[0].a, report.history[0].b) == ("Tournoi", (1,), (3,))

    def test_requested_byes_and_absences_keep_their_letters(self) -> None:
        entrants = (
            Entrant(id=EntryId(0), number=1, requested_byes=frozenset({1, 2, 3})),
            Entrant(id=EntryId(1), number=2, absent=frozenset({2})),
            Entrant(id=EntryId(2), number=3),
        )
        before = DrawInput(round=2, entrants=entrants, history=(build_bye(1, 0), build_pairing(1, 1, 2)))
        lines = list_player_lines(render_trf(build_report(before, {})))
        assert [line[91:] for line in lines] == ["0000 - H  0000 - H", "   3 w =  0000 - Z", "   2 b ="]

    def test_groups_kept_apart_do_not_meet(self) -> None:
        before = build_field(0, 1, 2, 3)
        club = frozenset([Bond("club", "Rimouski")])
        entrants = tuple(replace(e, bonds=club if e.id in {0, 2} else e.bonds) for e in before.entrants)
        report = build_report(replace(before, entrants=entrants), {}, must_not=["club"])
        assert report.apart == ((1, 3),)
        drawn = draw("swiss", build_draw_input(read_report(render_trf(report))))
        assert drawn.price["forbidden"] == 0

    def test_report_rejects_an_opponent_missing_from_the_field(self) -> None:
        with pytest.raises(Refusal) as refusal:
            build_report(build_field(0, history=[build_pairing(1, 0, 1)]), {})
        assert refusal.value.code == "no_such_entrant"
