"""The pages of seasons: created by a director, public to read."""

import datetime
from typing import Any

import pytest
from django.test import Client

from clubs.models import Person
from clubs.services.people import find_or_add_people
from tests.builders import build_event, build_played_night, build_running_night, compute_standings, matches_of, play
from tests.support.browser import Browser, Page
from tests.support.office import Office
from tournaments.entries.services.merging import merge_people
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Event, Season
from tournaments.records.services import refresh_ratings
from tournaments.rounds.services.rounds import close_round
from tournaments.seasons import services, views
from tournaments.seasons.services import refresh_seasons

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


class Seasons(Office):
    """An office whose club has seasons."""

    @property
    def path(self) -> str:
        return f"/club/{self.club.slug}/seasons"

    def open_season(self, **typed: Any) -> Page:
        page = self.browser.open(f"{self.path}/new")
        form_values: dict[str, Any] = {"starts": "2026-09-01", "ends": "2027-06-30", **typed}
        return self.browser.send(page, page.find_form(control_name="starts"), **form_values)

    def play_night(self) -> Event:
        night = build_played_night(4, club=self.club)
        compute_standings(night)
        refresh_seasons(club_id=self.club.pk)
        return night

    @property
    def season(self) -> Season:
        return Season.objects.get(club=self.club)

    @property
    def public(self) -> str:
        return f"/c/{self.club.slug}/seasons/{self.season.pk}"


def list_ladder_lines(page: Page) -> list[str]:
    """Return the text of each line of the standings: rank, name, total, nights."""
    return [line.text for line in page.find_all("summary")]


@pytest.mark.snapshot
def test_new_season_starts_with_general_standings() -> None:
    club = Seasons()
    empty = club.browser.open(club.path)
    assert "No season yet" in empty.text
    page = club.open_season(name="Autumn")
    assert page.path == f"{club.path}/{club.season.pk}"
    assert [one["name"] for one in club.season.ladders] == ["General"]
    assert "Autumn" in club.browser.open(club.path).text


def test_season_form_adds_and_removes_standings() -> None:
    club = Seasons()
    page = club.browser.open(f"{club.path}/new")
    form = page.find_form(control_name="starts")
    page = club.browser.send(page, form, ("change", "ladders.add"), name="Autumn")
    assert page.find_field("name").value == "Autumn"
    form_values: dict[str, Any] = {
        "ladders.1.name": "Pairs",
        "ladders.1.unit": "pair",
        "ladders.1.counts": "rank_points",
        "ladders.1.rank_points": "10, 8, 6",
        "ladders.1.best": "5",
        "ladders.1.presence": "1",
    }
    form_values |= {"starts": "2026-09-01", "ends": "2027-06-30"}
    club.browser.send(page, page.find_form(control_name="starts"), **form_values)
    assert club.season.ladders[1] == {
        "name": "Pairs",
        "unit": "pair",
        "counts": "rank_points",
        "rank_points": [10, 8, 6],
        "best": 5,
        "presence": 1,
    }
    page = club.browser.open(f"{club.path}/{club.season.pk}")
    assert page.find_field("ladders.1.rank_points").value == "10 8 6"
    page = club.browser.send(page, page.find_form(control_name="starts"), ("change", "ladders.0.remove"))
    club.browser.send(page, page.find_form(control_name="starts"))
    assert [one["name"] for one in club.season.ladders] == ["Pairs"]


@pytest.mark.parametrize(
    ("field", "typed", "message"),
    [
        ("name", "", "Give the season a name."),
        ("ends", "2026-08-01", "The last day is before the first. Choose a later one."),
        ("ladders.0.name", "", "Give the standings a name."),
        ("ladders.0.best", "0", "0 is too small. Choose 1 or more."),
        ("ladders.0.best", "many", "“many” is not a whole number. Use digits."),
        (
            "ladders.0.rank_points",
            "ten",
            "Separate numbers with spaces. For example, 10 8 6 5 4 3 2 1.",
        ),
        ("ladders.0.rank_points", "1 2", "Enter points from high to low, 1000 at most."),
        ("ladders.0.rank_points", "999999", "Enter points from high to low, 1000 at most."),
        (
            "ladders.0.rank_points",
            "1000000",
            "Separate numbers with spaces. For example, 10 8 6 5 4 3 2 1.",
        ),
    ],
)
def test_invalid_season_is_refused_at_its_field(field: str, typed: str, message: str) -> None:
    page = Seasons().open_season(**{"name": "Autumn", field: typed})
    assert page.status == 422
    assert page.get_field_error(field) == message
    assert page.find_field(field).value == typed


