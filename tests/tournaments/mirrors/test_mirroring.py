"""A mirror accepts only complete snapshots, in order, signed by the installation that leads the event."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.audit.log import Actor
from clubs.models import Club, Person
from clubs.services.people import find_or_add_people
from errors import Refusal
from tests.builders import build_account, build_club, build_event, build_running_night, mark, matches_of, play_round
from tests.support.browser import Browser
from tests.tournaments.alerts.test_alerts import run_worker
from tournaments.entries.services.check_in import change_attendance
from tournaments.entries.services.entries import remove_entry
from tournaments.entries.services.entry_actions import disqualify_entry, return_entry
from tournaments.event_files.queries import build_event_file
from tournaments.event_files.writer import compute_part_digests
from tournaments.events.services.lifecycle import end_event
from tournaments.mirrors.queries import build_snapshot_parts
from tournaments.mirrors.requests import build_signed_headers
from tournaments.mirrors.services import admission, delivery
from tournaments.mirrors.services.delivery import enqueue_due_snapshots
from tournaments.mirrors.services.leadership import restart_mirror
from tournaments.mirrors.services.pairing import create_pairing_link
from tournaments.mirrors.snapshots import SignedMessage, Snapshot, sign_message
from tournaments.models import Event, Mirror, Pairing, PublicSite, SentEvent
from tournaments.publishing.services.publishing import publish_final
from tournaments.rounds.services.rounds import draw_round, publish_round, unpublish_round
from tournaments.signing.services import change_signing_key, get_signing_key
from tournaments.standings.services import refresh_standings
from web.outgoing import RemoteResponse

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

EARLIER_TIME = datetime(2026, 1, 1, tzinfo=UTC)
UNREADABLE_JSON = {
    "brackets without an end": b"[" * 60_000,
    "a lone surrogate": b'{"at": [1, "\\ud800", 0, false, false], "secret": "\\ud800", "key": "a", "name": "b"}',
    "a NUL": b'{"at": [1, "\\u0000", 0, false, false], "secret": "\\u0000", "key": "a", "name": "b"}',
}


@dataclass
class Laptop:
    """The installation that leads an event, as the public site sees it."""

    event: Event
    pairing_id: UUID
    chain: UUID = field(default_factory=uuid4)
    number: int = 0
    offers: list[tuple[int, str]] = field(default_factory=list)

    def offer_snapshot(self) -> SignedMessage:
        """Sign a snapshot of the event's current state."""
        event = Event.objects.select_related("club", "terms").get(pk=self.event.pk)
        file, beside = build_snapshot_parts(event)
        self.number += 1
        snapshot = Snapshot(
            chain=self.chain,
            number=self.number,
            predecessors=list(self.offers),
            taken_at=timezone.now(),
            file=file,
            extras=beside,
        )
        signed = sign_message(snapshot.body, pairing=self.pairing_id, private=get_signing_key(event.club).private)
        self.offers.append((self.number, signed.head))
        return signed

    def send(self, client: Client) -> str:
        """Offer a snapshot; return the public site's error code, or "" if it is accepted."""
        return send_message(client, self.offer_snapshot())


def post_message(
    client: Client,
    packed: bytes,
    *,
    by: Club,
    to: str = "take-snapshot",
    pairing: str = "",
    at: datetime | None = None,
) -> Any:
    """Send these bytes in a request signed by the club, and return the public site's response."""
    pairing, path = pairing or str(Pairing.objects.latest("pk").public_id), reverse(to)
    at, private = at or timezone.now(), get_signing_key(by).private
    headers = build_signed_headers(packed, path=path, pairing=pairing, private=private, sent_at=at)
    return client.post(path, packed, content_type="application/gzip", headers=headers)


def send_message(client: Client, signed: SignedMessage) -> str:
    by = Event.objects.exclude(club__name="Le site public").latest("pk").club
    answer = post_message(client, signed.gzipped_bytes, by=by, pairing=signed.pairing)
    answer_data: dict[str, Any] = answer.json()
    assert (answer.status_code == 200) is ("code" not in answer_data)
    return str(answer_data.get("code", ""))


def build_site() -> Club:
    return build_club("Le site public", owner=build_account())


def open_owner_browser(club: Club) -> Browser:
    return Browser(account=club.memberships.get().account)


def press(owner: Browser, club: Club, action: str) -> None:
    """Press a button on the page of linked installations."""
    page = owner.open(f"/club/{club.slug}/mirrors")
    assert owner.send(page, page.find_form(action)).status == 200


