"""Comparison of a phone's fold with the server's: a short ``bench folds``, and its tables in a database."""

from typing import Any

import pytest
from django.utils import timezone

from bench.folds import compare_folds
from bench.two_folds.tables import play_table
from errors import Refusal
from rules import match_format_from_json, ruleset_from_json
from scoring.models import Match
from scoring.parsing import parse_mark
from scoring.services.marks import record_hand
from tests import external_tools
from tests.builders import build_account, build_match, reload_match

JsonData = dict[str, Any]


@pytest.mark.slow
def test_random_matches_fold_alike_on_server_and_phone() -> None:
    node = external_tools.find_node()
    if node is None:
        pytest.skip("no Node")
    figures = compare_folds(node, matches=300, seed=20261122)
    assert (figures["differences"], figures["first"]) == (0, None)
    assert figures["marks"] > 3_000


def record_post(match: Match, post: JsonData, **director: Any) -> JsonData:
    """Record a posted mark and return its result under the names that the bench uses."""
    try:
        posted = parse_mark(post["form"])
        mark = record_hand(
            match_id=match.pk,
            entry_key=posted.entry_key,
            number=posted.number,
            hand=posted.hand,
            supersedes=posted.supersedes,
            saw_only=posted.saw_only,
            **director if post["is_directors"] else {},
        )
    except Refusal as refusal:
        return {"refused": refusal.code}
    return {"record": mark.record_data, "status": str(mark.status)}


def get_expected_mark(answer: JsonData) -> JsonData:
    refused = answer.get("unread") or answer.get("refused")
    return {"refused": refused[0]} if refused else {"record": answer["record"], "status": answer["status"]}


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("number", range(8))
def test_benchmark_expectations_match_the_services(number: int) -> None:
    table = play_table(2, number)
    terms = table.match
    match = build_match(ruleset_from_json(terms["ruleset"]), match_format_from_json(terms["match_format"]))
    Match.objects.filter(pk=match.pk).update(first_dealer=terms["first_dealer"])
    director = build_account()
    for step, (post, answer) in enumerate(zip(terms["posts"], table.expected["said"], strict=True)):
        if step == terms["closed_after"]:
            Match.objects.filter(pk=match.pk).update(closed_at=timezone.now())
        mark = record_post(match, post, account=director, reason="The table asked.")
        assert mark == get_expected_mark(answer)
        if "match" in answer:
            games, games_won, points, *_, is_over, winner = answer["match"]
            stored = reload_match(match)
            assert stored.is_over == is_over
            assert stored.summary | {"running": games[-1][1], "next": answer["next"]} == stored.summary
            assert stored.summary | {"games_won": games_won, "points": points, "winner": winner} == stored.summary
    assert list(match.marks.order_by("pk").values_list("status", flat=True)) == table.expected["statuses"]
