"""The preview picture of a shared link: its content, and its cache."""

import os
import struct
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.utils.translation import override
from PIL import Image

from clubs.models import Club, Person, PictureKind
from clubs.services.pictures import remove_club_picture, set_club_picture
from rules import Side
from tests.builders import build_played_night, compute_standings, play_round, start_next_round
from tests.every_page.test_every_page import build_night
from tests.support.browser import Browser
from tests.support.hall import Hall
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Event
from tournaments.public.presenters.player_page import build_player_page
from tournaments.public.presenters.player_picture import build_player_picture
from tournaments.publishing.services.publishing import publish_final
from tournaments.rounds.services.tables import forfeit_table
from tournaments.sharing.link_preview_files import PICTURE_STORE
from tournaments.sharing.link_previews.rendering import render_preview
from tournaments.sharing.link_previews.values import Picture, PictureLine
from tournaments.sharing.presenters.link_previews import build_event_picture
from web.pictures import SafePicture

from .test_shared_links import read_preview_card

pytestmark = pytest.mark.django_db


def get_size(png: bytes) -> tuple[int, int]:
    """Return the width and height in pixels."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


A_PICTURE = Picture(club="Les As", title="Coupe", below="1er mai 2027", kicker="Inscriptions", lines=())
EMBLEM, WIDE_EMBLEM, BELOW = (56, 60, 188, 192), (56, 60, 300, 192), (0, 252, 1200, 630)
"""Left, top, right and bottom of areas of the picture, in pixels."""


def build_webp(width: int, height: int) -> bytes:
    out = BytesIO()
    Image.new("RGB", (width, height), (0, 160, 0)).save(out, "WEBP")
    return out.getvalue()


def set_logo(club: Club) -> None:
    content = build_webp(60, 40)
    picture = SafePicture(content=content, width=60, height=40)
    set_club_picture(club_id=club.pk, kind=PictureKind.LOGO, picture=picture)


def open_image(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


def count_green_pixels(picture: Image.Image) -> int:
    """Return the number of pixels as green as the test logo."""
    channels = picture.tobytes()
    pixels = zip(channels[::3], channels[1::3], channels[2::3], strict=True)
    return sum(green > 120 and red < 60 and blue < 60 for red, green, blue in pixels)


def list_pictures() -> set[Path]:
    return set(PICTURE_STORE.folder.glob("*"))


def get_picture(hall: Hall) -> Picture:
    return build_event_picture(Event.objects.select_related("club", "terms", "night").get(pk=hall.event.pk))


class TestEventPicture:
    def test_picture_announces_open_sign_up(self) -> None:
        hall = Hall()
        Event.objects.update(state="preparing", signs_up=True)
        assert (get_picture(hall).kicker, get_picture(hall).lines) == ("Sign-up open", ())

    def test_picture_shows_club_event_and_date(self) -> None:
        picture = get_picture(Hall())
        assert picture.club == "Les Joyeux Atouts"
        assert picture.title == "Soirée du mardi"
        assert picture.below == "Tuesday, November 17, 2026"

    @pytest.mark.slow
    def test_picture_shows_the_podium_by_public_names(self) -> None:
        hall = build_night("ended")
        picture = get_picture(hall)
        assert picture.kicker == "Provisional standings"
        assert [line.mark for line in picture.lines] == ["1", "2", "2"]
        full = set(Person.objects.values_list("name", flat=True))
        assert not any(name in line.text for name in full for line in picture.lines)
        assert picture.lines[0].figure == "2 matches won"

    @pytest.mark.parametrize(("pairs", "last"), [(8, None), (12, "and 3 more tied"), (6, "3 tied")])
    @pytest.mark.long
    def test_picture_counts_further_tied_entries(self, pairs: int, last: str | None) -> None:
        """After the first round, all winners are tied, and so are all losers."""
        event = build_played_night(pairs=pairs)
        compute_standings(event)
        *others, one = build_event_picture(event).lines
        assert [" and " in line.text for line in others] == [True] * 3
        assert one.text == last if last else " and " in one.text

    @pytest.mark.long
    def test_picture_names_final_standings(self) -> None:
        hall = build_night("ended")
        publish_final(event_id=hall.event.pk)
        assert get_picture(hall).kicker == "Final standings"

    @pytest.mark.long
    def test_picture_marks_final_standings_changed_since(self) -> None:
        hall = build_night("ended")
        publish_final(event_id=hall.event.pk)
        forfeit_table(event_id=hall.event.pk, number=2, table=1, winner=Side.B)
        compute_standings(hall.event)
        assert get_picture(hall).kicker == "Final standings · changed since"

    def test_picture_is_translated_to_french(self) -> None:
        hall = build_night("ended")
        with override("fr"):
            picture = get_picture(hall)
        assert picture.kicker == "Classement provisoire"
        assert picture.below == "mardi 17 novembre 2026"
        assert picture.lines[0].figure == "2 matchs gagnés"


class TestHiddenContent:
    @pytest.mark.long
    def test_hidden_standings_change_neither_picture_nor_tag(self) -> None:
        hall = Hall()
        Event.objects.update(shows_standings="final")
        path = f"/e/{hall.event.short}/picture.png"
        before = Browser().client.get(path)
        play_round(hall.event)
        start_next_round(hall.event)
        compute_standings(hall.event)
        after = Browser().client.get(path)
        assert get_picture(hall).lines == ()
        assert after.headers["ETag"] == before.headers["ETag"]
        assert after.content == before.content

    def test_private_event_has_no_picture(self) -> None:
        hall = Hall()
        Event.objects.update(is_public=False)
        assert Browser().client.get(f"/e/{hall.event.short}/picture.png").status_code == 404

    @pytest.mark.long
    def test_picture_keeps_standings_from_before_the_silence(self) -> None:
        hall = Hall()
        Event.objects.update(silent_from=2)
        play_round(hall.event)
        compute_standings(hall.event)
        before = get_picture(hall)
        start_next_round(hall.event)
        play_round(hall.event, 2)
        compute_standings(hall.event)
        end_event(event_id=hall.event.pk)
        assert get_picture(hall).lines == before.lines
        assert get_picture(hall).kicker == "Standings after round 1"


class TestPng:
    @pytest.mark.long
    def test_png_has_the_size_for_social_networks(self) -> None:
        hall = build_night("ended")
        for path in (f"/e/{hall.event.short}/picture.png", f"/c/{hall.event.club.slug}/picture.png"):
            response = Browser().client.get(path)
            assert response.headers["Content-Type"] == "image/png"
            assert get_size(response.content) == (1200, 630)

    @pytest.mark.long
    def test_png_is_rendered_once_and_cached(self) -> None:
        hall = build_night("ended")
        path = f"/e/{hall.event.short}/picture.png"
        first = Browser().client.get(path)
        pictures = list_pictures()
        times = {one: one.stat().st_mtime_ns for one in pictures}
        assert Browser().client.get(path).content == first.content
        again = Browser().client.get(path, headers={"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert {one: one.stat().st_mtime_ns for one in list_pictures()} == times

    def test_png_is_publicly_cacheable_without_cookies(self) -> None:
        hall = Hall()
        response = Browser(account=hall.owner).client.get(f"/fr/e/{hall.event.short}/picture.png")
        assert not response.cookies
        assert "public" in response.headers["Cache-Control"]
        assert "Cookie" not in response.headers.get("Vary", "")

    def test_picture_escapes_markup_in_typed_text(self) -> None:
        typed = '#panic("x") *a* $ _b_ @c <d> \\ "'
        line = PictureLine(mark="1", text=typed, figure=typed)
        assert get_size(render_preview(Picture(club=typed, title=typed, below=typed, kicker=typed, lines=(line,))))

    def test_rendered_picture_expires_from_the_folder(self) -> None:
        path = f"/c/{Hall().event.club.slug}/picture.png"
        Club.objects.update(name=f"Club {uuid4()}")  # an earlier run may have drawn the picture of a fixed name
        before = list_pictures()
        Browser().open(path)
        PICTURE_STORE.delete_expired_files()
        (drawn_now,) = list_pictures() - before
        os.utime(drawn_now, (0, 0))
        PICTURE_STORE.delete_expired_files()
        assert drawn_now not in list_pictures()


@pytest.mark.long
class TestLogo:
    """A green test logo, because nothing else in a picture is green."""

    def test_logo_replaces_the_crown_in_pictures(self) -> None:
        hall = build_night("ended")
        paths = (f"/e/{hall.event.short}/picture.png", f"/c/{hall.event.club.slug}/picture.png")
        before = [Browser().client.get(path) for path in paths]
        set_logo(hall.event.club)
        for path, old in zip(paths, before, strict=True):
            new = Browser().client.get(path)
            assert new.headers["ETag"] != old.headers["ETag"]
            with_logo, without = open_image(new.content), open_image(old.content)
            assert (count_green_pixels(with_logo), count_green_pixels(without)) == (
                count_green_pixels(with_logo.crop(WIDE_EMBLEM)),
                0,
            )
            assert count_green_pixels(with_logo) > 5_000
            assert with_logo.crop(BELOW).tobytes() == without.crop(BELOW).tobytes()

    def test_logo_is_never_cropped(self) -> None:
        wide, high = (
            open_image(render_preview(replace(A_PICTURE, logo=build_webp(*size)))) for size in ((480, 40), (40, 480))
        )
        assert 0 < count_green_pixels(wide) == count_green_pixels(wide.crop(WIDE_EMBLEM))
        assert 0 < count_green_pixels(high) == count_green_pixels(high.crop(EMBLEM))

    def test_logo_appears_in_the_player_picture(self) -> None:
        hall = build_night("ended")
        set_logo(hall.event.club)
        event = Event.objects.select_related("club", "terms", "night").get(pk=hall.event.pk)
        me = event.entries.get(number=1).player_1
        assert build_player_picture(event, build_player_page(event, me)).logo == build_event_picture(event).logo != b""

    def test_removed_logo_disappears_from_pictures(self) -> None:
        hall = build_night("ended")
        before = get_picture(hall)
        set_logo(hall.event.club)
        assert get_picture(hall).digest != before.digest
        remove_club_picture(club_id=hall.event.club.pk, kind=PictureKind.LOGO)
        assert get_picture(hall) == before


class TestPreviewLink:
    @pytest.mark.long
    @pytest.mark.parametrize("language", ["fr", "en"])
    def test_preview_links_to_the_picture_in_its_language(self, language: str) -> None:
        hall = build_night("ended")
        for page in (f"/e/{hall.event.short}", f"/c/{hall.event.club.slug}"):
            shown = read_preview_card(Browser().open(f"/{language}{page}"))
            assert shown["og:image"] == f"http://testserver/{language}{page}/picture.png"
            assert (shown["og:image:width"], shown["og:image:height"]) == ("1200", "630")
            assert shown["og:image:alt"] == shown["og:description"]
