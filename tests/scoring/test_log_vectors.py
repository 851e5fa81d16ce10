"""Test vectors that every implementation of a match's log must pass: ``tests/vectors/logs.json``."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from errors import Refusal
from rules import RULESETS, match_format_from_json
from scoring.fold import load_log
from scoring.models import Match
from scoring.services.marks import record_hand
from tests.builders import build_account, build_match, reload_match
from tests.rules.vectors import parametrize_cases

pytestmark = pytest.mark.django_db


class Table:
    """A match that records the marks of a test case; the case refers to a mark by its step."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.keys: dict[int, UUID] = {}
        self.director = build_account()

    def write(self, step: int, mark: dict[str, Any]) -> str | dict[str, Any]:
        """Record the mark and return its status, or its refusal in the form of the test case."""
        self.keys[step] = self.keys[mark["again"]] if "again" in mark else uuid4()
        try:
            written = record_hand(
                match_id=self.match.pk,
                entry_key=self.keys[step],
                number=mark["number"],
                hand=mark["record"],
                supersedes=self.keys.get(mark.get("supersedes", 0)),
                saw_only=mark.get("saw_only", False),
                account=self.director if mark.get("is_directors") else None,
                reason="The table asked." if mark.get("is_directors") else "",
            )
        except Refusal as refusal:
            details = {"details": refusal.details} if refusal.details else {}
            return {"refused": refusal.code, "field": refusal.field} | details
        return str(written.status)

    def close(self) -> None:
        Match.objects.filter(pk=self.match.pk).update(closed_at=timezone.now())

    @property
    def stands(self) -> dict[str, Any]:
        match = reload_match(self.match)
        log = load_log(match)
        return {
            "statuses": list(match.marks.order_by("pk").values_list("status", flat=True)),
            "counts": sorted(number for number, _ in log.places),
            "waits": sorted(log.rivals),
            "free": sorted(log.undone),
            "next": log.next_number,
        }


@pytest.mark.parametrize("case", parametrize_cases("logs.json"))
def test_log_handles_marks_as_the_vectors_expect(case: dict[str, Any]) -> None:
    table = Table(build_match(RULESETS[case["ruleset"]], match_format_from_json(case["format"])))
    for step, mark in enumerate(case["marks"], start=1):
        if step - 1 == case.get("closed_after"):
            table.close()
        assert table.write(step, mark) == mark["expected"], f"mark {step}"
    assert table.stands == case["after"]
