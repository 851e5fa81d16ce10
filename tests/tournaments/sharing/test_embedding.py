"""Embedding in other sites: frames, and their discovery through oEmbed."""

from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest
from django.contrib.staticfiles import finders

from clubs.models import Person
from rules import Side
from tests.builders import TWO_GAMES, compute_standings, mark, win
from tests.every_page.test_every_page import build_night
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tournaments.models import Event
from tournaments.publishing.services.publishing import publish_final
from tournaments.rounds.services.tables import forfeit_table

pytestmark = pytest.mark.django_db

MAX_SCRIPT_BYTES = 1024
"""Maximum size, in bytes, of the script that other sites load."""


def list_frames(hall: Hall) -> list[str]:
    """Return the addresses of the pages that can be framed."""
    club = f"/c/{hall.event.club.slug}"
    return [f"/e/{hall.event.short}/embed", f"{club}/embed", f"{club}/{hall.season}/0/embed"]


def request_oembed(address: str, **more: str) -> Page:
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in {"url": address, **more}.items())
    return Browser().open(f"/oembed?{query}")


@pytest.mark.slow
class TestFrame:
    @pytest.mark.long
    @pytest.mark.parametrize("stage", ["playing", "ended"])
    def test_frame_is_embeddable_without_cookies_or_tokens(self, stage: str) -> None:
        hall = build_night(stage)
        for path in list_frames(hall):
            page = Browser().open(path)
            assert page.status == 200
            assert "X-Frame-Options" not in page.response.headers
            assert "frame-ancestors" not in page.response.headers["Content-Security-Policy"]
            assert not page.response.cookies
            assert "csrf" not in page.html

    @pytest.mark.long
    def test_other_pages_cannot_be_framed(self) -> None:
        hall = build_night("ended")
        for path in (f"/e/{hall.event.short}", f"/c/{hall.event.club.slug}", f"/e/{hall.event.short}/desk"):
            headers = hall.desk.open(path).response.headers
            assert headers["X-Frame-Options"] == "DENY"
            assert headers["Content-Security-Policy"].endswith("frame-ancestors 'none'")

    @pytest.mark.long
    def test_frame_links_open_the_full_page(self) -> None:
        hall = build_night("ended")
        for path in list_frames(hall):
            page = Browser().open(f"/fr{path}")
            links = [one for one in page.find_all("a") if "skip" not in one.attrs.get("class", "")]
            assert links
            for link in links:
                assert (link.attrs["target"], link.attrs["rel"]) == ("_blank", "noopener")
                assert link.attrs["href"].startswith("/fr/")

    @pytest.mark.long
    def test_frame_loads_nothing_from_third_parties(self) -> None:
        hall = build_night("playing")
        for path in list_frames(hall):
            page = Browser().open(path)
            sources = [
                one.attrs.get("src") or one.attrs.get("href", "") for one in page.find_all("script", "link", "img")
            ]
            assert all(one.startswith(("/", "http://testserver")) for one in sources if one)

    @pytest.mark.long
    def test_frame_shows_tables_then_standings(self) -> None:
        playing = Browser().open(f"/e/{build_night('playing').event.short}/embed")
        assert "Round 1 in play" in playing.text
        ended = Browser().open(f"/e/{build_night('ended').event.short}/embed")
        assert "in progress" not in ended.text
        assert "Provisional standings" in ended.text

    @pytest.mark.long
    def test_frame_marks_final_standings_changed_since(self) -> None:
        hall = build_night("ended")
        publish_final(event_id=hall.event.pk)
        path = f"/e/{hall.event.short}/embed"
        assert "changed since" not in Browser().open(path).text
        forfeit_table(event_id=hall.event.pk, number=2, table=1, winner=Side.B)
        compute_standings(hall.event)
        assert "Final standings · changed since" in Browser().open(path).text

    @pytest.mark.snapshot
    def test_frame_shows_points_and_games_like_the_event_page(self) -> None:
        hall = Hall(match_format=TWO_GAMES)
        win(hall.match)
        mark(hall.match, "B 6 7")
        tables = [
            [
                one.text
                for one in Browser().open(path).find_one("ol", class_="pairings").find_all("b")
                if "(" in one.text
            ]
            for path in (f"/e/{hall.event.short}", f"/e/{hall.event.short}/embed")
        ]
        assert tables[0] == tables[1]
        assert any("(1)" in text for text in tables[1])

    @pytest.mark.long
    def test_frame_uses_public_names(self) -> None:
        hall = build_night("ended")
        for path in list_frames(hall):
            text = Browser().open(path).text
            assert not [name for name in Person.objects.values_list("name", flat=True) if name in text]

    @pytest.mark.snapshot
    def test_frame_omits_hidden_data(self) -> None:
        hall = build_night("ended")
        Event.objects.update(shows_standings="never", shows_draw=False)
        text = Browser().open(f"/e/{hall.event.short}/embed").text
        assert not [name for name in Person.objects.values_list("name", flat=True) if name.split()[0] in text]
        Event.objects.update(is_public=False)
        assert Browser().open(f"/e/{hall.event.short}/embed").status == 404
        assert hall.event.name not in Browser().open(f"/c/{hall.event.club.slug}/embed").text

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_frame_is_not_sent_again_until_it_changes(self) -> None:
        hall = build_night("ended")
        for path in list_frames(hall):
            page = Browser().open(path)
            again = Browser().client.get(path, headers={"If-None-Match": page.revision, "Accept-Language": "en"})
            assert again.status_code == 304
            assert "X-Frame-Options" not in again.headers

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_frame_accepts_only_known_colour_schemes(self) -> None:
        path = list_frames(Hall())[0]
        assert Browser().open(f"{path}?colours=dark").find_one("html").attrs["data-theme"] == "dark"
        assert "data-theme" not in Browser().open(f"{path}?colours=pink").find_one("html").attrs


