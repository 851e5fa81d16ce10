"""FIDE's Tournament Report File: to the column, out and in.

The vectors: ``after_two_rounds`` follows the columns of FIDE Handbook C.04 Annex 2 (TRF16) and JaVaFo's
extensions; the others are events that the random generator of bbpPairings made (``--dutch -g … -o … -s 7``,
and 3 for the one with 3 points a win), lines ended by CR alone, as it writes them; ``bye_after_an_absence``
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
    draw_input_of,
    read_report,
    render_trf,
    report_of,
)
from errors import Refusal
from rules import Side
from tests.long import often

from .events import event, field, met, sat_out
from .people import four

VECTORS = Path(__file__).parents[2] / "vectors" / "draws"
GENERATED = ["nine_entries", "forfeits_and_byes", "three_points_a_win"]


def vector(name: str) -> str:
    return (VECTORS / f"{name}.trf").read_bytes().decode()


def player_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("001")]


def refusal_of(text: str) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        read_report(text)
    return refusal.value


def in_order(report: TrfReport) -> TrfReport:
    def sort(played: tuple[PlayedPairing, ...]) -> tuple[PlayedPairing, ...]:
        return tuple(sorted(played, key=lambda p: (p.round, min(p.a + p.b))))

    return replace(report, history=sort(report.history), pending=sort(report.pending))


WORTHS = st.integers(0, 40)
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=33)


@st.composite
def reports(draw_one: st.DrawFn) -> TrfReport:
    """Events of any results, byes, forfeits and absences, and what is known of the next round."""
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
                    history.append(
                        PlayedPairing(round=number, a=(one,), b=(other,), winner=winner, is_forfeit=forfeit)
                    )
                case "asked":
                    out[one][number] = chance.choice([TrfAbsence.HALF, TrfAbsence.FULL])
                    history.append(PlayedPairing(round=number, a=(one,)))
        for one in entries:
            if not any(one in (*met.a, *met.b) for met in history if met.round == number):
                out[one][number] = TrfAbsence.ZERO
    pending: list[PlayedPairing] = []
    if rounds and chance.random() < 1 / 2:
        played = [met for met in history if met.round == rounds and met.b]
        pending = [
            replace(met, winner=None, is_forfeit=False) for met in chance.sample(played, min(2, len(played)))
        ]
        at_pending = {met.a for met in pending}
        history = [met for met in history if met.round < rounds or met.a not in at_pending]
    for entry in entries:
        if chance.random() < 1 / 5:
            out[entry][rounds + 1] = chance.choice(list(TrfAbsence))
    return in_order(
        TrfReport(
            name=draw_one(NAMES),
            entries=tuple(
                ReportEntry(
                    id=entry,
                    name=draw_one(NAMES),
                    rating=draw_one(st.integers(0, 9999)),
                    rank=draw_one(st.integers(0, 9999)),
                    out=out[entry],
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


class TestOutAndInAgain:
    @pytest.mark.slow
    @settings(deadline=None)
    @given(reports())
    def test_a_report_is_the_same(self, report: TrfReport) -> None:
        assert in_order(read_report(render_trf(report))) == report

    @pytest.mark.slow
    @settings(deadline=None)
    @given(reports())
    def test_the_text_is_the_same(self, report: TrfReport) -> None:
        text = render_trf(report)
        assert render_trf(read_report(text)) == text
        assert render_trf(read_report(text.replace("\r\n", "\r"))) == text
        assert render_trf(read_report("\ufeff" + text.replace("\r\n", "\n"))) == text

    @pytest.mark.parametrize("name", GENERATED)
    def test_the_players_of_a_file_from_another_program_come_out_to_the_column(self, name: str) -> None:
        def common(line: str) -> str:
            # The generator sets names one place to the right.
            return line[:9] + line[47:]

        theirs, ours = vector(name), render_trf(read_report(vector(name)))
        assert [common(line) for line in player_lines(ours)] == [
            common(line) for line in player_lines(theirs)
        ]

    def test_so_does_a_file_by_the_handbook_but_for_a_blank_which_is_an_absence(self) -> None:
        text = vector("after_two_rounds")
        blank = " " * 10 + "     6 b -"
        assert blank in text
        assert render_trf(read_report(text)) == text.replace(blank, "  0000 - Z     6 b -")


class TestColumns:
    LINE = player_lines(render_trf(read_report(vector("after_two_rounds"))))[5]

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
    def test_are_those_of_the_handbook(self, first: int, last: int, text: str) -> None:
        assert self.LINE[first - 1 : last] == text

    def test_every_line_ends_with_a_carriage_return(self) -> None:
        assert all(
            line.endswith("\r") for line in render_trf(read_report(vector("nine_entries"))).split("\n")[:-1]
        )

    def test_a_long_name_is_cut_and_cannot_break_a_line(self) -> None:
        report = TrfReport(name="a\r\nb\u2028c", entries=(ReportEntry(id=EntryId(1), name="é\n" + "x" * 40),))
        text = render_trf(report)
        assert text.startswith("012 a b c\r\n")
        assert read_report(text).entries[0].name == "é " + "x" * 31


class TestPoints:
    def test_each_result_counts_what_the_point_system_says(self) -> None:
        one, other, third = EntryId(1), EntryId(2), EntryId(3)
        out = {7: TrfAbsence.HALF, 8: TrfAbsence.FULL}

        def match(number: int, winner: Side | None, *, is_forfeit: bool = False) -> PlayedPairing:
            return PlayedPairing(round=number, a=(one,), b=(other,), winner=winner, is_forfeit=is_forfeit)

        report = TrfReport(
            entries=tuple(
                ReportEntry(id=entry, name="x", out=out if entry == one else {})
                for entry in (one, other, third)
            ),
            history=(
                match(1, Side.A),
                match(2, None),
                match(3, Side.B),
                match(4, Side.B, is_forfeit=True),
                match(5, None, is_forfeit=True),
                *(sat_out(number, 1) for number in (6, 7, 8)),
                *(sat_out(number, 3) for number in (7, 8)),
            ),
            points=PointSystem(win=40, draw=20, loss=10, bye=30, absence=3, forfeit_loss=1),
        )
        won, drawn, lost = 40, 20, 10
        expected = [
            won + drawn + lost + 1 + 1 + 30 + drawn + won,
            lost + drawn + won + won + 1 + 3 * 3,
            6 * 3 + 2 * 30,
        ]
        lines = player_lines(render_trf(report))
        assert [line[80:84] for line in lines] == [f"{points / 10:4.1f}" for points in expected]
        assert [line[98::10] for line in lines] == ["1=0--UHF", "0=1+-ZZZ", "ZZZZZZUU"]

    def test_a_bye_asked_for_the_round_to_come_is_not_counted_yet(self) -> None:
        entries = (
            ReportEntry(id=EntryId(1), name="x", out={1: TrfAbsence.HALF}),
            ReportEntry(id=EntryId(2), name="y"),
        )
        lines = player_lines(render_trf(TrfReport(entries=entries, history=(sat_out(1, 1),))))
        assert [line[80:] for line in lines] == [" 0.0       0000 - H", " 0.0"]

    def test_but_a_file_that_counts_it_is_read_all_the_same(self) -> None:
        text = vector("after_two_rounds")
        assert read_report(text.replace(" 1.5    2", " 2.0    2")) == read_report(text)


class TestWhatIsRead:
    def test_white_is_side_a_and_each_match_is_told_once(self) -> None:
        report = read_report(vector("after_two_rounds"))
        assert [(p.round, *p.a, *p.b, p.winner, p.is_forfeit) for p in report.history] == [
            (1, 1, 4, Side.A, False),
            (1, 2, 5, Side.A, False),
            (1, 6, 3, None, False),
            (2, 2, 1, Side.A, False),
            (2, 5, 3, None, False),
            (2, 4, None, False),
            (2, 6, 7, Side.A, True),
        ]

    def test_the_frame_of_the_event(self) -> None:
        report = read_report(vector("after_two_rounds"))
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

    def test_who_sits_out_the_next_round_and_how(self) -> None:
        report = read_report(vector("after_two_rounds") + "XXZ 2 3\r\n")
        assert {e.id: dict(e.out) for e in report.entries if e.out} == {
            2: {3: TrfAbsence.ZERO},
            3: {3: TrfAbsence.ZERO},
            6: {3: TrfAbsence.HALF},
            7: {1: TrfAbsence.ZERO, 3: TrfAbsence.ZERO},
        }

    def test_and_the_next_round_is_drawn_without_them(self) -> None:
        report = read_report(vector("after_two_rounds") + "XXZ 2 3\r\n")
        entrants = {entrant.id: entrant for entrant in draw_input_of(report).entrants}
        assert {number: entrants[EntryId(number)].absent for number in (2, 6)} == {2: {3}, 6: frozenset()}
        assert {number: entrants[EntryId(number)].byes_asked for number in (2, 6)} == {2: frozenset(), 6: {3}}

    def test_a_round_missed_in_the_past_counts_when_the_bye_is_given(self) -> None:
        """bbpPairings' own test dutch_2025_C9: entry 5 missed round 1, so it plays round 2."""
        drawn = draw("swiss", draw_input_of(read_report(vector("bye_after_an_absence")), seed=1))
        assert [bye.entry for bye in drawn.byes] == [4]

    def test_matches_of_the_current_round_without_a_result_are_pending(self) -> None:
        text = vector("after_two_rounds").replace("7 w +", "7 w  ").replace("6 b -", "6 b  ")
        report = read_report(text.replace(" 1.5    2", " 0.5    2"))
        assert [(p.round, *p.a, *p.b) for p in report.pending] == [(2, 6, 7)]
        assert (report.rounds_played, len(report.history)) == (2, 6)
        drawn_from = draw_input_of(report)
        assert drawn_from.round == 3
        assert {e.id: e.score for e in drawn_from.entrants}[EntryId(6)] == 5

    def test_teams_of_either_edition_are_clubs_that_a_draw_avoids(self) -> None:
        text = vector("after_two_rounds")
        old = f"{'013 Matane':36}   1    4\r\n"
        new = f"{'310   1 Matane':73}   1    4\r\n"
        for line in (old, new):
            report = read_report(text + line)
            assert {e.id: e.team for e in report.entries if e.team} == {1: "Matane", 4: "Matane"}
            bonds = {e.id: e.bonds for e in draw_input_of(report).entrants}
            assert Bond("club", "Matane") in bonds[EntryId(1)] & bonds[EntryId(4)]

    def test_byes_and_forbidden_pairs_of_the_edition_of_2026(self) -> None:
        text = vector("after_two_rounds") + "240 H 003    1    2\r260 001 002    5    7\r212 PTS, BH-C1\r"
        report = read_report(text)
        assert {e.id for e in report.entries if e.out.get(3) is TrfAbsence.HALF} == {1, 2, 6}
        assert (report.apart, report.apart_first) == (((3, 4),), ((2, (5, 7)),))
        assert report.tiebreaks == ("PTS", "BH-C1")

    def test_games_of_less_than_one_move_like_any_other(self) -> None:
        text = vector("nine_entries")
        letters = {"1": "W", "0": "L", "=": "D"}
        short = re.sub(r"( [wb] )([10=])", lambda cell: cell[1] + letters[cell[2]], text)
        assert short.count(" L") > text.count(" L")
        assert read_report(short).history == read_report(text).history

    @pytest.mark.parametrize("name", GENERATED)
    def test_all_matches_of_another_program(self, name: str) -> None:
        report = read_report(vector(name))
        cells = [line[91 + 10 * r : 99 + 10 * r] for line in player_lines(vector(name)) for r in range(5)]
        assert 2 * sum(len(p.b) for p in report.history) == sum(
            cell[5:6] in {"w", "b"} for cell in cells if cell
        )
        assert sum(not p.b for p in report.history) == sum(
            cell[7:] in {"U", "H", "F"} for cell in cells if cell
        )

    def test_the_point_system_of_either_edition(self) -> None:
        assert read_report(vector("three_points_a_win")).points == PointSystem(win=30, draw=10, bye=10)
        assert read_report("BBW  3.0\nBBD  1.0\nBBF  0.5\n").points == PointSystem(
            win=30, draw=10, bye=30, forfeit_loss=5
        )

    def test_rounds_and_first_colour_of_the_edition_of_2026(self) -> None:
        report = read_report("142 9\r152 B\r### a comment\r")
        assert (report.rounds, report.first_side) == (9, Side.B)

    def test_without_colours_the_lower_number_is_on_side_a(self) -> None:
        text = vector("after_two_rounds").replace("7 w +", "7 - +").replace("6 b -", "6 - -")
        assert read_report(text) == read_report(vector("after_two_rounds"))

    def test_letters_in_either_case_and_byes_as_they_were_once_written(self) -> None:
        text = vector("after_two_rounds").replace("0000 - U", "0000 - +").replace("0000 - H", "0000 - h")
        assert read_report(text) == read_report(vector("after_two_rounds"))


