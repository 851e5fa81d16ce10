"""Import of recorded nights as events, through the services that phones use."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from clubs.models import Person
from clubs.services.people import find_or_add_people
from jobs.models import Job
from scoring.models import Mark, Match
from scoring.services.cache_check import rebuild_match
from tests.builders import TUESDAY, build_club, get_refusal, get_refusal_code, start_next_round
from tournaments.imports.recorded_nights.files import SAMPLES_FOLDER, recorded_nights
from tournaments.imports.services.night_import import import_night, start_night_import
from tournaments.models import Event
from tournaments.rounds.queries.rounds import list_tables
from tournaments.standings.queries.standings import get_standings_rows

from .night_sheets import ENTRIES, HANDS, NIGHT, RIGHT, TABLES, change_files, replace_line

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

EXPECTED_NIGHTS = {
    path.parent.name: json.loads(path.read_text()) for path in sorted(SAMPLES_FOLDER.glob("*/expected.json"))
}


def import_files(files: Mapping[str, bytes]) -> Event:
    return import_night(club=build_club(), name="Soirée du mardi", held_on=TUESDAY, files=files)


def list_matches(event: Event) -> list[dict[str, Any]]:
    """Return every match of the event in the form of expected.json."""
    return [
        {
            "round": drawn.number,
            "table": table.number,
            **{side: seating.entry.number for side, seating in zip("ab", table.seatings.all(), strict=True)},
            "winner": table.match.summary["winner"],
            "games": [
                {"a": game["points"][0], "b": game["points"][1], "winner": game["winner"], "by": game["by"]}
                for game in table.match.summary["games"]
            ],
        }
        for drawn in event.rounds.all()
        for table in list_tables(drawn)
        if table.match is not None
    ]


@pytest.mark.long
class TestRecordedNight:
    @pytest.mark.parametrize("name", EXPECTED_NIGHTS)
    def test_sample_night_yields_the_expected_matches_and_ranks(self, name: str) -> None:
        event = import_files(recorded_nights()[name])
        expected = EXPECTED_NIGHTS[name]
        assert list_matches(event) == expected["matches"]
        rows = get_standings_rows(event)
        assert [
            {key: row[key] for key in wanted} for row, wanted in zip(rows, expected["standings"], strict=True)
        ] == expected["standings"]

    @pytest.mark.parametrize("name", recorded_nights())
    def test_sample_night_is_imported_completely(self, name: str) -> None:
        files = recorded_nights()[name]
        event = import_files(files)
        night_data = json.loads(files["night.json"])
        assert event.state == "ended"
        assert event.entries.count() == night_data["pairs"]
        assert [drawn.state for drawn in event.rounds.all()] == ["closed"] * night_data["rounds"]
        assert Mark.objects.count() == len(files["hands.csv"].splitlines()) - 1
        assert set(Mark.objects.values_list("status", "device")) == {("current", "import")}
        assert not Match.objects.filter(is_over=False).exists()

    def test_imported_matches_agree_with_their_log(self) -> None:
        import_files(recorded_nights()["canadian-6-tables"])
        assert [rebuild_match(match_id=match.pk) for match in Match.objects.all()] == [[]] * 36

    def test_night_imported_twice_shares_its_people(self) -> None:
        club = build_club()
        for _ in range(2):
            import_night(club=club, name="Soirée", held_on=TUESDAY, files=RIGHT)
        assert [event.short for event in Event.objects.order_by("pk")] == ["soiree", "soiree-2"]
        assert Person.objects.count() == 8

    def test_night_stopped_in_mid_round_continues(self) -> None:
        event = import_files(RIGHT)
        assert event.state == "running"
        assert [drawn.state for drawn in event.rounds.all()] == ["closed", "published"]
        first, second = (table.match for table in list_tables(event.rounds.get(number=2)))
        assert first is not None
        assert second is not None
        assert (first.is_over, second.is_over) == (True, False)
        assert get_standings_rows(event)[0]["match_wins"] == 2

    def test_night_without_rounds_awaits_its_first_draw(self) -> None:
        event = import_files(change_files(tables=TABLES.splitlines()[0], hands=HANDS.splitlines()[0]))
        assert event.state == "running"
        assert start_next_round(event).number == 1

    def test_entry_without_a_table_gets_a_bye(self) -> None:
        event = import_files(change_files(entries=ENTRIES + b"5,Anne Roy,Luc Roy\n"))
        (sitting_out,) = event.rounds.get(number=1).seatings.filter(table=None)
        assert sitting_out.entry.number == 5

    def test_import_preserves_the_first_dealer(self) -> None:
        import_files(RIGHT)
        dealers = Match.objects.order_by("pk").values_list("first_dealer", flat=True)
        assert list(dealers) == [0, 2, 0, 0]

    def test_import_accepts_hands_without_a_dealer(self) -> None:
        event = import_files(change_files(hands=replace_line(HANDS, 4, "1,2,1,,,pass,,,passed_out")))
        assert event.state == "running"

    def test_import_preserves_hall_table_numbers(self) -> None:
        event = import_files(
            change_files(tables=TABLES.replace(b",2,2,4", b",12,2,4"), hands=HANDS.replace(b"2,2,1", b"2,12,1"))
        )
        assert event.table_count == 12
        assert [table.number for table in list_tables(event.rounds.get(number=2))] == [1, 12]

    def test_import_enqueues_one_standings_refresh(self) -> None:
        import_files(RIGHT)
        assert Job.objects.count() == 1


class TestNightDateAndPeople:
    @pytest.mark.long
    def test_typed_day_overrides_the_day_of_the_file(self) -> None:
        club = build_club()
        assert get_refusal_code(import_night, club=club, name="Night", files=RIGHT) == "day_required"
        files = change_files(night=NIGHT.replace(b"}", b', "held_on": "2026-11-03"}'))
        event = import_night(club=club, name="Night", files=files)
        assert event.held_on.isoformat() == "2026-11-03"
        assert import_night(club=club, name="Night", held_on=TUESDAY, files=files).held_on == TUESDAY

    @pytest.mark.long
    def test_unique_name_is_matched_and_an_ambiguous_one_is_new(self) -> None:
        club = build_club()
        names = ["Jeannine Roy", "Marcel Dubé", "Marcel Dubé"]
        jeannine, *_ = find_or_add_people(club=club, full_names=names)
        event = import_night(club=club, name="Night", held_on=TUESDAY, files=RIGHT)
        first = event.entries.get(number=1)
        assert first.player_1 == jeannine
        assert club.people.filter(name="Marcel Dubé").count() == 3

    def test_person_matched_twice_is_refused(self) -> None:
        club = build_club()
        (somebody,) = find_or_add_people(club=club, full_names=["Somebody"])
        matched_ids = {1: somebody.pk, 5: somebody.pk}
        import_args = {"club": club, "name": "Night", "held_on": TUESDAY, "files": RIGHT, "matched_ids": matched_ids}
        refusal = get_refusal(start_night_import, **import_args)
        assert (refusal.code, refusal.field) == ("same_person_twice", "person.5")
        assert not Event.objects.exists()


class TestRefusedNight:
    @pytest.mark.long
    def test_refusal_lists_every_error_and_imports_nothing(self) -> None:
        files = change_files(
            entries=replace_line(ENTRIES, 3, "2,,Normand Ouellet"),
            hands=replace_line(HANDS, 2, "1,1,1,0,A,6,H,9,made"),
        )
        refusal = get_refusal(import_files, files)
        assert (refusal.code, refusal.field) == ("night_refused", "files")
        assert [
            (each.details["file"], each.details["line"], each.field, each.code) for each in refusal.details["refusals"]
        ] == [
            ("entries.csv", 3, "player_1", "name_required"),
            ("hands.csv", 2, "tricks", "tricks_out_of_range"),
        ]
        assert not Event.objects.exists()
        assert not Person.objects.exists()

    @pytest.mark.long
    @pytest.mark.parametrize(
        "files", [{}, {"night.json": b"{}"}, dict.fromkeys(RIGHT, b"")], ids=["none", "one", "empty"]
    )
    def test_nearly_empty_night_is_refused(self, files: dict[str, bytes]) -> None:
        assert get_refusal(import_files, files).code == "night_refused"
        assert not Event.objects.exists()

    def test_impossible_table_number_leaves_nothing(self) -> None:
        files = change_files(tables=TABLES.replace(b",2,2,4", b",9000,2,4"), hands=HANDS.replace(b"2,2,1", b"2,9000,1"))
        assert get_refusal(import_files, files).code == "tables_out_of_range"
        assert not Event.objects.exists()
        assert not Person.objects.exists()
