"""The desk's computer goes back to an older state, and the phones know more than it does."""

from playwright.sync_api import expect

from scoring.models import Mark, Match
from scoring.services import rebuild
from tests.builders import matches_of, next_round, play_round, statuses
from tests.journeys.hall import Hall, Server
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_without_a_network import is_all_sent, records_of
from tournaments.models import Table


def put_back(match: Match, *, hands: int) -> None:
    """To what it was when so many hands were marked."""
    later = list(match.marks.order_by("pk").values_list("pk", flat=True))[hands:]
    Mark.objects.filter(pk__in=later).delete()
    Match.objects.filter(pk=match.pk).update(revision=hands)
    rebuild(match_id=match.pk)


def put_back_before_the_draw(match: Match) -> None:
    Mark.objects.filter(match=match).delete()
    Table.objects.filter(match=match).update(match=None)
    Match.objects.filter(pk=match.pk).delete()


def marks(phone: Phone, *hands: str) -> None:
    for said in hands:
        phone.mark(said)
    is_all_sent(phone)


class TestAServerThatWentBack:
    def test_has_every_hand_again_with_those_marked_since(
        self, hall: Hall, phones: Phones, server: Server
    ) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        marks(phone, "A-6-7", "B-7-7", "A-5-5")
        server.stop()
        put_back(hall.match, hands=1)
        phone.mark("B-6-6")
        phone.sees_totals(11, 13)
        server.start()
        is_all_sent(phone)
        phone.sees_totals(11, 13)
        assert records_of(hall.match) == ["hand 6 7", "hand 7 7", "hand 5 5", "hand 6 6"]
        assert statuses(hall.match) == [(number, "current") for number in (1, 2, 3, 4)]

    def test_is_told_what_to_do_about_a_round_that_it_has_no_more(
        self, hall: Hall, phones: Phones, server: Server
    ) -> None:
        event = hall.a_night(pairs=4)
        play_round(event)
        next_round(event)
        phone = phones()
        phone.open(hall.table)
        marks(phone, "A-6-7", "B-7-7")
        server.stop()
        put_back_before_the_draw(matches_of(event, 2)[0])
        server.start()
        phone.looks_for_news()
        expect(phone.screen.get_by_text("The desk lost round 2; this phone has its hands")).to_be_visible()
        phone.sees_totals(6, 7)
        phone.picture("round-gone")
        phone.mark("A-5-5")
        phone.shows_totals(11, 7)
        expect(phone.page.locator(".chip.going")).to_be_visible()
