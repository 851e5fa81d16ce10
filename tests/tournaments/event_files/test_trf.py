"""Export of a Swiss tournament as a chess report (TRF), and import of a report as an event."""

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError

from clubs.audit.log import Actor
from engine.draws.trf import build_draw_input, read_report, render_trf
from engine.ranking import RankingRules, UnplayedOpponent, ranking_rules_from_json
from rules import CANADIAN, Side
from tests.builders import (
    TUESDAY,
    build_club,
    get_refusal,
    get_refusal_code,
    matches_of,
    play_round,
    start_next_round,
    win,
)
from tests.support.event_files import build_tournament
from tests.support.hall import Hall
from tests.support.office import Office
from tournaments.entries.services.bonds import keep_apart
from tournaments.entries.services.check_in import change_attendance
from tournaments.entries.services.entry_actions import adjust_entry, withdraw_entry
from tournaments.event_files.parsing import read_event_file
from tournaments.event_files.queries.trf import build_trf_report
from tournaments.event_files.trf import convert_trf_report, format_trf_name, list_trf_tiebreaks
from tournaments.event_files.verifying import verify_event_file
from tournaments.event_files.writer import serialize_event_file
from tournaments.imports.services.event_import import bring_in_event
from tournaments.models import Event, Standings
from tournaments.rounds.services.rounds import close_round, draw_round
from tournaments.rounds.services.tables import forfeit_table
from tournaments.standings.services import refresh_standings

pytestmark = pytest.mark.django_db

VECTORS = Path(__file__).parents[2] / "vectors" / "draws"
SWISS = [{"format": "swiss", "rounds": 5}]


def export_trf(event: Event, section: str = "") -> str:
    fresh = Event.objects.select_related("club", "terms").get(pk=event.pk)
    return render_trf(build_trf_report(fresh, section=section))


def import_trf(text: str) -> Event:
    content = convert_trf_report(read_report(text), ruleset=CANADIAN)
    content = read_event_file(serialize_event_file(content))
    assert not verify_event_file(content).differences
    return bring_in_event(club=build_club(), content=content)


def add_names(text: str) -> str:
    """Return the report with real names, as FIDE writes them."""
    for letter, name in zip("ABCDE", ("Ève", "Luc", "Anne", "Guy", "Léa"), strict=True):
        text = text.replace(f"Entry {letter}".ljust(12), f"Roy, {name}".ljust(12))
    return text


def draw_next_tables(event: Event) -> list[list[list[int]]]:
    """Draw the next round and return its tables by starting number."""
    numbers = dict(event.entries.values_list("pk", "number"))
    draft = draw_round(event_id=event.pk, seed=4).draft
    return sorted([[numbers[e] for e in table[side]] for side in "ab"] for table in draft["tables"])


def build_untidy_swiss() -> Event:
    """Build nine pairs: a late arrival, a requested bye, a withdrawal, and a table won by forfeit."""
    event = build_tournament(9, stages=SWISS)
    change_attendance(event_id=event.pk, number=9, round_number=1, attendance="absent")
    change_attendance(event_id=event.pk, number=5, round_number=2, attendance="bye")
    start_next_round(event, seed=1)
    forfeit_table(event_id=event.pk, number=1, table=2, winner=Side.B)
    play_round(event, 1)
    withdraw_entry(event_id=event.pk, number=3)
    start_next_round(event, seed=2)
    play_round(event, 2)
    return event


