"""Two installations, each with its own database, linked by an unreliable network."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
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
from live.revisions import get_revision
from tests.builders import (
    build_account,
    build_club,
    build_event,
    build_running_night,
    mark,
    matches_of,
    start_next_round,
    win,
)
from tests.spoiling_proxy import Delay, Fault, FaultKind, SpoilingProxy, find_no_fault
from tests.support.browser import Browser, Page
from tests.support.other_installation import OtherInstallation, run_other_installation
from tests.tournaments.alerts.test_alerts import run_worker
from tournaments.entries.services.entries import add_entries
from tournaments.event_files import parsing
from tournaments.event_files.queries import build_event_file
from tournaments.event_files.schema import SCHEMAS, VERSION
from tournaments.events.services.settings import rename_event
from tournaments.fee_rates import Rates
from tournaments.mirrors.agreement import HANDOVER_TIMEOUT
from tournaments.mirrors.presenters import get_dispute
from tournaments.mirrors.services.delivery import KNOWN_REFUSALS, build_refusal, enqueue_due_snapshots
from tournaments.mirrors.services.leadership import restart_mirror
from tournaments.mirrors.services.polling import enqueue_due_polls
from tournaments.mirrors.tasks import sweep_snapshots
from tournaments.models import Event, Mirror, PublicSite, SentEvent
from tournaments.money.services.fees import change_rates, record_fee
from tournaments.rounds.services.rounds import close_round
from tournaments.rounds.services.tables import adjust_table
from tournaments.standings.services import refresh_standings
from wording.sentences import get_sentence

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

SPOILS: tuple[FaultKind | None, ...] = (
    *(Fault.DROP_ANSWER, Fault.DUPLICATE, Fault.RESET, Delay(0.2), Fault.CUT_BODY, None),
    *(Fault.PORTAL, Fault.DROP_BEFORE),
)
DIFFERENT_VERSIONS = "One computer cannot read the other’s data. Update the program on both."


@pytest.fixture
def site(tmp_path: Path) -> Iterator[OtherInstallation]:
    with run_other_installation(tmp_path / "site.sqlite3") as other:
        yield other


def run_worker_now() -> None:
    """Run the worker with all pauses over: it sends new snapshots and polls for others."""
    SentEvent.objects.update(due_at=timezone.now())
    PublicSite.objects.update(asked_at=None)
    enqueue_due_snapshots()
    enqueue_due_polls()
    run_worker()


def sum_of_event() -> Any:
    """Return the event file's checksum, which two people can compare by reading it aloud."""
    event = Event.objects.select_related("club", "terms").get(is_put_away=False)
    refresh_standings(event_id=event.pk)
    return build_event_file(event)["sum"]


def reset_pairing_time(pair: Pair) -> None:
    with pair.site.activate():
        owner = Browser(account=Account.objects.get())
        page = owner.open(f"/club/{Club.objects.get().slug}/mirrors")
        secret = re.search(r"/mirror/pairings#([\w-]+)", owner.send(page, page.find_form("/link")).text)
    assert secret is not None
    pair.press("/pair", link=f"{pair.network.url}/mirror/pairings#{secret[1]}")
    PublicSite.objects.update(paired_at="2026-01-01T00:00Z")  # before the night that the builders create


def pair_installations(laptop: Browser, club: Club, site: OtherInstallation, network: SpoilingProxy) -> str:
    """Link the two installations as their owners do, and return the text of the laptop's page."""
    with site.activate():
        there = build_club("Le site", owner=build_account())
        owner = Browser(account=Account.objects.get())
        page = owner.open(f"/club/{there.slug}/mirrors")
        shown = owner.send(page, page.find_form("/link"))
        secret = re.search(r"/mirror/pairings#([\w-]+)", shown.text)
    assert secret is not None, shown.text
    page = laptop.open(f"/club/{club.slug}/mirrors")
    answer = request_pairing(laptop, page, "/pair", link=f"{network.url}/mirror/pairings#{secret[1]}")
    PublicSite.objects.update(paired_at="2026-01-01T00:00Z")  # before the night that the builders create
    return answer.text


