"""The pages of ratings and records: for everybody by public names, in full at the desk, and turned off."""

import datetime
import re

import pytest

from clubs.models import Club, Person
from engine.visibility import RanksRelease, Release
from live.revisions import raise_revision
from tests.builders import a_running_night, matches_of, play, standings_after, win
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
    """The club of an office, and what it has played."""

    def plays(self, nights: int = 1) -> None:
        """The side of whoever was entered first wins at each table."""
        for _ in range(nights):
            night = a_running_night(4, club=self.club)
            for match in matches_of(night):
                first = match.players.earliest("person").seat
                win(match, "AB"[first % 2])
            close_round(event_id=night.pk, number=1)
            end_event(event_id=night.pk)
        refresh_ratings(club_id=self.club.pk)

    def person(self) -> Person:
        """Somebody who has won: the first of the list."""
        return Person.objects.filter(club=self.club).order_by("-record__rating", "pk")[0]

    def public(self, rest: str) -> str:
        return f"/c/{self.club.slug}/{rest}"

    def opens(self, rest: str) -> Page:
        return Browser().open(self.public(rest))


def rows(page: Page) -> list[str]:
    return [re.sub(r"\s+", " ", row.text) for row in page.every("tr")]


def test_a_file_has_every_night_of_a_page_that_shows_the_latest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "MOST_NIGHTS", 2)
    club = Records()
    club.plays(10)
    address = f"people/{club.person().pk}"
    page = club.opens(address)
    assert "The latest 2 of 10." in page.text
    assert len(club.opens(f"{address}.csv?part=nights").html.strip().splitlines()) == 1 + 10


class TestRatings:
    def test_say_how_they_are_made_before_anybody_is_ranked(self) -> None:
        club = Records()
        club.plays(9)
        page = club.opens("ratings")
        assert "Nobody ranked yet" in page.text
        assert "Everyone starts at 1500." in page.text

    def test_list_people_by_public_names_the_strongest_first(self) -> None:
        club = Records()
        club.plays(10)
        page = club.opens("ratings")
        assert len(rows(page)) == 9
        strongest = club.person()
        assert page.every("tr")[1].one("a").attrs["href"] == club.public(f"people/{strongest.pk}")
        assert strongest.name not in page.text
        at_desk = club.browser.open(f"/club/{club.club.slug}/people/{strongest.pk}")
        club.browser.send(at_desk, at_desk.form(having="name"), shows_full_name=["on"])
        assert strongest.name in club.opens("ratings").text

    def test_tell_namesakes_apart_by_their_numbers(self) -> None:
        club = Records()
        club.plays(10)
        one, other = Person.objects.filter(club=club.club).order_by("-record__rating", "pk")[:2]
        Person.objects.filter(pk__in=[one.pk, other.pk]).update(name="Anne Roy")
        raise_revision(club.club.topic)
        names = [row.one("a").text for row in club.opens("ratings").every("tr")[1:]]
        assert names[:2] == [f"Anne R. (no. {person.pk})" for person in (one, other)]
        assert "no." not in " ".join(names[2:])
        assert f"Anne R. (no. {other.pk})" in club.opens("ratings.csv").html

    @pytest.mark.snapshot
    def test_leave_out_who_does_not_want_to_be_in_them(self) -> None:
        club = Records()
        club.plays(10)
        page = club.browser.open(f"/club/{club.club.slug}/people/{club.person().pk}")
        left_out = club.person()
        club.browser.send(page, page.form(having="name"), is_rated=[])
        assert len(rows(club.opens("ratings"))) == 8
        assert club.opens(f"people/{left_out.pk}").status == 404
        desk = club.browser.open(f"/club/{club.club.slug}/people/{left_out.pk}/record")
        assert "Only directors see this page" in desk.text

    def test_go_from_page_to_page(self, monkeypatch: pytest.MonkeyPatch) -> None:
        club = Records()
        club.plays(10)
        monkeypatch.setattr("tournaments.records.presenters.PAGE", 5)
        first = club.opens("ratings")
        assert len(rows(first)) == 6
        assert len(rows(club.opens("ratings?page=2"))) == 4
        assert rows(club.opens("ratings?page=99")) == rows(club.opens("ratings?page=2"))
        assert rows(club.opens("ratings?page=x")) == rows(first)

    def test_are_gone_where_the_owner_turned_them_off(self) -> None:
        club = Records()
        club.plays(10)
        switch = f"/club/{club.club.slug}/ratings"
        page = club.browser.open(switch)
        page = club.browser.send(page, page.form(having="ratings"), ("ratings", "off"))
        assert "Ratings are off" in page.text
        assert club.opens("ratings").status == 404
        assert "Ratings" not in [link.text for link in club.opens("records").every("a")]
        refresh_ratings(club_id=club.club.pk)
        assert not club.opens(f"people/{club.person().pk}").every(
            "section", **{"aria-labelledby": "rating-title"}
        )
        page = club.browser.send(page, page.form(having="ratings"), ("ratings", "on"))
        assert club.opens("ratings").status == 200
        assert Club.objects.get(pk=club.club.pk).has_ratings