@pytest.mark.slow
class TestTrfRoundTrip:
    def test_reimported_event_draws_the_same_next_round(self) -> None:
        event = build_untidy_swiss()
        copy = import_trf(export_trf(event))
        assert draw_next_tables(copy) == draw_next_tables(event)

    def test_reimported_section_draws_the_same_next_round(self) -> None:
        event = build_tournament(11, stages=SWISS)
        ranking = {"order": ["match_wins", "difference"], "requested_bye": "draw"}
        Event.objects.filter(pk=event.pk).update(ranking=ranking)
        event.entries.filter(number__gt=6).update(section="B")
        event.entries.filter(number=2).delete()
        change_attendance(event_id=event.pk, number=4, round_number=1, attendance="bye")
        change_attendance(event_id=event.pk, number=7, round_number=3, attendance="absent")
        for number in (1, 2):
            start_next_round(event, seed=number)
            play_round(event, number)
        copy = import_trf(export_trf(event))
        assert draw_next_tables(copy) == draw_next_tables(event)
        one_section = import_trf(export_trf(event, "B"))
        of_section = set(event.entries.filter(section="B").values_list("number", flat=True))
        assert draw_next_tables(one_section) == [
            table for table in draw_next_tables(event) if of_section >= {*table[0], *table[1]}
        ]

    @pytest.mark.long
    def test_reimport_preserves_results_byes_and_absences(self) -> None:
        event = build_untidy_swiss()
        copy = import_trf(export_trf(event))
        assert export_trf(copy) == export_trf(event)

    @pytest.mark.long
    def test_open_tables_continue_after_the_import(self) -> None:
        event = build_tournament(6, stages=SWISS)
        start_next_round(event)
        win(matches_of(event)[0])
        copy = import_trf(export_trf(event))
        assert copy.rounds.get().state == "published"
        assert [match.is_over for match in matches_of(copy)] == [False] * 3
        assert [table.ruling is None for table in copy.rounds.get().tables.all()] == [False, True, True]
        for match in matches_of(copy)[1:]:
            win(match)
        close_round(event_id=copy.pk, number=1)
        assert draw_next_tables(copy)

    @pytest.mark.parametrize("requested_bye", ["draw", "nothing"])
    def test_round_of_byes_survives_the_import(self, requested_bye: str) -> None:
        event = build_tournament(4, stages=SWISS)
        Event.objects.filter(pk=event.pk).update(
            ranking={"order": ["match_wins"], "requested_bye": requested_bye, "absent": "nothing"}
        )
        start_next_round(event)
        play_round(event)
        for number in range(1, 5):
            change_attendance(event_id=event.pk, number=number, round_number=2, attendance="bye")
        start_next_round(event)
        copy = import_trf(export_trf(event))
        assert [found.seatings.filter(table=None).count() for found in copy.rounds.all()] == [0, 4]
        assert export_trf(copy) == export_trf(event)

    @pytest.mark.long
    def test_byes_asked_for_the_next_round_are_no_round(self) -> None:
        event = build_tournament(4, stages=SWISS)
        start_next_round(event)
        play_round(event)
        for number in range(1, 5):
            change_attendance(event_id=event.pk, number=number, round_number=2, attendance="bye")
        assert import_trf(export_trf(event)).rounds.count() == 1

    def test_penalties_survive_the_import_with_their_reasons(self) -> None:
        event = build_tournament(4, stages=SWISS)
        start_next_round(event)
        play_round(event)
        late = Actor(reason="Late")
        adjust_entry(event_id=event.pk, number=1, metric="match_wins", amount=-1, round_number=1, by=late)
        adjust_entry(event_id=event.pk, number=2, metric="points_for", amount=-5, by=late)
        text = export_trf(event)
        assert [line for line in text.splitlines() if line.startswith("299")] == ["299          -1.0  001    1"]
        copy = import_trf(text)
        assert list(copy.adjustments.values_list("entry__number", "metric", "amount", "round", "reason")) == [
            (1, "match_wins", -1, 1, "Late"),
            (2, "points_for", -5, None, "Late"),
        ]
        plain = import_trf("\r\n".join(line for line in text.splitlines() if not line.startswith("###")))
        assert list(plain.adjustments.values_list("entry__number", "metric", "amount", "round", "reason")) == [
            (1, "match_points", -2, 1, "TRF"),
        ]

    def test_standard_report_keeps_teams_rounds_and_forbidden_pairs(self) -> None:
        event = build_tournament(6, stages=SWISS)
        keep_apart(event_id=event.pk, text="1, 2", always=True)
        start_next_round(event)
        play_round(event)
        lines = [line for line in export_trf(event).splitlines() if not line.startswith("###")]
        copy = import_trf("\r\n".join(lines))
        assert copy.stages == [{"format": "swiss", "rounds": 5}]
        assert list(copy.entries.values_list("team", flat=True)) == ["Rimouski"] * 4 + [""] * 2
        assert [len(group["entries"]) for group in copy.kept_apart] == [2]
        assert copy.entry_size == 2
        assert draw_next_tables(copy)