def request_pairing(owner: Browser, page: Page, action: str, **typed: Any) -> Page:
    """Send a form; after a request to pair or follow, run the worker and return the updated page."""
    answer = owner.send(page, page.find_form(action), **typed)
    if action in ("/pair", "/follow") and answer.status == 200:
        run_worker()
        answer = owner.open(answer.path)
    return answer


@pytest.mark.long
def test_linked_copies_stay_equal_over_an_unreliable_network(site: OtherInstallation, settings: Any) -> None:
    settings.LOCAL_TARGETS = ["127.0.0.0/8"]
    event = build_running_night(club=build_club(owner=build_account()))
    laptop = Browser(account=Account.objects.get())
    with SpoilingProxy(site.port) as network:
        assert "(Le site)" in pair_installations(laptop, event.club, site, network)

        network.spoil = lambda method, path, count: SPOILS[count % len(SPOILS)]
        first, second = matches_of(event)
        for hand in range(1, 4):
            for match in (first, second):
                mark(match, f"{'AB'[hand % 2]} 6 made", number=hand)
                for _ in range(3):
                    run_worker_now()
        assert len(network.requests) > len(SPOILS)

        network.spoil = lambda method, path, count: Fault.RESET  # the cable is out
        for match in (first, second):
            win(match)
        close_round(event_id=event.pk, number=1)
        start_next_round(event, seed=2)
        run_worker_now()
        assert "The public site is not responding" in laptop.open(f"/e/{event.short}/desk").text

        network.spoil = find_no_fault
        for _ in range(3):  # the worker recomputes standings after the last hands and sends them again
            run_worker_now()
        assert "Public site: up to date" in laptop.open(f"/e/{event.short}/desk").text
    short = SentEvent.objects.get().page.rpartition("/")[2]
    here = sum_of_event()
    with site.activate():
        assert "Copy from the computer in the hall, as of" in Browser().open(f"/e/{short}").text
        assert sum_of_event() == here


def test_wrong_pairing_link_is_reported_and_can_be_replaced(site: OtherInstallation, settings: Any) -> None:
    settings.LOCAL_TARGETS = ["127.0.0.0/8"]
    club = build_club(owner=build_account())
    laptop = Browser(account=Account.objects.get())
    page = laptop.open(f"/club/{club.slug}/mirrors")
    for link, message in (
        ("https://example.org/", "This is not a public site’s link"),
        (f"http://127.0.0.1:{site.port}/mirror/pairings#guessed", "This link was used or has expired"),
        ("http://127.0.0.1:9/mirror/pairings#guessed", "127.0.0.1 is not responding"),
    ):
        answer = request_pairing(laptop, page, "/pair", link=link)
        assert message in answer.text
    with SpoilingProxy(site.port) as network:
        network.spoil = lambda method, path, count: Fault.PORTAL
        answer = request_pairing(laptop, page, "/pair", link=f"{network.url}/mirror/pairings#guessed")
        assert "Not a Charlemagne public site (response" in answer.text
        network.spoil = find_no_fault
        assert "(Le site)" in pair_installations(laptop, club, site, network)


@pytest.mark.long
def test_worker_contacts_a_slow_site_in_the_background(settings: Any) -> None:
    settings.LOCAL_TARGETS = ["127.0.0.0/8"]
    club = build_club(owner=build_account())
    laptop = Browser(account=Account.objects.get())
    page = laptop.open(f"/club/{club.slug}/mirrors")
    with SpoilingProxy(9) as network:
        answer = laptop.send(page, page.find_form("/pair"), link=f"{network.url}/mirror/pairings#secret")
        assert not network.requests
        assert "Linking to the public site" in answer.find_one(id="jobs").text
        stopped = laptop.send(answer, answer.find_form("/stop"))
    assert "Stopped early." in stopped.find_one(id="jobs").text
    assert Job.objects.get().topic == f"mirrors:{club.pk}"
    assert "secret" not in Job.objects.get().key


