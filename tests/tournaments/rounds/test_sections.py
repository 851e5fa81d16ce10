"""Rounds of an event with sections: the draft, its verification in the event file, and its refusals."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.builders import build_account, build_club, build_event, get_refusal, play_round, start_next_round
from tests.support.browser import Browser
from tests.support.event_files import assert_round_trip, export_event, list_differences
from tournaments.entries.presenters.entries import UnseatedEntries, build_entries_view
from tournaments.entries.services.check_in import change_attendance
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.entry_actions import describe_entry
from tournaments.event_files.verifying import verify_event_file
from tournaments.events.services.lifecycle import plan_tables, start_event
from tournaments.events.services.settings import change_sections, change_stages
from tournaments.models import Event
from tournaments.rounds.presenters.rounds import count_planned_rounds
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.services.rounds import draw_round
from tournaments.rounds.services.tables import hold_table, swap_entries

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

Section = Mapping[str, Any]


def build_section(name: str, first: int | None = None, last: int | None = None) -> Section:
    return {"name": name, "first_table": first, "last_table": last}


class Desk:
    """An event at four tables: entries 1 to 5 in the section Open, 6 to 8 in Beginners."""

    def __init__(
        self,
        *,
        draw_format: str = "swiss",
        sections: Sequence[Section] = (build_section("Open"), build_section("Beginners")),
        clubs: Mapping[int, str] | None = None,
        **wanted: Any,
    ) -> None:
        self.owner = build_account()
        self.event: Event = build_event(8, club=build_club(owner=self.owner), draw_format=draw_format)
        change_stages(event_id=self.event.pk, stages=[{"format": draw_format, "settings": wanted}])
        change_sections(event_id=self.event.pk, sections=sections)
        for number in range(1, 9):
            name, team = ("Open" if number <= 5 else "Beginners"), (clubs or {}).get(number, "")
            describe_entry(event_id=self.event.pk, number=number, section=name, team=team)
        self.event = start_event(event_id=self.event.pk)
        self.path = f"/e/{self.event.short}/desk"

    def get_text(self, path: str = "", *, language: str = "en") -> str:
        return Browser(account=self.owner, language=language).open(f"{self.path}{path}").text

    def list_seats(self) -> dict[int, set[int]]:
        """Return the entry numbers at each table of the draft."""
        numbers = dict(self.event.entries.values_list("pk", "number"))
        lineup = lineup_of(self.event.rounds.get(draft__isnull=False))
        return {table.number: {numbers[e] for e in (*table.a, *table.b)} for table in lineup.tables}


def test_draft_gives_each_odd_section_a_bye() -> None:
    desk = Desk()
    for number in range(1, 4):
        draw_round(event_id=desk.event.pk, seed=number)
        seats = desk.list_seats()
        assert sorted(seats) == [1, 2, 3]
        assert all(len({entry <= 5 for entry in entries}) == 1 for entries in seats.values())
        text = desk.get_text()
        assert text.count("In this section: fewest missed rounds so far.") == 2
        assert "Forbidden meeting" not in text
        assert "Dans cette section : le moins de rondes manquées" in desk.get_text(language="fr")
        start_next_round(desk.event, seed=number)
        play_round(desk.event, number)


@pytest.mark.slow
def test_event_file_needs_no_proof_of_a_section_that_requested_byes() -> None:
    desk = Desk()
    for number in (6, 7, 8):
        change_attendance(event_id=desk.event.pk, number=number, round_number=1, attendance="bye")
    start_next_round(desk.event)
    content = export_event(desk.event)
    assert (list_differences(content), verify_event_file(content).counts["proofs"]) == ([], 1)


@pytest.mark.long
def test_unavoidable_meeting_is_explained_within_its_section() -> None:
    desk = Desk(clubs={6: "Rimouski", 7: "Rimouski", 8: "Rimouski"}, must_not=["club"])
    draw_round(event_id=desk.event.pk, seed=1)
    assert desk.get_text().count("In this section: same club, but no draw breaks fewer rules.") == 1


@pytest.mark.long
def test_event_file_proves_the_draw_of_each_section() -> None:
    desk = Desk()
    for number in range(1, 4):
        start_next_round(desk.event, seed=number)
        play_round(desk.event, number)
    draw_round(event_id=desk.event.pk, seed=4)
    content = export_event(desk.event)
    report = verify_event_file(content)
    assert (list_differences(content), report.counts["draws"], report.counts["proofs"]) == ([], 4, 8)
    proof = content["rounds"][0]["draw"]["certificate"]
    assert (proof["units"], [len(each["prices"]) for each in proof["sections"]]) == ({}, [6, 4])
    assert content["rounds"][0]["draw"]["drawn_from"]["table_count"] == 4
    assert_round_trip(content)
    proof["sections"][1]["prices"][0][1] += "0"
    assert [found.code for found in verify_event_file(content).differences if found.location] == ["is_other"]


@pytest.mark.parametrize("draw_format", ["round_robin", "progressive", "random"])
@pytest.mark.long
def test_event_file_verifies_draws_of_other_formats(draw_format: str) -> None:
    desk = Desk(draw_format=draw_format)
    for number in range(1, 6):
        start_next_round(desk.event, seed=number)
        play_round(desk.event, number)
        if number == 3:
            draw_round(event_id=desk.event.pk, seed=4)
            assert "Present but not drawn" not in desk.get_text()  # also when a section has only rematches left
    content = export_event(desk.event)
    assert (list_differences(content), verify_event_file(content).counts["draws"]) == ([], 5)


def test_swap_across_sections_costs_a_forbidden_meeting() -> None:
    desk = Desk()
    drawn = draw_round(event_id=desk.event.pk, seed=1)
    assert drawn.price["forbidden"] == 0
    one, other = (min(entries) for entries in (desk.list_seats()[1], desk.list_seats()[3]))
    text = desk.get_text(f"/rounds/1/swap?one={one}&other={other}")
    assert "Forbidden meetings 0 2" in text
    swap_entries(event_id=desk.event.pk, number=1, one=one, other=other)
    drawn.refresh_from_db()
    assert drawn.price["forbidden"] == 2
    assert "Forbidden meetings 0 2" in desk.get_text("/rounds/1/comparison")
    assert list_differences(export_event(desk.event)) == []


@pytest.mark.long
def test_held_table_stays_while_sections_are_redrawn() -> None:
    desk = Desk()
    draw_round(event_id=desk.event.pk, seed=1)
    held = desk.list_seats()[3]
    hold_table(event_id=desk.event.pk, number=1, table=3, is_held=True)
    drawn = draw_round(event_id=desk.event.pk, seed=2)
    assert desk.list_seats()[3] == held
    assert drawn.price["forbidden"] == 0
    assert list_differences(export_event(desk.event)) == []


@pytest.mark.parametrize(
    ("sections", "in_english", "in_french"),
    [
        (
            (build_section("Open", 1, 1), build_section("Beginners")),
            "Tables needed for section “Open”: 2. Too few are free; change the tables of the sections.",
            "Tables nécessaires pour la section « Open » : 2.",
        ),
        (
            (build_section("Open", 1, 4), build_section("Beginners")),
            "Tables needed for section “Beginners”: 1. Too few are free; change the tables of the sections.",
            "Tables nécessaires pour la section « Beginners » : 1.",
        ),
        (
            (build_section("Open", 4, 7), build_section("Beginners", 1, 3)),
            "Tables needed for section “Open”: 2. Too few are free; change the tables of the sections.",
            "Tables nécessaires pour la section « Open » : 2.",
        ),
    ],
)
@pytest.mark.long
def test_section_without_enough_tables_is_refused(sections: Sequence[Section], in_english: str, in_french: str) -> None:
    desk = Desk(sections=sections)
    refusal = get_refusal(draw_round, event_id=desk.event.pk, seed=1)
    assert refusal.code == "section_tables_short"
    for language, sentence in (("en", in_english), ("fr", in_french)):
        browser = Browser(account=desk.owner, language=language)
        page = browser.open(desk.path)
        assert sentence in browser.send(page, page.find_form("/draw")).text
    change_sections(event_id=desk.event.pk, sections=[build_section("Open", 2, 3), build_section("Beginners")])
    draw_round(event_id=desk.event.pk, seed=1)
    assert sorted(desk.list_seats()) == [1, 2, 3]


@pytest.mark.long
def test_too_small_hall_is_refused_until_tables_are_added() -> None:
    desk = Desk()
    for players, name in ((("Ana Roy", "Bea Cyr"), "Open"), (("Cyr Roy", "Dan Cyr"), "Beginners")):
        (entry,) = add_entry(event_id=desk.event.pk, players=players)
        describe_entry(event_id=desk.event.pk, number=entry.number, section=name)
    refusal = get_refusal(draw_round, event_id=desk.event.pk, seed=1)
    assert (refusal.code, refusal.details) == ("too_few_tables", {"needed": 5, "tables": 4})
    browser = Browser(account=desk.owner)
    page = browser.open(f"{desk.path}/settings")
    browser.send(page, page.find_form(control_name="table_count"), table_count="5")
    draw_round(event_id=desk.event.pk, seed=1)
    assert sorted(desk.list_seats()) == [1, 2, 3, 4, 5]
    refusal = get_refusal(plan_tables, event_id=desk.event.pk, table_count=4)
    assert refusal.code == "event_started"


@pytest.mark.long
def test_entry_list_counts_a_bye_in_each_odd_section() -> None:
    assert build_entries_view(Desk().event).left_over == UnseatedEntries(byes=2)
    assert build_entries_view(Desk(mixes_sections=True).event).left_over == UnseatedEntries()


@pytest.mark.long
def test_round_robin_has_the_rounds_of_its_largest_section() -> None:
    desk = Desk(draw_format="round_robin")
    draw_round(event_id=desk.event.pk, seed=1)
    assert count_planned_rounds(desk.event, desk.event.entries.all()) == 5