class TestSomebodysPage:
    def test_shows_what_was_played_won_and_bid(self) -> None:
        club = Records()
        club.plays(3)
        page = club.opens(f"people/{club.person().pk}")
        assert "Matches 3 0 0" in rows(page)
        assert "Gros Charlemagne 3 3 –" in rows(page)
        assert "2026 3 nights 3 0 0" in rows(page)
        assert "Longest winning streak: 3" in page.text
        assert len(page.every("svg", role="img")) == 1

    def test_names_partners_and_opponents_by_public_names_and_in_full_at_the_desk(self) -> None:
        club = Records()
        club.plays()
        person = club.person()
        others = club.club.people.exclude(pk=person.pk)
        public = club.opens(f"people/{person.pk}").text
        desk = club.browser.open(f"/club/{club.club.slug}/people/{person.pk}/record").text
        assert not [other.name for other in others if other.name in public]
        assert len([other.name for other in others if other.name in desk]) == 3

    @pytest.mark.snapshot
    def test_says_so_where_no_hand_was_marked(self) -> None:
        club = Records()
        night = a_running_night(4, club=club.club)
        for match in matches_of(night):
            play(match, "totals 32 12")
        close_round(event_id=night.pk, number=1)
        end_event(event_id=night.pk)
        refresh_ratings(club_id=club.club.pk)
        page = club.opens(f"people/{club.person().pk}")
        assert "Only totals were recorded in these matches." in page.text

    def test_says_of_how_many_matches_hands_were_marked(self) -> None:
        club = Records()
        club.plays()
        night = a_running_night(4, club=club.club)
        first, second = matches_of(night)
        win(first)
        play(second, "totals 32 12")
        close_round(event_id=night.pk, number=1)
        end_event(event_id=night.pk)
        refresh_ratings(club_id=club.club.pk)
        said = [club.opens(f"people/{person.pk}").text for person in club.club.people.all()]
        assert len([text for text in said if "Matches with recorded hands: 1 of 2." in text]) == 4

    @pytest.mark.snapshot
    def test_at_the_desk_there_is_one_also_of_who_has_played_nothing(self) -> None:
        club = Records(4)
        person = club.club.people.earliest("pk")
        page = club.browser.open(f"/club/{club.club.slug}/people/{person.pk}/record")
        assert "No matches yet" in page.text
        assert club.opens(f"people/{person.pk}").status == 404
        assert club.browser.open(f"/club/{club.club.slug}/people/0/record").status == 404


