"""Import of an event file: whatever happened in the event, exporting it again gives an identical file."""

import json
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from clubs.models import Person
from engine.checksums import compute_digest
from tests.builders import (
    build_account,
    build_club,
    build_event,
    build_played_night,
    build_running_night,
    get_refusal_code,
    mark,
    matches_of,
    play_round,
    reload_match,
    win,
)
from tests.long_runs import choose_count
from tests.support.directors import Director
from tests.support.event_files import assert_round_trip, build_tournament, export_event, import_event
from tournaments.cash_rules import CashRules
from tournaments.entries.services.bonds import keep_apart
from tournaments.event_files.comparison import list_differences
from tournaments.event_files.conversion import upgrade_content
from tournaments.event_files.parsing import read_event_file
from tournaments.event_files.schema import Content
from tournaments.event_files.signed_parts import compute_signed_sums
from tournaments.event_files.verifying import verify_event_file
from tournaments.event_files.writer import compute_part_digests, serialize_event_file
from tournaments.events.services.lifecycle import put_away_event
from tournaments.imports.services.event_import import bring_in_event
from tournaments.models import Event
from tournaments.money.services.fees import change_cash_rules
from tournaments.money.services.prize_categories import (
    CategoryDetails,
    add_prize_category,
    label_entries,
    set_prizes_add_up,
)
from tournaments.rounds.services.clock import add_minutes, begin_round, pause_clock
from tournaments.rounds.services.rounds import draw_round

pytestmark = pytest.mark.django_db


@pytest.mark.long
def test_imported_namesakes_stay_two_people() -> None:
    event = build_running_night()
    Person.objects.filter(club=event.club).update(name="Jean Roy", folded_name="jean roy")
    play_round(event)
    again = assert_round_trip(export_event(event))
    assert len(again.club.people.filter(name="Jean Roy")) == 8


@pytest.mark.long
def test_imported_round_continues_in_mid_match() -> None:
    event = build_running_night()
    first, second = matches_of(event)
    win(first)
    mark(second, "A 6 made")
    mark(second, "B 7 made", number=1)
    copy = assert_round_trip(export_event(event))
    going_on = matches_of(copy)[1]
    assert reload_match(going_on).has_rivals
    mark(going_on, "B 7 made", number=1, replaced=going_on.marks.order_by("-pk")[0])
    win(going_on)
    assert reload_match(going_on).is_over


@pytest.mark.slow
def test_import_preserves_a_draft() -> None:
    event = build_tournament(5, stages=[{"format": "swiss"}])
    draw_round(event_id=event.pk, seed=3)
    copy = assert_round_trip(export_event(event))
    assert copy.rounds.get().draft is not None


@pytest.mark.long
def test_imported_ruling_stays_a_director_mark() -> None:
    event = build_running_night()
    match = matches_of(event)[0]
    ghislaine = build_account("Ghislaine Guy")
    mark(match, "A 6 made awarded", director=ghislaine)
    copy = assert_round_trip(export_event(event))
    brought_match = matches_of(copy)[0]
    line = brought_match.marks.get()
    assert (line.account, line.director) == (None, "Ghislaine Guy")
    assert get_refusal_code(mark, brought_match, "A 7 made", replaced=line) == "director_only"


@pytest.mark.slow
class TestRepeatedImport:
    def test_repeated_import_makes_one_event(self) -> None:
        content = export_event(build_running_night())
        club = build_club()
        first = bring_in_event(club=club, content=content)
        assert bring_in_event(club=club, content=content) == first
        assert club.events.count() == 1

    def test_repeated_import_restores_an_archived_event(self) -> None:
        content = export_event(build_event(4))
        club = build_club()
        first = bring_in_event(club=club, content=content)
        put_away_event(event_id=first.pk)
        bring_in_event(club=club, content=content)
        first.refresh_from_db()
        assert not first.is_put_away

    @pytest.mark.long
    def test_requested_copy_makes_a_second_event(self) -> None:
        content = export_event(build_running_night())
        club = build_club()
        one = bring_in_event(club=club, content=content)
        key = uuid4()
        other = bring_in_event(club=club, content=content, key=key)
        assert bring_in_event(club=club, content=content, key=key) == other
        assert {one.short, other.short} == set(club.events.values_list("short", flat=True))


class TestFirstFormatFile:
    @pytest.mark.slow
    @pytest.mark.parametrize("has_draft", [False, True])
    def test_first_format_file_verifies_and_imports(self, *, has_draft: bool) -> None:
        event = build_played_night()
        if has_draft:  # a draft, whose tables have no match yet
            draw_round(event_id=event.pk)
        content = export_event(event)
        old = convert_to_first_format(content)
        assert verify_event_file(old).differences == []
        copy = import_event(old)
        assert export_event(copy)["sum"] == upgrade_content(old)["sum"] == content["sum"]

    def test_first_format_file_with_namesakes_is_refused(self) -> None:
        event = build_running_night()
        Person.objects.filter(club=event.club).update(name="Jean Roy", folded_name="jean roy")
        assert get_refusal_code(import_event, convert_to_first_format(export_event(event))) == "namesakes_untold"
        assert Event.objects.count() == 1


