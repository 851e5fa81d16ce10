"""Pages of ratings and records: public names for everybody, full names at the desk, and the switch that hides them."""

import datetime
import re

import pytest

from clubs.models import Club, Person
from engine.visibility import RanksRelease, Release
from live.revisions import raise_revision
from tests.builders import build_running_night, compute_standings, matches_of, play, win
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tests.support.office import Office
from tournaments.events.services.lifecycle import end_event
from tournaments.models import ClubRecord, Event, PersonRecord
from tournaments.publishing.services.publishing import change_release
from tournaments.records import views
from tournaments.records.services import refresh_ratings
from tournaments.rounds.services.rounds import close_round

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


class Records(Office):
    """An office whose club has played nights."""

    def play_nights(self, nights: int = 1) -> None:
        """Play nights in which each table is won by the side of its earliest-entered person."""
        for _ in range(nights):
            night = build_running_night(4, club=self.club)
            for match in matches_of(night):
                first = match.players.earliest("person").seat
                win(match, "AB"[first % 2])
            close_round(event_id=night.pk, number=1)
            end_event(event_id=night.pk)
        refresh_ratings(club_id=self.club.pk)

    def find_person(self) -> Person:
        """Return the person with the highest rating, who has won."""
        return Person.objects.filter(club=self.club).order_by("-record__rating", "pk")[0]

    def get_public_path(self, rest: str) -> str:
        return f"/c/{self.club.slug}/{rest}"

    def open_public_page(self, rest: str) -> Page:
        return Browser().open(self.get_public_path(rest))


def list_rows(page: Page) -> list[str]:
    return [re.sub(r"\s+", " ", row.text) for row in page.find_all("tr")]


def test_csv_file_contains_every_night_beyond_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "MAX_NIGHTS", 2)
    club = Records()
    club.play_nights(10)
    address = f"people/{club.find_person().pk}"
    page = club.open_public_page(address)
    assert "The latest 2 of 10." in page.text
    assert len(club.open_public_page(f"{address}.csv?part=nights").html.strip().splitlines()) == 1 + 10


class TestRatings:
    @pytest.mark.long
    def test_ratings_page_explains_itself_before_anyone_is_ranked(self) -> None:
        club = Records()
        club.play_nights(9)
        page = club.open_public_page("ratings")
        assert "Nobody ranked yet" in page.text
        assert "Everyone starts at 1500." in page.text

    @pytest.mark.long
    def test_ratings_list_the_strongest_first_by_public_names(self) -> None:
        club = Records()
        club.play_nights(10)
        page = club.open_public_page("ratings")
        assert len(list_rows(page)) == 9
        strongest = club.find_person()
        assert page.find_all("tr")[1].find_one("a").attrs["href"] == club.get_public_path(f"people/{strongest.pk}")
        assert strongest.name not in page.text
        at_desk = club.browser.open(f"/club/{club.club.slug}/people/{strongest.pk}")
        club.browser.send(at_desk, at_desk.find_form(control_name="name"), shows_full_name=["on"])
        assert strongest.name in club.open_public_page("ratings").text

    @pytest.mark.long
    def test_ratings_distinguish_namesakes_by_number(self) -> None:
        club = Records()
        club.play_nights(10)
        one, other = Person.objects.filter(club=club.club).order_by("-record__rating", "pk")[:2]
        Person.objects.filter(pk__in=[one.pk, other.pk]).update(name="Anne Roy")
        raise_revision(club.club.topic)
        names = [row.find_one("a").text for row in club.open_public_page("ratings").find_all("tr")[1:]]
        assert names[:2] == [f"Anne R. (no. {person.pk})" for person in (one, other)]
        assert "no." not in " ".join(names[2:])
        assert f"Anne R. (no. {other.pk})" in club.open_public_page("ratings.csv").html

    @pytest.mark.snapshot
    def test_ratings_omit_people_who_opted_out(self) -> None:
        club = Records()
        club.play_nights(10)
        page = club.browser.open(f"/club/{club.club.slug}/people/{club.find_person().pk}")
        left_out = club.find_person()
        club.browser.send(page, page.find_form(control_name="name"), is_rated=[])
        assert len(list_rows(club.open_public_page("ratings"))) == 8
        assert club.open_public_page(f"people/{left_out.pk}").status == 404
        desk = club.browser.open(f"/club/{club.club.slug}/people/{left_out.pk}/record")
        assert "Only directors see this page" in desk.text

    def test_ratings_page_is_paginated(self, monkeypatch: pytest.MonkeyPatch) -> None:
        club = Records()
        club.play_nights(10)
        monkeypatch.setattr("tournaments.records.presenters.PAGE", 5)
        first = club.open_public_page("ratings")
        assert len(list_rows(first)) == 6
        assert len(list_rows(club.open_public_page("ratings?page=2"))) == 4
        assert list_rows(club.open_public_page("ratings?page=99")) == list_rows(club.open_public_page("ratings?page=2"))
        assert list_rows(club.open_public_page("ratings?page=x")) == list_rows(first)

    def test_owner_can_turn_ratings_off(self) -> None:
        club = Records()
        club.play_nights(10)
        switch = f"/club/{club.club.slug}/ratings"
        page = club.browser.open(switch)
        page = club.browser.send(page, page.find_form(control_name="ratings"), ("ratings", "off"))
        assert "Ratings are off" in page.text
        assert club.open_public_page("ratings").status == 404
        assert "Ratings" not in [link.text for link in club.open_public_page("records").find_all("a")]
        refresh_ratings(club_id=club.club.pk)
        assert not club.open_public_page(f"people/{club.find_person().pk}").find_all(
            "section", **{"aria-labelledby": "rating-title"}
        )
        page = club.browser.send(page, page.find_form(control_name="ratings"), ("ratings", "on"))
        assert club.open_public_page("ratings").status == 200
        assert Club.objects.get(pk=club.club.pk).has_ratings