def _get_dispute_code() -> str | None:
    trouble = get_dispute(get_event())
    return None if trouble is None else str(trouble["code"])


@dataclass
class Pair:
    """A night on the laptop, mirrored by the public site, and an owner of each installation."""

    event: Event
    laptop: Browser
    site: OtherInstallation
    network: SpoilingProxy

    def press(self, action: str, *, there: bool = False, **typed: Any) -> Page:
        """Press a button on the page of linked installations, on the laptop or on the public site."""
        if not there:
            return self._press(self.laptop, self.event.club.slug, action, typed)
        with self.site.activate():
            owner = Browser(account=Account.objects.get())
            return self._press(owner, Club.objects.get().slug, action, typed)

    def _press(self, owner: Browser, slug: str, action: str, typed: dict[str, Any]) -> Page:
        page = owner.open(f"/club/{slug}/mirrors")
        answer = request_pairing(owner, page, action, **typed)
        assert answer.status in (200, 422), answer.text
        return answer

    def activate(self, *, there: bool) -> AbstractContextManager[None]:
        return self.site.activate() if there else nullcontext()

    def open_desk(self, *, there: bool = False) -> Page:
        if not there:
            return self.laptop.open(f"/e/{get_event().short}/desk")
        with self.site.activate():
            return Browser(account=Account.objects.get()).open(f"/e/{get_event().short}/desk")

    def open_page(self, *, there: bool = False) -> Page:
        if not there:
            return self.laptop.open(f"/club/{self.event.club.slug}/mirrors")
        with self.site.activate():
            return Browser(account=Account.objects.get()).open(f"/club/{Club.objects.get().slug}/mirrors")

    def get_disputes(self) -> tuple[str | None, str | None]:
        """Return the dispute that an owner must settle, as reported by the laptop and by the public site."""
        here = _get_dispute_code()
        with self.site.activate():
            return here, _get_dispute_code()

    def catch_up(self) -> None:
        for _ in range(4):
            run_worker_now()

    def wait_for_a_minute(self) -> None:
        """Run the workers of both, as if a minute had passed since a handover."""
        for installation in (nullcontext(), self.site.activate()):
            with installation:
                Mirror.objects.update(as_of=timezone.now() - HANDOVER_TIMEOUT)
                sweep_snapshots()
        self.catch_up()

    def hand_over(self) -> None:
        self.press("/hand")
        self.catch_up()

    def hand_back(self) -> None:
        self.press("/hand", there=True)
        self.catch_up()

    def assert_equal(self) -> None:
        self.catch_up()
        here = sum_of_event()
        with self.site.activate():
            run_worker()
            assert sum_of_event() == here


@pytest.fixture
def pair(site: OtherInstallation, settings: Any) -> Iterator[Pair]:
    settings.LOCAL_TARGETS = ["127.0.0.0/8"]
    event = build_running_night(club=build_club(owner=build_account()))
    laptop = Browser(account=Account.objects.get())
    with SpoilingProxy(site.port) as network:
        pair_installations(laptop, event.club, site, network)
        run_worker_now()
        yield Pair(event=event, laptop=laptop, site=site, network=network)


def get_event() -> Event:
    return Event.objects.select_related("club", "terms").get(is_put_away=False)


def count_marks(event: Event, table: int) -> int:
    """Return the number of marks at that table of round 1."""
    return int(matches_of(event)[table - 1].marks.count())


