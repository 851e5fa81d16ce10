"""The page of what everybody sees, and the public pages as everybody then finds them."""

import re
from typing import Any

import pytest

from clubs.services import find_or_add_people
from engine.visibility import Names, RanksRelease, Release, Results
from jobs.models import Job
from tests.builders import a_running_night, matches_of, next_round, play_round, standings_after
from tests.support.browser import Browser, Page
from tests.support.office import Office
from tournaments.entries.services.entries import add_entry
from tournaments.events.services.background_steps import DEFERRED, do_deferred
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.history.services.undo import undo_action
from tournaments.models import Event
from tournaments.publishing.services.publishing import change_release, publish_final

from .test_publishing import correct, released

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
    """An organizer and an evening of one round that is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.night = a_running_night(4, club=self.club)
        play_round(self.night)
        standings_after(self.night)
        self.night.refresh_from_db()

    @property
    def address(self) -> str:
        return f"/e/{self.night.short}/desk/publishing"

    def page(self) -> Page:
        return self.browser.open(self.address)

    def file(self) -> str:
        """The first line of the standings as text."""
        answer = Browser().client.get(f"/e/{self.night.short}/standings.txt")
        return answer.content.decode().splitlines()[0]

    def say(self, **typed: Any) -> Page:
        page = self.page()
        form = page.form(having="results")
        return self.browser.send(page, form, **typed)

    def press(self, part: str) -> Page:
        page = self.page()
        for form in page.every("form"):
            for button in form.every("button", name="part"):
                if button.attrs["value"] == part:
                    return self.browser.send(page, form, ("part", part))
        raise AssertionError(f"no button {part}")

    def public(self, rest: str = "") -> Page:
        return Browser().open(f"/e/{self.night.short}{rest}")


def names_in_full(event: Event) -> set[str]:
    return {person.name for entry in event.entries.all() for person in entry.players}


class TestAHiddenEvent:
    def test_is_found_by_no_address_and_looks_like_one_that_never_was(self) -> None:
        press = Press()
        there = {rest: press.public(rest).status for rest in PUBLIC}
        assert set(there.values()) == {200}
        press.press("hide")
        for rest in PUBLIC:
            hidden = press.public(rest)
            unknown = Browser().open(f"/e/no-such-event{rest}")
            assert (hidden.status, hidden.text) == (404, unknown.text)

    def test_is_not_on_the_page_of_its_club_not_even_in_a_count(self) -> None:
        press = Press()
        end_event(event_id=press.night.pk)
        before = Browser().open(f"/c/{press.club.slug}")
        assert press.night.name in before.text
        press.press("hide")
        after = Browser().open(f"/c/{press.club.slug}")
        assert f"/e/{press.night.short}" not in after.html
        assert before.response.headers["ETag"] != after.response.headers["ETag"]

    def test_is_still_the_organizers(self) -> None:
        press = Press()
        press.press("hide")
        assert press.page().status == 200
        assert press.browser.open(f"/e/{press.night.short}/desk/standings").every("ol")
        assert press.press("show").status == 200
        assert press.public().status == 200

    def test_answers_a_browser_that_knows_the_page_as_one_that_does_not(self) -> None:
        press = Press()
        known = press.public().response.headers["ETag"]
        press.press("hide")
        again = Browser().client.get(f"/e/{press.night.short}", headers={"if-none-match": known})
        assert again.status_code == 404


class TestWhatIsReleased:
    def test_results_that_are_kept_back_are_in_no_page_and_said_to_be(self) -> None:
        press = Press()
        assert "32" in press.public("?round=1").one("main").text
        press.say(silent_from="1")
        standings_after(press.night)
        page = press.public("?round=1")
        assert "Results of this round are hidden until the final standings." in page.text
        assert "32" not in page.one("main").text
        assert "32" not in press.public("/standings").one("main").text
        assert "32" not in press.public("/standings/1").one("main").text

    def test_at_the_desk_the_standings_have_full_names_whatever_is_released(self) -> None:
        press = Press()
        press.say(names=Names.NUMBERS.value)
        desk, first = f"/e/{press.night.short}/desk", press.night.entries.get(number=1)
        assert not any(name in press.public("/standings").text for name in names_in_full(press.night))
        page = press.browser.open(f"{desk}/standings")
        assert all(name in page.text for name in names_in_full(press.night))
        assert page.link("Tables") == desk
        heading = press.browser.open(f"{desk}/standings/1").one("h1").text
        assert all(person.name in heading for person in first.players)

    @pytest.mark.snapshot
    def test_standings_wait_until_they_are_final(self) -> None:
        press = Press()
        press.say(ranked=RanksRelease.FINAL.value)
        for rest in ("", "/standings"):
            assert "Standings will be published when final" in press.public(rest).text
        assert press.public("/standings/1").status == 404
        press.press("publish")
        page = press.public("/standings")
        assert re.search(r"Published as final: \w+ \d+, \d{4}, \d+:\d\d\s[AP]M", page.text)
        french = Browser(language="fr").open(f"/e/{press.night.short}/standings")
        assert re.search(r"Publié comme final\s: \d+ \w+ \d{4}, \d+\sh\s\d\d", french.text)
        assert page.every("ol")

    @pytest.mark.snapshot
    def test_the_draw_is_nobodys_business_where_it_is_not_released(self) -> None:
        press = Press()
        change_release(event_id=press.night.pk, release=Release(draw=False))
        page = press.public()
        assert "Pairings are not published" in page.text
        assert "Round 1" not in page.one("main").text.replace("after round 1", "")
        assert press.public("/standings/1").status == 404

    @pytest.mark.snapshot
    def test_a_correction_is_marked_as_such_with_its_day_and_what_it_changed(self) -> None:
        press = Press()
        press.press("publish")
        assert "Corrected" not in press.public("/standings").text
        correct(press.night)
        for page in (press.page(), press.public("/standings"), press.public()):
            assert "Changed since. These standings are as published." in page.text
        press.press("publish")
        page = press.public("/standings")
        assert "Something changed since" not in page.text
        assert "Final standings, corrected" in page.text
        assert "Corrected:" in page.text
        assert "→" in page.text
        assert not any(name in page.html for name in names_in_full(press.night))

    def test_standings_say_how_far_they_are_to_be_relied_on_also_in_their_file(self) -> None:
        press = Press()
        said = [(press.public("/standings").one("h2").text, press.file())]
        end_event(event_id=press.night.pk)
        said.append((press.public("/standings").one("h2").text, press.file()))
        press.press("publish")
        said.append((press.public("/standings").one("h2").text, press.file()))
        correct(press.night)
        press.press("publish")
        said.append((press.public("/standings").one("h2").text, press.file()))
        title = "Standings · Soirée du mardi · 2026-11-17"
        assert said == [
            ("Standings after round 1", title),
            ("Provisional standings", f"{title} · provisional"),
            ("Final standings", f"{title} · final"),
            ("Final standings, corrected", f"{title} · corrected"),
        ]

    def test_taking_final_standings_back_is_one_tap_too(self) -> None:
        press = Press()
        press.press("publish")
        press.press("withdraw")
        assert "Published as final" not in press.public("/standings").text

    @pytest.mark.parametrize("names", [Names.SHORT, Names.NUMBERS])
    def test_names_are_no_longer_than_released_even_of_who_agreed_to_more(self, names: Names) -> None:
        press = Press()
        one = press.night.entries.all()[0].player_1
        one.shows_full_name = True
        one.save()
        assert one.name in press.public().html
        released(press.night, Release(names=names))
        for rest in PUBLIC:
            page = press.public(rest)
            assert one.name not in page.html
            assert (one.short_name in page.html) <= (names is Names.SHORT)

    @pytest.mark.snapshot
    def test_who_is_on_the_list_is_not_told_before_the_draw_unless_released(self) -> None:
        office = Office(pairs=3)
        standings_after(office.event)
        first = office.event.entries.all()[0].player_1
        assert first.short_name in Browser().open(f"/e/{office.event.short}").html
        change_release(event_id=office.event.pk, release=Release(entries=False))
        page = Browser().open(f"/e/{office.event.short}")
        assert first.short_name not in page.html
        assert "This list is not published" in page.text


class TestThePageOfTheOrganizer:
    @pytest.mark.snapshot
    def test_says_sentence_by_sentence_what_everybody_sees_now(self) -> None:
        press = Press()
        assert "All hands at all tables." in press.page().text
        press.say(results=Results.TOTALS.value)
        assert "Table scores, without hands." in press.page().text
        press.press("hide")
        assert "Nothing:" in press.page().text

    def test_keeps_what_was_typed_where_something_is_wrong(self) -> None:
        press = Press()
        page = press.say(silent_from="soon", ranked=RanksRelease.NEVER.value)
        assert page.status == 422
        assert page.said_at("silent_from")
        assert page.chosen("ranked") == [RanksRelease.NEVER.value]
        assert page.field("silent_from").value == "soon"
        press.night.refresh_from_db()
        assert press.night.release == Release()

    def test_offers_to_publish_only_what_there_is(self) -> None:
        press = Press()
        publish_final(event_id=press.night.pk)
        assert "Publish correction" not in press.page().text
        correct(press.night)
        assert "Publish correction" in press.page().text

    def test_of_a_large_event_are_published_by_the_worker(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tournaments.events.services.background_steps.LARGE", 1)
        press = Press()
        press.press("publish")
        assert "Final standings" not in press.public("/standings").text
        for job in Job.objects.filter(kind__in=DEFERRED):
            do_deferred(job.key)
        assert "Final standings" in press.public("/standings").text

    def test_says_which_round_of_the_plan_final_standings_would_not_count(self) -> None:
        office = Office(pairs=4, stages=[{"format": "random", "rounds": 1}, A_FINAL])
        event = office.event
        start_event(event_id=event.pk)
        pages = []
        for number in (1, 2):
            next_round(event)
            play_round(event, number)
            pages.append(office.browser.open(f"/e/{event.short}/desk/publishing").text)
        assert "Round 2 is not played yet." in pages[0]
        assert "not played yet" not in pages[1]


class TestWhoIsNotReleased:
    @pytest.mark.parametrize("rest", ["/standings", "/standings.json", "/clubs.json", "/board"])
    def test_is_in_no_standings_before_the_first_draw(self, rest: str) -> None:
        office = Office(pairs=3)
        office.event.entries.filter(number=1).update(team="Rimouski")
        names = [entry.player_1.short_name for entry in office.event.entries.all()]
        released(office.event, Release(entries=False))
        page = Browser().open(f"/e/{office.event.short}{rest}")
        assert page.status == 200
        assert [name for name in names if name in page.html] == []

    def test_has_no_reasons_before_the_first_draw(self) -> None:
        office = Office(pairs=3)
        released(office.event, Release(entries=False))
        assert Browser().open(f"/e/{office.event.short}/standings/1").status == 404


def test_final_standings_of_who_is_no_longer_in_the_list_are_still_shown_everywhere() -> None:
    press = Press()
    add_entry(event_id=press.night.pk, players=("Zoé Zed", "Yves Yale"))
    added = press.night.actions.latest("pk")
    publish_final(event_id=press.night.pk)
    undo_action(event_id=press.night.pk, action_id=added.pk)
    failed = []
    for state in ("not computed", "computed", "ended"):
        if state == "computed":
            standings_after(press.night)
        if state == "ended":
            end_event(event_id=press.night.pk)
        at_desk = ("standings", "publishing", "print/standings", "print/standings.csv", "prizes", "history")
        paths = [f"/e/{press.night.short}{rest}" for rest in [*PUBLIC, "/standings.json", "/clubs.json"]]
        paths += [f"/e/{press.night.short}/desk/{rest}" for rest in at_desk]
        paths += [f"/c/{press.club.slug}", f"/c/{press.club.slug}/news.atom"]
        press.browser.client.raise_request_exception = False
        failed += [(state, path) for path in paths if press.browser.open(path).status != 200]
    assert failed == []


def test_the_numbers_of_an_event_without_names_are_its_own_and_lead_to_nobodys_page() -> None:
    Press()  # whose people have those numbers everywhere else
    press = Press()
    (substitute,) = find_or_add_people(club=press.club, full_names=["Zoé Zed"])
    matches_of(press.night)[0].players.filter(seat=0).update(person=substitute)
    released(press.night, Release(names=Names.NUMBERS))
    everybody, one_pair_and_theirs = 8, 4
    for rest in ("?round=1", "/standings", "/standings/1", "/board", "/standings.json", ".json"):
        numbers = {int(number) for number in re.findall(r"Player\s(\d+)", press.public(rest).html)}
        assert numbers <= set(range(1, 10)), rest
        assert len(numbers) >= (one_pair_and_theirs if rest == "/standings/1" else everybody), rest