def pair_laptop(client: Client, event: Event, site: Club) -> Laptop:
    owner = site.memberships.get().account
    secret = create_pairing_link(club_id=site.pk, by=Actor(account=owner))
    pairing_request = {"secret": secret, "key": get_signing_key(event.club).public, "name": event.club.name}
    answer = client.post(reverse("accept-pairing"), json.dumps(pairing_request), content_type="application/json")
    assert answer.status_code == 200, answer.content
    return Laptop(event, UUID(answer.json()["pairing"]))


def get_mirror(site: Club) -> Event:
    return Event.objects.select_related("club", "terms").get(club=site, is_put_away=False)


def assert_equal(laptop: Laptop, site: Club) -> None:
    here, there = get_mirror(site), Event.objects.select_related("club", "terms").get(pk=laptop.event.pk)
    for event in (here, there):
        refresh_standings(event_id=event.pk)
    files = [compute_part_digests(build_event_file(event)) for event in (here, there)]
    for each in files:
        each.pop("place")
        each.pop("signed", None)
    assert files[0] == files[1]


class TestMirror:
    @pytest.mark.long
    def test_mirror_matches_the_leader_after_each_step(self, client: Client) -> None:
        event, site = build_running_night(), build_site()
        laptop = pair_laptop(client, event, site)
        for step in (
            lambda: None,
            lambda: mark(matches_of(event)[0], "A 6 made"),
            lambda: play_round(event),
            lambda: draw_round(event_id=event.pk, seed=2),
            lambda: publish_round(event_id=event.pk, number=2),
            lambda: mark(matches_of(event, 2)[0], "B 7 made"),
            lambda: unpublish_round(event_id=event.pk, number=2),
        ):
            step()
            assert laptop.send(client) == ""
            assert_equal(laptop, site)

    @pytest.mark.long
    def test_mirror_follows_reverted_entry_changes(self, client: Client) -> None:
        event, site = build_running_night(), build_site()
        laptop = pair_laptop(client, event, site)
        of_entry: dict[str, Any] = {"event_id": event.pk, "number": 2}
        steps: list[Callable[[], object]] = [
            lambda: change_attendance(**of_entry, round_number=2, attendance="excused"),
            lambda: change_attendance(**of_entry, round_number=2, attendance="plays"),
            lambda: disqualify_entry(**of_entry, disqualification="Insults"),
            lambda: return_entry(**of_entry),
        ]
        for step in steps:
            step()
            assert laptop.send(client) == ""
            assert_equal(laptop, site)

    @pytest.mark.long
    def test_mirror_has_the_published_final_standings(self, client: Client) -> None:
        event, site = build_running_night(), build_site()
        laptop = pair_laptop(client, event, site)
        play_round(event)
        end_event(event_id=event.pk)
        refresh_standings(event_id=event.pk)
        publish_final(event_id=event.pk)
        assert laptop.send(client) == ""
        assert_equal(laptop, site)
        there = get_mirror(site)
        assert there.final == 1
        assert there.published_standings.get().rows == event.published_standings.get().rows

    @pytest.mark.long
    def test_mirror_keeps_the_same_people_between_snapshots(self, client: Client) -> None:
        event, site = build_running_night(), build_site()
        player = event.entries.get(number=1).player_1
        there = find_or_add_people(club=site, full_names=[player.name])[0]
        laptop = pair_laptop(client, event, site)
        assert laptop.send(client) == ""
        assert get_mirror(site).entries.get(number=1).player_1 == there
        Person.objects.filter(pk=player.pk).update(name="Quelqu’un d’autre", folded_name="quelqu'un d'autre")
        other = event.entries.get(number=2).player_1
        Person.objects.filter(pk=other.pk).update(name="Anne-Marie Roy", folded_name="anne-marie roy", is_hidden=True)
        count = site.people.count()
        mark(matches_of(event)[0], "A 6 made")
        assert laptop.send(client) == ""
        assert site.people.count() == count
        assert get_mirror(site).entries.get(number=1).player_1 == there
        came = get_mirror(site).entries.get(number=2).player_1
        assert (came.name, came.is_hidden) == ("Anne-Marie Roy", True)

    def test_mirror_keeps_entry_ids_and_address(self, client: Client) -> None:
        event, site = build_event(5), build_site()
        laptop = pair_laptop(client, event, site)
        assert laptop.send(client) == ""
        before, short = list(get_mirror(site).entries.values_list("pk", flat=True)), get_mirror(site).short
        remove_entry(event_id=event.pk, number=5)
        assert laptop.send(client) == ""
        assert list(get_mirror(site).entries.values_list("pk", flat=True)) == before[:4]
        assert get_mirror(site).short == short
        assert_equal(laptop, site)

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_mirror_page_states_its_source_and_time(self, client: Client) -> None:
        event, site = build_running_night(), build_site()
        assert pair_laptop(client, event, site).send(client) == ""
        page = Browser().open(get_mirror(site).get_absolute_url())
        assert "Copy from the computer in the hall, as of" in page.text
        assert "Copy from" not in Browser().open(event.get_absolute_url()).text

    def test_mirror_refuses_marks_and_desk_steps(self, client: Client) -> None:
        event, site = build_running_night(), build_site()
        assert pair_laptop(client, event, site).send(client) == ""
        there = get_mirror(site)
        with pytest.raises(Refusal, match="led_elsewhere"):
            mark(matches_of(there)[0], "A 6 made")
        owner = open_owner_browser(site)
        desk = owner.open(f"/e/{there.short}/desk")
        assert "Copy from the computer in the hall, as of" in desk.text
        refused = owner.send(desk, desk.find_form("/close"))
        assert refused.status == 409
        assert "Make changes on the computer that runs the night" in refused.text
        assert there.rounds.get().state == "published"