class TestHandover:
    @pytest.mark.long
    def test_handover_and_return_preserve_every_change(self, pair: Pair) -> None:
        mark(matches_of(pair.event)[0], "A 6 made")
        person_id = pair.event.entries.get(number=1).player_1_id
        change_rates(event_id=pair.event.pk, rates=Rates(member=500, guest=500))
        record_fee(event_id=pair.event.pk, person_id=person_id, paid=300, other=None)
        history = list(pair.event.actions.order_by("pk").values_list("kind", "created_at"))
        pair.hand_over()
        assert get_event().is_mirror
        with pair.site.activate():
            there = get_event()
            assert not there.is_mirror
            assert list(there.actions.order_by("pk").values_list("kind", "created_at"))[:-1] == history
            fee = there.fees.get()
            assert fee.paid == 300
            record_fee(event_id=there.pk, person_id=fee.person_id, paid=500, other=None)
            mark(matches_of(there)[0], "B 6 made", number=2)
            win(matches_of(there)[1])
        pair.catch_up()
        assert count_marks(pair.event, 1) == 2
        pair.assert_equal()
        pair.hand_back()
        assert not get_event().is_mirror
        assert [(fee.person_id, fee.paid) for fee in pair.event.fees.all()] == [(person_id, 500)]
        for match in matches_of(get_event())[:1]:
            win(match)
        close_round(event_id=pair.event.pk, number=1)
        start_next_round(get_event(), seed=2)
        pair.assert_equal()
        with pair.site.activate():
            assert get_event().is_mirror
            assert get_event().rounds.count() == 2

    @pytest.mark.long
    def test_public_site_records_arrival_only_of_new_data(self, pair: Pair) -> None:
        pair.hand_over()
        with pair.site.activate():
            mark(matches_of(get_event())[0], "A 6 made")
        arrived = []
        for _ in range(2):
            pair.catch_up()
            with pair.site.activate():
                arrived.append(SentEvent.objects.get().arrived_at)
        assert arrived[0] == arrived[1] is not None

    @pytest.mark.long
    def test_handover_survives_lost_answers(self, pair: Pair) -> None:
        pair.network.spoil = lambda method, path, count: (None, Fault.DROP_ANSWER, Fault.CUT_BODY)[count % 3]
        for hand in range(1, 5):
            mark(matches_of(get_event())[0], "A 6 made", number=2 * hand - 1)
            pair.press("/hand")
            for _ in range(4):
                pair.catch_up()
            with pair.site.activate():
                mark(matches_of(get_event())[0], "B 6 made", number=2 * hand)
            pair.press("/hand", there=True)
            for _ in range(4):
                pair.catch_up()
        assert count_marks(get_event(), 1) == 8
        pair.network.spoil = find_no_fault
        pair.assert_equal()

    @pytest.mark.parametrize("is_back", [False, True])
    def test_giver_reports_a_handover_and_its_acceptance_at_once(self, pair: Pair, is_back: bool) -> None:
        if is_back:
            pair.hand_over()
        other = "laptop of" if is_back else "public site"
        copy = f"Copy from the {'computer in the hall' if is_back else other}"
        pair.press("/hand", there=is_back)
        with pair.activate(there=is_back):
            pending_revision = get_revision(get_event().topic)
        desk = pair.open_desk(there=is_back)
        assert f"Handed over to the {other}" in desk.text
        assert copy not in desk.text
        pair.catch_up()
        with pair.activate(there=is_back):
            assert get_revision(get_event().topic) > pending_revision
        assert copy in pair.open_desk(there=is_back).text

    def test_pending_handover_blocks_marks_and_can_be_cancelled(self, pair: Pair) -> None:
        pair.network.spoil = lambda method, path, count: Fault.RESET
        page = pair.press("/hand")
        assert "Handed over to the public site, which takes over once it has everything" in page.text
        assert "Public site lost?" in page.text
        pair.wait_for_a_minute()
        assert "Handed over, but not taken yet" in pair.open_desk().text
        with pytest.raises(Refusal, match="led_elsewhere"):
            mark(matches_of(get_event())[0], "A 6 made")
        pair.catch_up()
        pair.press("/lead")
        mark(matches_of(get_event())[0], "A 6 made")
        pair.network.spoil = find_no_fault
        pair.assert_equal()
        with pair.site.activate():
            assert get_event().is_mirror

    @pytest.mark.long
    @pytest.mark.parametrize("is_back", [False, True])
    def test_handover_and_takeover_at_once_name_the_missing_changes(self, pair: Pair, is_back: bool) -> None:
        if is_back:
            pair.hand_over()
        pair.network.spoil = lambda method, path, count: Fault.RESET
        pair.press("/hand", there=is_back)
        pair.press("/lead", there=not is_back)
        pair.network.spoil = find_no_fault
        pair.catch_up()
        pair.wait_for_a_minute()
        copy = ("copy_here_differs", "copy_there_differs")
        assert pair.get_disputes() == (copy[::-1] if is_back else copy)
        pair.press("/anew" if is_back else "/follow", there=is_back)
        pair.assert_equal()
        assert pair.get_disputes() == (None, None)

    @pytest.mark.long
    def test_two_handovers_at_once_leave_nobody_in_the_lead(self, pair: Pair) -> None:
        pair.network.spoil = lambda method, path, count: Fault.RESET
        pair.press("/lead", there=True)
        pair.press("/hand")
        pair.press("/hand", there=True)
        pair.network.spoil = find_no_fault
        pair.catch_up()
        assert pair.get_disputes() == ("nobody_leads", "nobody_leads")
        pair.press("/lead")
        pair.catch_up()
        pair.press("/anew", there=True)
        pair.assert_equal()
        assert pair.get_disputes() == (None, None)

    @pytest.mark.long
    def test_handover_preserves_rulings_and_changes_of_both_sides(self, pair: Pair) -> None:
        adjust_table(event_id=pair.event.pk, number=1, table=1, games=(1, 0), points=(32, 5))
        pair.hand_over()
        with pair.site.activate():
            adjust_table(event_id=get_event().pk, number=1, table=2, games=(0, 1), points=(7, 32))
        pair.hand_back()
        rename_event(event_id=pair.event.pk, name="Le mardi", held_on=pair.event.held_on)
        pair.hand_over()
        pair.hand_back()
        pair.assert_equal()
        assert get_event().name == "Le mardi"

    @pytest.mark.long
    def test_handover_and_return_preserve_people(self, pair: Pair) -> None:
        with pair.site.activate():
            forgotten = Person.objects.filter(pk=get_event().entries.get(number=1).player_1_id)
            forgotten.update(name="Personne", folded_name="personne", anonymized_at=timezone.now())
        people = set(pair.event.club.people.values_list("pk", flat=True))
        entries = dict(pair.event.entries.values_list("pk", "player_1"))
        pair.hand_over()
        pair.hand_back()
        assert set(pair.event.club.people.values_list("pk", flat=True)) == people
        assert dict(get_event().entries.values_list("pk", "player_1")) == entries
        assert not get_event().is_mirror
        with pair.site.activate():
            assert Club.objects.get().people.count() == len(people)