def convert_to_first_format(content: Content) -> Content:
    """Return the content in the first format: no list of people, no release, no event details."""
    old = json.loads(json.dumps(content))
    place, people = old.pop("place"), old.pop("people")
    del old["event"]["settings"]["release"], old["event"]["settings"]["announcement"]
    old["event"] |= {"club": place["club"], "short": place["short"]}
    old["standings"]["computed_at"] = place["counted_at"]
    matches = [table["match"] for drawn in old["rounds"] for table in drawn["tables"] if table["match"]]
    for holder in (*old["entries"], *matches):
        holder["players"] = [people[number - 1] for number in holder["players"]]
    sums = compute_part_digests(old)
    return read_event_file(
        serialize_event_file({**old, "charlemagne_event": 1, "sums": sums, "sum": compute_digest(sums)})
    )


@pytest.mark.long
@hypothesis_settings(max_examples=choose_count(4, long=60), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    seed=st.integers(0, 10**6),
    entries=st.integers(4, 10),
    stages=st.sampled_from(["swiss", "random", "progressive", "swiss_individual", "swiss, knockout"]),
    actions=st.integers(0, 40),
)
@pytest.mark.postgresql("bulk inserts")
def test_any_event_survives_an_import_and_export(seed: int, entries: int, stages: str, actions: int) -> None:
    formats = [{"format": each, "rounds": 2} for each in stages.split(", ")]
    del formats[-1]["rounds"]
    event = build_tournament(entries, stages=formats)
    Director(event, seed).perform(actions)
    assert_round_trip(export_event(event))


@pytest.mark.postgresql("lookups by name")
class TestImportCommand:
    @pytest.mark.slow
    def test_import_command_imports_an_event_once(self, tmp_path: Path) -> None:
        content = export_event(build_running_night())
        file, club = tmp_path / "night.json", build_club("Another club")
        file.write_bytes(serialize_event_file(content))
        for _ in range(2):
            call_command("import_event", str(file), "--club", club.slug, stdout=StringIO())
        assert club.events.count() == 1

    def test_import_command_lists_differences_and_imports_nothing(self, tmp_path: Path) -> None:
        content = export_event(build_running_night())
        content["event"]["name"] = "Another"
        file, club = tmp_path / "night.json", build_club("Another club")
        file.write_bytes(serialize_event_file(content))
        with pytest.raises(CommandError, match="“event” changed after its checksum was computed"):
            call_command("import_event", str(file), "--club", club.slug, stdout=StringIO())
        assert not club.events.exists()


@pytest.mark.long
def test_import_preserves_the_clock_of_closed_rounds_only() -> None:
    event = build_running_night()
    begin_round(event_id=event.pk, number=1, minutes=45)
    add_minutes(event_id=event.pk, number=1)
    pause_clock(event_id=event.pk, number=1)
    assert "clock" not in export_event(event)["rounds"][0]
    play_round(event)
    content = export_event(event)
    assert content["rounds"][0]["clock"] == {"minutes": 45, "added": 5}
    (played,) = assert_round_trip(content).rounds.all()
    assert (played.clock_minutes, played.added_minutes) == (45, 5)
    assert (played.paused_at, played.paused_seconds, played.last_hand_at) == (None, 0, None)


@pytest.mark.slow
def test_import_preserves_kept_apart_entries() -> None:
    event = build_running_night(6)
    keep_apart(event_id=event.pk, text="1 - 4", always=True)
    event.refresh_from_db()
    again = assert_round_trip(export_event(event))
    (apart,) = again.kept_apart
    numbers = again.entries.filter(pk__in=apart["entries"]).values_list("number", flat=True)
    assert (sorted(numbers), apart["always"]) == ([1, 4], True)


@pytest.mark.slow
def test_import_preserves_prize_categories_and_labels() -> None:
    event = build_running_night()
    women = CategoryDetails(name="Women", among="label", group="Women", places=2, amounts=(5000,))
    add_prize_category(event_id=event.pk, details=women)
    set_prizes_add_up(event_id=event.pk, add_up=True)
    label_entries(event_id=event.pk, label="Women", numbers=[2])
    event.refresh_from_db()
    again = assert_round_trip(export_event(event))
    assert again.prizes_add_up
    assert list(again.entries.order_by("number").values_list("labels", flat=True)) == ["", "Women", "", ""]
    (category,) = again.prize_categories.all()
    assert (category.name, category.group, category.amounts) == ("Women", "Women", [5000, 0])


@pytest.mark.slow
def test_unsigned_prize_fund_survives_the_import() -> None:
    event = build_event(4)
    before = export_event(event)
    assert "cash" not in before["event"]["settings"], "files of older programs have none"
    rules = CashRules(prize_share=60, rounding_step=100, starting_cash=5000)
    change_cash_rules(event_id=event.pk, rules=rules)
    event.refresh_from_db()
    content = export_event(event)
    assert import_event(content).cash_rules == rules
    assert compute_signed_sums(content) == compute_signed_sums(before)
    assert [each.details["name"] for each in list_differences(before, content)] == [
        "cash.prize_share",
        "cash.rounding_step",
        "cash.starting_cash",
    ]