@pytest.mark.snapshot
def test_season_names_its_comeback() -> None:
    club = Seasons()
    club.open_season(name="Autumn")
    night = build_running_night(4, club=club.club)
    for match in matches_of(night):
        play(match, "B 8 made", "B 8 made", "B 8 made", "A gros_charlemagne made")
    close_round(event_id=night.pk, number=1)
    compute_standings(night)
    end_event(event_id=night.pk)
    refresh_seasons(club_id=club.club.pk)
    anybody = Browser()
    assert "Comeback" not in anybody.open(club.public).text
    refresh_ratings(club_id=club.club.pk)
    page = anybody.open(club.public)
    assert "Comeback of the season: 15%" in page.text
    assert "won with a chance of only 15% after hand 3." in page.text
    assert page.find_link("Soirée du mardi, November 17, 2026") == f"/e/{night.short}/rounds/1/tables/1"
    services.count_nights(season_id=club.season.pk, left_out=[night.pk])
    refresh_seasons(club_id=club.club.pk)
    assert "Comeback" not in anybody.open(club.public).text


@pytest.mark.long
def test_standings_lines_open_to_their_nights() -> None:
    club = Seasons()
    club.open_season(name="Autumn")
    anybody = Browser()
    assert "No result yet" in anybody.open(club.public).text
    night = club.play_night()
    page = anybody.open(club.public)
    assert len(list_ladder_lines(page)) == 8
    assert list_ladder_lines(page)[0].startswith("1 ")
    assert "32" in list_ladder_lines(page)[0]
    behind = anybody.open(page.find_all("details")[0].find_one("a").attrs["href"])
    assert behind.find_link(night.name).startswith(f"/e/{night.short}/standings/")
    assert "rank 1 of 4" in behind.text


def test_standings_file_contains_lines_beyond_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "MAX_LINES", 3)
    club = Seasons()
    club.open_season(name="Autumn")
    club.play_night()
    page = Browser().open(club.public)
    assert (len(list_ladder_lines(page)), "The first 3 of 8." in page.text) == (3, True)
    (file,) = [link.attrs["href"] for link in page.find_all("a") if link.attrs.get("href", "").endswith(".csv")]
    assert len(Client().get(file).content.decode().splitlines()) == 1 + 8


def test_namesakes_are_distinguished_by_number_only() -> None:
    club = Seasons()
    club.open_season(name="Autumn")
    night = club.play_night()
    one, other = (entry.player_1 for entry in night.entries.filter(number__in=[1, 2]))
    for person, name in ((one, "Anne Roy"), (other, "Anne Rioux")):
        Person.objects.filter(pk=person.pk).update(name=name)
    page = Browser().open(club.public)
    named = sorted(line for line in list_ladder_lines(page) if "Anne" in line)
    assert [f"(no. {person.pk})" in " ".join(named) for person in (one, other)] == [True, True]
    assert "Roy" not in page.text
    assert "Rioux" not in page.text
    behind = next(each.find_one("a").attrs["href"] for each in page.find_all("details") if "Anne" in each.text)
    assert "(no. " in Browser().open(behind).text


@pytest.mark.long
def test_unchanged_season_page_is_not_sent_again() -> None:
    club = Seasons()
    club.open_season(name="Autumn")
    anybody = Browser()
    page = anybody.open(club.public)
    assert anybody.open(club.public, **{"if-none-match": page.revision}).status == 304
    club.play_night()
    assert anybody.open(club.public, **{"if-none-match": page.revision}).status == 200


@pytest.mark.long
def test_standings_page_updates_when_the_season_changes() -> None:
    club = Seasons()
    club.open_season(name="Autumn")
    anybody = Browser()
    page = anybody.open(club.public)
    settings = club.browser.open(f"{club.path}/{club.season.pk}")
    club.browser.send(settings, settings.find_form(control_name="starts"), name="Winter")
    heard = anybody.open(club.public, **{"if-none-match": page.revision})
    assert "Winter" in heard.text
    club.play_night()
    services.close_season(season_id=club.season.pk)
    closed = anybody.open(club.public)
    services.reopen_season(season_id=club.season.pk)
    heard = anybody.open(club.public, **{"if-none-match": closed.revision})
    assert heard.status == 200
    assert "Final standings," in closed.text
    assert "Final standings," not in heard.text