@pytest.mark.long
class TestRecoveredLaptop:
    def test_recovered_laptop_follows_the_site_and_names_discarded_changes(self, pair: Pair) -> None:
        pair.network.spoil = lambda method, path, count: Fault.RESET
        for hand in (1, 2, 3):
            mark(matches_of(pair.event)[0], "A 6 made", number=hand)
        mark(matches_of(pair.event)[1], "A 6 made")
        pair.press("/lead", there=True)
        with pair.site.activate():
            mark(matches_of(get_event())[1], "B 7 made")
        pair.network.spoil = find_no_fault
        pair.catch_up()
        with pair.site.activate():
            assert count_marks(get_event(), 2) == 1
        assert count_marks(pair.event, 1) == 3
        page = pair.press("/follow")
        assert "round 1, table 1: 3 hands; round 1, table 2: 1 hand." in page.text
        pair.event.refresh_from_db()
        assert pair.event.is_put_away
        assert count_marks(pair.event, 1) == 3
        assert pair.event.actions.exists()
        assert get_event().is_mirror
        pair.assert_equal()
        with pair.site.activate():
            mark(matches_of(get_event())[0], "B 6 made")
        pair.assert_equal()
        pair.hand_back()
        mark(matches_of(get_event())[0], "A 6 made", number=2)
        pair.assert_equal()

    def test_two_leaders_are_reported_at_both_sides(self, pair: Pair) -> None:
        pair.press("/lead", there=True)
        mark(matches_of(pair.event)[0], "A 6 made")
        pair.catch_up()
        assert pair.get_disputes() == ("mirror_is_led_here", "mirror_is_led_here")
        assert "Both installations run this night" in pair.open_page().text
        assert "Both installations run this night" in pair.open_page(there=True).text
        assert count_marks(pair.event, 1) == 1
        assert not get_event().is_mirror
        pair.press("/anew", there=True)
        pair.assert_equal()
        assert pair.get_disputes() == (None, None)


