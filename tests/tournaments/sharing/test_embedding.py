"""Embedding in other sites: frames, and oEmbed, which finds them."""

from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest
from django.contrib.staticfiles import finders

from clubs.models import Person
from rules import Side
from tests.builders import TWO_GAMES, mark, standings_after, win
from tests.every_page.test_every_page import a_night
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tournaments.models import Event
from tournaments.publishing.services.publishing import publish_final
from tournaments.rounds.services.tables import forfeit_table

pytestmark = pytest.mark.django_db

SCRIPT_MOST = 1024
"""Bytes of the script that other sites load."""


def frames(hall: Hall) -> list[str]:
    """The addresses of what can be framed."""
    club = f"/c/{hall.event.club.slug}"
    return [f"/e/{hall.event.short}/embed", f"{club}/embed", f"{club}/{hall.season}/0/embed"]


def asked(address: str, **more: str) -> Page:
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in {"url": address, **more}.items())
    return Browser().open(f"/oembed?{query}")


@pytest.mark.slow
class TestAFrame:
    @pytest.mark.parametrize("stage", ["playing", "ended"])
    def test_may_stand_on_any_site_sets_no_cookie_and_carries_no_token(self, stage: str) -> None:
        hall = a_night(stage)
        for path in frames(hall):
            page = Browser().open(path)
            assert page.status == 200
            assert "X-Frame-Options" not in page.response.headers
            assert "frame-ancestors" not in page.response.headers["Content-Security-Policy"]
            assert not page.response.cookies
            assert "csrf" not in page.html

    def test_is_the_only_page_that_may(self) -> None:
        hall = a_night("ended")
        for path in (f"/e/{hall.event.short}", f"/c/{hall.event.club.slug}", f"/e/{hall.event.short}/desk"):
            headers = hall.desk.open(path).response.headers
            assert headers["X-Frame-Options"] == "DENY"
            assert headers["Content-Security-Policy"].endswith("frame-ancestors 'none'")

    def test_leads_out_of_itself_to_the_whole_page(self) -> None:
        hall = a_night("ended")
        for path in frames(hall):
            page = Browser().open(f"/fr{path}")
            links = [one for one in page.every("a") if "skip" not in one.attrs.get("class", "")]
            assert links
            for link in links:
                assert (link.attrs["target"], link.attrs["rel"]) == ("_blank", "noopener")
                assert link.attrs["href"].startswith("/fr/")

    def test_loads_nothing_from_a_third_party(self) -> None:
        hall = a_night("playing")
        for path in frames(hall):
            page = Browser().open(path)
            sources = [
                one.attrs.get("src") or one.attrs.get("href", "")
                for one in page.every("script", "link", "img")
            ]
            assert all(one.startswith(("/", "http://testserver")) for one in sources if one)

    def test_shows_the_tables_of_the_round_and_then_the_standings(self) -> None:
        playing = Browser().open(f"/e/{a_night('playing').event.short}/embed")
        assert "Round 1 in play" in playing.text
        ended = Browser().open(f"/e/{a_night('ended').event.short}/embed")
        assert "in progress" not in ended.text
        assert "Provisional standings" in ended.text

    def test_of_final_standings_says_that_a_result_was_corrected_since(self) -> None:
        hall = a_night("ended")
        publish_final(event_id=hall.event.pk)
        path = f"/e/{hall.event.short}/embed"
        assert "changed since" not in Browser().open(path).text
        forfeit_table(event_id=hall.event.pk, number=2, table=1, winner=Side.B)
        standings_after(hall.event)
        assert "Final standings · changed since" in Browser().open(path).text

    @pytest.mark.snapshot
    def test_shows_points_and_games_won_as_the_public_page_does(self) -> None:
        hall = Hall(match_format=TWO_GAMES)
        win(hall.match)
        mark(hall.match, "B 6 7")
        tables = [
            [
                one.text
                for one in Browser().open(path).one("ol", class_="pairings").every("b")
                if "(" in one.text
            ]
            for path in (f"/e/{hall.event.short}", f"/e/{hall.event.short}/embed")
        ]
        assert tables[0] == tables[1]
        assert any("(1)" in text for text in tables[1])

    def test_names_people_as_public_pages_do(self) -> None:
        hall = a_night("ended")
        for path in frames(hall):
            text = Browser().open(path).text
            assert not [name for name in Person.objects.values_list("name", flat=True) if name in text]

    @pytest.mark.snapshot
    def test_says_nothing_of_what_is_kept_back(self) -> None:
        hall = a_night("ended")
        Event.objects.update(shows_standings="never", shows_draw=False)
        text = Browser().open(f"/e/{hall.event.short}/embed").text
        assert not [name for name in Person.objects.values_list("name", flat=True) if name.split()[0] in text]
        Event.objects.update(is_public=False)
        assert Browser().open(f"/e/{hall.event.short}/embed").status == 404
        assert hall.event.name not in Browser().open(f"/c/{hall.event.club.slug}/embed").text

    @pytest.mark.snapshot
    def test_is_not_sent_again_until_it_changes(self) -> None:
        hall = a_night("ended")
        for path in frames(hall):
            page = Browser().open(path)
            again = Browser().client.get(
                path, headers={"If-None-Match": page.revision, "Accept-Language": "en"}
            )
            assert again.status_code == 304
            assert "X-Frame-Options" not in again.headers

    @pytest.mark.snapshot
    def test_takes_the_colours_that_its_address_asks_for_and_no_others(self) -> None:
        path = frames(Hall())[0]
        assert Browser().open(f"{path}?colours=dark").one("html").attrs["data-theme"] == "dark"
        assert "data-theme" not in Browser().open(f"{path}?colours=pink").one("html").attrs


