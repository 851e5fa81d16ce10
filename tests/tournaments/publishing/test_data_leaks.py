"""No public page of an event shows hidden data, under any visibility settings."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from clubs.models import Person
from engine.visibility import Names, Ranks, RanksRelease, Release, Results
from jobs.models import Job
from live.revisions import get_public_revision, get_revision, raise_revision
from tests.builders import (
    build_played_night,
    build_running_night,
    compute_standings,
    matches_of,
    play,
    play_round,
    start_next_round,
)
from tests.engine.visibility.test_visibility import ALL_RELEASES
from tests.long_runs import IS_LONG
from tests.saved_states import saved_state
from tests.support.browser import Browser, Page
from tests.tournaments.seasons.test_seasons import build_season
from tournaments.board.boards import Board
from tournaments.board.presenters.board import build_board_view, get_board_revision
from tournaments.events.services.lifecycle import end_event
from tournaments.events.services.settings import rename_event
from tournaments.history.services.undo import undo_action
from tournaments.models import Event
from tournaments.models.events import release_columns
from tournaments.publishing.services.publishing import change_release, publish_final, unpublish_final
from tournaments.rounds.services.rounds import draw_round, publish_round
from tournaments.rounds.services.tables import adjust_table
from tournaments.standings.queries.delays import get_watched_revision

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

STRANGE = "4567"
"""An impossible score for the first table of round 2: a page that contains it reveals the result."""
SAMPLED_RELEASES = ALL_RELEASES[::29]
PAGES = (
    *(
        "",
        "?who=a",
        "/standings",
        "/standings/1",
        "/charts",
        "/board",
        "/mine",
        "/story",
        "/rounds/1",
        "/rounds/2",
        "/rounds/3",
    ),
    *("/rounds/1/tables/1", "/rounds/2/tables/1", "/rounds/2/tables/2", "/rounds/3/tables/1"),
)

SILENT_PAGES = (
    *("", "/standings", "/charts", "/rounds/1", "/rounds/2", "/rounds/2/tables/1"),
    *("/story", "/embed"),
)


@pytest.fixture
@saved_state
def event() -> Event:
    """Two closed rounds and a draft of the third; one player's full name is public, another player is hidden."""
    event = build_played_night(4)
    start_next_round(event)
    play(matches_of(event, 2)[1], "A mulot made")
    play_round(event, 2)
    adjust_table(event_id=event.pk, number=2, table=1, games=(1, 0), points=(int(STRANGE), 1))
    draw_round(event_id=event.pk)
    open_one, hidden = (entry.player_1_id for entry in event.entries.all()[:2])
    Person.objects.filter(pk=open_one).update(shows_full_name=True)
    Person.objects.filter(pk=hidden).update(is_hidden=True)
    compute_standings(event)
    publish_final(event_id=event.pk)
    return event


def iter_pages(event: Event, release: Release, *, is_final: bool) -> Iterator[tuple[str, Page]]:
    Event.objects.filter(pk=event.pk).update(**release_columns(release), final=1 if is_final else None)
    event.refresh_from_db()
    raise_revision(event.topic)  # as the service does, with fewer statements
    compute_standings(event)
    reader = Browser()
    for rest in PAGES:
        yield rest, reader.open(f"/e/{event.short}{rest}")


def get_public_text(page: Page) -> str:
    """Return all text of the page, including its title and metadata."""
    metas = [one.attrs.get("content", "") for one in page.find_all("meta")]
    return "\n".join([page.text, *metas])


def test_public_pages_reveal_no_hidden_data(event: Event) -> None:
    people = [person for entry in event.entries.all() for person in entry.players]
    for release, is_final in SAMPLED_RELEASES if IS_LONG else SAMPLED_RELEASES[::2]:
        for rest, page in iter_pages(event, release, is_final=is_final):
            seen, where = event.visible, (release, is_final, rest)
            if not seen.is_public:
                assert page.status == 404, where
                continue
            text = get_public_text(page)
            full = {person.name for person in people if person.name in text}
            agreed = {person.name for person in people if person.shows_full_name and not person.is_hidden}
            assert full <= (agreed if seen.names is Names.AGREED else set()), where
            short = {p for p in people if p.short_name.replace("\xa0", " ") in text}
            if seen.names is Names.NUMBERS:
                assert not short, where
            if rest.startswith("/rounds"):
                assert (page.status == 200) == (seen.draw and "rounds/3" not in rest), where
            if seen.get_results(2) is Results.NOTHING:
                assert STRANGE not in text, where
            if rest == "/rounds/2/tables/2":
                assert ("Mulot" in text) == (seen.get_results(2) is Results.HANDS), where


@pytest.mark.parametrize("rest", ["", "/embed", "/news.atom"])
def test_club_pages_hide_the_podium_with_the_standings(event: Event, rest: str) -> None:
    """Club pages name nobody of an event but the best three, so they must hide these with the standings."""
    end_event(event_id=event.pk)
    unpublish_final(event_id=event.pk)
    first = [event.entries.get(number=row["entry"]) for row in compute_standings(event)[:3]]
    people = [person for entry in first for person in entry.players if not person.is_hidden]
    for release in (
        Release(),
        Release(silent_from=1),
        Release(ranked=RanksRelease.NEVER),
        Release(is_public=False),
    ):
        change_release(event_id=event.pk, release=release)
        event.refresh_from_db()
        page = Browser().open(f"/c/{event.club.slug}{rest}")
        named = [person for person in people if person.short_name in page.html or person.name in page.html]
        assert not named or event.visible.standings is Ranks.LIVE, release
        assert named or rest or event.visible.standings is not Ranks.LIVE


