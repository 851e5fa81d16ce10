"""Tables of a phase: matches called early and tables set by hand use only these."""

from typing import Any

import pytest

from engine.draws import DrawnTable, EntryId
from engine.phases import PhaseSettings
from tests.builders import (
    build_event,
    build_running_night,
    get_refusal,
    get_refusal_code,
    matches_of,
    play_round,
    start_next_round,
    win,
)
from tests.support.event_files import export_event, list_differences
from tests.support.hall import Hall
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.entry_actions import describe_entry
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import change_phase, change_sections
from tournaments.models import Event
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.services.rounds import call_matches, draw_round, enter_draw
from tournaments.rounds.services.tables import hold_table, seat_more

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

FINALS = (
    {"format": "swiss", "rounds": 1},
    {"format": "swiss", "takes": "ranked", "first": 1, "last": 5, "rounds": 2},
    {"format": "swiss", "takes": "ranked", "first": 6, "rounds": 2, "beside": True},
)
BRACKETS = (
    {"format": "swiss", "rounds": 1},
    {"format": "knockout", "takes": "ranked", "first": 1, "last": 8},
    {"format": "knockout", "takes": "ranked", "first": 9, "beside": True},
)


def set_tables(event: Event, first: int, last: int, *, stage: int | None = None) -> None:
    change_phase(event_id=event.pk, settings=PhaseSettings(tables=(first, last)), stage=stage)


def map_slots(event: Event, number: int) -> dict[int, str]:
    return {table.number: table.slot for table in lineup_of(event.rounds.get(number=number)).tables}


@pytest.mark.long
def test_called_matches_stay_at_the_tables_of_their_phase() -> None:
    event = build_running_night(16, stages=BRACKETS, tables=12)
    set_tables(event, 5, 8, stage=1)
    set_tables(event, 9, 12, stage=2)
    play_round(event)
    start_next_round(event)
    for match in matches_of(event, 2):
        if match.table.slot in ("2:W1-1", "2:W1-2", "3:W1-3", "3:W1-4"):
            win(match)
    call_matches(event_id=event.pk)
    slots = map_slots(event, 3)
    assert {slot: 5 <= number <= 8 for number, slot in slots.items() if slot[0] == "2"} == {
        "2:W2-1": True,
        "2:W1-3": True,
        "2:W1-4": True,
    }
    assert {slot: 9 <= number <= 12 for number, slot in slots.items() if slot[0] == "3"} == {
        "3:W2-2": True,
        "3:W1-1": True,
        "3:W1-2": True,
    }
    assert list_differences(export_event(event)) == []


class TestTableSetByHand:
    """Final A has its own tables, final B any others; each has a bye. The late pair 11 has arrived."""

    def build_finals(self, first: int, last: int) -> Event:
        event = build_running_night(10, stages=FINALS, tables=9)
        set_tables(event, first, last, stage=1)
        play_round(event)
        start_next_round(event)
        add_entry(event_id=event.pk, players=["Zoé Zed", "Zach Zed"])
        event.refresh_from_db()
        return event

    def find_bye(self, event: Event, stage: int) -> int:
        byes = lineup_of(event.rounds.get(number=2)).byes
        entry = next(bye.entry for bye in byes if bye.slot.startswith(f"{stage + 1}:"))
        return event.entries.get(pk=entry).number

    @pytest.mark.long
    def test_added_table_is_a_free_one_of_its_phase(self) -> None:
        event = self.build_finals(5, 7)
        seat_more(event_id=event.pk, number=2, one=self.find_bye(event, 1), other=11)
        assert sorted(number for number, slot in map_slots(event, 2).items() if slot[0] == "2") == [5, 6, 7]

    def test_added_table_is_none_of_another_phase(self) -> None:
        event = self.build_finals(1, 3)
        seat_more(event_id=event.pk, number=2, one=self.find_bye(event, 2), other=11)
        assert sorted(number for number, slot in map_slots(event, 2).items() if slot[0] == "3") == [4, 5, 6]

    def test_added_table_is_refused_if_its_phase_has_no_free_one(self) -> None:
        event = self.build_finals(5, 6)
        refusal = get_refusal(seat_more, event_id=event.pk, number=2, one=self.find_bye(event, 1), other=11)
        assert (refusal.code, refusal.details["stage"]) == ("phase_tables_short", 2)

    @pytest.mark.long
    def test_table_outside_its_phase_is_refused(self) -> None:
        event = self.build_finals(5, 7)
        seats: Any = {"event_id": event.pk, "number": 2, "one": self.find_bye(event, 1), "other": 11}
        refusal = get_refusal(seat_more, **seats, table=3)
        assert (refusal.code, refusal.field) == ("table_outside_phase", "table")
        assert refusal.details == {"table": 3, "first": 5, "last": 7}
        seat_more(**seats, table=7)
        assert map_slots(event, 2)[7] == "2:"

    @pytest.mark.long
    def test_table_of_another_phase_is_refused(self) -> None:
        event = self.build_finals(5, 7)
        seats: Any = {"event_id": event.pk, "number": 2, "one": self.find_bye(event, 2), "other": 11}
        assert get_refusal_code(seat_more, **seats, table=7) == "table_of_other_phase"
        seat_more(**seats, table=9)
        assert map_slots(event, 2)[9] == "3:"

    @pytest.mark.long
    def test_fixed_table_of_an_entry_may_be_outside_its_phase(self) -> None:
        event = self.build_finals(5, 7)
        bye = self.find_bye(event, 1)
        describe_entry(event_id=event.pk, number=bye, table=3)
        seat_more(event_id=event.pk, number=2, one=bye, other=11, table=3)
        assert map_slots(event, 2)[3] == "2:"

    @pytest.mark.long
    def test_page_says_which_tables_a_phase_has(self) -> None:
        hall = Hall(10, stages=FINALS)
        set_tables(hall.event, 5, 6, stage=1)
        play_round(hall.event)
        start_next_round(hall.event)
        add_entry(event_id=hall.event.pk, players=["Zoé Zed", "Zach Zed"])
        page = hall.desk.open(f"/e/{hall.event.short}/desk/rounds/2")
        form = page.find_form("/more")
        page = hall.desk.send(page, form, one=str(self.find_bye(hall.event, 1)), other="11")
        assert "Too few are free; change its tables in the settings." in page.text