class TestPersonRecordPage:
    @pytest.mark.long
    def test_record_page_shows_matches_wins_and_bids(self) -> None:
        club = Records()
        club.play_nights(3)
        page = club.open_public_page(f"people/{club.find_person().pk}")
        assert "Matches 3 0 0" in list_rows(page)
        assert "Gros Charlemagne 3 3 –" in list_rows(page)
        assert "2026 3 nights 3 0 0" in list_rows(page)
        assert "Longest winning streak: 3" in page.text
        assert len(page.find_all("svg", role="img")) == 1

    def test_record_page_shows_full_names_only_at_the_desk(self) -> None:
        club = Records()
        club.play_nights()
        person = club.find_person()
        others = club.club.people.exclude(pk=person.pk)
        public = club.open_public_page(f"people/{person.pk}").text
        desk = club.browser.open(f"/club/{club.club.slug}/people/{person.pk}/record").text
        assert not [other.name for other in others if other.name in public]
        assert len([other.name for other in others if other.name in desk]) == 3

    @pytest.mark.snapshot
    def test_record_page_says_when_only_totals_were_recorded(self) -> None:
        club = Records()
        night = build_running_night(4, club=club.club)
        for match in matches_of(night):
            play(match, "totals 32 12")
        close_round(event_id=night.pk, number=1)
        end_event(event_id=night.pk)
        refresh_ratings(club_id=club.club.pk)
        page = club.open_public_page(f"people/{club.find_person().pk}")
        assert "Only totals were recorded in these matches." in page.text

    def test_record_page_counts_matches_with_recorded_hands(self) -> None:
        club = Records()
        club.play_nights()
        night = build_running_night(4, club=club.club)
        first, second = matches_of(night)
        win(first)
        play(second, "totals 32 12")
        close_round(event_id=night.pk, number=1)
        end_event(event_id=night.pk)
        refresh_ratings(club_id=club.club.pk)
        page_texts = [club.open_public_page(f"people/{person.pk}").text for person in club.club.people.all()]
        assert len([text for text in page_texts if "Matches with recorded hands: 1 of 2." in text]) == 4

    @pytest.mark.snapshot
    def test_desk_shows_the_record_of_a_person_without_matches(self) -> None:
        club = Records(4)
        person = club.club.people.earliest("pk")
        page = club.browser.open(f"/club/{club.club.slug}/people/{person.pk}/record")
        assert "No matches yet" in page.text
        assert club.open_public_page(f"people/{person.pk}").status == 404
        assert club.browser.open(f"/club/{club.club.slug}/people/0/record").status == 404


