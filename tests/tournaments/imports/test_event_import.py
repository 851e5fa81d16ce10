"""An event brought into a club from its file: whatever happened in it, its own file is the same one again."""

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
from engine.sums import digest_of
from tests.builders import (
    a_club,
    a_played_night,
    a_running_night,
    an_account,
    an_event,
    code_of,
    fresh,
    mark,
    matches_of,
    play_round,
    win,
)
from tests.long import often
from tests.support.directors import Director
from tests.support.event_files import a_tournament, assert_the_same, brought, file_of
from tournaments.cash_rules import CashRules
from tournaments.entries.services.bonds import keep_apart
from tournaments.event_files import (
    Content,
    digests_of,
    in_newest_form,
    read_event_file,
    serialize_event_file,
    verify,
)
from tournaments.event_files.comparison import differences_of
from tournaments.event_files.signed import signed_sums
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


@pytest.mark.slow
def test_people_of_one_name_stay_two() -> None:
    event = a_running_night()
    Person.objects.filter(club=event.club).update(name="Jean Roy", folded_name="jean roy")
    play_round(event)
    again = assert_the_same(file_of(event))
    assert len(again.club.people.filter(name="Jean Roy")) == 8


@pytest.mark.slow
def test_a_round_in_the_middle_of_its_hands_goes_on() -> None:
    event = a_running_night()
    first, second = matches_of(event)
    win(first)
    mark(second, "A 6 made")
    mark(second, "B 7 made", number=1)
    copy = assert_the_same(file_of(event))
    going_on = matches_of(copy)[1]
    assert fresh(going_on).has_rivals
    mark(going_on, "B 7 made", number=1, replacing=going_on.marks.order_by("-pk")[0])
    win(going_on)
    assert fresh(going_on).is_over


@pytest.mark.slow
def test_a_draft_is_brought_in_too() -> None:
    event = a_tournament(5, stages=[{"format": "swiss"}])
    draw_round(event_id=event.pk, seed=3)
    copy = assert_the_same(file_of(event))
    assert copy.rounds.get().draft is not None


@pytest.mark.slow
def test_what_a_director_wrote_at_the_other_place_is_the_directors_here() -> None:
    event = a_running_night()
    match = matches_of(event)[0]
    ghislaine = an_account("Ghislaine Guy")
    mark(match, "A 6 made awarded", director=ghislaine)
    copy = assert_the_same(file_of(event))
    brought_match = matches_of(copy)[0]
    line = brought_match.marks.get()
    assert (line.account, line.director) == (None, "Ghislaine Guy")
    assert code_of(mark, brought_match, "A 7 made", replacing=line) == "director_only"


class TestTheSameFileTwice:
    def test_is_one_event(self) -> None:
        content = file_of(a_running_night())
        club = a_club()
        first = bring_in_event(club=club, content=content)
        assert bring_in_event(club=club, content=content) == first
        assert club.events.count() == 1

    def test_that_was_put_away_is_brought_back(self) -> None:
        content = file_of(an_event(4))
        club = a_club()
        first = bring_in_event(club=club, content=content)
        put_away_event(event_id=first.pk)
        bring_in_event(club=club, content=content)
        first.refresh_from_db()
        assert not first.is_put_away

    @pytest.mark.slow
    def test_is_two_where_a_copy_is_asked_for(self) -> None:
        content = file_of(a_running_night())
        club = a_club()
        one = bring_in_event(club=club, content=content)
        key = uuid4()
        other = bring_in_event(club=club, content=content, key=key)
        assert bring_in_event(club=club, content=content, key=key) == other
        assert {one.short, other.short} == set(club.events.values_list("short", flat=True))


class TestAFileOfTheFirstForm:
    @pytest.mark.slow
    @pytest.mark.parametrize("has_draft", [False, True])
    def test_is_verified_as_it_is_and_brought_in(self, *, has_draft: bool) -> None:
        event = a_played_night()
        if has_draft:  # whose tables have no match yet
            draw_round(event_id=event.pk)
        content = file_of(event)
        old = in_the_first_form(content)
        assert verify(old).differences == []
        copy = brought(old)
        assert file_of(copy)["sum"] == in_newest_form(old)["sum"] == content["sum"]

    def test_with_two_people_of_one_name_is_refused(self) -> None:
        event = a_running_night()
        Person.objects.filter(club=event.club).update(name="Jean Roy", folded_name="jean roy")
        assert code_of(brought, in_the_first_form(file_of(event))) == "namesakes_untold"
        assert Event.objects.count() == 1


