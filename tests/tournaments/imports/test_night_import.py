"""Recorded nights become events, through the services that the phones use."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from clubs.models import Person
from clubs.services import find_or_add_people
from jobs.models import Job
from scoring.models import Mark, Match
from scoring.services import rebuild
from tests.builders import TUESDAY, a_club, code_of, next_round, refusal_of
from tournaments.imports.recorded_nights import RECORDED, recorded_nights
from tournaments.imports.services.night_import import bring_in_night, import_night
from tournaments.models import Event
from tournaments.rounds.queries.rounds import tables_of
from tournaments.standings.queries.standings import standings_of

from .night_sheets import ENTRIES, HANDS, NIGHT, RIGHT, TABLES, spoilt, with_line

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

EXPECTED = {
    path.parent.name: json.loads(path.read_text()) for path in sorted(RECORDED.glob("*/expected.json"))
}


def imported(files: Mapping[str, bytes]) -> Event:
    return import_night(club=a_club(), name="Soirée du mardi", held_on=TUESDAY, files=files)


def matches_as_expected(event: Event) -> list[dict[str, Any]]:
    """Every match of the event in the form of expected.json."""
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
        for table in tables_of(drawn)
        if table.match is not None
    ]


class TestARecordedNight:
    @pytest.mark.parametrize("name", EXPECTED)
    def test_gives_the_matches_and_the_ranks_that_are_expected(self, name: str) -> None:
        event = imported(recorded_nights()[name])
        expected = EXPECTED[name]
        assert matches_as_expected(event) == expected["matches"]
        rows = standings_of(event)
        assert [
            {key: row[key] for key in wanted} for row, wanted in zip(rows, expected["standings"], strict=True)
        ] == expected["standings"]

    @pytest.mark.parametrize("name", recorded_nights())
    def test_is_imported_whole(self, name: str) -> None:
        files = recorded_nights()[name]
        event = imported(files)
        plain = json.loads(files["night.json"])
        assert event.state == "ended"
        assert event.entries.count() == plain["pairs"]
        assert [drawn.state for drawn in event.rounds.all()] == ["closed"] * plain["rounds"]
        assert Mark.objects.count() == len(files["hands.csv"].splitlines()) - 1
        assert set(Mark.objects.values_list("status", "device")) == {("current", "import")}
        assert not Match.objects.filter(is_over=False).exists()

    def test_is_kept_as_its_log_says(self) -> None:
        imported(recorded_nights()["canadian-6-tables"])
        assert [rebuild(match_id=match.pk) for match in Match.objects.all()] == [[]] * 36

    def test_imported_twice_is_two_evenings_of_the_same_people(self) -> None:
        club = a_club()
        for _ in range(2):
            import_night(club=club, name="Soirée", held_on=TUESDAY, files=RIGHT)
        assert [event.short for event in Event.objects.order_by("pk")] == ["soiree", "soiree-2"]
        assert Person.objects.count() == 8

    def test_that_stops_in_the_middle_of_a_round_goes_on_from_there(self) -> None:
        event = imported(RIGHT)
        assert event.state == "running"
        assert [drawn.state for drawn in event.rounds.all()] == ["closed", "published"]
        first, second = (table.match for table in tables_of(event.rounds.get(number=2)))
        assert first is not None
        assert second is not None
        assert (first.is_over, second.is_over) == (True, False)
        assert standings_of(event)[0]["match_wins"] == 2

    def test_without_a_round_waits_for_its_first_draw(self) -> None:
        event = imported(spoilt(tables=TABLES.splitlines()[0], hands=HANDS.splitlines()[0]))
        assert event.state == "running"
        assert next_round(event).number == 1

    def test_gives_whoever_sits_at_no_table_a_bye(self) -> None:
        event = imported(spoilt(entries=ENTRIES + b"5,Anne Roy,Luc Roy\n"))
        (sitting_out,) = event.rounds.get(number=1).seatings.filter(table=None)
        assert sitting_out.entry.number == 5

    def test_keeps_who_dealt_first(self) -> None:
        imported(RIGHT)
        dealers = Match.objects.order_by("pk").values_list("first_dealer", flat=True)
        assert list(dealers) == [0, 2, 0, 0]

    def test_need_not_say_who_dealt(self) -> None:
        event = imported(spoilt(hands=with_line(HANDS, 4, "1,2,1,,,pass,,,passed_out")))
        assert event.state == "running"

    def test_may_number_its_tables_as_the_hall_does(self) -> None:
        event = imported(
            spoilt(tables=TABLES.replace(b",2,2,4", b",12,2,4"), hands=HANDS.replace(b"2,2,1", b"2,12,1"))
        )
        assert event.table_count == 12
        assert [table.number for table in tables_of(event.rounds.get(number=2))] == [1, 12]

    def test_leaves_the_worker_its_standings_to_refresh_once(self) -> None:
        imported(RIGHT)
        assert Job.objects.count() == 1


class TestTheDayAndThePeople:
    def test_the_day_is_typed_or_in_the_file_and_else_asked_for(self) -> None:
        club = a_club()
        assert code_of(import_night, club=club, name="Night", files=RIGHT) == "day_required"
        files = spoilt(night=NIGHT.replace(b"}", b', "held_on": "2026-11-03"}'))
        event = import_night(club=club, name="Night", files=files)
        assert event.held_on.isoformat() == "2026-11-03"
        assert import_night(club=club, name="Night", held_on=TUESDAY, files=files).held_on == TUESDAY

    def test_whoever_has_the_name_of_one_person_is_that_person_and_who_is_in_doubt_is_new(self) -> None:
        club = a_club()
        names = ["Jeannine Roy", "Marcel Dubé", "Marcel Dubé"]
        jeannine, *_ = find_or_add_people(club=club, full_names=names)
        event = import_night(club=club, name="Night", held_on=TUESDAY, files=RIGHT)
        first = event.entries.get(number=1)
        assert first.player_1 == jeannine
        assert club.people.filter(name="Marcel Dubé").count() == 3

    def test_the_same_person_at_two_places_is_refused(self) -> None:
        club = a_club()
        (somebody,) = find_or_add_people(club=club, full_names=["Somebody"])
        known = {1: somebody.pk, 5: somebody.pk}
        asked = {"club": club, "name": "Night", "held_on": TUESDAY, "files": RIGHT, "known": known}
        refusal = refusal_of(bring_in_night, **asked)
        assert (refusal.code, refusal.field) == ("same_person_twice", "person.5")
        assert not Event.objects.exists()


class TestABadNight:
    def test_is_refused_with_everything_that_is_wrong_and_nothing_is_imported(self) -> None:
        files = spoilt(
            entries=with_line(ENTRIES, 3, "2,,Normand Ouellet"),
            hands=with_line(HANDS, 2, "1,1,1,0,A,6,H,9,made"),
        )
        refusal = refusal_of(imported, files)
        assert (refusal.code, refusal.field) == ("night_refused", "files")
        assert [
            (each.details["file"], each.details["line"], each.field, each.code)
            for each in refusal.details["refusals"]
        ] == [
            ("entries.csv", 3, "player_1", "name_required"),
            ("hands.csv", 2, "tricks", "tricks_out_of_range"),
        ]
        assert not Event.objects.exists()
        assert not Person.objects.exists()

    @pytest.mark.parametrize(
        "files", [{}, {"night.json": b"{}"}, dict.fromkeys(RIGHT, b"")], ids=["none", "one", "empty"]
    )
    def test_of_next_to_nothing_is_refused(self, files: dict[str, bytes]) -> None:
        assert refusal_of(imported, files).code == "night_refused"
        assert not Event.objects.exists()

    def test_with_a_table_number_that_no_hall_has_leaves_nothing(self) -> None:
        files = spoilt(
            tables=TABLES.replace(b",2,2,4", b",9000,2,4"), hands=HANDS.replace(b"2,2,1", b"2,9000,1")
        )
        assert refusal_of(imported, files).code == "tables_out_of_range"
        assert not Event.objects.exists()
        assert not Person.objects.exists()
