"""The visibility page of an event, and the resulting public pages."""

import re
from typing import Any

import pytest

from clubs.services.people import find_or_add_people
from engine.visibility import Names, RanksRelease, Release, Results
from jobs.models import Job
from tests.builders import build_running_night, compute_standings, matches_of, play_round, start_next_round
from tests.support.browser import Browser, Page
from tests.support.office import Office
from tournaments.entries.services.entries import add_entry
from tournaments.events.services.background_steps import DEFERRED_SERVICES, run_deferred_step
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.history.services.undo import undo_action
from tournaments.models import Event
from tournaments.publishing.services.publishing import change_release, publish_final

from .test_publishing import correct, release_event

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

PUBLIC = [
    "",
    "/standings",
    "/standings/1",
    "/charts",
    "/rules",
    "/ruling",
    "/board",
    "/sign-up",
    "?round=1",
    "/rounds/1",
    "/rounds/1/tables/1",
    "/standings?section=x",
]

A_FINAL = {"format": "knockout", "takes": "top", "count": 2}


class Press(Office):
    """An organizer's office, and a night with one closed round."""

    def __init__(self) -> None:
        super().__init__()
        self.night = build_running_night(4, club=self.club)
        play_round(self.night)
        compute_standings(self.night)
        self.night.refresh_from_db()

    @property
    def address(self) -> str:
        return f"/e/{self.night.short}/desk/publishing"

    def open_page(self) -> Page:
        return self.browser.open(self.address)

    def read_first_line(self) -> str:
        """Return the first line of the standings in the text export."""
        answer = Browser().client.get(f"/e/{self.night.short}/standings.txt")
        return answer.content.decode().splitlines()[0]

    def submit(self, **typed: Any) -> Page:
        page = self.open_page()
        form = page.find_form(control_name="results")
        return self.browser.send(page, form, **typed)

    def press(self, part: str) -> Page:
        page = self.open_page()
        for form in page.find_all("form"):
            for button in form.find_all("button", name="part"):
                if button.attrs["value"] == part:
                    return self.browser.send(page, form, ("part", part))
        raise AssertionError(f"no button {part}")

    def open_public_page(self, rest: str = "") -> Page:
        return Browser().open(f"/e/{self.night.short}{rest}")


def list_full_names(event: Event) -> set[str]:
    return {person.name for entry in event.entries.all() for person in entry.players}


class TestHiddenEvent:
    @pytest.mark.long
    def test_hidden_event_answers_like_an_unknown_event(self) -> None:
        press = Press()
        there = {rest: press.open_public_page(rest).status for rest in PUBLIC}
        assert set(there.values()) == {200}
        press.press("hide")
        for rest in PUBLIC:
            hidden = press.open_public_page(rest)
            unknown = Browser().open(f"/e/no-such-event{rest}")
            assert (hidden.status, hidden.text) == (404, unknown.text)

    @pytest.mark.long
    def test_hidden_event_is_not_on_the_club_page(self) -> None:
        press = Press()
        end_event(event_id=press.night.pk)
        before = Browser().open(f"/c/{press.club.slug}")
        assert press.night.name in before.text
        press.press("hide")
        after = Browser().open(f"/c/{press.club.slug}")
        assert f"/e/{press.night.short}" not in after.html
        assert before.response.headers["ETag"] != after.response.headers["ETag"]

    def test_hidden_event_remains_open_to_the_organizer(self) -> None:
        press = Press()
        press.press("hide")
        assert press.open_page().status == 200
        assert press.browser.open(f"/e/{press.night.short}/desk/standings").find_all("ol")
        assert press.press("show").status == 200
        assert press.open_public_page().status == 200

    def test_known_entity_tag_does_not_reveal_a_hidden_event(self) -> None:
        press = Press()
        etag = press.open_public_page().response.headers["ETag"]
        press.press("hide")
        again = Browser().client.get(f"/e/{press.night.short}", headers={"if-none-match": etag})
        assert again.status_code == 404