class TestPairPage:
    @pytest.mark.long
    def test_pair_page_shows_matches_as_partners(self) -> None:
        club = Records()
        club.play_nights(3)
        page = club.open_public_page(f"people/{club.find_person().pk}")
        (partner,) = page.find_one("section", **{"aria-labelledby": "partners-title"}).find_one("tbody").find_all("a")
        together = Browser().open(partner.attrs["href"])
        assert "Their matches as partners." in together.text
        assert "Matches 3 0 0" in list_rows(together)
        assert "Partners" not in [heading.text for heading in together.find_all("h2")]
        own = [link.attrs["href"] for link in together.find_all("a", **{"class": "button quiet"})]
        assert club.get_public_path(f"people/{club.find_person().pk}") in own

    def test_pair_page_requires_two_rated_partners(self) -> None:
        club = Records()
        club.play_nights()
        one = club.find_person()
        figures = PersonRecord.objects.get(person=one).record
        (partner, _), (opponent, _) = figures["partners"][0], figures["opponents"][0]
        assert club.open_public_page(f"people/{one.pk}/with/{opponent}").status == 404
        assert club.open_public_page(f"people/{one.pk}/with/{one.pk}").status == 404
        assert club.open_public_page(f"people/{one.pk}/with/{partner}").status == 200
        Person.objects.filter(pk=partner).update(is_rated=False)
        raise_revision(club.club.topic)
        assert club.open_public_page(f"people/{one.pk}/with/{partner}").status == 404
        assert club.browser.open(f"/club/{club.club.slug}/people/{one.pk}/with/{partner}").status == 200

    def test_pair_page_distinguishes_namesakes_by_number(self) -> None:
        club = Records()
        club.play_nights()
        one = club.find_person()
        (partner, _) = PersonRecord.objects.get(person=one).record["partners"][0]
        Person.objects.filter(pk__in=[one.pk, partner]).update(name="Anne Roy")
        raise_revision(club.club.topic)
        heading = club.open_public_page(f"people/{one.pk}/with/{partner}").find_one("h1").text
        assert heading == f"Anne R. (no. {one.pk}) and Anne R. (no. {partner})"


class TestClubRecords:
    @pytest.mark.snapshot
    def test_club_has_no_records_before_its_first_night(self) -> None:
        assert "No records yet" in Records().open_public_page("records").text

    @pytest.mark.long
    def test_records_cover_all_years_and_each_year(self) -> None:
        club = Records()
        club.play_nights(10)
        page = club.open_public_page("records")
        figures = {one.find_one("dt").text: one.find_one("dd").text for one in page.find_one("dl").find_all("div")}
        assert figures["Matches"] == "20"
        assert figures["Most points in a match"].startswith("32")
        assert figures["Most Charlemagnes in a night"].startswith("1")
        assert figures["Most nights"].startswith("10")
        assert "Won 10 of 10" in figures["Best pair (at least 10 matches)"]
        assert club.open_public_page("records/2026").status == 200
        assert club.open_public_page("records/2025").status == 404

    def test_records_show_their_update_time_in_club_time(self) -> None:
        club = Records()
        club.play_nights()
        late = datetime.datetime(2026, 11, 21, 2, 51, tzinfo=datetime.UTC)
        ClubRecord.objects.filter(club=club.club).update(computed_at=late)
        assert "November 20, 2026, 9:51" in club.open_public_page("records").text.replace("\u00a0", " ")


@pytest.mark.parametrize("rest", ["people/0", "records/1900"])
def test_unknown_record_pages_are_not_found(rest: str) -> None:
    assert Records().open_public_page(rest).status == 404
    assert Browser().open(f"/c/nowhere/{rest}").status == 404


@pytest.mark.long
def test_unchanged_record_page_is_not_sent_again() -> None:
    club = Records()
    club.play_nights(10)
    browser = Browser()
    for rest in ("ratings", "records", f"people/{club.find_person().pk}"):
        page = browser.open(club.get_public_path(rest))
        assert browser.open(club.get_public_path(rest), **{"If-None-Match": page.revision}).status == 304
    club.play_nights()
    assert browser.open(page.path, **{"If-None-Match": page.revision}).status == 200


def rank_all() -> None:
    for event in Event.objects.filter(state="ended"):
        compute_standings(event)


def test_record_page_links_to_rank_explanations_and_back() -> None:
    hall = Hall()
    path = hall.played_person.replace("/club/", "/c/")
    rank_all()
    ranks = [one.attrs["href"] for one in Browser().open(path).find_all("a") if "Why this rank?" in one.text]
    assert len(ranks) == 10
    why = Browser().open(ranks[0])
    assert "Rank " in why.find_one("h2").text
    assert path in [one.attrs["href"].removeprefix("/en") for one in why.find_one("main").find_all("a")]


@pytest.mark.long
def test_record_page_omits_hidden_rank_explanations() -> None:
    hall = Hall()
    path = hall.played_person.replace("/club/", "/c/")
    assert "/standings/" not in Browser().open(path).html, "there are none yet"
    rank_all()
    assert "/standings/" in Browser().open(path).html
    for event in Event.objects.filter(state="ended"):
        change_release(event_id=event.pk, release=Release(ranked=RanksRelease.NEVER))
    assert "/standings/" not in Browser().open(path).html