def test_embed_script_is_small() -> None:
    found = finders.find("js/embed.js")
    assert isinstance(found, str)
    assert Path(found).stat().st_size <= MAX_SCRIPT_BYTES


class TestOEmbed:
    @pytest.mark.slow
    def test_oembed_returns_the_frame_of_each_page(self) -> None:
        hall = build_night("ended")
        club = f"/c/{hall.event.club.slug}"
        for shown, framed in (
            (f"/fr/e/{hall.event.short}", f"/fr/e/{hall.event.short}/embed"),
            (f"/e/{hall.event.short}", f"/en/e/{hall.event.short}/embed"),
            (f"/en/e/{hall.event.short}/standings?section=x", f"/en/e/{hall.event.short}/embed"),
            (f"/fr{club}", f"/fr{club}/embed"),
            (f"/fr{club}/{hall.season}", f"/fr{club}/{hall.season}/0/embed"),
        ):
            oembed = request_oembed(f"http://testserver{shown}").response.json()
            assert (oembed["type"], oembed["version"]) == ("rich", "1.0")
            assert oembed["title"] == hall.event.name or "/c/" in framed
            assert f'src="http://testserver{framed}"' in oembed["html"]
            assert "embed.js" in oembed["html"]

    @pytest.mark.long
    def test_page_links_to_its_oembed_answer(self) -> None:
        hall = build_night("ended")
        for path in (
            f"/e/{hall.event.short}",
            f"/c/{hall.event.club.slug}",
            f"/c/{hall.event.club.slug}/{hall.season}",
        ):
            for language in ("fr", "en"):
                page = Browser().open(f"/{language}{path}")
                in_json, in_xml = (
                    Browser().open(page.find_one("link", type=form).attrs["href"].removeprefix("http://testserver"))
                    for form in ("application/json+oembed", "text/xml+oembed")
                )
                oembed = in_json.response.json()
                assert f"http://testserver/{language}/" in oembed["html"]
                assert ET.fromstring(in_xml.html).findtext("html") == oembed["html"]

    def test_oembed_respects_the_maximum_size(self) -> None:
        address = f"http://testserver/e/{Hall().event.short}"
        assert request_oembed(address, maxwidth="400").response.json()["width"] == 400
        assert request_oembed(address, maxwidth="9000").response.json()["width"] == 600
        assert request_oembed(address, maxheight="300").response.json()["height"] == 300
        assert "thumbnail_url" not in request_oembed(address, maxwidth="400").response.json()

    def test_oembed_answers_in_json_or_xml_only(self) -> None:
        address = f"http://testserver/e/{Hall().event.short}"
        root = ET.fromstring(request_oembed(address, format="xml").html)
        assert root.findtext("type") == "rich"
        assert request_oembed(address, format="xml").html.startswith("<?xml")
        assert "<iframe" in str(root.findtext("html"))
        assert request_oembed(address, format="yaml").status == 501

    def test_oembed_answers_alike_for_hidden_and_unknown_pages(self) -> None:
        hall = Hall()
        Event.objects.update(is_public=False)
        answers = [
            request_oembed(address)
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

    def test_oembed_requires_an_address(self) -> None:
        assert Browser().open("/oembed").status == 400


class TestEmbeddingPage:
    @pytest.mark.slow
    def test_embedding_page_shows_code_to_copy_and_previews(self) -> None:
        hall = build_night("ended")
        hall.season  # noqa: B018 -- the club has one
        page = hall.desk.open(f"/e/{hall.event.short}/desk/embedding?in=fr&colours=light")
        lines = [one.value for one in page.find_all("textarea")]
        shown = [one.attrs["src"] for one in page.find_all("iframe")]
        assert len(lines) == len(shown) == 3
        for line, path in zip(lines, shown, strict=True):
            assert path.startswith("/fr/")
            assert path.endswith("?colours=light")
            assert f'src="http://testserver{path}"' in line
            assert 'src="http://testserver/static/js/embed.js"' in line
            assert Browser().open(path).status == 200

    @pytest.mark.snapshot
    def test_embedding_page_omits_a_hidden_event(self) -> None:
        hall = Hall()
        Event.objects.update(is_public=False)
        page = hall.desk.open(f"/e/{hall.event.short}/desk/embedding")
        assert not [one for one in page.find_all("iframe") if hall.event.short in one.attrs["src"]]