def in_the_first_form(content: Content) -> Content:
    """As the program wrote it before people had a list, and an event a release or a poster."""
    old = json.loads(json.dumps(content))
    place, people = old.pop("place"), old.pop("people")
    del old["event"]["settings"]["release"], old["event"]["settings"]["announcement"]
    old["event"] |= {"club": place["club"], "short": place["short"]}
    old["standings"]["computed_at"] = place["counted_at"]
    matches = [table["match"] for drawn in old["rounds"] for table in drawn["tables"] if table["match"]]
    for holder in (*old["entries"], *matches):
        holder["players"] = [people[number - 1] for number in holder["players"]]
    sums = digests_of(old)
    return read_event_file(
        serialize_event_file({**old, "charlemagne_event": 1, "sums": sums, "sum": digest_of(sums)})
    )


@pytest.mark.slow
@hypothesis_settings(max_examples=often(4, long=60), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    seed=st.integers(0, 10**6),
    entries=st.integers(4, 10),
    stages=st.sampled_from(["swiss", "random", "progressive", "swiss_individual", "swiss, knockout"]),
    deeds=st.integers(0, 40),
)
@pytest.mark.postgresql("whole events are written at once")
def test_of_any_event_its_file_is_the_same_again(seed: int, entries: int, stages: str, deeds: int) -> None:
    formats = [{"format": each, "rounds": 2} for each in stages.split(", ")]
    del formats[-1]["rounds"]
    event = a_tournament(entries, stages=formats)
    Director(event, seed).work(deeds)
    assert_the_same(file_of(event))


@pytest.mark.postgresql("people of a file are looked up by name")
class TestTheCommand:
    @pytest.mark.slow
    def test_brings_the_event_in_once(self, tmp_path: Path) -> None:
        content = file_of(a_running_night())
        file, club = tmp_path / "night.json", a_club("Another club")
        file.write_bytes(serialize_event_file(content))
        for _ in range(2):
            call_command("import_event", str(file), "--club", club.slug, stdout=StringIO())
        assert club.events.count() == 1

    def test_says_each_difference_and_brings_in_nothing(self, tmp_path: Path) -> None:
        content = file_of(a_running_night())
        content["event"]["name"] = "Another"
        file, club = tmp_path / "night.json", a_club("Another club")
        file.write_bytes(serialize_event_file(content))
        with pytest.raises(CommandError, match="“event” changed after its checksum was computed"):
            call_command("import_event", str(file), "--club", club.slug, stdout=StringIO())
        assert not club.events.exists()


@pytest.mark.slow
def test_the_clock_of_a_round_that_is_over_comes_with_it_and_one_that_runs_stays_where_it_is() -> None:
    event = a_running_night()
    begin_round(event_id=event.pk, number=1, minutes=45)
    add_minutes(event_id=event.pk, number=1)
    pause_clock(event_id=event.pk, number=1)
    assert "clock" not in file_of(event)["rounds"][0]
    play_round(event)
    content = file_of(event)
    assert content["rounds"][0]["clock"] == {"minutes": 45, "added": 5}
    (played,) = assert_the_same(content).rounds.all()
    assert (played.clock_minutes, played.added_minutes) == (45, 5)
    assert (played.paused_at, played.paused_seconds, played.last_hand_at) == (None, 0, None)


@pytest.mark.slow
def test_who_is_kept_apart_stays_apart() -> None:
    event = a_running_night(6)
    keep_apart(event_id=event.pk, text="1 - 4", always=True)
    event.refresh_from_db()
    again = assert_the_same(file_of(event))
    (apart,) = again.kept_apart
    numbers = again.entries.filter(pk__in=apart["entries"]).values_list("number", flat=True)
    assert (sorted(numbers), apart["always"]) == ([1, 4], True)


@pytest.mark.slow
def test_prizes_by_category_and_the_labels_of_entries_come_with_it() -> None:
    event = a_running_night()
    women = CategoryDetails(name="Women", among="label", group="Women", places=2, amounts=(5000,))
    add_prize_category(event_id=event.pk, details=women)
    set_prizes_add_up(event_id=event.pk, add_up=True)
    label_entries(event_id=event.pk, label="Women", numbers=[2])
    event.refresh_from_db()
    again = assert_the_same(file_of(event))
    assert again.prizes_add_up
    assert list(again.entries.order_by("number").values_list("labels", flat=True)) == ["", "Women", "", ""]
    (category,) = again.prize_categories.all()
    assert (category.name, category.group, category.amounts) == ("Women", "Women", [5000, 0])


def test_the_prize_fund_comes_with_it_and_stands_in_no_signature() -> None:
    event = an_event(4)
    before = file_of(event)
    assert "cash" not in before["event"]["settings"], "files of older programs have none"
    rules = CashRules(prize_share=60, rounding_step=100, starting_cash=5000)
    change_cash_rules(event_id=event.pk, rules=rules)
    event.refresh_from_db()
    content = file_of(event)
    assert brought(content).cash_rules == rules
    assert signed_sums(content) == signed_sums(before)
    assert [each.details["name"] for each in differences_of(before, content)] == [
        "cash.prize_share",
        "cash.rounding_step",
        "cash.starting_cash",
    ]