class TestWhatIsRefused:
    TEXT = vector("after_two_rounds")

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
            ("XXR 5", "BBW many", 9, (5, 8)),
            ("XXR 5", "162  Q 1.0", 9, (6, 6)),
            ("XXR 5", "240 X 003    2", 9, (5, 5)),
            ("XXR 5", "240 H 003   99", 9, (4, 14)),
            ("XXR 5", "260 001 002    2    x", 9, (18, 21)),
            ("XXR 5", f"{'013 Matane':36}   99", 9, (4, 41)),
        ],
    )
    def test_says_in_which_line_and_columns(
        self, old: str, new: str, line: int, columns: tuple[int, int]
    ) -> None:
        refusal = refusal_of(self.TEXT.replace(old, new, 1))
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
    def test_opponents_who_tell_different_stories(self, old: str, new: str) -> None:
        refusal = refusal_of(self.TEXT.replace(old, new, 1))
        assert (refusal.code, refusal.details["line"], refusal.details["round"]) == (
            "report_opponents_differ",
            12,
            1,
        )

    def test_points_that_the_results_do_not_make(self) -> None:
        refusal = refusal_of(self.TEXT.replace(" 2.0    1", " 2.5    1"))
        assert refusal.code == "report_points_differ"
        assert refusal.details == {"line": 13, "entry": 2, "points": 25, "counted": 20}

    def test_a_starting_number_twice(self) -> None:
        refusal = refusal_of(self.TEXT.replace("001    2", "001    1"))
        assert (refusal.code, refusal.details) == ("drawn_twice", {"line": 13, "entry": 1})

    def test_a_match_without_a_result_in_an_earlier_round(self) -> None:
        refusal = refusal_of(self.TEXT.replace("4 w 1", "4 w  ").replace("1 b 0", "1 b  "))
        assert refusal.code == "report_undecided"
        assert refusal.details == {"line": 12, "entry": 1, "round": 1}

    @pytest.mark.slow
    @settings(max_examples=often(40, long=1_200))
    @given(st.data())
    def test_or_read_is_any_text_never_an_error(self, data: st.DataObject) -> None:
        text = vector("after_two_rounds")
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
            (TrfReport(history=(met(1, 1, 2),)), "no_such_entrant"),
            (TrfReport(history=(four(1, (1, 2), (3, 4)),)), "not_one_a_side"),
            (TrfReport(entries=(ReportEntry(id=EntryId(10_000), name="x"),)), "report_full"),
            (TrfReport(entries=(ReportEntry(id=EntryId(1), name="x"),) * 2), "drawn_twice"),
            (
                TrfReport(
                    entries=(ReportEntry(id=EntryId(1), name="x"),), history=(sat_out(1, 1), sat_out(1, 1))
                ),
                "drawn_twice",
            ),
        ],
        ids=["unknown entry", "partners", "five digits", "number twice", "twice in a round"],
    )
    def test_what_a_report_cannot_say(self, report: TrfReport, code: str) -> None:
        with pytest.raises(Refusal) as refusal:
            render_trf(report)
        assert refusal.value.code == code


