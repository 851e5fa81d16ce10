"""The picture that a shared link shows: what stands in it, and that it is drawn once."""

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
from tests.builders import a_played_night, next_round, play_round, standings_after
from tests.every_page.test_every_page import a_night
from tests.support.browser import Browser
from tests.support.hall import Hall
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Event
from tournaments.public.presenters.own_page import own_page
from tournaments.public.presenters.own_picture import own_picture
from tournaments.publishing.services.publishing import publish_final
from tournaments.rounds.services.tables import forfeit_table
from tournaments.sharing.link_preview_files import FILES
from tournaments.sharing.link_previews import Picture, PictureLine, render_preview
from tournaments.sharing.presenters.link_previews import event_picture
from web.pictures import SafePicture

from .test_shared_links import card

pytestmark = pytest.mark.django_db


def size_of(png: bytes) -> tuple[int, int]:
    """Width and height in pixels."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


A_PICTURE = Picture(club="Les As", title="Coupe", below="1er mai 2027", kicker="Inscriptions", lines=())
EMBLEM, WIDE_EMBLEM, BELOW = (56, 60, 188, 192), (56, 60, 300, 192), (0, 252, 1200, 630)
"""Left, top, right and bottom of the places, in pixels."""


def a_webp(width: int, height: int) -> bytes:
    out = BytesIO()
    Image.new("RGB", (width, height), (0, 160, 0)).save(out, "WEBP")
    return out.getvalue()


def a_logo(club: Club) -> None:
    content = a_webp(60, 40)
    picture = SafePicture(content=content, width=60, height=40)
    set_club_picture(club_id=club.pk, kind=PictureKind.LOGO, picture=picture)


def drawn(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


def greens(picture: Image.Image) -> int:
    """Return how many of its pixels are as green as the logo."""
    channels = picture.tobytes()
    pixels = zip(channels[::3], channels[1::3], channels[2::3], strict=True)
    return sum(green > 120 and red < 60 and blue < 60 for red, green, blue in pixels)


def pictures() -> set[Path]:
    return set(FILES.folder.glob("*"))


def shown(hall: Hall) -> Picture:
    return event_picture(Event.objects.select_related("club", "terms", "night").get(pk=hall.event.pk))


class TestAPictureOfAnEvent:
    def test_says_that_people_sign_up_before_it_begins(self) -> None:
        hall = Hall()
        Event.objects.update(state="preparing", signs_up=True)
        assert (shown(hall).kicker, shown(hall).lines) == ("Sign-up open", ())

    def test_has_the_club_the_event_and_its_day(self) -> None:
        picture = shown(Hall())
        assert picture.club == "Les Joyeux Atouts"
        assert picture.title == "Soirée du mardi"
        assert picture.below == "Tuesday, November 17, 2026"

    def test_has_the_first_of_the_standings_by_public_names(self) -> None:
        hall = a_night("ended")
        picture = shown(hall)
        assert picture.kicker == "Provisional standings"
        assert [line.mark for line in picture.lines] == ["1", "2", "2"]
        full = set(Person.objects.values_list("name", flat=True))
        assert not any(name in line.text for name in full for line in picture.lines)
        assert picture.lines[0].figure == "2 matches won"

    @pytest.mark.slow
    @pytest.mark.parametrize(("pairs", "last"), [(8, None), (12, "and 3 more tied"), (6, "3 tied")])
    def test_says_how_many_more_are_level_where_not_all_have_a_line(
        self, pairs: int, last: str | None
    ) -> None:
        """All winners of the first round are level, and all losers."""
        event = a_played_night(pairs=pairs)
        standings_after(event)
        *others, one = event_picture(event).lines
        assert [" and " in line.text for line in others] == [True] * 3
        assert one.text == last if last else " and " in one.text

    def test_says_so_once_the_standings_are_final(self) -> None:
        hall = a_night("ended")
        publish_final(event_id=hall.event.pk)
        assert shown(hall).kicker == "Final standings"

    def test_says_of_final_standings_that_something_was_corrected_since(self) -> None:
        hall = a_night("ended")
        publish_final(event_id=hall.event.pk)
        forfeit_table(event_id=hall.event.pk, number=2, table=1, winner=Side.B)
        standings_after(hall.event)
        assert shown(hall).kicker == "Final standings · changed since"

    def test_speaks_french_where_the_reader_does(self) -> None:
        hall = a_night("ended")
        with override("fr"):
            picture = shown(hall)
        assert picture.kicker == "Classement provisoire"
        assert picture.below == "mardi 17 novembre 2026"
        assert picture.lines[0].figure == "2 matchs gagnés"


class TestWhatIsNotReleased:
    @pytest.mark.slow
    def test_is_in_no_picture_and_changes_no_tag(self) -> None:
        hall = Hall()
        Event.objects.update(shows_standings="final")
        path = f"/e/{hall.event.short}/picture.png"
        before = Browser().client.get(path)
        play_round(hall.event)
        next_round(hall.event)
        standings_after(hall.event)
        after = Browser().client.get(path)
        assert shown(hall).lines == ()
        assert after.headers["ETag"] == before.headers["ETag"]
        assert after.content == before.content

    def test_an_event_that_is_not_public_has_no_picture(self) -> None:
        hall = Hall()
        Event.objects.update(is_public=False)
        assert Browser().client.get(f"/e/{hall.event.short}/picture.png").status_code == 404

    @pytest.mark.slow
    def test_what_was_seen_before_the_silence_stays_in_the_picture_and_nothing_after(self) -> None:
        hall = Hall()
        Event.objects.update(silent_from=2)
        play_round(hall.event)
        standings_after(hall.event)
        before = shown(hall)
        next_round(hall.event)
        play_round(hall.event, 2)
        standings_after(hall.event)
        end_event(event_id=hall.event.pk)
        assert shown(hall).lines == before.lines
        assert shown(hall).kicker == "Standings after round 1"


class TestThePng:
    def test_has_the_size_that_networks_ask_for(self) -> None:
        hall = a_night("ended")
        for path in (f"/e/{hall.event.short}/picture.png", f"/c/{hall.event.club.slug}/picture.png"):
            response = Browser().client.get(path)
            assert response.headers["Content-Type"] == "image/png"
            assert size_of(response.content) == (1200, 630)

    def test_is_drawn_once_and_asked_for_again_is_not_sent(self) -> None:
        hall = a_night("ended")
        path = f"/e/{hall.event.short}/picture.png"
        first = Browser().client.get(path)
        kept = pictures()
        times = {one: one.stat().st_mtime_ns for one in kept}
        assert Browser().client.get(path).content == first.content
        again = Browser().client.get(path, headers={"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert {one: one.stat().st_mtime_ns for one in pictures()} == times

    def test_sets_no_cookie_and_is_kept_by_whoever_passes_it_on(self) -> None:
        hall = Hall()
        response = Browser(account=hall.owner).client.get(f"/fr/e/{hall.event.short}/picture.png")
        assert not response.cookies
        assert "public" in response.headers["Cache-Control"]
        assert "Cookie" not in response.headers.get("Vary", "")

    def test_reads_nothing_that_people_typed_as_markup(self) -> None:
        typed = '#panic("x") *a* $ _b_ @c <d> \\ "'
        line = PictureLine(mark="1", text=typed, figure=typed)
        assert size_of(
            render_preview(Picture(club=typed, title=typed, below=typed, kicker=typed, lines=(line,)))
        )

    def test_goes_from_the_folder_after_a_while(self) -> None:
        path = f"/c/{Hall().event.club.slug}/picture.png"
        Club.objects.update(name=f"Club {uuid4()}")  # another run may have drawn the one of that club
        before = pictures()
        Browser().open(path)
        FILES.sweep()
        (drawn_now,) = pictures() - before
        os.utime(drawn_now, (0, 0))
        FILES.sweep()
        assert drawn_now not in pictures()


class TestTheLogo:
    """Green, so that nothing else of a picture is."""

    @pytest.mark.slow
    def test_stands_where_the_crown_is_in_the_pictures_of_the_club_and_of_its_events(self) -> None:
        hall = a_night("ended")
        paths = (f"/e/{hall.event.short}/picture.png", f"/c/{hall.event.club.slug}/picture.png")
        before = [Browser().client.get(path) for path in paths]
        a_logo(hall.event.club)
        for path, old in zip(paths, before, strict=True):
            new = Browser().client.get(path)
            assert new.headers["ETag"] != old.headers["ETag"]
            with_logo, without = drawn(new.content), drawn(old.content)
            assert (greens(with_logo), greens(without)) == (greens(with_logo.crop(WIDE_EMBLEM)), 0)
            assert greens(with_logo) > 5_000
            assert with_logo.crop(BELOW).tobytes() == without.crop(BELOW).tobytes()

    @pytest.mark.slow
    def test_is_whole_however_wide_or_high_it_is(self) -> None:
        wide, high = (
            drawn(render_preview(replace(A_PICTURE, logo=a_webp(*size)))) for size in ((480, 40), (40, 480))
        )
        assert 0 < greens(wide) == greens(wide.crop(WIDE_EMBLEM))
        assert 0 < greens(high) == greens(high.crop(EMBLEM))

    def test_is_in_the_picture_that_a_player_sends(self) -> None:
        hall = a_night("ended")
        a_logo(hall.event.club)
        event = Event.objects.select_related("club", "terms", "night").get(pk=hall.event.pk)
        me = event.entries.get(number=1).player_1
        assert own_picture(event, own_page(event, me)).logo == event_picture(event).logo != b""

    def test_that_was_taken_off_is_in_no_picture(self) -> None:
        hall = a_night("ended")
        before = shown(hall)
        a_logo(hall.event.club)
        assert shown(hall).digest != before.digest
        remove_club_picture(club_id=hall.event.club.pk, kind=PictureKind.LOGO)
        assert shown(hall) == before


class TestALink:
    @pytest.mark.parametrize("language", ["fr", "en"])
    def test_leads_to_the_picture_in_its_language(self, language: str) -> None:
        hall = a_night("ended")
        for page in (f"/e/{hall.event.short}", f"/c/{hall.event.club.slug}"):
            shown = card(Browser().open(f"/{language}{page}"))
            assert shown["og:image"] == f"http://testserver/{language}{page}/picture.png"
            assert (shown["og:image:width"], shown["og:image:height"]) == ("1200", "630")
            assert shown["og:image:alt"] == shown["og:description"]
