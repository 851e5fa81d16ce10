"""A phone folds as the server does: a short run of ``manage.py bench folds``; its tables in a database."""

from typing import Any

import pytest
from django.utils import timezone

from bench.folds import compared
from bench.two_folds.tables import a_table
from errors import Refusal
from rules import match_format_from_json, ruleset_from_json
from scoring.models import Match
from scoring.parsing import posted_mark
from scoring.services import record_hand
from tests import parts
from tests.builders import a_match, an_account, fresh

Plain = dict[str, Any]


@pytest.mark.slow
def test_random_matches_come_out_alike_on_the_server_and_on_a_phone() -> None:
    node = parts.node()
    if node is None:
        pytest.skip("no Node")
    figures = compared(node, matches=300, seed=20261122)
    assert (figures["differences"], figures["first"]) == (0, None)
    assert figures["marks"] > 3_000


def written(match: Match, post: Plain, **director: Any) -> Plain:
    """Return what the service says of a post, by the names that the bench has for it."""
    try:
        posted = posted_mark(post["form"])
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


def expected_of(said: Plain) -> Plain:
    refused = said.get("unread") or said.get("refused")
    return {"refused": refused[0]} if refused else {"record": said["record"], "status": said["status"]}


@pytest.mark.django_db
@pytest.mark.parametrize("number", range(8))
def test_what_a_phone_is_held_against_is_what_the_services_say(number: int) -> None:
    table = a_table(2, number)
    terms = table.match
    match = a_match(ruleset_from_json(terms["ruleset"]), match_format_from_json(terms["match_format"]))
    Match.objects.filter(pk=match.pk).update(first_dealer=terms["first_dealer"])
    director = an_account()
    for step, (post, said) in enumerate(zip(terms["posts"], table.expected["said"], strict=True)):
        if step == terms["closed_after"]:
            Match.objects.filter(pk=match.pk).update(closed_at=timezone.now())
        now = written(match, post, account=director, reason="The table asked.")
        assert now == expected_of(said)
        if "match" in said:
            games, games_won, points, *_, is_over, winner = said["match"]
            kept = fresh(match)
            assert kept.is_over == is_over
            assert kept.summary | {"running": games[-1][1], "next": said["next"]} == kept.summary
            assert kept.summary | {"games_won": games_won, "points": points, "winner": winner} == kept.summary
    assert list(match.marks.order_by("pk").values_list("status", flat=True)) == table.expected["statuses"]