def test_public_pages_show_released_results(event: Event) -> None:
    pages = dict(iter_pages(event, Release(), is_final=False))
    for rest in ("", "/rounds/2", "/rounds/2/tables/1"):
        assert STRANGE in pages[rest].text, rest
    assert "Mulot" in pages["/rounds/2/tables/2"].text


@pytest.mark.snapshot
@pytest.mark.parametrize(
    "release",
    [
        Release(silent_from=2),
        Release(silent_from=1),
        Release(results=Results.NOTHING, ranked=RanksRelease.NEVER),
        Release(draw=False, ranked=RanksRelease.FINAL),
    ],
)
def test_silent_round_activity_is_not_observable(release: Release) -> None:
    """Neither public pages nor their ETags nor their stream change; the desk's revision does."""
    event = build_played_night(4)
    start_next_round(event)
    change_release(event_id=event.pk, release=release)
    compute_standings(event)

    def read_public_state() -> tuple[int, list[tuple[str, str]]]:
        event.refresh_from_db()
        pages = [Browser().open(f"/e/{event.short}{rest}") for rest in SILENT_PAGES]
        return get_public_revision(*event.topics), [
            (page.response.headers.get("ETag", ""), page.text) for page in pages
        ]

    before, at_desk = read_public_state(), get_revision(event.topic)
    first, second, *_ = matches_of(event, 2)
    play(first, "A 6 7")
    assert get_revision(event.topic) > at_desk
    play(second, *["A 8 8"] * 4)
    adjust_table(event_id=event.pk, number=2, table=2, games=(1, 0), points=(40, 3))
    Job.objects.filter(kind="refresh_standings").update(created_at=timezone.now() - timedelta(minutes=3))
    assert read_public_state() == before, "the worker is late, which the desk hears"
    compute_standings(event)
    assert read_public_state() == before
    change_release(event_id=event.pk, release=Release())
    assert read_public_state()[0] != before[0]


def test_board_does_not_reveal_hidden_desk_actions() -> None:
    """Neither the board's time of last update nor its ETag changes with hidden actions of the desk."""
    event = build_played_night(4)
    start_next_round(event)
    change_release(event_id=event.pk, release=Release(silent_from=2))
    compute_standings(event)
    now = timezone.now()

    def read_board_state() -> tuple[str, object]:
        event.refresh_from_db()
        return get_board_revision(event, now=now), build_board_view(event, board=Board()).changed_at

    before = read_board_state()
    adjust_table(event_id=event.pk, number=2, table=1, games=(1, 0), points=(40, 3))
    undo_action(event_id=event.pk, action_id=event.actions.all()[0].pk)
    adjust_table(event_id=event.pk, number=2, table=2, games=(1, 0), points=(40, 3))
    Job.objects.filter(kind="refresh_standings").update(created_at=now - timedelta(minutes=3))
    assert read_board_state() == before
    assert "late" in get_watched_revision(event, is_public=False), "which the desk hears"
    compute_standings(event)
    assert read_board_state() == before
    play_round(event, 2)
    closed = read_board_state()
    assert closed != before
    draw_round(event_id=event.pk)
    assert read_board_state() == closed, "a draft"
    publish_round(event_id=event.pk, number=3)
    assert read_board_state()[0] != closed[0]
    assert read_board_state()[1] != closed[1]


def test_silent_round_does_not_recount_seasons() -> None:
    event = build_running_night(4)
    season = build_season(event.club)
    play_round(event)
    start_next_round(event)
    change_release(event_id=event.pk, release=Release(silent_from=2))
    compute_standings(event)
    Job.objects.filter(kind="refresh_seasons").delete()
    play(matches_of(event, 2)[0], *["A 8 8"] * 4)
    compute_standings(event)
    assert not Job.objects.filter(kind="refresh_seasons").exists()
    change_release(event_id=event.pk, release=Release())
    compute_standings(event)
    assert Job.objects.filter(kind="refresh_seasons").exists(), season


def test_correction_of_an_earlier_round_is_announced() -> None:
    event = build_played_night(4)
    start_next_round(event)
    change_release(event_id=event.pk, release=Release(silent_from=2))
    before = get_public_revision(event.topic)
    adjust_table(event_id=event.pk, number=1, table=1, games=(0, 1), points=(3, 40))
    assert get_public_revision(event.topic) > before
    compute_standings(event)
    heard = get_public_revision(event.topic)
    compute_standings(event)
    assert get_public_revision(event.topic) == heard


@pytest.mark.parametrize("feed", ["news.atom", "calendar.ics"])
def test_feed_entity_tag_is_opaque(event: Event, feed: str) -> None:
    assert re.fullmatch(r'"[0-9a-f]{32}"', Browser().open(f"/c/{event.club.slug}/{feed}").revision)


def test_calendar_sequence_ignores_hidden_hands(event: Event) -> None:
    def read_sequence() -> str:
        read = Browser().open(f"/e/{event.short}.ics").html
        return "".join(re.findall(r"SEQUENCE:\d+", read))

    Event.objects.update(silent_from=1)
    before = read_sequence()
    adjust_table(event_id=event.pk, number=2, table=2, games=(0, 1), points=(3, 40))
    assert read_sequence() == before
    rename_event(event_id=event.pk, name="Nuit d'hiver", held_on=event.held_on)
    assert read_sequence() != before


def test_page_entity_tag_is_opaque(event: Event) -> None:
    for rest, page in iter_pages(event, Release(results=Results.NOTHING), is_final=False):
        if page.status == 200 and rest not in ("/board", "/mine"):
            assert re.fullmatch(r'(W/)?"[0-9a-f]{32}"', page.revision), rest
