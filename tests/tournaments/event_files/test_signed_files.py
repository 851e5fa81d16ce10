"""A signed file: a forger who knows how its sums are made changes what nothing else would show."""

from __future__ import annotations

from typing import Any

import pytest

from engine.signed_logs import SignedLog, fingerprint, head_of
from tests.support.event_files import differences, file_of
from tests.support.signed_events import Forgery, a_signed_event, exchange_names, forged, the_log
from tournaments.event_files import (
    Content,
    VerificationReport,
    check_clocks,
    check_log,
    check_signature,
    verify,
    with_sums,
)
from tournaments.event_files.signed import signed_sums
from tournaments.events.services.lifecycle import end_event
from tournaments.publishing.services.publishing import change_release, publish_final, unpublish_final
from tournaments.signing.services import change_signing_key

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def found(content: Content, *, pinned: str = "", log: SignedLog | None = None) -> list[tuple[str, str]]:
    """The codes of what differs of the signature, and of which part."""
    report = VerificationReport(sum="")
    check_signature(content, report, pinned=pinned, log=log)
    return [(each.code, str(each.details.get("part", ""))) for each in report.differences]


def name_another_day(content: Content) -> None:
    content["event"]["held_on"] = "2025-01-07"


def tell_other_tricks_of_a_failed_hand(content: Content) -> None:
    """A bid that failed costs the same whatever was made."""
    record = content["rounds"][0]["tables"][0]["match"]["marks"][0]["record"]
    assert (record["outcome"], record["tricks"]) == ("failed", 3)
    record["tricks"] = 5


def move_an_hour(content: Content) -> None:
    content["rounds"][0]["closed_at"] = content["rounds"][1]["closed_at"]


def name_another_helper(content: Content) -> None:
    content["rounds"][0]["tables"][0]["match"]["marks"][0]["device"] = "another phone"


class TestAForgery:
    @pytest.mark.parametrize(
        ("forgery", "part"),
        [
            (exchange_names, "people"),
            (name_another_day, "event.held_on"),
            (tell_other_tricks_of_a_failed_hand, "rounds.0"),
            (move_an_hour, "rounds.0"),
            (name_another_helper, "rounds.0"),
        ],
    )
    def test_that_nothing_is_computed_from_is_found_by_the_signature(
        self, forgery: Forgery, part: str
    ) -> None:
        content = forged(a_signed_event(), forgery)
        assert verify(content).differences == [], "without its signature, nobody would know"
        assert ("signed_is_other", part) in found(content)

    def test_with_the_sums_that_were_signed_made_anew_is_found(self) -> None:
        content = forged(a_signed_event(), exchange_names)
        content["signed"]["sums"] = signed_sums(content)
        assert found(with_sums(content)) == [("signed_sums_are_other", "")]
        content["signed"]["entry"]["sum"] = "0" * 64
        assert found(with_sums(content)) == [("signature_is_none", "")]

    def test_signed_by_a_stranger_is_found_by_who_knows_the_key_or_the_log(self) -> None:
        log, content = the_log(a_signed_event()), file_of(a_signed_event())
        assert found(content) == []
        assert found(content, pinned=fingerprint(log.entries[0].entry["key"])) == [("signed_by_another", "")]
        assert found(content, log=log) == [("not_in_the_log", "")]

    def test_without_a_signature_is_found_by_who_knows_the_key(self) -> None:
        event = a_signed_event()
        content = {name: part for name, part in file_of(event).items() if name != "signed"}
        assert found(with_sums(content)) == []
        assert found(with_sums(content), pinned="9f3a") == [("not_signed", "")]


class TestAFileAsItWasSigned:
    def test_is_so_also_after_what_follows_its_final_standings(self) -> None:
        event = a_signed_event()
        assert found(file_of(event)) == []
        end_event(event_id=event.pk)
        change_release(event_id=event.pk, release=event.release.__class__(entries=False))
        content = file_of(event)
        assert found(content, log=the_log(event)) == []
        assert differences(content) == []

    def test_is_known_by_an_older_key_that_the_log_leads_from(self) -> None:
        event = a_signed_event()
        first = fingerprint(the_log(event).entries[0].entry["key"])
        change_signing_key(club_id=event.club_id)
        unpublish_final(event_id=event.pk)
        publish_final(event_id=event.pk)
        content = file_of(event)
        assert found(content, pinned=first) == [("signed_by_another", "")]
        assert found(content, pinned=first, log=the_log(event)) == []
        assert the_log(event).faults(pinned=first) == []


class TestALog:
    def differences(self, log: SignedLog, **asked: Any) -> list[str]:
        report = VerificationReport(sum="")
        check_log(log, report, **asked)
        return [each.code for each in report.differences]

    def test_that_goes_on_from_what_was_kept_is_right_and_another_is_not(self) -> None:
        event = a_signed_event()
        kept = head_of(the_log(event).entries)
        change_signing_key(club_id=event.club_id)
        assert self.differences(the_log(event), older=kept) == []
        assert self.differences(the_log(a_signed_event()), older=kept) == ["log_was_rewritten"]

    def test_says_how_much_of_it_was_looked_at(self) -> None:
        report = VerificationReport(sum="")
        log = the_log(a_signed_event())
        check_log(log, report)
        assert report.counts["entries"] == len(log.entries) > 0


class TestClocks:
    def codes(self, content: Content) -> set[str]:
        report = VerificationReport(sum="")
        check_clocks(content, report)
        return {each.code for each in report.differences}

    def test_of_a_night_agree(self) -> None:
        assert self.codes(file_of(a_signed_event())) == set()

    @pytest.mark.parametrize(
        ("name", "code"),
        [
            ("round", "out_of_time"),
            ("match", "out_of_time"),
            ("published", "closed_before_published"),
            ("mark", "marked_before"),
        ],
    )
    def test_that_contradict_each_other_are_told(self, name: str, code: str) -> None:
        event, long_ago, late = a_signed_event(), "2001-01-01T00:00:00+00:00", "2099-01-01T00:00:00+00:00"

        def forge(content: Content) -> None:
            drawn = content["rounds"][0]
            match = drawn["tables"][0]["match"]
            if name == "round":
                drawn["closed_at"] = long_ago
            elif name == "match":
                match["closed_at"] = long_ago
            elif name == "published":
                drawn["published_at"] = drawn["closed_at"] = late
            else:
                match["marks"][0]["at"] = long_ago

        assert code in self.codes(forged(event, forge))