@pytest.mark.long
def test_tables_of_a_phase_beyond_those_of_the_event_are_added() -> None:
    event = build_running_night(8, stages=({"format": "swiss", "rounds": 1}, {"format": "swiss"}))
    set_tables(event, 11, 14, stage=1)
    play_round(event)
    start_next_round(event)
    assert sorted(map_slots(event, 2)) == [11, 12, 13, 14]
    event.refresh_from_db()
    assert event.table_count == 14


def test_manual_draw_keeps_to_the_tables_of_its_phase() -> None:
    event = build_event(4, draw_format="swiss", tables=4)
    set_tables(event, 3, 4)
    start_event(event_id=event.pk)
    a, b, c, d = (EntryId(entry.pk) for entry in event.entries.order_by("number"))
    tables = [DrawnTable(number=3, a=(a,), b=(b,)), DrawnTable(number=1, a=(c,), b=(d,))]
    refusal = get_refusal(enter_draw, event_id=event.pk, tables=tables)
    assert (refusal.code, refusal.details) == ("table_outside_phase", {"table": 1, "first": 3, "last": 4})
    assert not event.rounds.exists()


def test_locked_table_outside_its_phase_is_refused_in_a_new_draw() -> None:
    event = build_event(8, draw_format="swiss", tables=8)
    start_event(event_id=event.pk)
    draw_round(event_id=event.pk)
    hold_table(event_id=event.pk, number=1, table=2, is_held=True)
    set_tables(event, 5, 8)
    refusal = get_refusal(draw_round, event_id=event.pk)
    assert (refusal.code, refusal.details) == ("held_outside_phase", {"table": 2, "first": 5, "last": 8})
    hold_table(event_id=event.pk, number=1, table=2, is_held=False)
    draw_round(event_id=event.pk)
    assert sorted(map_slots(event, 1)) == [5, 6, 7, 8]


class TestSectionTables:
    """Five pairs at tables 1 to 3, five at 4 to 6, each section with a bye. Late pairs 11 and 12 are in Argent."""

    def build_sections(self, **settings: Any) -> Event:
        event = build_event(10, tables=6, stages=[{"format": "swiss", "settings": settings}])
        ranges = {"Or": (1, 3), "Argent": (4, 6)}
        sections = [{"name": name, "first_table": at, "last_table": end} for name, (at, end) in ranges.items()]
        change_sections(event_id=event.pk, sections=sections)
        for number in range(1, 11):
            describe_entry(event_id=event.pk, number=number, section="Or" if number < 6 else "Argent")
        start_event(event_id=event.pk)
        start_next_round(event)
        for name in ("Zed", "Zola"):
            add_entry(event_id=event.pk, players=[f"Zoé {name}", f"Zach {name}"], section="Argent")
        event.refresh_from_db()
        return event

    def find_bye(self, event: Event, section: str) -> int:
        byes = [bye.entry for bye in lineup_of(event.rounds.get(number=1)).byes]
        return event.entries.get(pk__in=byes, section=section).number

    def test_added_table_is_one_of_its_section(self) -> None:
        event = self.build_sections()
        seats: Any = {"event_id": event.pk, "number": 1, "one": 11, "other": 12}
        refusal = get_refusal(seat_more, **seats, table=3)
        assert (refusal.code, refusal.details["first"]) == ("table_outside_phase", 4)
        seat_more(**seats)
        assert sorted(map_slots(event, 1)) == [1, 2, 4, 5, 6]
        describe_entry(event_id=event.pk, number=11, section="Or")
        add_entry(event_id=event.pk, players=["Zoé Zink", "Zach Zink"], section="Argent")
        refusal = get_refusal(seat_more, **seats | {"one": self.find_bye(event, "Argent"), "other": 13})
        assert (refusal.code, refusal.details["section"]) == ("section_tables_short", "Argent")

    @pytest.mark.long
    def test_added_table_across_sections_is_one_of_either(self) -> None:
        event = self.build_sections()
        seat_more(event_id=event.pk, number=1, one=self.find_bye(event, "Or"), other=self.find_bye(event, "Argent"))
        assert sorted(map_slots(event, 1)) == [1, 2, 3, 4, 5]

    @pytest.mark.long
    def test_added_table_is_any_free_one_where_sections_mix(self) -> None:
        event = self.build_sections(mixes_sections=True)
        seat_more(event_id=event.pk, number=1, one=11, other=12, table=6)
        assert len(map_slots(event, 1)) == 6