class TestForeignTrfReport:
    TEXT = (VECTORS / "bye_after_an_absence.trf").read_bytes().decode()

    @pytest.mark.long
    def test_report_of_single_players_becomes_a_singles_event(self) -> None:
        content = convert_trf_report(read_report(add_names(self.TEXT)), ruleset=CANADIAN, held_on=TUESDAY)
        assert content["people"] == ["Ève Roy", "Luc Roy", "Anne Roy", "Guy Roy", "Léa Roy"]
        event = bring_in_event(club=build_club(), content=content)
        assert (event.entry_size, event.plan[0].rounds) == (1, 3)
        draft = draw_round(event_id=event.pk, seed=1).draft
        byes = event.entries.filter(pk__in=[bye["entry"] for bye in draft["byes"]])
        assert list(byes.values_list("number", flat=True)) == [4]

    @pytest.mark.slow
    @pytest.mark.parametrize("name", ["nine_entries", "forfeits_and_byes", "three_points_a_win"])
    def test_generated_report_is_imported_with_its_scores(self, name: str) -> None:
        text = (VECTORS / f"{name}.trf").read_bytes().decode()
        report = read_report(text.replace("\r", "\r042 2026/11/14\r", 1))
        content = convert_trf_report(report, ruleset=CANADIAN)
        assert not verify_event_file(read_event_file(serialize_event_file(content))).differences
        assert content["people"][3] == "Test Player D"
        event = bring_in_event(club=build_club(), content=content)
        refresh_standings(event_id=event.pk)
        rows = {row["entry"]: row["match_points"] for row in Standings.objects.get(event=event).rows}
        step = report.points.draw
        scores = {entrant.id: entrant.score for entrant in build_draw_input(report).entrants}
        assert {number: step * points for number, points in rows.items()} == scores

    def test_undated_report_asks_for_a_date(self) -> None:
        refusal = get_refusal(convert_trf_report, read_report(self.TEXT), ruleset=CANADIAN)
        assert (refusal.code, refusal.field) == ("day_required", "report_day")

    def test_report_mixing_pairs_and_single_names_is_refused(self) -> None:
        mixed = self.TEXT.replace("Entry B", "A / B  ")
        assert (
            get_refusal_code(convert_trf_report, read_report(mixed), ruleset=CANADIAN, held_on=TUESDAY)
            == "report_pairs_mixed"
        )

    def test_damaged_extension_comment_is_refused(self) -> None:
        for damaged in ("{", "[1]", '{"entries":7}', '{"settings":{}}'):
            report = read_report(f"{self.TEXT}### charlemagne {damaged}\r\n")
            assert get_refusal_code(convert_trf_report, report, ruleset=CANADIAN, held_on=TUESDAY) == "report_extension"


