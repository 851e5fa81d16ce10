"""Results of a phase are published at their own time: on pages, phones and boards, in files and in the API."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from clubs.models import Scope
from engine.phases import PhaseRelease, PhaseSettings
from engine.visibility import RanksRelease, Release
from scoring.models import TableCard
from tests.api.program import Program, create_secret
from tests.builders import (
    build_running_night,
    compute_standings,
    get_refusal,
    mark,
    matches_of,
    play_round,
    start_next_round,
)
from tests.support.browser import Browser
from tests.support.event_files import assert_round_trip, export_event, list_differences
from tests.support.hall import Hall, confirm_hand
from tournaments.events.queries import counts_publicly
from tournaments.events.services.settings import change_phase, change_sections
from tournaments.history.services.undo import undo_action
from tournaments.models import Event, Standings
from tournaments.publishing.services.publishing import change_release, publish_final, unpublish_final
from tournaments.rounds.services.tables import adjust_table

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

LIVE, FINAL = PhaseRelease.LIVE, PhaseRelease.FINAL
STRANGE, OTHER = "8567", "1456"
"""Impossible scores at a table of the final and of the pools: wherever one appears, the result is public."""
STAGES = (
    {"format": "pools", "settings": {"pools": 2}, "rounds": 1},
    {"format": "knockout", "takes": "pool_top", "count": 1},
    {"format": "swiss", "takes": "pool_top", "first": 2, "count": 9, "rounds": 1, "beside": True},
)
PAGES = (
    *("", "?who=a", "/standings", "/standings/1", "/charts", "/board", "/mine", "/story", "/embed"),
    *("/rounds/1", "/rounds/2", "/rounds/1/tables/1", "/rounds/2/tables/1", "/rounds/2/tables/2"),
    *("/standings.csv", "/rounds/1.csv", "/rounds/2.csv", "/hands.csv"),
)
PARTS = ("", "/rounds", "/rounds/1", "/rounds/2", "/rounds/2/tables/1", "/standings", "/hands", "/entries")


def set_release(event: Event, released: PhaseRelease | None, *, stage: int) -> None:
    change_phase(event_id=event.pk, stage=stage, settings=PhaseSettings(released=released))
    event.refresh_from_db()


def give_result(event: Event, number: int, points: str) -> None:
    adjust_table(event_id=event.pk, number=number, table=1, games=(1, 0), points=(int(points), 1))


@pytest.fixture
def event() -> Event:
    """Pools of one round and two finals, all played; the finals are hidden until the final standings."""
    event = build_running_night(6, stages=STAGES)
    for stage in (1, 2):
        set_release(event, FINAL, stage=stage)
    play_round(event)
    give_result(event, 1, OTHER)
    start_next_round(event)
    play_round(event, 2)
    give_result(event, 2, STRANGE)
    compute_standings(event)
    event.refresh_from_db()
    return event


def read_public(event: Event) -> Iterator[tuple[str, str]]:
    """Yield the name and text of public pages and files, then of the API."""
    for rest in PAGES:
        page = Browser().open(f"/e/{event.short}{rest}")
        yield rest, page.text or page.html or b"".join(page.response).decode()
    for part in PARTS:
        answer = Program().send_request("get", f"events/{event.short}{part}").content.decode()
        yield f"api{part}", re.sub(r"\.\d{6}", "", answer)  # a fraction of a second may hold any number


def find_pages(event: Event, points: str) -> set[str]:
    """Return the pages that contain these points, or a total that includes them."""
    sums = (row["points_for"] for row in Standings.objects.get(event=event).rows)
    secrets = {points, *(str(total) for total in sums if int(points) < total < 2 * int(points))}
    return {name for name, text in read_public(event) if any(secret in text for secret in secrets)}


@pytest.mark.long
def test_hidden_final_is_nowhere_and_its_pools_are_public(event: Event) -> None:
    assert find_pages(event, STRANGE) == set()
    assert {"/rounds/1", "/standings", "/standings.csv", "api/rounds/1", "api/standings"} <= find_pages(event, OTHER)


@pytest.mark.long
def test_published_final_standings_show_the_final(event: Event) -> None:
    publish_final(event_id=event.pk)
    event.refresh_from_db()
    shown = {"/rounds/2", "/standings", "/standings.csv", "api/rounds/2", "api/standings"}
    assert shown <= find_pages(event, STRANGE)
    unpublish_final(event_id=event.pk)
    compute_standings(event)
    event.refresh_from_db()
    assert find_pages(event, STRANGE) == set()


@pytest.mark.long
def test_live_pools_are_public_in_an_event_that_waits_for_the_end() -> None:
    event = build_running_night(6, stages=STAGES)
    change_release(event_id=event.pk, release=Release(silent_from=1, ranked=RanksRelease.FINAL))
    set_release(event, LIVE, stage=0)
    play_round(event)
    give_result(event, 1, OTHER)
    compute_standings(event)
    assert {"/rounds/1", "/standings", "api/rounds/1", "api/standings"} <= find_pages(event, OTHER)
    start_next_round(event)
    play_round(event, 2)
    give_result(event, 2, STRANGE)
    compute_standings(event)
    assert find_pages(event, STRANGE) == set()
    assert {"/standings", "api/standings"} <= find_pages(event, OTHER)


@pytest.mark.long
def test_tables_of_a_hidden_final_give_no_public_hint() -> None:
    event = build_running_night(6, stages=STAGES)
    set_release(event, FINAL, stage=1)
    assert set(TableCard.objects.filter(topic=event.topic).values_list("silent_from", flat=True)) == {2}
    play_round(event)
    assert "hidden" not in Browser().open(f"/e/{event.short}/standings").text
    start_next_round(event)
    assert set(TableCard.objects.filter(topic=event.topic).values_list("silent_from", flat=True)) == {2}
    compute_standings(event)
    before = list(read_public(event))
    for match in matches_of(event, 2):
        mark(match, "A 6 7")
    assert list(read_public(event)) == before
    assert "Results from round 2 on are hidden" in Browser().open(f"/e/{event.short}/standings").text


@pytest.mark.long
def test_seasons_count_the_event_once_the_final_is_public(event: Event) -> None:
    assert not Event.objects.filter(counts_publicly(), pk=event.pk).exists()
    publish_final(event_id=event.pk)
    event.refresh_from_db()
    assert event.visible.counts
    assert Event.objects.filter(counts_publicly(), pk=event.pk).exists()


@pytest.mark.long
@pytest.mark.parametrize("released", [None, *PhaseRelease])
def test_query_for_public_events_agrees_with_their_visibility(released: PhaseRelease | None) -> None:
    event = build_running_night(6, stages=STAGES)
    set_release(event, released, stage=1)
    assert Event.objects.filter(counts_publicly(), pk=event.pk).exists() is event.visible.counts


@pytest.mark.long
def test_release_of_a_phase_is_one_undo(event: Event) -> None:
    for stage in (1, 2):
        set_release(event, None, stage=stage)
    compute_standings(event)
    assert "/rounds/2" in find_pages(event, STRANGE)
    for _ in range(2):
        undo_action(
            event_id=event.pk, action_id=event.actions.filter(kind="change_phase", undone_by=None).latest("pk").pk
        )
    compute_standings(event)
    event.refresh_from_db()
    assert find_pages(event, STRANGE) == set()


@pytest.mark.long
def test_section_has_no_release_of_its_own() -> None:
    event = build_running_night(4)
    change_sections(event_id=event.pk, sections=[{"name": "Or", "first_table": None, "last_table": None}])
    refusal = get_refusal(change_phase, event_id=event.pk, section="Or", settings=PhaseSettings(released=FINAL))
    assert (refusal.code, refusal.field) == ("release_of_section", "released")


def test_page_shows_the_effects_first() -> None:
    hall = Hall(6, stages=STAGES)
    event = hall.event
    play_round(event)
    start_next_round(event)
    page = hall.desk.open(f"/e/{event.short}/desk/phases/2/0")
    assert "All hands at all tables. Standings, as results come in." in " ".join(page.text.split())
    page = hall.desk.send(page, page.find_form(control_name="released"), released="final", since="1")
    assert "Final A: Results and standings: hidden until the final standings are published." in page.text
    assert "Round 2 and later no longer count in the public standings, until they are final." in page.text
    event.refresh_from_db()
    assert event.phases == ()
    confirm_hand(hall.desk, page)
    event.refresh_from_db()
    assert event.visible.announced_silence == 2
    page = hall.desk.open(f"/e/{event.short}/desk/publishing")
    assert "Results hidden from round 2 until the final standings." in page.text


@pytest.mark.long
def test_api_reads_and_sets_the_release_of_a_phase() -> None:
    hall = Hall(6, stages=STAGES)
    program = Program(create_secret(hall.event.club, hall.owner, Scope.MANAGE))
    body: dict[str, Any] = {"stage": 2, "settings": {"released": "final"}}
    whole = program.call("post", f"events/{hall.event.short}/phases", body)
    assert whole["phases"] == [{"stage": 1, "released": "final"}]
    body = {"stage": 2, "settings": {"released": "never"}}
    assert program.get_refusal("post", f"events/{hall.event.short}/phases", body)[0] in (400, 422)


@pytest.mark.long
def test_event_file_keeps_the_release_of_a_phase(event: Event) -> None:
    content = export_event(event)
    assert [phase.get("released") for phase in content["event"]["settings"]["phases"]] == ["final", "final"]
    assert list_differences(content) == []
    assert_round_trip(content)