def test_unchecked_night_does_not_count() -> None:
    club = Seasons()
    club.open_season(name="Autumn")
    night = club.play_night()
    page = club.browser.open(f"{club.path}/{club.season.pk}")
    assert page.list_checked_values("counts") == [str(night.pk)]
    club.browser.send(page, page.find_form("/nights"), counts=[])
    assert night.pk in club.season.left_out


@pytest.mark.long
def test_night_started_while_the_form_is_open_counts() -> None:
    club = Seasons()
    club.open_season(name="Autumn")
    club.play_night()
    page = club.browser.open(f"{club.path}/{club.season.pk}")
    club.play_night()
    club.browser.send(page, page.find_form("/nights"))
    assert club.season.left_out == []


def test_season_closed_late_at_night_keeps_the_local_date() -> None:
    club = Seasons()
    club.open_season(name="Autumn")
    club.play_night()
    services.close_season(season_id=club.season.pk)
    Season.objects.update(closed_at=datetime.datetime(2026, 11, 18, 3, 30, tzinfo=datetime.UTC))
    assert "Closed on November 17, 2026" in club.browser.open(f"{club.path}/{club.season.pk}").text
    assert "Final standings, November 17, 2026" in Browser().open(club.public).text


@pytest.mark.snapshot
def test_line_page_says_that_the_season_is_closed() -> None:
    club = Seasons()
    club.open_season(name="Autumn")
    night = club.play_night()
    line = f"{club.public}/0/{night.entries.earliest('pk').player_1_id}"
    assert "Final standings," not in Browser().open(line).text
    services.close_season(season_id=club.season.pk)
    assert "Final standings," in Browser().open(line).text


@pytest.mark.long
def test_unstarted_night_is_not_listed_to_count() -> None:
    club = Seasons()
    club.open_season(name="Autumn")
    night = club.play_night()
    build_event(club=club.club)
    page = club.browser.open(f"{club.path}/{club.season.pk}")
    assert page.list_checked_values("counts") == [str(night.pk)]
    club.browser.send(page, page.find_form("/nights"), counts=[])
    assert club.season.left_out == [night.pk]


@pytest.mark.snapshot
def test_closed_season_is_read_only_until_reopened() -> None:
    club = Seasons()
    club.open_season(name="Autumn")
    club.play_night()
    page = club.browser.open(f"{club.path}/{club.season.pk}")
    page = club.browser.send(page, page.find_form("/close"))
    assert "Its standings no longer change" in page.text
    assert not page.find_all("input", name="starts")
    assert "Final standings," in Browser().open(club.public).text
    club.browser.send(page, page.find_form("/reopen"))
    assert club.season.closed_at is None


@pytest.mark.long
def test_club_history_undoes_an_opened_season() -> None:
    club = Seasons()
    club.open_season(name="Autumn")
    page = club.browser.open(f"/club/{club.club.slug}/history")
    assert "Season opened: Autumn" in page.text
    club.browser.send(page, page.find_form("/undo"))
    assert not Season.objects.exists()


def test_closed_season_names_the_merged_person() -> None:
    club = Seasons()
    club.open_season(name="Autumn")
    club.play_night()
    services.close_season(season_id=club.season.pk)
    merged = club.season.rows[0][0]["players"][0]
    (target,) = find_or_add_people(club=club.club, full_names=["Zoé Zed"])
    merge_people(club_id=club.club.pk, target_id=target.pk, source_id=merged)
    assert "Zoé Z." in list_ladder_lines(Browser().open(club.public))[0]


@pytest.mark.parametrize("rest", ["/7", "/0/0", "/0/nobody", "/0/1-2-3"])
def test_unknown_season_pages_are_not_found(rest: str) -> None:
    club = Seasons()
    club.open_season(name="Autumn")
    assert Browser().open(f"{club.public}{rest}").status == 404
    assert Browser().open(f"/c/other-club/seasons/{club.season.pk}").status == 404