class TestReleasedContent:
    @pytest.mark.long
    def test_silent_round_pages_show_no_results(self) -> None:
        press = Press()
        assert "32" in press.open_public_page("?round=1").find_one("main").text
        press.submit(silent_from="1")
        compute_standings(press.night)
        page = press.open_public_page("?round=1")
        assert "Results of this round are hidden until the final standings." in page.text
        assert "32" not in page.find_one("main").text
        assert "32" not in press.open_public_page("/standings").find_one("main").text
        assert "32" not in press.open_public_page("/standings/1").find_one("main").text

    @pytest.mark.long
    def test_desk_standings_always_show_full_names(self) -> None:
        press = Press()
        press.submit(names=Names.NUMBERS.value)
        desk, first = f"/e/{press.night.short}/desk", press.night.entries.get(number=1)
        assert not any(name in press.open_public_page("/standings").text for name in list_full_names(press.night))
        page = press.browser.open(f"{desk}/standings")
        assert all(name in page.text for name in list_full_names(press.night))
        assert page.find_link("Tables") == desk
        heading = press.browser.open(f"{desk}/standings/1").find_one("h1").text
        assert all(person.name in heading for person in first.players)

    @pytest.mark.snapshot
    def test_standings_are_hidden_until_final(self) -> None:
        press = Press()
        press.submit(ranked=RanksRelease.FINAL.value)
        for rest in ("", "/standings"):
            assert "Standings will be published when final" in press.open_public_page(rest).text
        assert press.open_public_page("/standings/1").status == 404
        press.press("publish")
        page = press.open_public_page("/standings")
        assert re.search(r"Published as final: \w+ \d+, \d{4}, \d+:\d\d\s[AP]M", page.text)
        french = Browser(language="fr").open(f"/e/{press.night.short}/standings")
        assert re.search(r"Publié comme final\s: \d+ \w+ \d{4}, \d+\sh\s\d\d", french.text)
        assert page.find_all("ol")

    @pytest.mark.snapshot
    def test_unreleased_draw_is_not_shown(self) -> None:
        press = Press()
        change_release(event_id=press.night.pk, release=Release(draw=False))
        page = press.open_public_page()
        assert "Pairings are not published" in page.text
        assert "Round 1" not in page.find_one("main").text.replace("after round 1", "")
        assert press.open_public_page("/standings/1").status == 404

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_corrected_standings_are_marked_with_date_and_changes(self) -> None:
        press = Press()
        press.press("publish")
        assert "Corrected" not in press.open_public_page("/standings").text
        correct(press.night)
        for page in (press.open_page(), press.open_public_page("/standings"), press.open_public_page()):
            assert "Changed since. These standings are as published." in page.text
        press.press("publish")
        page = press.open_public_page("/standings")
        assert "Something changed since" not in page.text
        assert "Final standings, corrected" in page.text
        assert "Corrected:" in page.text
        assert "→" in page.text
        assert not any(name in page.html for name in list_full_names(press.night))

    def test_standings_page_and_file_state_their_status(self) -> None:
        press = Press()
        headings = [(press.open_public_page("/standings").find_one("h2").text, press.read_first_line())]
        end_event(event_id=press.night.pk)
        headings.append((press.open_public_page("/standings").find_one("h2").text, press.read_first_line()))
        press.press("publish")
        headings.append((press.open_public_page("/standings").find_one("h2").text, press.read_first_line()))
        correct(press.night)
        press.press("publish")
        headings.append((press.open_public_page("/standings").find_one("h2").text, press.read_first_line()))
        title = "Standings · Soirée du mardi · 2026-11-17"
        assert headings == [
            ("Standings after round 1", title),
            ("Provisional standings", f"{title} · provisional"),
            ("Final standings", f"{title} · final"),
            ("Final standings, corrected", f"{title} · corrected"),
        ]

    @pytest.mark.long
    def test_standings_at_the_desk_are_final_until_results_change(self) -> None:
        press = Press()
        end_event(event_id=press.night.pk)
        press.press("publish")
        desk = f"/e/{press.night.short}/desk/standings"
        assert press.browser.open(desk).find_one("h2").text == "Final standings"
        correct(press.night)
        assert press.browser.open(desk).find_one("h2").text == "Provisional standings"

    def test_final_standings_can_be_withdrawn(self) -> None:
        press = Press()
        press.press("publish")
        press.press("withdraw")
        assert "Published as final" not in press.open_public_page("/standings").text

    @pytest.mark.parametrize("names", [Names.SHORT, Names.NUMBERS])
    @pytest.mark.long
    def test_release_limits_names_despite_consent(self, names: Names) -> None:
        press = Press()
        one = press.night.entries.all()[0].player_1
        one.shows_full_name = True
        one.save()
        assert one.name in press.open_public_page().html
        release_event(press.night, Release(names=names))
        for rest in PUBLIC:
            page = press.open_public_page(rest)
            assert one.name not in page.html
            assert (one.short_name in page.html) <= (names is Names.SHORT)

    @pytest.mark.snapshot
    def test_entry_list_is_hidden_before_the_draw_unless_released(self) -> None:
        office = Office(pairs=3)
        compute_standings(office.event)
        first = office.event.entries.all()[0].player_1
        assert first.short_name in Browser().open(f"/e/{office.event.short}").html
        change_release(event_id=office.event.pk, release=Release(entries=False))
        page = Browser().open(f"/e/{office.event.short}")
        assert first.short_name not in page.html
        assert "This list is not published" in page.text