def swiss_states() -> Sequence[DrawInput]:
    return [before for entries in (2, 5, 8, 11) for before, _ in event("swiss", entries, 4, seed=entries)]


class TestDraws:
    @pytest.mark.parametrize("before", swiss_states(), ids=lambda b: f"{len(b.entrants)} entries {b.round}")
    def test_a_draw_from_the_report_of_an_event_is_the_draw_of_the_event(self, before: DrawInput) -> None:
        again = draw_input_of(read_report(render_trf(report_of(before, {}))), seed=before.seed)
        number = {entrant.id: EntryId(entrant.number) for entrant in before.entrants}
        ours, theirs = draw("swiss", before), draw("swiss", again)
        assert [(t.a, t.b) for t in theirs.tables] == [
            (tuple(number[e] for e in t.a), tuple(number[e] for e in t.b)) for t in ours.tables
        ]
        assert [e.score for e in again.entrants] == [5 * e.score for e in before.entrants]

    def test_numbers_are_counted_anew_and_names_kept(self) -> None:
        entrants = tuple(Entrant(id=EntryId(70 + n), number=3 * n) for n in (3, 1, 2))
        history = (PlayedPairing(round=1, a=(EntryId(71),), b=(EntryId(73),), winner=Side.B),)
        before = DrawInput(round=2, entrants=entrants, history=history)
        report = report_of(before, {EntryId(71): "Roy"}, frame=TrfReport(name="Tournoi"))
        assert [(e.id, e.name, e.rank) for e in report.entries] == [(1, "Roy", 2), (2, "2", 3), (3, "3", 1)]
        assert (report.name, report.history[0].a, report.history[0].b) == ("Tournoi", (1,), (3,))

    def test_byes_asked_for_and_absences_keep_their_letters(self) -> None:
        entrants = (
            Entrant(id=EntryId(0), number=1, byes_asked=frozenset({1, 2, 3})),
            Entrant(id=EntryId(1), number=2, absent=frozenset({2})),
            Entrant(id=EntryId(2), number=3),
        )
        before = DrawInput(round=2, entrants=entrants, history=(sat_out(1, 0), met(1, 1, 2)))
        lines = player_lines(render_trf(report_of(before, {})))
        assert [line[91:] for line in lines] == ["0000 - H  0000 - H", "   3 w =  0000 - Z", "   2 b ="]

    def test_groups_kept_apart_do_not_meet(self) -> None:
        before = field(0, 1, 2, 3)
        club = frozenset([Bond("club", "Rimouski")])
        entrants = tuple(replace(e, bonds=club if e.id in {0, 2} else e.bonds) for e in before.entrants)
        report = report_of(replace(before, entrants=entrants), {}, must_not=["club"])
        assert report.apart == ((1, 3),)
        drawn = draw("swiss", draw_input_of(read_report(render_trf(report))))
        assert drawn.price["forbidden"] == 0

    def test_whoever_played_and_is_no_longer_in_the_field_cannot_be_told(self) -> None:
        with pytest.raises(Refusal) as refusal:
            report_of(field(0, history=[met(1, 0, 1)]), {})
        assert refusal.value.code == "no_such_entrant"
