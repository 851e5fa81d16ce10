"""A mirror takes what the installation that leads an event signs, in order, whole, and from nobody else."""

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
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.audit.log import Actor
from clubs.models import Club, Person
from clubs.services import find_or_add_people
from errors import Refusal
from tests.builders import a_club, a_running_night, an_account, an_event, mark, matches_of, play_round
from tests.support.browser import Browser
from tests.tournaments.alerts.test_alerts import work
from tournaments.entries.services.check_in import change_attendance
from tournaments.entries.services.entries import remove_entry
from tournaments.entries.services.entry_actions import disqualify_entry, return_entry
from tournaments.event_files import digests_of
from tournaments.event_files.queries import event_file_of
from tournaments.events.services.lifecycle import end_event
from tournaments.mirrors.queries import snapshot_parts
from tournaments.mirrors.requests import signed_headers
from tournaments.mirrors.services import admission
from tournaments.mirrors.services.leading import begin_mirror_anew
from tournaments.mirrors.services.pairing import make_pairing_link
from tournaments.mirrors.services.sending import request_due_snapshots
from tournaments.mirrors.snapshots import SignedMessage, Snapshot, signed_message
from tournaments.models import Event, Mirror, Pairing, PublicSite, SentEvent
from tournaments.publishing.services.publishing import publish_final
from tournaments.rounds.services.rounds import draw_round, publish_round, unpublish_round
from tournaments.signing.services import change_signing_key, key_to_sign
from tournaments.standings.services import refresh_standings

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

BEFORE = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Laptop:
    """The installation that leads an event, as far as the public site meets it."""

    event: Event
    pairing: UUID
    chain: UUID = field(default_factory=uuid4)
    number: int = 0
    offers: list[tuple[int, str]] = field(default_factory=list)

    def snapshot(self) -> SignedMessage:
        """The event as it is now, offered."""
        event = Event.objects.select_related("club", "terms").get(pk=self.event.pk)
        file, beside = snapshot_parts(event)
        self.number += 1
        said = Snapshot(
            chain=self.chain,
            number=self.number,
            after=list(self.offers),
            at=timezone.now(),
            file=file,
            beside=beside,
        )
        signed = signed_message(said.body, pairing=self.pairing, private=key_to_sign(event.club).private)
        self.offers.append((self.number, signed.head))
        return signed

    def send(self, client: Client) -> str:
        """The code of what the public site says; "" where it takes it."""
        return sent(client, self.snapshot())


def posted(
    client: Client,
    packed: bytes,
    *,
    by: Club,
    to: str = "take-snapshot",
    pairing: str = "",
    at: datetime | None = None,
) -> Any:
    """Return what the public site answers to these bytes, in a request that the club has signed."""
    pairing, path = pairing or str(Pairing.objects.latest("pk").public_id), reverse(to)
    at, private = at or timezone.now(), key_to_sign(by).private
    headers = signed_headers(packed, path=path, pairing=pairing, private=private, at=at)
    return client.post(path, packed, content_type="application/gzip", headers=headers)


def sent(client: Client, signed: SignedMessage) -> str:
    by = Event.objects.exclude(club__name="Le site public").latest("pk").club
    answer = posted(client, signed.gzipped_bytes, by=by, pairing=signed.pairing)
    said: dict[str, Any] = answer.json()
    assert (answer.status_code == 200) is ("code" not in said)
    return str(said.get("code", ""))


def a_site() -> Club:
    return a_club("Le site public", owner=an_account())


def an_owner(club: Club) -> Browser:
    return Browser(account=club.memberships.get().account)


def press(owner: Browser, club: Club, action: str) -> None:
    """A button of the page of the two installations."""
    page = owner.open(f"/club/{club.slug}/mirrors")
    assert owner.send(page, page.form(action)).status == 200


def a_laptop(client: Client, event: Event, site: Club) -> Laptop:
    owner = site.memberships.get().account
    made = make_pairing_link(club_id=site.pk, by=Actor(account=owner))
    asked = {"secret": made.secret, "key": key_to_sign(event.club).public, "name": event.club.name}
    answer = client.post(reverse("accept-pairing"), json.dumps(asked), content_type="application/json")
    assert answer.status_code == 200, answer.content
    return Laptop(event, UUID(answer.json()["pairing"]))


def mirrored(site: Club) -> Event:
    return Event.objects.select_related("club", "terms").get(club=site, is_put_away=False)


def assert_equal(laptop: Laptop, site: Club) -> None:
    here, there = mirrored(site), Event.objects.select_related("club", "terms").get(pk=laptop.event.pk)
    for event in (here, there):
        refresh_standings(event_id=event.pk)
    files = [digests_of(event_file_of(event)) for event in (here, there)]
    for each in files:
        each.pop("place")
        each.pop("signed", None)
    assert files[0] == files[1]