class TestOrganizerPage:
    @pytest.mark.long
    @pytest.mark.snapshot
    def test_organizer_page_describes_what_everybody_sees(self) -> None:
        press = Press()
        assert "All hands at all tables." in press.open_page().text
        press.submit(results=Results.TOTALS.value)
        assert "Table scores, without hands." in press.open_page().text
        press.press("hide")
        assert "Nothing:" in press.open_page().text

    def test_refused_form_keeps_typed_values(self) -> None:
        press = Press()
        page = press.submit(silent_from="soon", ranked=RanksRelease.NEVER.value)
        assert page.status == 422
        assert page.get_field_error("silent_from")
        assert page.list_checked_values("ranked") == [RanksRelease.NEVER.value]
        assert page.find_field("silent_from").value == "soon"
        press.night.refresh_from_db()
        assert press.night.release == Release()

    def test_correction_is_offered_only_after_a_change(self) -> None:
        press = Press()
        publish_final(event_id=press.night.pk)
        assert "Publish correction" not in press.open_page().text
        correct(press.night)
        assert "Publish correction" in press.open_page().text

    def test_worker_publishes_a_large_event(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tournaments.events.services.background_steps.LARGE", 1)
        press = Press()
        press.press("publish")
        assert "Final standings" not in press.open_public_page("/standings").text
        for job in Job.objects.filter(kind__in=DEFERRED_SERVICES):
            run_deferred_step(job.key)
        assert "Final standings" in press.open_public_page("/standings").text

    def test_organizer_page_warns_about_unplayed_rounds(self) -> None:
        office = Office(pairs=4, stages=[{"format": "random", "rounds": 1}, A_FINAL])
        event = office.event
        start_event(event_id=event.pk)
        pages = []
        for number in (1, 2):
            start_next_round(event)
            play_round(event, number)
            pages.append(office.browser.open(f"/e/{event.short}/desk/publishing").text)
        assert "Round 2 is not played yet." in pages[0]
        assert "not played yet" not in pages[1]


@pytest.mark.long
class TestUnreleasedEntries:
    @pytest.mark.parametrize("rest", ["/standings", "/standings.json", "/clubs.json", "/board"])
    def test_standings_omit_unreleased_entries_before_the_draw(self, rest: str) -> None:
        office = Office(pairs=3)
        office.event.entries.filter(number=1).update(team="Rimouski")
        names = [entry.player_1.short_name for entry in office.event.entries.all()]
        release_event(office.event, Release(entries=False))
        page = Browser().open(f"/e/{office.event.short}{rest}")
        assert page.status == 200
        assert [name for name in names if name in page.html] == []

    def test_unreleased_entry_has_no_rank_explanation(self) -> None:
        office = Office(pairs=3)
        release_event(office.event, Release(entries=False))
        assert Browser().open(f"/e/{office.event.short}/standings/1").status == 404


@pytest.mark.long
def test_final_standings_of_a_removed_entry_are_still_shown() -> None:
    press = Press()
    add_entry(event_id=press.night.pk, players=("Zoé Zed", "Yves Yale"))
    added = press.night.actions.latest("pk")
    publish_final(event_id=press.night.pk)
    undo_action(event_id=press.night.pk, action_id=added.pk)
    failed = []
    for state in ("not computed", "computed", "ended"):
        if state == "computed":
            compute_standings(press.night)
        if state == "ended":
            end_event(event_id=press.night.pk)
        at_desk = ("standings", "publishing", "print/standings", "print/standings.csv", "prizes", "history")
        paths = [f"/e/{press.night.short}{rest}" for rest in [*PUBLIC, "/standings.json", "/clubs.json"]]
        paths += [f"/e/{press.night.short}/desk/{rest}" for rest in at_desk]
        paths += [f"/c/{press.club.slug}", f"/c/{press.club.slug}/news.atom"]
        press.browser.client.raise_request_exception = False
        failed += [(state, path) for path in paths if press.browser.open(path).status != 200]
    assert failed == []


@pytest.mark.long
def test_anonymous_numbers_are_local_to_the_event() -> None:
    Press()  # the people of this event take the low numbers
    press = Press()
    (substitute,) = find_or_add_people(club=press.club, full_names=["Zoé Zed"])
    matches_of(press.night)[0].players.filter(seat=0).update(person=substitute)
    release_event(press.night, Release(names=Names.NUMBERS))
    everybody, one_pair_and_theirs = 8, 4
    for rest in ("?round=1", "/standings", "/standings/1", "/board", "/standings.json", ".json"):
        numbers = {int(number) for number in re.findall(r"Player\s(\d+)", press.open_public_page(rest).html)}
        assert numbers <= set(range(1, 10)), rest
        assert len(numbers) >= (one_pair_and_theirs if rest == "/standings/1" else everybody), rest
