"""Two installations, each with a database of its own, and between them a network that spoils."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.utils import timezone

from clubs.audit.log import Actor
from clubs.models import Account, Club, Person
from errors import Refusal
from jobs.models import Job
from tests.builders import a_club, a_running_night, an_account, an_event, mark, matches_of, next_round, win
from tests.spoiling_proxy import Delay, Fault, Spoiled, SpoilingProxy, no_fault
from tests.support.browser import Browser, Page
from tests.support.other_installation import OtherInstallation, another_installation
from tests.tournaments.alerts.test_alerts import work
from tournaments.entries.services.entries import add_entries
from tournaments.event_files.queries import event_file_of
from tournaments.events.services.settings import rename_event
from tournaments.mirrors.presenters import dispute_at_desk
from tournaments.mirrors.services.asking import request_due_questions
from tournaments.mirrors.services.leading import begin_mirror_anew
from tournaments.mirrors.services.sending import request_due_snapshots
from tournaments.models import Event, PublicSite, SentEvent
from tournaments.rounds.services.rounds import close_round
from tournaments.rounds.services.tables import adjust_table
from tournaments.standings.services import refresh_standings

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

SPOILS: tuple[Spoiled | None, ...] = (
    *(Fault.DROP_ANSWER, Fault.DUPLICATE, Fault.RESET, Delay(0.2), Fault.CUT_BODY, None),
    *(Fault.PORTAL, Fault.DROP_BEFORE),
)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[OtherInstallation]:
    with another_installation(tmp_path / "site.sqlite3") as other:
        yield other


def try_now() -> None:
    """The worker looks, sends what is new, and asks what is new there, as if all pauses were over."""
    SentEvent.objects.update(due_at=timezone.now())
    PublicSite.objects.update(asked_at=None)
    request_due_snapshots()
    request_due_questions()
    work()


def sum_of_event() -> Any:
    """Return what two people can read to each other."""
    event = Event.objects.select_related("club", "terms").get(is_put_away=False)
    refresh_standings(event_id=event.pk)
    return event_file_of(event)["sum"]


def paired_again(pair: Pair) -> None:
    with pair.site.here():
        owner = Browser(account=Account.objects.get())
        page = owner.open(f"/club/{Club.objects.get().slug}/mirrors")
        secret = re.search(r"/mirror/pairings#([\w-]+)", owner.send(page, page.form("/link")).text)
    assert secret is not None
    pair.press("/pair", link=f"{pair.network.url}/mirror/pairings#{secret[1]}")
    PublicSite.objects.update(paired_at="2026-01-01T00:00Z")  # before the night of the builders


def paired(laptop: Browser, club: Club, site: OtherInstallation, network: SpoilingProxy) -> str:
    """An owner of each has done what its page says; what the laptop answers."""
    with site.here():
        there = a_club("Le site", owner=an_account())
        owner = Browser(account=Account.objects.get())
        page = owner.open(f"/club/{there.slug}/mirrors")
        shown = owner.send(page, page.form("/link"))
        secret = re.search(r"/mirror/pairings#([\w-]+)", shown.text)
    assert secret is not None, shown.text
    page = laptop.open(f"/club/{club.slug}/mirrors")
    answer = ask(laptop, page, "/pair", link=f"{network.url}/mirror/pairings#{secret[1]}")
    PublicSite.objects.update(paired_at="2026-01-01T00:00Z")  # before the night of the builders
    return answer.text


def ask(owner: Browser, page: Page, action: str, **typed: Any) -> Page:
    """The page once the worker has asked the other installation."""
    answer = owner.send(page, page.form(action), **typed)
    if action in ("/pair", "/follow") and answer.status == 200:
        work()
        answer = owner.open(answer.path)
    return answer


def test_a_night_is_equal_at_both_whatever_the_network_does(site: OtherInstallation, settings: Any) -> None:
    settings.LOCAL_TARGETS = ["127.0.0.0/8"]
    event = a_running_night(club=a_club(owner=an_account()))
    laptop = Browser(account=Account.objects.get())
    with SpoilingProxy(site.port) as network:
        assert "(Le site)" in paired(laptop, event.club, site, network)

        network.spoil = lambda method, path, count: SPOILS[count % len(SPOILS)]
        first, second = matches_of(event)
        for hand in range(1, 4):
            for match in (first, second):
                mark(match, f"{'AB'[hand % 2]} 6 made", number=hand)
                for _ in range(3):
                    try_now()
        assert len(network.requests) > len(SPOILS)

        network.spoil = lambda method, path, count: Fault.RESET  # the cable is out
        for match in (first, second):
            win(match)
        close_round(event_id=event.pk, number=1)
        next_round(event, seed=2)
        try_now()
        assert "The public site is not responding" in laptop.open(f"/e/{event.short}/desk").text

        network.spoil = no_fault
        for _ in range(3):  # what follows from the last hands is counted by the worker, and sent again
            try_now()
        assert "Public site: up to date" in laptop.open(f"/e/{event.short}/desk").text
    short = SentEvent.objects.get().page.rpartition("/")[2]
    here = sum_of_event()
    with site.here():
        assert "Copy from the computer in the hall, as of" in Browser().open(f"/e/{short}").text
        assert sum_of_event() == here


def test_a_link_that_leads_nowhere_is_told_and_another_can_be_entered(
    site: OtherInstallation, settings: Any
) -> None:
    settings.LOCAL_TARGETS = ["127.0.0.0/8"]
    club = a_club(owner=an_account())
    laptop = Browser(account=Account.objects.get())
    page = laptop.open(f"/club/{club.slug}/mirrors")
    for link, said in (
        ("https://example.org/", "This is not a public site’s link"),
        (f"http://127.0.0.1:{site.port}/mirror/pairings#guessed", "This link was used or has expired"),
        ("http://127.0.0.1:9/mirror/pairings#guessed", "127.0.0.1 is not responding"),
    ):
        answer = ask(laptop, page, "/pair", link=link)
        assert said in answer.text
    with SpoilingProxy(site.port) as network:
        network.spoil = lambda method, path, count: Fault.PORTAL
        answer = ask(laptop, page, "/pair", link=f"{network.url}/mirror/pairings#guessed")
        assert "Not a Charlemagne public site (response" in answer.text
        network.spoil = no_fault
        assert "(Le site)" in paired(laptop, club, site, network)


def test_a_slow_site_is_asked_by_a_worker_and_the_page_answers_before(settings: Any) -> None:
    settings.LOCAL_TARGETS = ["127.0.0.0/8"]
    club = a_club(owner=an_account())
    laptop = Browser(account=Account.objects.get())
    page = laptop.open(f"/club/{club.slug}/mirrors")
    with SpoilingProxy(9) as network:
        answer = laptop.send(page, page.form("/pair"), link=f"{network.url}/mirror/pairings#secret")
        assert not network.requests
        assert "Linking to the public site" in answer.one(id="jobs").text
        stopped = laptop.send(answer, answer.form("/stop"))
    assert "Stopped early." in stopped.one(id="jobs").text
    assert Job.objects.get().topic == f"mirrors:{club.pk}"
    assert "secret" not in Job.objects.get().key


def _dispute() -> str | None:
    trouble = dispute_at_desk(the_event())
    return None if trouble is None else str(trouble["code"])


@dataclass
class Pair:
    """A night at the laptop, which the public site mirrors, and an owner of each."""

    event: Event
    laptop: Browser
    site: OtherInstallation
    network: SpoilingProxy

    def press(self, action: str, *, there: bool = False, **typed: Any) -> Page:
        """A button of the page of the two installations, at the laptop or at the public site."""
        if not there:
            return self._pressed(self.laptop, self.event.club.slug, action, typed)
        with self.site.here():
            owner = Browser(account=Account.objects.get())
            return self._pressed(owner, Club.objects.get().slug, action, typed)

    def _pressed(self, owner: Browser, slug: str, action: str, typed: dict[str, Any]) -> Page:
        page = owner.open(f"/club/{slug}/mirrors")
        answer = ask(owner, page, action, **typed)
        assert answer.status in (200, 422), answer.text
        return answer

    def page(self, *, there: bool = False) -> Page:
        if not there:
            return self.laptop.open(f"/club/{self.event.club.slug}/mirrors")
        with self.site.here():
            return Browser(account=Account.objects.get()).open(f"/club/{Club.objects.get().slug}/mirrors")

    def disputes(self) -> tuple[str | None, str | None]:
        """Return what an owner has to settle, as the laptop says it, and as the public site does."""
        here = _dispute()
        with self.site.here():
            return here, _dispute()

    def catch_up(self) -> None:
        for _ in range(4):
            try_now()

    def hand_over(self) -> None:
        self.press("/hand")
        self.catch_up()

    def hand_back(self) -> None:
        self.press("/hand", there=True)
        self.catch_up()

    def assert_equal(self) -> None:
        self.catch_up()
        here = sum_of_event()
        with self.site.here():
            work()
            assert sum_of_event() == here


@pytest.fixture
def pair(site: OtherInstallation, settings: Any) -> Iterator[Pair]:
    settings.LOCAL_TARGETS = ["127.0.0.0/8"]
    event = a_running_night(club=a_club(owner=an_account()))
    laptop = Browser(account=Account.objects.get())
    with SpoilingProxy(site.port) as network:
        paired(laptop, event.club, site, network)
        try_now()
        yield Pair(event=event, laptop=laptop, site=site, network=network)


def the_event() -> Event:
    return Event.objects.select_related("club", "terms").get(is_put_away=False)


def marks_at(event: Event, table: int) -> int:
    """Return how many marks stand at that table of round 1."""
    return int(matches_of(event)[table - 1].marks.count())


class TestHandingOver:
    def test_goes_to_the_public_site_and_back_with_all_that_was_done(self, pair: Pair) -> None:
        mark(matches_of(pair.event)[0], "A 6 made")
        pair.hand_over()
        assert the_event().is_mirror
        with pair.site.here():
            there = the_event()
            assert not there.is_mirror
            mark(matches_of(there)[0], "B 6 made", number=2)
            win(matches_of(there)[1])
        pair.catch_up()
        assert marks_at(pair.event, 1) == 2
        pair.assert_equal()
        pair.hand_back()
        assert not the_event().is_mirror
        for match in matches_of(the_event())[:1]:
            win(match)
        close_round(event_id=pair.event.pk, number=1)
        next_round(the_event(), seed=2)
        pair.assert_equal()
        with pair.site.here():
            assert the_event().is_mirror
            assert the_event().rounds.count() == 2

    def test_has_something_arrive_at_the_laptop_when_there_is_something_new_and_not_when_it_asks(
        self, pair: Pair
    ) -> None:
        pair.hand_over()
        with pair.site.here():
            mark(matches_of(the_event())[0], "A 6 made")
        arrived = []
        for _ in range(2):
            pair.catch_up()
            with pair.site.here():
                arrived.append(SentEvent.objects.get().arrived_at)
        assert arrived[0] == arrived[1] is not None

    def test_loses_nothing_where_each_answer_is_lost_once(self, pair: Pair) -> None:
        pair.network.spoil = lambda method, path, count: (None, Fault.DROP_ANSWER, Fault.CUT_BODY)[count % 3]
        for hand in range(1, 5):
            mark(matches_of(the_event())[0], "A 6 made", number=2 * hand - 1)
            pair.press("/hand")
            for _ in range(4):
                pair.catch_up()
            with pair.site.here():
                mark(matches_of(the_event())[0], "B 6 made", number=2 * hand)
            pair.press("/hand", there=True)
            for _ in range(4):
                pair.catch_up()
        assert marks_at(the_event(), 1) == 8
        pair.network.spoil = no_fault
        pair.assert_equal()

    def test_takes_nothing_more_here_while_it_is_on_its_way_and_can_be_taken_back(self, pair: Pair) -> None:
        pair.network.spoil = lambda method, path, count: Fault.RESET
        page = pair.press("/hand")
        assert "Handed over to the public site, which takes over once it has everything" in page.text
        assert "Public site lost?" in page.text
        with pytest.raises(Refusal, match="led_elsewhere"):
            mark(matches_of(the_event())[0], "A 6 made")
        pair.catch_up()
        pair.press("/lead")
        mark(matches_of(the_event())[0], "A 6 made")
        pair.network.spoil = no_fault
        pair.assert_equal()
        with pair.site.here():
            assert the_event().is_mirror

    def test_keeps_what_the_director_ruled_and_changed_on_either_side(self, pair: Pair) -> None:
        adjust_table(event_id=pair.event.pk, number=1, table=1, games=(1, 0), points=(32, 5))
        pair.hand_over()
        with pair.site.here():
            adjust_table(event_id=the_event().pk, number=1, table=2, games=(0, 1), points=(7, 32))
        pair.hand_back()
        rename_event(event_id=pair.event.pk, name="Le mardi", held_on=pair.event.held_on)
        pair.hand_over()
        pair.hand_back()
        pair.assert_equal()
        assert the_event().name == "Le mardi"

    def test_knows_the_same_people_after_it_was_there_and_back(self, pair: Pair) -> None:
        with pair.site.here():
            forgotten = Person.objects.filter(pk=the_event().entries.get(number=1).player_1_id)
            forgotten.update(name="Personne", folded_name="personne", anonymized_at=timezone.now())
        people = set(pair.event.club.people.values_list("pk", flat=True))
        entries = dict(pair.event.entries.values_list("pk", "player_1"))
        pair.hand_over()
        pair.hand_back()
        assert set(pair.event.club.people.values_list("pk", flat=True)) == people
        assert dict(the_event().entries.values_list("pk", "player_1")) == entries
        assert not the_event().is_mirror
        with pair.site.here():
            assert Club.objects.get().people.count() == len(people)


class TestTheLostLaptop:
    def test_follows_what_was_led_at_the_site_and_says_what_it_puts_away(self, pair: Pair) -> None:
        pair.network.spoil = lambda method, path, count: Fault.RESET
        for hand in (1, 2, 3):
            mark(matches_of(pair.event)[0], "A 6 made", number=hand)
        mark(matches_of(pair.event)[1], "A 6 made")
        pair.press("/lead", there=True)
        with pair.site.here():
            mark(matches_of(the_event())[1], "B 7 made")
        pair.network.spoil = no_fault
        pair.catch_up()
        with pair.site.here():
            assert marks_at(the_event(), 2) == 1
        assert marks_at(pair.event, 1) == 3
        page = pair.press("/follow")
        assert "round 1, table 1: 3 hands; round 1, table 2: 1 hand." in page.text
        pair.event.refresh_from_db()
        assert pair.event.is_put_away
        assert marks_at(pair.event, 1) == 3
        assert pair.event.actions.exists()
        assert the_event().is_mirror
        pair.assert_equal()
        with pair.site.here():
            mark(matches_of(the_event())[0], "B 6 made")
        pair.assert_equal()
        pair.hand_back()
        mark(matches_of(the_event())[0], "A 6 made", number=2)
        pair.assert_equal()

    def test_that_two_lead_is_said_at_both_and_neither_takes_from_the_other(self, pair: Pair) -> None:
        pair.press("/lead", there=True)
        mark(matches_of(pair.event)[0], "A 6 made")
        pair.catch_up()
        assert pair.disputes() == ("mirror_is_led_here", "mirror_is_led_here")
        assert "Both installations run this night" in pair.page().text
        assert "Both installations run this night" in pair.page(there=True).text
        assert marks_at(pair.event, 1) == 1
        assert not the_event().is_mirror
        pair.press("/anew", there=True)
        pair.assert_equal()
        assert pair.disputes() == (None, None)


class TestARestoredSide:
    """One goes on with what it was before; the other has gone on."""

    @pytest.mark.parametrize("is_paired_anew", [False, True])
    def test_a_laptop_that_mirrors_catches_up_from_an_older_copy(
        self, pair: Pair, is_paired_anew: bool
    ) -> None:
        mark(matches_of(pair.event)[0], "A 6 made")
        pair.hand_over()
        with pair.site.here():
            mark(matches_of(the_event())[0], "B 6 made", number=2)
        pair.catch_up()
        older = transaction.savepoint()
        for hand in (3, 4):
            with pair.site.here():
                mark(matches_of(the_event())[0], "A 6 made", number=hand)
            pair.catch_up()
        transaction.savepoint_rollback(older)
        if is_paired_anew:
            pair.press("/leave")
            paired_again(pair)
        pair.assert_equal()
        assert marks_at(the_event(), 1) == 4
        assert pair.disputes() == (None, None)

    def test_a_site_that_mirrors_catches_up_from_an_older_copy(self, pair: Pair) -> None:
        pair.catch_up()
        older = pair.site.copied()
        for hand in (1, 2, 3):
            mark(matches_of(pair.event)[0], "A 6 made", number=hand)
            pair.catch_up()
        pair.site.restore(older)
        mark(matches_of(pair.event)[0], "A 6 made", number=4)
        pair.assert_equal()
        assert pair.disputes() == (None, None)

    def test_a_site_that_does_not_know_the_night_any_more_gets_it_again(self, pair: Pair) -> None:
        pair.press("/anew", there=True)
        with pair.site.here():
            assert not Event.objects.filter(is_put_away=False).exists()
        pair.assert_equal()

    def test_a_site_that_led_and_was_restored_is_not_silently_behind_its_copy(self, pair: Pair) -> None:
        pair.hand_over()
        older = pair.site.copied()
        for hand in (1, 2):
            with pair.site.here():
                mark(matches_of(the_event())[0], "A 6 made", number=hand)
            pair.catch_up()
        pair.site.restore(older)
        pair.catch_up()
        assert pair.disputes() == ("copy_here_differs", "copy_there_differs")
        assert "This copy has changes missing where the night runs" in pair.page().text
        assert "The other copy has changes missing here" in pair.page(there=True).text
        assert marks_at(the_event(), 1) == 2
        pair.press("/follow")
        pair.assert_equal()
        assert pair.disputes() == (None, None)
        assert Event.objects.filter(is_put_away=True).count() == 1

    def test_that_nobody_leads_after_a_restore_is_said_at_both_and_settled_by_one_button(
        self, pair: Pair
    ) -> None:
        pair.catch_up()
        older = pair.site.copied()  # from before it led
        pair.hand_over()
        with pair.site.here():
            mark(matches_of(the_event())[0], "A 6 made")
        pair.catch_up()
        pair.site.restore(older)
        pair.catch_up()
        assert pair.disputes() == ("nobody_leads", "nobody_leads")
        desk = pair.laptop.open(f"/e/{pair.event.short}/desk")
        assert "Neither installation runs this night." in desk.text
        assert desk.link("Choose where it runs") == f"/club/{pair.event.club.slug}/mirrors"
        pair.press("/lead")
        mark(matches_of(the_event())[0], "A 6 made", number=2)
        pair.assert_equal()
        assert pair.disputes() == (None, None)
        assert marks_at(the_event(), 1) == 2

    def test_a_laptop_from_before_it_handed_over_is_told_that_the_site_leads_too(self, pair: Pair) -> None:
        older = transaction.savepoint()
        pair.hand_over()
        with pair.site.here():
            mark(matches_of(the_event())[0], "A 6 made")
        pair.catch_up()
        transaction.savepoint_rollback(older)
        mark(matches_of(the_event())[1], "A 6 made")
        pair.catch_up()
        assert pair.disputes() == ("mirror_is_led_here", "mirror_is_led_here")
        pair.press("/follow")
        pair.assert_equal()

    def test_a_handover_that_cannot_be_taken_is_said_at_both(self, pair: Pair) -> None:
        pair.hand_over()
        older = pair.site.copied()
        with pair.site.here():
            mark(matches_of(the_event())[0], "A 6 made")
        pair.catch_up()
        pair.site.restore(older)
        pair.press("/hand", there=True)
        pair.catch_up()
        assert pair.disputes() == ("copy_here_differs", "copy_there_differs")
        pair.press("/lead")
        pair.catch_up()
        assert marks_at(the_event(), 1) == 1


class TestAnArchivedNight:
    def test_nobody_leads_a_night_that_the_laptop_has_archived(self, pair: Pair) -> None:
        pair.hand_over()
        pair.hand_back()
        owner = Actor(account=Account.objects.get())
        begin_mirror_anew(club_id=pair.event.club_id, event_id=pair.event.pk, by=owner)
        pair.catch_up()
        with pair.site.here():
            assert _dispute() == "nobody_leads"


class TestAnAnnouncedNight:
    @pytest.mark.snapshot
    def test_is_led_by_the_laptop_and_keeps_its_address_and_its_entries(self, pair: Pair) -> None:
        with pair.site.here():
            club = Club.objects.get()
            announced = an_event(4, club=club)
            rename_event(event_id=announced.pk, name="Annoncée", held_on=timezone.localdate())
            entries = list(announced.entries.values_list("pk", flat=True))
            owner = Browser(account=Account.objects.get())
            page = owner.open(f"/club/{club.slug}/mirrors")
            assert owner.send(page, page.form(f"/{announced.pk}/hand")).status == 200
        pair.catch_up()
        here = Event.objects.select_related("club", "terms").get(name="Annoncée")
        assert not here.is_mirror
        add_entries(event_id=here.pk, entries={5: ("Anne Tremblay", "Paul Tremblay")})
        pair.catch_up()
        with pair.site.here():
            announced.refresh_from_db()
            assert announced.is_mirror
            assert announced.entries.count() == 5
            assert list(announced.entries.values_list("pk", flat=True))[:4] == entries
            assert Event.objects.filter(name="Annoncée").count() == 1


class TestAFile:
    def test_goes_there_and_back_on_a_stick(self, pair: Pair) -> None:
        pair.network.spoil = lambda method, path, count: Fault.RESET
        mark(matches_of(pair.event)[0], "A 6 made")
        pair.press("/hand")
        carry(pair, there=True)
        with pair.site.here():
            assert not the_event().is_mirror
            mark(matches_of(the_event())[0], "B 6 made", number=2)
        carry(pair, there=False)
        assert marks_at(pair.event, 1) == 2
        pair.press("/hand", there=True)
        carry(pair, there=False)
        mark(matches_of(the_event())[0], "A 6 made", number=3)
        pair.network.spoil = no_fault
        pair.assert_equal()

    def test_that_is_older_changes_nothing_and_one_that_is_none_is_refused(self, pair: Pair) -> None:
        old = saved(pair, there=False)
        mark(matches_of(pair.event)[0], "A 6 made")
        pair.assert_equal()
        assert "This file is out of date." in taken(pair, old, there=True).said_at("file")
        assert "Damaged file, or not from another installation" in taken(
            pair, b"nothing", there=True
        ).said_at("file")
        pair.assert_equal()


def saved(pair: Pair, *, there: bool) -> bytes:
    content: bytes = pair.press("/file", there=there).response.content
    return content


def taken(pair: Pair, packed: bytes, *, there: bool) -> Page:
    return pair.press("/mirrors/file", there=there, file=SimpleUploadedFile("x.charlemagne", packed))


def carry(pair: Pair, *, there: bool) -> None:
    """A file of the one that leads, to the other."""
    taken(pair, saved(pair, there=not there), there=there)