class TestAMirror:
    def test_is_equal_after_each_step_of_a_night(self, client: Client) -> None:
        event, site = a_running_night(), a_site()
        laptop = a_laptop(client, event, site)
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

    def test_is_equal_when_something_that_was_noted_of_an_entry_is_taken_back(self, client: Client) -> None:
        event, site = a_running_night(), a_site()
        laptop = a_laptop(client, event, site)
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

    def test_has_the_standings_that_were_published_as_final(self, client: Client) -> None:
        event, site = a_running_night(), a_site()
        laptop = a_laptop(client, event, site)
        play_round(event)
        end_event(event_id=event.pk)
        refresh_standings(event_id=event.pk)
        publish_final(event_id=event.pk)
        assert laptop.send(client) == ""
        assert_equal(laptop, site)
        there = mirrored(site)
        assert there.final == 1
        assert there.published_standings.get().rows == event.published_standings.get().rows

    def test_has_the_same_people_from_one_snapshot_to_the_next(self, client: Client) -> None:
        event, site = a_running_night(), a_site()
        known = event.entries.get(number=1).player_1
        there = find_or_add_people(club=site, full_names=[known.name])[0]
        laptop = a_laptop(client, event, site)
        assert laptop.send(client) == ""
        assert mirrored(site).entries.get(number=1).player_1 == there
        Person.objects.filter(pk=known.pk).update(name="Quelqu’un d’autre", folded_name="quelqu'un d'autre")
        other = event.entries.get(number=2).player_1
        Person.objects.filter(pk=other.pk).update(
            name="Anne-Marie Roy", folded_name="anne-marie roy", is_hidden=True
        )
        count = site.people.count()
        mark(matches_of(event)[0], "A 6 made")
        assert laptop.send(client) == ""
        assert site.people.count() == count
        assert mirrored(site).entries.get(number=1).player_1 == there
        came = mirrored(site).entries.get(number=2).player_1
        assert (came.name, came.is_hidden) == ("Anne-Marie Roy", True)

    def test_keeps_its_entries_and_its_address_when_others_come_and_go(self, client: Client) -> None:
        event, site = an_event(5), a_site()
        laptop = a_laptop(client, event, site)
        assert laptop.send(client) == ""
        before, short = list(mirrored(site).entries.values_list("pk", flat=True)), mirrored(site).short
        remove_entry(event_id=event.pk, number=5)
        assert laptop.send(client) == ""
        assert list(mirrored(site).entries.values_list("pk", flat=True)) == before[:4]
        assert mirrored(site).short == short
        assert_equal(laptop, site)

    @pytest.mark.snapshot
    def test_says_that_it_is_one_and_since_when(self, client: Client) -> None:
        event, site = a_running_night(), a_site()
        assert a_laptop(client, event, site).send(client) == ""
        page = Browser().open(mirrored(site).get_absolute_url())
        assert "Copy from the computer in the hall, as of" in page.text
        assert "Copy from" not in Browser().open(event.get_absolute_url()).text

    def test_takes_no_mark_and_no_step_of_the_desk(self, client: Client) -> None:
        event, site = a_running_night(), a_site()
        assert a_laptop(client, event, site).send(client) == ""
        there = mirrored(site)
        with pytest.raises(Refusal, match="led_elsewhere"):
            mark(matches_of(there)[0], "A 6 made")
        owner = an_owner(site)
        desk = owner.open(f"/e/{there.short}/desk")
        assert "Copy from the computer in the hall, as of" in desk.text
        refused = owner.send(desk, desk.form("/close"))
        assert refused.status == 409
        assert "Make changes on the computer that runs the night" in refused.text
        assert there.rounds.get().state == "published"


