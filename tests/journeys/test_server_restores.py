"""The server is restored to an older state, and phones know more than it does."""

from playwright.sync_api import expect

from scoring.models import Mark, Match
from scoring.services.cache_check import rebuild_match
from tests.builders import list_statuses, matches_of, play_round, start_next_round
from tests.journeys.hall import Hall, Server
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_offline_matches import is_all_sent, list_records
from tournaments.models import Table


def put_back(match: Match, *, hands: int) -> None:
    """Restore a match to its state after this many hands."""
    later = list(match.marks.order_by("pk").values_list("pk", flat=True))[hands:]
    Mark.objects.filter(pk__in=later).delete()
    Match.objects.filter(pk=match.pk).update(revision=hands)
    rebuild_match(match_id=match.pk)


def put_back_before_the_draw(match: Match) -> None:
    Mark.objects.filter(match=match).delete()
    Table.objects.filter(match=match).update(match=None)
    Match.objects.filter(pk=match.pk).delete()


def mark_hands(phone: Phone, *hands: str) -> None:
    for hand in hands:
        phone.mark(hand)
    is_all_sent(phone)


class TestRestoredServer:
    def test_restored_server_receives_missing_and_new_hands(self, hall: Hall, phones: Phones, server: Server) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        mark_hands(phone, "A-6-7", "B-7-7", "A-5-5")
        server.stop()
        put_back(hall.match, hands=1)
        phone.mark("B-6-6")
        phone.expect_sent_totals(11, 13)
        server.start()
        is_all_sent(phone)
        phone.expect_sent_totals(11, 13)
        assert list_records(hall.match) == ["hand 6 7", "hand 7 7", "hand 5 5", "hand 6 6"]
        assert list_statuses(hall.match) == [(number, "current") for number in (1, 2, 3, 4)]

    def test_phone_explains_what_to_do_if_its_round_is_gone(self, hall: Hall, phones: Phones, server: Server) -> None:
        event = hall.build_night(pairs=4)
        play_round(event)
        start_next_round(event)
        phone = phones()
        phone.open(hall.table)
        mark_hands(phone, "A-6-7", "B-7-7")
        server.stop()
        put_back_before_the_draw(matches_of(event, 2)[0])
        server.start()
        phone.poll_for_updates()
        expect(phone.screen.get_by_text("The desk lost round 2, but this phone has its hands")).to_be_visible()
        phone.expect_sent_totals(6, 7)
        phone.take_picture("round-gone")
        phone.mark("A-5-5")
        phone.expect_totals(11, 7)
        expect(phone.page.locator(".chip.pending")).to_be_visible()