class TestRestoredInstallation:
    """An installation restored from an older copy, while the other continued."""

    @pytest.mark.parametrize("is_paired_anew", [False, True])
    def test_restored_laptop_mirror_catches_up(self, pair: Pair, is_paired_anew: bool) -> None:
        mark(matches_of(pair.event)[0], "A 6 made")
        pair.hand_over()
        with pair.site.activate():
            mark(matches_of(get_event())[0], "B 6 made", number=2)
        pair.catch_up()
        older = transaction.savepoint()
        for hand in (3, 4):
            with pair.site.activate():
                mark(matches_of(get_event())[0], "A 6 made", number=hand)
            pair.catch_up()
        transaction.savepoint_rollback(older)
        if is_paired_anew:
            pair.press("/leave")
            reset_pairing_time(pair)
        pair.assert_equal()
        assert count_marks(get_event(), 1) == 4
        assert pair.get_disputes() == (None, None)

    @pytest.mark.long
    def test_restored_site_mirror_catches_up(self, pair: Pair) -> None:
        pair.catch_up()
        older = pair.site.copy_database()
        for hand in (1, 2, 3):
            mark(matches_of(pair.event)[0], "A 6 made", number=hand)
            pair.catch_up()
        pair.site.restore(older)
        mark(matches_of(pair.event)[0], "A 6 made", number=4)
        pair.assert_equal()
        assert pair.get_disputes() == (None, None)

    @pytest.mark.long
    def test_site_without_the_night_receives_it_again(self, pair: Pair) -> None:
        pair.press("/anew", there=True)
        with pair.site.activate():
            assert not Event.objects.filter(is_put_away=False).exists()
        pair.assert_equal()

    @pytest.mark.long
    def test_restored_leading_site_reports_missing_changes(self, pair: Pair) -> None:
        pair.hand_over()
        older = pair.site.copy_database()
        for hand in (1, 2):
            with pair.site.activate():
                mark(matches_of(get_event())[0], "A 6 made", number=hand)
            pair.catch_up()
        pair.site.restore(older)
        pair.catch_up()
        assert pair.get_disputes() == ("copy_here_differs", "copy_there_differs")
        assert "This copy has changes missing where the night runs" in pair.open_page().text
        assert "The other copy has changes missing here" in pair.open_page(there=True).text
        assert count_marks(get_event(), 1) == 2
        pair.press("/follow")
        pair.assert_equal()
        assert pair.get_disputes() == (None, None)
        assert Event.objects.filter(is_put_away=True).count() == 1

    def test_missing_leader_is_reported_and_resolved_with_one_button(self, pair: Pair) -> None:
        pair.catch_up()
        older = pair.site.copy_database()  # from before the site led
        pair.hand_over()
        with pair.site.activate():
            mark(matches_of(get_event())[0], "A 6 made")
        pair.catch_up()
        pair.site.restore(older)
        pair.catch_up()
        assert pair.get_disputes() == ("nobody_leads", "nobody_leads")
        desk = pair.laptop.open(f"/e/{pair.event.short}/desk")
        assert "Neither installation runs this night." in desk.text
        assert desk.find_link("Choose which computer runs it") == f"/club/{pair.event.club.slug}/mirrors"
        pair.press("/lead")
        mark(matches_of(get_event())[0], "A 6 made", number=2)
        pair.assert_equal()
        assert pair.get_disputes() == (None, None)
        assert count_marks(get_event(), 1) == 2

    def test_laptop_restored_to_before_a_handover_reports_two_leaders(self, pair: Pair) -> None:
        older = transaction.savepoint()
        pair.hand_over()
        with pair.site.activate():
            mark(matches_of(get_event())[0], "A 6 made")
        pair.catch_up()
        transaction.savepoint_rollback(older)
        mark(matches_of(get_event())[1], "A 6 made")
        pair.catch_up()
        assert pair.get_disputes() == ("mirror_is_led_here", "mirror_is_led_here")
        pair.press("/follow")
        pair.assert_equal()

    @pytest.mark.long
    def test_impossible_handover_is_reported_at_both_sides(self, pair: Pair) -> None:
        pair.hand_over()
        older = pair.site.copy_database()
        with pair.site.activate():
            mark(matches_of(get_event())[0], "A 6 made")
        pair.catch_up()
        pair.site.restore(older)
        pair.press("/hand", there=True)
        pair.catch_up()
        assert pair.get_disputes() == ("copy_here_differs", "copy_there_differs")
        pair.press("/lead")
        pair.catch_up()
        assert count_marks(get_event(), 1) == 1