def test_the_script_for_other_sites_is_small() -> None:
    found = finders.find("js/embed.js")
    assert isinstance(found, str)
    assert Path(found).stat().st_size <= SCRIPT_MOST


class TestOEmbed:
    @pytest.mark.slow
    def test_finds_the_frame_of_an_event_a_club_and_a_season(self) -> None:
        hall = a_night("ended")
        club = f"/c/{hall.event.club.slug}"
        for shown, framed in (
            (f"/fr/e/{hall.event.short}", f"/fr/e/{hall.event.short}/embed"),
            (f"/e/{hall.event.short}", f"/en/e/{hall.event.short}/embed"),
            (f"/en/e/{hall.event.short}/standings?section=x", f"/en/e/{hall.event.short}/embed"),
            (f"/fr{club}", f"/fr{club}/embed"),
            (f"/fr{club}/{hall.season}", f"/fr{club}/{hall.season}/0/embed"),
        ):
            told = asked(f"http://testserver{shown}").response.json()
            assert (told["type"], told["version"]) == ("rich", "1.0")
            assert told["title"] == hall.event.name or "/c/" in framed
            assert f'src="http://testserver{framed}"' in told["html"]
            assert "embed.js" in told["html"]

    @pytest.mark.slow
    def test_is_found_from_the_page_itself(self) -> None:
        hall = a_night("ended")
        for path in (
            f"/e/{hall.event.short}",
            f"/c/{hall.event.club.slug}",
            f"/c/{hall.event.club.slug}/{hall.season}",
        ):
            for language in ("fr", "en"):
                page = Browser().open(f"/{language}{path}")
                in_json, in_xml = (
                    Browser().open(
                        page.one("link", type=form).attrs["href"].removeprefix("http://testserver")
                    )
                    for form in ("application/json+oembed", "text/xml+oembed")
                )
                told = in_json.response.json()
                assert f"http://testserver/{language}/" in told["html"]
                assert ET.fromstring(in_xml.html).findtext("html") == told["html"]

    def test_makes_it_no_wider_than_the_site_can_show(self) -> None:
        address = f"http://testserver/e/{Hall().event.short}"
        assert asked(address, maxwidth="400").response.json()["width"] == 400
        assert asked(address, maxwidth="9000").response.json()["width"] == 600
        assert asked(address, maxheight="300").response.json()["height"] == 300
        assert "thumbnail_url" not in asked(address, maxwidth="400").response.json()

    def test_answers_in_xml_too_and_in_nothing_else(self) -> None:
        address = f"http://testserver/e/{Hall().event.short}"
        root = ET.fromstring(asked(address, format="xml").html)
        assert root.findtext("type") == "rich"
        assert asked(address, format="xml").html.startswith("<?xml")
        assert "<iframe" in str(root.findtext("html"))
        assert asked(address, format="yaml").status == 501

    def test_tells_alike_of_what_is_not_there_not_public_or_not_ours(self) -> None:
        hall = Hall()
        Event.objects.update(is_public=False)
        answers = [
            asked(address)
            for address in (
                f"http://testserver/e/{hall.event.short}",
                "http://testserver/e/nowhere",
                "http://testserver/c/nowhere",
                f"http://testserver/c/{hall.event.club.slug}/seasons/0",
                f"http://testserver/e/{hall.event.short}/desk",
                f"http://elsewhere.example/c/{hall.event.club.slug}",
                f"javascript://testserver/c/{hall.event.club.slug}",
                "http://[",
            )
        ]
        assert {answer.status for answer in answers} == {404}
        assert len({answer.text for answer in answers}) == 1

    def test_asks_for_an_address(self) -> None:
        assert Browser().open("/oembed").status == 400


class TestTheDesk:
    @pytest.mark.slow
    def test_shows_the_lines_to_copy_and_how_they_look(self) -> None:
        hall = a_night("ended")
        hall.season  # noqa: B018 -- the club has one
        page = hall.desk.open(f"/e/{hall.event.short}/desk/embedding?in=fr&colours=light")
        lines = [one.value for one in page.every("textarea")]
        shown = [one.attrs["src"] for one in page.every("iframe")]
        assert len(lines) == len(shown) == 3
        for line, path in zip(lines, shown, strict=True):
            assert path.startswith("/fr/")
            assert path.endswith("?colours=light")
            assert f'src="http://testserver{path}"' in line
            assert 'src="http://testserver/static/js/embed.js"' in line
            assert Browser().open(path).status == 200

    @pytest.mark.snapshot
    def test_shows_no_frame_of_an_event_that_nobody_may_see(self) -> None:
        hall = Hall()
        Event.objects.update(is_public=False)
        page = hall.desk.open(f"/e/{hall.event.short}/desk/embedding")
        assert not [one for one in page.every("iframe") if hall.event.short in one.attrs["src"]]