class TestMirrorSnapshots:
    def test_duplicate_snapshot_is_applied_once(self, client: Client) -> None:
        event, site = build_running_night(), build_site()
        laptop = pair_laptop(client, event, site)
        first = laptop.offer_snapshot()
        assert (send_message(client, first), send_message(client, first)) == ("", "")
        assert Mirror.objects.get().number == 1
        assert laptop.send(client) == ""

    @pytest.mark.long
    def test_missing_earlier_snapshots_do_not_matter(self, client: Client) -> None:
        event, site = build_running_night(), build_site()
        laptop = pair_laptop(client, event, site)
        assert laptop.send(client) == ""
        for number in (1, 2, 3):
            mark(matches_of(event)[0], "A 6 made", number=number)
            laptop.offer_snapshot()
        assert laptop.send(client) == ""
        assert_equal(laptop, site)

    def test_older_snapshot_changes_nothing(self, client: Client) -> None:
        event, site = build_running_night(), build_site()
        laptop = pair_laptop(client, event, site)
        late = laptop.offer_snapshot()
        play_round(event)
        assert laptop.send(client) == ""
        assert send_message(client, late) == "snapshot_older"
        assert_equal(laptop, site)

    def test_snapshot_of_a_restored_computer_needs_an_owners_choice(self, client: Client) -> None:
        event, site = build_running_night(), build_site()
        laptop = pair_laptop(client, event, site)
        assert laptop.send(client) == ""
        copy = replace(laptop, offers=list(laptop.offers))
        play_round(event)
        assert laptop.send(client) == ""
        copy.number += 5
        assert copy.send(client) == "snapshot_of_other_chain"
        mirror = get_mirror(site)
        assert mirror.rounds.get().state == "closed"
        owner = Actor(account=site.memberships.get().account)
        restart_mirror(club_id=site.pk, event_id=mirror.pk, by=owner)
        assert copy.send(client) == ""
        assert_equal(copy, site)
        mirror.refresh_from_db()
        assert mirror.is_put_away
        assert mirror.rounds.get().state == "closed"

    def test_snapshot_with_a_wrong_signature_is_refused(self, client: Client) -> None:
        event, site = build_running_night(), build_site()
        laptop = pair_laptop(client, event, site)
        signed = laptop.offer_snapshot()
        changed = signed.body.replace(b'"number":1', b'"number":2', 1)
        assert send_message(client, replace(signed, body=changed)) == "snapshot_not_signed"
        change_signing_key(club_id=event.club_id)
        assert laptop.send(client) == "snapshot_not_signed"
        assert not Event.objects.filter(club=site).exists()

    @pytest.mark.parametrize(
        "packed",
        [b"", b"nothing", gzip.compress(b"a b\n{}"), gzip.compress(b"x" * 99)],
        ids=["nothing", "not packed", "no key", "no head"],
    )
    def test_unreadable_snapshot_is_refused(self, client: Client, packed: bytes) -> None:
        event, site = build_running_night(), build_site()
        pair_laptop(client, event, site)
        assert post_message(client, packed, by=event.club).json() == {"code": "snapshot_unreadable"}

    @pytest.mark.parametrize("name", ["take-snapshot", "answer-question"])
    def test_unauthenticated_snapshot_is_refused_before_unpacking(
        self, client: Client, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        event, site = build_running_night(), build_site()
        laptop, stranger = pair_laptop(client, event, site), build_club("A stranger")
        bomb = gzip.compress(f"{laptop.pairing_id} {'0' * 128}\n".encode() + bytes(32_000_000))
        monkeypatch.delattr(zlib, "decompressobj")
        response = client.post(reverse(name), bomb, content_type="application/gzip")
        assert response.json() == {"code": "snapshot_unreadable"}
        unknown = post_message(client, bomb, by=event.club, to=name, pairing=str(uuid4()))
        assert unknown.json() == {"code": "pairing_over"}
        unsigned = post_message(client, bomb, by=stranger, to=name)
        assert unsigned.json() == {"code": "snapshot_not_signed"}

    def test_replayed_request_is_refused(self, client: Client) -> None:
        event, site = build_running_night(), build_site()
        laptop = pair_laptop(client, event, site)
        signed, path = laptop.offer_snapshot(), reverse("take-snapshot")
        private = get_signing_key(event.club).private
        packed, pairing = signed.gzipped_bytes, signed.pairing
        headers = build_signed_headers(packed, path=path, pairing=pairing, private=private, sent_at=timezone.now())

        def send(to: str = path, sent: bytes = packed) -> Any:
            return client.post(to, sent, content_type="application/gzip", headers=headers).json().get("code")

        later = gzip.compress(gzip.decompress(laptop.offer_snapshot().gzipped_bytes))
        assert [send(reverse("answer-question")), send(sent=later)] == ["snapshot_not_signed"] * 2
        assert [send(), send()] == [None, "request_repeated"]

    @pytest.mark.long
    @pytest.mark.parametrize(
        ("minutes", "code"), [(14, None), (-14, None), (16, "clocks_differ"), (-16, "clocks_differ")]
    )
    def test_request_with_a_wrong_time_is_refused(self, client: Client, minutes: int, code: str | None) -> None:
        event, site = build_running_night(), build_site()
        packed = pair_laptop(client, event, site).offer_snapshot().gzipped_bytes
        at = timezone.now() + timedelta(minutes=minutes)
        assert post_message(client, packed, by=event.club, at=at).json().get("code") == code

    def test_snapshot_of_another_installation_is_refused(self, client: Client) -> None:
        event, other, site = build_running_night(), build_running_night(), build_site()
        packed = pair_laptop(client, event, site).offer_snapshot().gzipped_bytes
        wrapped = post_message(client, packed, by=other.club, pairing=str(pair_laptop(client, other, site).pairing_id))
        assert wrapped.json() == {"code": "snapshot_not_signed"}

    def test_excessive_snapshots_are_rate_limited(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(admission, "MAX_PER_MINUTE", 2)
        laptop = pair_laptop(client, build_running_night(), build_site())
        codes = []
        for _ in range(3):
            codes.append(laptop.send(client))
            caches["rates"].clear()  # as if another process handled the next one
        assert codes == ["", "", "site_busy"]

    def test_snapshot_of_an_unlinked_computer_is_refused(self, client: Client) -> None:
        event, site = build_running_night(), build_site()
        laptop = pair_laptop(client, event, site)
        assert laptop.send(client) == ""
        owner = open_owner_browser(site)
        press(owner, site, "/end")
        play_round(event)
        assert laptop.send(client) == "pairing_over"


class TestLostLaptop:
    def test_public_site_continues_without_the_laptop(self, client: Client) -> None:
        event, site = build_running_night(), build_site()
        laptop = pair_laptop(client, event, site)
        assert laptop.send(client) == ""
        there = get_mirror(site)
        owner = open_owner_browser(site)
        page = owner.open(f"/club/{site.slug}/mirrors")
        assert "without its later changes" in page.text
        press(owner, site, "/lead")
        play_round(there)
        assert there.rounds.get().state == "closed"
        mark(matches_of(event)[0], "B 6 made")
        assert laptop.send(client) == "mirror_is_led_here"
        assert there.rounds.get().state == "closed"
        assert "Copy from" not in Browser().open(there.get_absolute_url()).text
        assert "Changes from the laptop of" in owner.open(f"/club/{site.slug}/mirrors").text

    def test_recovered_laptop_can_lead_again_without_mixing_data(self, client: Client) -> None:
        event, site = build_running_night(), build_site()
        laptop = pair_laptop(client, event, site)
        assert laptop.send(client) == ""
        there = get_mirror(site)
        owner = open_owner_browser(site)
        press(owner, site, "/lead")
        play_round(there)
        press(owner, site, "/anew")
        mark(matches_of(event)[0], "B 6 made")
        assert laptop.send(client) == ""
        assert_equal(laptop, site)
        there.refresh_from_db()
        assert there.is_put_away
        assert there.rounds.get().state == "closed"


class TestPairingLink:
    def test_pairing_link_opens_once_within_a_day(self, client: Client) -> None:
        event, site = build_running_night(), build_site()
        owner = Actor(account=site.memberships.get().account)
        secret = create_pairing_link(club_id=site.pk, by=owner)

        def open_with_key(key: str) -> str:
            pairing_request = {"secret": secret, "key": key, "name": event.club.name}
            answer = client.post(
                reverse("accept-pairing"), json.dumps(pairing_request), content_type="application/json"
            )
            return str(answer.json().get("code", ""))

        assert open_with_key("no key") == "pairing_unreadable"
        assert (open_with_key("a" * 64), open_with_key("a" * 64), open_with_key("b" * 64)) == ("", "", "link_over")
        secret = create_pairing_link(club_id=site.pk, by=owner)
        site.pairings.filter(paired_at=None).update(lasts_until=timezone.now())
        assert open_with_key("a" * 64) == "link_over"

    @pytest.mark.parametrize("content", UNREADABLE_JSON.values(), ids=UNREADABLE_JSON)
    def test_unreadable_pairing_request_is_refused(self, client: Client, content: bytes) -> None:
        answer = client.post(reverse("accept-pairing"), content, content_type="application/json")
        assert answer.json() == {"code": "pairing_unreadable"}

    @pytest.mark.long
    def test_pairing_link_is_shown_once_to_owners(self) -> None:
        site = build_site()
        owner = open_owner_browser(site)
        page = owner.open(f"/club/{site.slug}/mirrors")
        page = owner.send(page, page.find_form("/link"))
        assert "/mirror/pairings#" in page.text
        assert "/mirror/pairings#" not in owner.open(f"/club/{site.slug}/mirrors").text

    @pytest.mark.long
    def test_invalid_pairing_link_is_refused_at_its_field(self) -> None:
        club = build_club(owner=build_account())
        owner = open_owner_browser(club)
        page = owner.open(reverse("mirrors", args=[club.slug]))
        for link in ("http://cards.example.org/mirror/pairings#s", "https://10.0.0.5/mirror/pairings#s"):
            refused = owner.send(page, page.find_form("/mirrors/pair"), link=link)
            assert refused.status == 422
            assert refused.get_field_error("link")


class TestMirrorStatus:
    @pytest.mark.parametrize("content", UNREADABLE_JSON.values(), ids=UNREADABLE_JSON)
    def test_unreadable_answer_is_reported_at_the_desk(self, content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
        event = build_running_night(club=build_club(owner=build_account()))
        PublicSite.objects.create(
            club=event.club, address="https://site.invalid", pairing=uuid4(), name="Le site", paired_at=EARLIER_TIME
        )
        monkeypatch.setattr(delivery, "post_url", lambda *_, **__: RemoteResponse(status=409, content=content))
        enqueue_due_snapshots()
        run_worker()
        page = open_owner_browser(event.club).open(f"/e/{event.short}/desk")
        assert "Not a Charlemagne public site (response 409)" in page.text

    @pytest.mark.snapshot
    def test_desk_reports_how_far_the_public_site_is_behind(self, settings: Any) -> None:
        settings.LOCAL_TARGETS = ["127.0.0.0/8"]
        event = build_running_night(club=build_club(owner=build_account()))
        PublicSite.objects.create(
            club=event.club, address="http://127.0.0.1:9", pairing=uuid4(), name="Le site", paired_at=EARLIER_TIME
        )
        owner = open_owner_browser(event.club)
        assert "Public site" not in owner.open(f"/e/{event.short}/desk").text
        enqueue_due_snapshots()
        run_worker()
        assert "The public site is not responding" in owner.open(f"/e/{event.short}/desk").text
        SentEvent.objects.update(behind_since=timezone.now() - timedelta(minutes=3, seconds=10))
        assert "nothing received yet" in owner.open(f"/e/{event.short}/desk").text
        SentEvent.objects.update(arrived_at=timezone.now() - timedelta(minutes=9))
        assert "Public site: 3 minutes behind" in owner.open(f"/e/{event.short}/desk").text