class TestDifferentVersions:
    """One installation was upgraded; the other does not read its files."""

    @pytest.fixture
    def forget_newest_format(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
        """Return a function after which event files of the newest format are unknown, at both."""
        older = {version: schema for version, schema in SCHEMAS.items() if version != VERSION}
        return lambda: monkeypatch.setattr(parsing, "SCHEMAS", older)

    def test_older_site_is_reported_and_catches_up_once_upgraded(
        self, pair: Pair, forget_newest_format: Callable[[], None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        forget_newest_format()
        mark(matches_of(pair.event)[0], "A 6 made")
        pair.catch_up()
        for page in (pair.laptop.open(f"/e/{pair.event.short}/desk"), pair.open_page()):
            assert page.status == 200
            assert DIFFERENT_VERSIONS in page.text
        assert DIFFERENT_VERSIONS in pair.press("/hand").text
        mark(matches_of(pair.event)[0], "A 6 made", number=2)
        refused = upload_package(pair, download_package(pair, there=False), there=True)
        assert DIFFERENT_VERSIONS in refused.get_field_error("file")
        monkeypatch.undo()
        pair.assert_equal()

    @pytest.mark.parametrize("to_site", [True, False])
    def test_handover_to_an_older_installation_is_reported_at_both_desks(
        self, pair: Pair, forget_newest_format: Callable[[], None], monkeypatch: pytest.MonkeyPatch, to_site: bool
    ) -> None:
        if not to_site:
            pair.hand_over()
        forget_newest_format()
        pair.press("/hand", there=not to_site)
        pair.catch_up()
        pair.wait_for_a_minute()
        assert "Handed over, but not taken yet" in pair.open_desk(there=not to_site).text
        assert DIFFERENT_VERSIONS in pair.open_desk(there=to_site).text
        monkeypatch.undo()
        pair.assert_equal()
        assert pair.get_disputes() == (None, None)
        assert get_event().is_mirror is to_site

    @pytest.mark.long
    @pytest.mark.parametrize("code", [*sorted(KNOWN_REFUSALS), "event_file_version", "event_file_unsound", "of_later"])
    def test_each_refusal_of_another_version_has_a_sentence(self, code: str) -> None:
        assert get_sentence(build_refusal(409, {"code": code}))

    @pytest.mark.parametrize(
        ("status", "sentence"),
        [(413, "too large to send"), (429, "has a problem"), (503, "has a problem"), (404, "Not a Charlemagne")],
    )
    def test_answers_from_before_the_site_are_told_apart(self, status: int, sentence: str) -> None:
        assert sentence in get_sentence(build_refusal(status, {}))


class TestArchivedMirroredNight:
    @pytest.mark.long
    def test_archiving_on_the_laptop_leaves_no_leader(self, pair: Pair) -> None:
        pair.hand_over()
        pair.hand_back()
        owner = Actor(account=Account.objects.get())
        restart_mirror(club_id=pair.event.club_id, event_id=pair.event.pk, by=owner)
        pair.catch_up()
        with pair.site.activate():
            assert _get_dispute_code() == "nobody_leads"


class TestLinkRemovedOnOneSide:
    def test_night_that_an_unlinked_site_runs_can_continue_on_the_laptop(self, pair: Pair) -> None:
        pair.hand_over()
        page = pair.press("/leave")
        assert "Run by the public site. Copy as of" in page.text
        pair.press("/lead")
        mark(matches_of(get_event())[0], "A 6 made")

    def test_night_is_not_handed_over_to_a_site_that_unlinked_the_laptop(self, pair: Pair) -> None:
        pair.press("/end", there=True)
        mark(matches_of(pair.event)[0], "A 6 made")
        pair.catch_up()
        assert "has unlinked this computer. Link the two again." in pair.press("/hand").text
        mark(matches_of(pair.event)[0], "A 6 made", number=2)


class TestAnnouncedNight:
    @pytest.mark.snapshot
    def test_laptop_leads_an_announced_night_at_its_address(self, pair: Pair) -> None:
        with pair.site.activate():
            club = Club.objects.get()
            announced = build_event(4, club=club)
            rename_event(event_id=announced.pk, name="Annoncée", held_on=timezone.localdate())
            entries = list(announced.entries.values_list("pk", flat=True))
            owner = Browser(account=Account.objects.get())
            page = owner.open(f"/club/{club.slug}/mirrors")
            assert owner.send(page, page.find_form(f"/{announced.pk}/hand")).status == 200
        pair.catch_up()
        here = Event.objects.select_related("club", "terms").get(name="Annoncée")
        assert not here.is_mirror
        add_entries(event_id=here.pk, entries={5: ("Anne Tremblay", "Paul Tremblay")})
        pair.catch_up()
        with pair.site.activate():
            announced.refresh_from_db()
            assert announced.is_mirror
            assert announced.entries.count() == 5
            assert list(announced.entries.values_list("pk", flat=True))[:4] == entries
            assert Event.objects.filter(name="Annoncée").count() == 1


class TestTransferFile:
    def test_night_travels_both_ways_in_a_file(self, pair: Pair) -> None:
        pair.network.spoil = lambda method, path, count: Fault.RESET
        mark(matches_of(pair.event)[0], "A 6 made")
        pair.press("/hand")
        carry(pair, there=True)
        with pair.site.activate():
            assert not get_event().is_mirror
            mark(matches_of(get_event())[0], "B 6 made", number=2)
        carry(pair, there=False)
        assert count_marks(pair.event, 1) == 2
        pair.press("/hand", there=True)
        carry(pair, there=False)
        mark(matches_of(get_event())[0], "A 6 made", number=3)
        pair.network.spoil = find_no_fault
        pair.assert_equal()

    def test_outdated_or_damaged_transfer_file_is_refused(self, pair: Pair) -> None:
        old = download_package(pair, there=False)
        mark(matches_of(pair.event)[0], "A 6 made")
        pair.assert_equal()
        assert "This file is out of date." in upload_package(pair, old, there=True).get_field_error("file")
        assert "Damaged file, or not from another installation" in upload_package(
            pair, b"nothing", there=True
        ).get_field_error("file")
        pair.assert_equal()


def download_package(pair: Pair, *, there: bool) -> bytes:
    content: bytes = pair.press("/file", there=there).response.content
    return content


def upload_package(pair: Pair, packed: bytes, *, there: bool) -> Page:
    return pair.press("/mirrors/file", there=there, file=SimpleUploadedFile("x.charlemagne", packed))


def carry(pair: Pair, *, there: bool) -> None:
    """Carry a file from one installation to the other."""
    upload_package(pair, download_package(pair, there=not there), there=there)