class TestASnapshot:
    def test_that_comes_twice_is_taken_once(self, client: Client) -> None:
        event, site = a_running_night(), a_site()
        laptop = a_laptop(client, event, site)
        first = laptop.snapshot()
        assert (sent(client, first), sent(client, first)) == ("", "")
        assert Mirror.objects.get().number == 1
        assert laptop.send(client) == ""

    def test_may_leave_out_others_that_never_came(self, client: Client) -> None:
        event, site = a_running_night(), a_site()
        laptop = a_laptop(client, event, site)
        assert laptop.send(client) == ""
        for number in (1, 2, 3):
            mark(matches_of(event)[0], "A 6 made", number=number)
            laptop.snapshot()
        assert laptop.send(client) == ""
        assert_equal(laptop, site)

    def test_that_is_older_than_what_is_there_changes_nothing(self, client: Client) -> None:
        event, site = a_running_night(), a_site()
        laptop = a_laptop(client, event, site)
        late = laptop.snapshot()
        play_round(event)
        assert laptop.send(client) == ""
        assert sent(client, late) == "snapshot_older"
        assert_equal(laptop, site)

    def test_of_a_computer_that_was_restored_is_refused_until_an_owner_chooses(self, client: Client) -> None:
        event, site = a_running_night(), a_site()
        laptop = a_laptop(client, event, site)
        assert laptop.send(client) == ""
        copy = replace(laptop, offers=list(laptop.offers))
        play_round(event)
        assert laptop.send(client) == ""
        copy.number += 5
        assert copy.send(client) == "snapshot_of_other_chain"
        kept = mirrored(site)
        assert kept.rounds.get().state == "closed"
        owner = Actor(account=site.memberships.get().account)
        begin_mirror_anew(club_id=site.pk, event_id=kept.pk, by=owner)
        assert copy.send(client) == ""
        assert_equal(copy, site)
        kept.refresh_from_db()
        assert kept.is_put_away
        assert kept.rounds.get().state == "closed"

    def test_that_another_key_signed_is_refused(self, client: Client) -> None:
        event, site = a_running_night(), a_site()
        laptop = a_laptop(client, event, site)
        signed = laptop.snapshot()
        changed = signed.body.replace(b'"number":1', b'"number":2', 1)
        assert sent(client, replace(signed, body=changed)) == "snapshot_not_signed"
        change_signing_key(club_id=event.club_id)
        assert laptop.send(client) == "snapshot_not_signed"
        assert not Event.objects.filter(club=site).exists()

    @pytest.mark.parametrize(
        "packed",
        [b"", b"nothing", gzip.compress(b"a b\n{}"), gzip.compress(b"x" * 99)],
        ids=["nothing", "not packed", "no key", "no head"],
    )
    def test_that_is_none_is_refused(self, client: Client, packed: bytes) -> None:
        event, site = a_running_night(), a_site()
        a_laptop(client, event, site)
        assert posted(client, packed, by=event.club).json() == {"code": "snapshot_unreadable"}

    @pytest.mark.parametrize("name", ["take-snapshot", "answer-question"])
    def test_that_an_installation_did_not_send_is_refused_before_it_is_unpacked(
        self, client: Client, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        event, site = a_running_night(), a_site()
        laptop, stranger = a_laptop(client, event, site), a_club("A stranger")
        bomb = gzip.compress(f"{laptop.pairing} {'0' * 128}\n".encode() + bytes(32_000_000))
        monkeypatch.delattr(zlib, "decompressobj")
        plain = client.post(reverse(name), bomb, content_type="application/gzip")
        assert plain.json() == {"code": "snapshot_unreadable"}
        unknown = posted(client, bomb, by=event.club, to=name, pairing=str(uuid4()))
        assert unknown.json() == {"code": "pairing_over"}
        unsigned = posted(client, bomb, by=stranger, to=name)
        assert unsigned.json() == {"code": "snapshot_not_signed"}

    def test_that_is_sent_again_as_it_was_is_refused(self, client: Client) -> None:
        event, site = a_running_night(), a_site()
        laptop = a_laptop(client, event, site)
        signed, path = laptop.snapshot(), reverse("take-snapshot")
        private = key_to_sign(event.club).private
        packed, pairing = signed.gzipped_bytes, signed.pairing
        headers = signed_headers(packed, path=path, pairing=pairing, private=private, at=timezone.now())

        def send(to: str = path, sent: bytes = packed) -> Any:
            return client.post(to, sent, content_type="application/gzip", headers=headers).json().get("code")

        later = gzip.compress(gzip.decompress(laptop.snapshot().gzipped_bytes))
        assert [send(reverse("answer-question")), send(sent=later)] == ["snapshot_not_signed"] * 2
        assert [send(), send()] == [None, "request_repeated"]

    @pytest.mark.parametrize(
        ("minutes", "code"), [(14, None), (-14, None), (16, "clocks_differ"), (-16, "clocks_differ")]
    )
    def test_comes_from_a_clock_that_differs_by_minutes_and_not_by_more(
        self, client: Client, minutes: int, code: str | None
    ) -> None:
        event, site = a_running_night(), a_site()
        packed = a_laptop(client, event, site).snapshot().gzipped_bytes
        at = timezone.now() + timedelta(minutes=minutes)
        assert posted(client, packed, by=event.club, at=at).json().get("code") == code

    def test_of_one_installation_is_not_taken_from_another(self, client: Client) -> None:
        event, other, site = a_running_night(), a_running_night(), a_site()
        packed = a_laptop(client, event, site).snapshot().gzipped_bytes
        wrapped = posted(client, packed, by=other.club, pairing=str(a_laptop(client, other, site).pairing))
        assert wrapped.json() == {"code": "snapshot_not_signed"}

    def test_of_an_installation_that_sends_without_end_waits(
        self, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(admission, "PER_MINUTE", 2)
        laptop = a_laptop(client, a_running_night(), a_site())
        assert [laptop.send(client) for _ in range(3)] == ["", "", "site_busy"]

    def test_of_an_unpaired_computer_is_refused(self, client: Client) -> None:
        event, site = a_running_night(), a_site()
        laptop = a_laptop(client, event, site)
        assert laptop.send(client) == ""
        owner = an_owner(site)
        press(owner, site, "/end")
        play_round(event)
        assert laptop.send(client) == "pairing_over"


class TestTheLostLaptop:
    def test_lets_the_night_go_on_at_the_public_site(self, client: Client) -> None:
        event, site = a_running_night(), a_site()
        laptop = a_laptop(client, event, site)
        assert laptop.send(client) == ""
        there = mirrored(site)
        owner = an_owner(site)
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

    def test_that_is_found_can_lead_again_and_nothing_is_mixed(self, client: Client) -> None:
        event, site = a_running_night(), a_site()
        laptop = a_laptop(client, event, site)
        assert laptop.send(client) == ""
        there = mirrored(site)
        owner = an_owner(site)
        press(owner, site, "/lead")
        play_round(there)
        press(owner, site, "/anew")
        mark(matches_of(event)[0], "B 6 made")
        assert laptop.send(client) == ""
        assert_equal(laptop, site)
        there.refresh_from_db()
        assert there.is_put_away
        assert there.rounds.get().state == "closed"


class TestALink:
    def test_opens_once_and_for_a_day(self, client: Client) -> None:
        event, site = a_running_night(), a_site()
        owner = Actor(account=site.memberships.get().account)
        secret = make_pairing_link(club_id=site.pk, by=owner).secret

        def comes(key: str) -> str:
            asked = {"secret": secret, "key": key, "name": event.club.name}
            answer = client.post(
                reverse("accept-pairing"), json.dumps(asked), content_type="application/json"
            )
            return str(answer.json().get("code", ""))

        assert comes("no key") == "pairing_unreadable"
        assert (comes("a" * 64), comes("a" * 64), comes("b" * 64)) == ("", "", "link_over")
        secret = make_pairing_link(club_id=site.pk, by=owner).secret
        site.pairings.filter(paired_at=None).update(lasts_until=timezone.now())
        assert comes("a" * 64) == "link_over"

    def test_is_shown_to_owners_alone(self) -> None:
        site = a_site()
        owner = an_owner(site)
        page = owner.open(f"/club/{site.slug}/mirrors")
        page = owner.send(page, page.form("/link"))
        assert "/mirror/pairings#" in page.text
        assert "/mirror/pairings#" not in owner.open(f"/club/{site.slug}/mirrors").text

    def test_that_is_not_of_the_internet_is_refused_where_it_was_typed(self) -> None:
        club = a_club(owner=an_account())
        owner = an_owner(club)
        page = owner.open(reverse("mirrors", args=[club.slug]))
        for link in ("http://cards.example.org/mirror/pairings#s", "https://10.0.0.5/mirror/pairings#s"):
            refused = owner.send(page, page.form("/mirrors/pair"), link=link)
            assert refused.status == 422
            assert refused.said_at("link")


class TestTheDesk:
    @pytest.mark.snapshot
    def test_says_why_nothing_gets_through_and_that_it_goes_on(self, settings: Any) -> None:
        settings.LOCAL_TARGETS = ["127.0.0.0/8"]
        event = a_running_night(club=a_club(owner=an_account()))
        PublicSite.objects.create(
            club=event.club, address="http://127.0.0.1:9", pairing=uuid4(), name="Le site", paired_at=BEFORE
        )
        owner = an_owner(event.club)
        assert "Public site" not in owner.open(f"/e/{event.short}/desk").text
        request_due_snapshots()
        work()
        assert "The public site is not responding" in owner.open(f"/e/{event.short}/desk").text
        SentEvent.objects.update(behind_since=timezone.now() - timedelta(minutes=3, seconds=10))
        assert "nothing received yet" in owner.open(f"/e/{event.short}/desk").text
        SentEvent.objects.update(arrived_at=timezone.now() - timedelta(minutes=9))
        assert "Public site: 3 minutes behind" in owner.open(f"/e/{event.short}/desk").text