class TestThePageOfTwo:
    def test_shows_what_they_have_played_as_partners(self) -> None:
        club = Records()
        club.plays(3)
        page = club.opens(f"people/{club.person().pk}")
        (partner,) = page.one("section", **{"aria-labelledby": "partners-title"}).one("tbody").every("a")
        together = Browser().open(partner.attrs["href"])
        assert "Their matches as partners." in together.text
        assert "Matches 3 0 0" in rows(together)
        assert "Partners" not in [heading.text for heading in together.every("h2")]
        own = [link.attrs["href"] for link in together.every("a", **{"class": "button quiet"})]
        assert club.public(f"people/{club.person().pk}") in own

    def test_is_of_partners_only_and_not_of_who_is_left_out(self) -> None:
        club = Records()
        club.plays()
        one = club.person()
        figures = PersonRecord.objects.get(person=one).record
        (partner, _), (opponent, _) = figures["partners"][0], figures["opponents"][0]
        assert club.opens(f"people/{one.pk}/with/{opponent}").status == 404
        assert club.opens(f"people/{one.pk}/with/{one.pk}").status == 404
        assert club.opens(f"people/{one.pk}/with/{partner}").status == 200
        Person.objects.filter(pk=partner).update(is_rated=False)
        raise_revision(club.club.topic)
        assert club.opens(f"people/{one.pk}/with/{partner}").status == 404
        assert club.browser.open(f"/club/{club.club.slug}/people/{one.pk}/with/{partner}").status == 200

    def test_of_two_of_one_name_tells_them_apart_by_their_numbers(self) -> None:
        club = Records()
        club.plays()
        one = club.person()
        (partner, _) = PersonRecord.objects.get(person=one).record["partners"][0]
        Person.objects.filter(pk__in=[one.pk, partner]).update(name="Anne Roy")
        raise_revision(club.club.topic)
        heading = club.opens(f"people/{one.pk}/with/{partner}").one("h1").text
        assert heading == f"Anne R. (no. {one.pk}) and Anne R. (no. {partner})"


class TestRecordsOfAClub:
    @pytest.mark.snapshot
    def test_are_none_before_the_first_night(self) -> None:
        assert "No records yet" in Records().opens("records").text

    def test_are_of_all_years_and_of_each(self) -> None:
        club = Records()
        club.plays(10)
        page = club.opens("records")
        said = {one.one("dt").text: one.one("dd").text for one in page.one("dl").every("div")}
        assert said["Matches"] == "20"
        assert said["Most points in a match"].startswith("32")
        assert said["Most Charlemagnes in a night"].startswith("1")
        assert said["Most nights"].startswith("10")
        assert "Won 10 of 10" in said["Best pair (at least 10 matches)"]
        assert club.opens("records/2026").status == 200
        assert club.opens("records/2025").status == 404

    def test_say_by_the_clubs_own_clock_when_they_were_brought_up_to_date(self) -> None:
        club = Records()
        club.plays()
        late = datetime.datetime(2026, 11, 21, 2, 51, tzinfo=datetime.UTC)
        ClubRecord.objects.filter(club=club.club).update(computed_at=late)
        assert "November 20, 2026, 9:51" in club.opens("records").text.replace("\u00a0", " ")


@pytest.mark.parametrize("rest", ["people/0", "records/1900"])
def test_there_is_nothing_where_nothing_is(rest: str) -> None:
    assert Records().opens(rest).status == 404
    assert Browser().open(f"/c/nowhere/{rest}").status == 404


def test_a_page_that_has_not_changed_is_not_sent_again() -> None:
    club = Records()
    club.plays(10)
    browser = Browser()
    for rest in ("ratings", "records", f"people/{club.person().pk}"):
        page = browser.open(club.public(rest))
        assert browser.open(club.public(rest), **{"If-None-Match": page.revision}).status == 304
    club.plays()
    assert browser.open(page.path, **{"If-None-Match": page.revision}).status == 200


def rank_all() -> None:
    for event in Event.objects.filter(state="ended"):
        standings_after(event)


def test_the_page_of_somebody_leads_to_why_they_were_ranked_so_and_back() -> None:
    hall = Hall()
    path = hall.played.replace("/club/", "/c/")
    rank_all()
    ranks = [one.attrs["href"] for one in Browser().open(path).every("a") if "Why this rank?" in one.text]
    assert len(ranks) == 10
    why = Browser().open(ranks[0])
    assert "Rank " in why.one("h2").text
    assert path in [one.attrs["href"].removeprefix("/en") for one in why.one("main").every("a")]


def test_the_page_of_somebody_leads_to_no_reasons_that_are_kept_back() -> None:
    hall = Hall()
    path = hall.played.replace("/club/", "/c/")
    assert "/standings/" not in Browser().open(path).html, "there are none yet"
    rank_all()
    assert "/standings/" in Browser().open(path).html
    for event in Event.objects.filter(state="ended"):
        change_release(event_id=event.pk, release=Release(ranked=RanksRelease.NEVER))
    assert "/standings/" not in Browser().open(path).html
