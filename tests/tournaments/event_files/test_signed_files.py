"""Signed event files: the signature exposes a forgery whose checksums are all correct."""

from __future__ import annotations

from typing import Any

import pytest

from engine.signed_logs import SignedLog, get_fingerprint, get_latest_checkpoint
from tests.support.event_files import export_event, list_differences
from tests.support.signed_events import Forgery, build_signed_event, exchange_names, forge, get_log
from tournaments.event_files.schema import Content
from tournaments.event_files.signed_parts import compute_signed_sums
from tournaments.event_files.verifying import (
    VerificationReport,
    check_clocks,
    check_log,
    check_signature,
    verify_event_file,
)
from tournaments.event_files.writer import add_checksums
from tournaments.events.services.lifecycle import end_event
from tournaments.publishing.services.publishing import change_release, publish_final, unpublish_final
from tournaments.signing.services import change_signing_key

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def list_signature_faults(content: Content, *, pinned: str = "", log: SignedLog | None = None) -> list[tuple[str, str]]:
    """Return the code and the part of each difference that the signature check reports."""
    report = VerificationReport(sum="")
    check_signature(content, report, pinned_key=pinned, log=log)
    return [(each.code, str(each.details.get("part", ""))) for each in report.differences]


def name_another_day(content: Content) -> None:
    content["event"]["held_on"] = "2025-01-07"


def forge_tricks(content: Content) -> None:
    """Change the tricks of a failed bid, which costs the same whatever the number of tricks."""
    record = content["rounds"][0]["tables"][0]["match"]["marks"][0]["record"]
    assert (record["outcome"], record["tricks"]) == ("failed", 3)
    record["tricks"] = 5


def move_an_hour(content: Content) -> None:
    content["rounds"][0]["closed_at"] = content["rounds"][1]["closed_at"]


def name_another_helper(content: Content) -> None:
    content["rounds"][0]["tables"][0]["match"]["marks"][0]["device"] = "another phone"


class TestForgedFile:
    @pytest.mark.long
    @pytest.mark.parametrize(
        ("forgery", "part"),
        [
            (exchange_names, "people"),
            (name_another_day, "event.held_on"),
            (forge_tricks, "rounds.0"),
            (move_an_hour, "rounds.0"),
            (name_another_helper, "rounds.0"),
        ],
    )
    def test_signature_reveals_a_forgery_that_no_computation_finds(self, forgery: Forgery, part: str) -> None:
        content = forge(build_signed_event(), forgery)
        assert verify_event_file(content).differences == [], "without its signature, nobody would know"
        assert ("signed_is_other", part) in list_signature_faults(content)

    def test_recomputed_signed_sums_are_detected(self) -> None:
        content = forge(build_signed_event(), exchange_names)
        content["signed"]["sums"] = compute_signed_sums(content)
        assert list_signature_faults(add_checksums(content)) == [("signed_sums_are_other", "")]
        content["signed"]["entry"]["sum"] = "0" * 64
        assert list_signature_faults(add_checksums(content)) == [("signature_is_none", "")]

    def test_signature_of_another_key_is_detected_with_key_or_log(self) -> None:
        log, content = get_log(build_signed_event()), export_event(build_signed_event())
        assert list_signature_faults(content) == []
        assert list_signature_faults(content, pinned=get_fingerprint(log.entries[0].entry["key"])) == [
            ("signed_by_another", "")
        ]
        assert list_signature_faults(content, log=log) == [("not_in_the_log", "")]

    def test_missing_signature_is_detected_with_a_known_key(self) -> None:
        event = build_signed_event()
        content = {name: part for name, part in export_event(event).items() if name != "signed"}
        assert list_signature_faults(add_checksums(content)) == []
        assert list_signature_faults(add_checksums(content), pinned="9f3a") == [("not_signed", "")]


class TestSignedFile:
    @pytest.mark.long
    def test_signed_file_stays_valid_after_later_changes(self) -> None:
        event = build_signed_event()
        assert list_signature_faults(export_event(event)) == []
        end_event(event_id=event.pk)
        change_release(event_id=event.pk, release=event.release.__class__(entries=False))
        content = export_event(event)
        assert list_signature_faults(content, log=get_log(event)) == []
        assert list_differences(content) == []

    def test_older_key_accepts_a_file_through_the_log(self) -> None:
        event = build_signed_event()
        first = get_fingerprint(get_log(event).entries[0].entry["key"])
        change_signing_key(club_id=event.club_id)
        unpublish_final(event_id=event.pk)
        publish_final(event_id=event.pk)
        content = export_event(event)
        assert list_signature_faults(content, pinned=first) == [("signed_by_another", "")]
        assert list_signature_faults(content, pinned=first, log=get_log(event)) == []
        assert get_log(event).find_faults(pinned_key=first) == []


class TestResultsLogCheck:
    def list_log_differences(self, log: SignedLog, **options: Any) -> list[str]:
        report = VerificationReport(sum="")
        check_log(log, report, **options)
        return [each.code for each in report.differences]

    def test_continued_log_is_accepted_and_a_replaced_log_reported(self) -> None:
        event = build_signed_event()
        checkpoint = get_latest_checkpoint(get_log(event).entries)
        change_signing_key(club_id=event.club_id)
        assert self.list_log_differences(get_log(event), older_checkpoint=checkpoint) == []
        assert self.list_log_differences(get_log(build_signed_event()), older_checkpoint=checkpoint) == [
            "log_was_rewritten"
        ]

    def test_log_report_counts_the_checked_entries(self) -> None:
        report = VerificationReport(sum="")
        log = get_log(build_signed_event())
        check_log(log, report)
        assert report.counts["entries"] == len(log.entries) > 0


class TestTimestamps:
    def list_codes(self, content: Content) -> set[str]:
        report = VerificationReport(sum="")
        check_clocks(content, report)
        return {each.code for each in report.differences}

    @pytest.mark.long
    def test_timestamps_of_an_untouched_night_agree(self) -> None:
        assert self.list_codes(export_event(build_signed_event())) == set()

    @pytest.mark.parametrize(
        ("name", "code"),
        [
            ("round", "out_of_time"),
            ("match", "out_of_time"),
            ("published", "closed_before_published"),
            ("mark", "marked_before"),
        ],
    )
    def test_contradictory_timestamps_are_reported(self, name: str, code: str) -> None:
        event, long_ago, late = build_signed_event(), "2001-01-01T00:00:00+00:00", "2099-01-01T00:00:00+00:00"

        def forge_times(content: Content) -> None:
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

        assert code in self.list_codes(forge(event, forge_times))