class TestTrfExport:
    def test_export_requires_a_swiss_tournament(self) -> None:
        event = build_tournament(4, stages=[{"format": "knockout"}])
        assert get_refusal_code(build_trf_report, event) == "report_not_swiss"

    @pytest.mark.parametrize("kind", ["bye", "requested_bye", "absent"])
    def test_export_of_a_ranking_with_averages_is_refused(self, kind: str) -> None:
        event = build_tournament(2, stages=SWISS)
        Event.objects.filter(pk=event.pk).update(ranking={"order": ["match_wins"], kind: "average"})
        assert get_refusal_code(export_trf, event) == "report_averages"

    @pytest.mark.slow
    def test_export_can_be_limited_to_one_section(self) -> None:
        event = build_tournament(6, stages=SWISS)
        event.entries.filter(number__lte=2).update(section="B")
        assert export_trf(event, "B").count("\n001 ") == 2
        event.entries.filter(number=1).update(section="A")
        assert import_trf(export_trf(event, "A")).entries.count() == 1
        assert get_refusal_code(export_trf, event, "C") == "no_such_section"

    def test_export_of_an_empty_section_says_that_it_is_empty(self) -> None:
        event = build_tournament(2, stages=SWISS)
        Event.objects.filter(pk=event.pk).update(sections=[{"name": "C", "first_table": None, "last_table": None}])
        assert get_refusal_code(export_trf, event, "C") == "section_empty"

    def test_export_names_only_fide_tiebreaks(self) -> None:
        order = ("match_points", "head_to_head", "buchholz_cut_1")
        capped = RankingRules(order=order, unplayed_opponent=UnplayedOpponent.CAPPED)
        assert list_trf_tiebreaks(capped) == ("PTS", "DE", "BH-C1")
        assert list_trf_tiebreaks(RankingRules(order=order)) == ()
        report = replace(read_report(TestForeignTrfReport.TEXT), tiebreaks=("DE", "BH/C1", "ARO"))
        content = convert_trf_report(report, ruleset=CANADIAN, held_on=TUESDAY)
        assert ranking_rules_from_json(content["event"]["settings"]["ranking"]).order == order

    def test_long_pair_names_share_the_name_columns(self) -> None:
        name = format_trf_name(["Marie-Antoinette Bellefleur", "Jean-Baptiste de La Durantaye"])
        assert name == "Marie-Antoinett / Jean-Baptiste d"


@pytest.mark.slow
class TestTrfPages:
    @pytest.mark.long
    def test_print_page_links_to_a_report_of_swiss_events_only(self) -> None:
        for stages, has_link in ((SWISS, True), ([{"format": "knockout"}], False)):
            hall = Hall(stages=stages)
            page = hall.desk.open(f"/e/{hall.event.short}/desk/print")
            assert ("Chess report (TRF)" in page.text) is has_link

    def test_uploaded_report_is_previewed_and_imported(self) -> None:
        office = Office()
        page = office.browser.open(f"/club/{office.club.slug}/import")
        report = add_names(TestForeignTrfReport.TEXT).encode("cp1252")
        form = page.find_form(control_name="report")
        page = office.browser.send(page, form, report=SimpleUploadedFile("r.trf", b"%PDF-1.4"))
        assert page.get_field_error("report") == "This is not a chess report (TRF): it has no players."
        form = page.find_form(control_name="report")
        page = office.browser.send(page, form, report=SimpleUploadedFile("r.trf", report))
        assert "Choose a day." in page.text
        form, sent = page.find_form(control_name="report"), SimpleUploadedFile("r.trf", report)
        page = office.browser.send(page, form, report=sent, report_day="2026-11-14")
        assert "Ève Roy" in page.text
        office.browser.send(page, page.find_form(control_name="members"))
        assert office.club.events.latest("pk").entries.count() == 5


@pytest.mark.slow
class TestTrfCommands:
    def test_commands_export_a_report_and_import_it_as_a_copy(self, tmp_path: Path) -> None:
        event = build_tournament(6, stages=SWISS)
        start_next_round(event)
        play_round(event)
        file, club = tmp_path / "swiss.trf", event.club
        call_command("export_event", event.short, str(file), stdout=StringIO())
        call_command("import_event", str(file), club=club.slug, stdout=StringIO())
        assert club.events.count() == 1
        call_command("import_event", str(file), club=club.slug, copy=True, stdout=StringIO())
        assert draw_next_tables(club.events.exclude(pk=event.pk).get()) == draw_next_tables(event)

    @pytest.mark.long
    def test_import_command_names_the_wrong_line(self, tmp_path: Path) -> None:
        file = tmp_path / "wrong.trf"
        file.write_text("001    x\n")
        with pytest.raises(CommandError, match="Line 1, columns"):
            call_command("import_event", str(file), club=build_club().slug)
