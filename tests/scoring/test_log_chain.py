"""Digest chain of a match's log: damage on the disk is detected, located and repaired."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from rules import CANADIAN
from scoring.log_chain import Damage
from scoring.models import Mark, Match
from scoring.parsing import parse_mark
from scoring.phone_logs import parse_phone_logs
from scoring.queries import list_damage
from scoring.services.late_marks import record_phone_hand
from scoring.services.log_repair import accept_log, detect_damage, repair_log
from scoring.services.log_restore import restore_log
from scoring.services.marks import SheetHand, record_hands
from scoring.services.matches import close_matches, name_first_dealer
from tests.builders import (
    TWO_GAMES,
    build_account,
    build_match,
    build_running_night,
    mark,
    matches_of,
    parse_hand,
    play,
    reload_match,
)
from tests.scoring.test_log_restore import build_phone_log

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return build_match(CANADIAN, TWO_GAMES)


def change_on_disk(row: Mark | Match, column: str, value: str) -> None:
    """Change the stored value without the program's knowledge, as a failing disk does."""
    with connection.cursor() as cursor:
        table = row._meta.db_table
        cursor.execute(f"UPDATE {table} SET {column} = {value} WHERE id = %s", [row.pk])


def damage(match: Match) -> list[tuple[int, int]]:
    """Return the table and hand of each damage."""
    return [(each.table, each.hand) for each in list_damage([match.pk])]


def build_log(match: Match) -> list[Mark]:
    """Build a log of three hands: one corrected, one marked twice, one by a director."""
    one, two = play(match, "A 6 made", "B 7 made")
    mark(match, "B 8 made", replaced=two)
    mark(match, "A 6 made", number=one.number, device="another")
    mark(match, "A 7 made", director=build_account())
    return list(match.marks.order_by("pk"))


CHANGES = {
    "number": "9",
    "record_data": """'{"version": 1, "kind": "hand", "side": "A", "contract": "7", "tricks": 7}'""",
    "saw_only": "TRUE",
    "waited": "61",
    "reason": "'Another'",
    "device": "'Phone'",
    "written_by": "'Somebody'",
    "created_at": "'2026-11-20 20:00:00+00:00'",
    "status": "'superseded'",
    "digest": "'0123456789'",
}


@pytest.mark.parametrize("column", CHANGES)
def test_changed_mark_is_found_with_table_and_hand(match: Match, column: str) -> None:
    first, *_ = play(match, "A 6 made", "B 7 made", "A 8 made")
    change_on_disk(first, column, CHANGES[column])
    assert damage(match) == [(match.card.number, 9 if column == "number" else first.number)]


def test_changed_key_damages_only_its_own_hand(match: Match) -> None:
    _, replaced, *_ = build_log(match)
    change_on_disk(replaced, "entry_key", f"'{'0123' * 8}'")
    assert damage(match) == [(1, 2)]


@pytest.mark.parametrize(("column", "value"), [("is_over", "TRUE"), ("first_dealer", "3"), ("round_number", "2")])
def test_changed_stored_result_is_found(match: Match, column: str, value: str) -> None:
    play(match, "A 6 made")
    change_on_disk(match, column, value)
    assert damage(match) == [(1, 0)]


@pytest.mark.slow
def test_a_lost_mark_is_found(match: Match) -> None:
    for place in range(3):
        lost = play(match, "A 6 made", "B 7 made", "A 8 made")[place]
        Mark.objects.filter(pk=lost.pk).delete()
        assert damage(match)
        accept_log(match_id=match.pk)


def test_every_write_keeps_the_digests_valid(match: Match) -> None:
    build_log(match)
    name_first_dealer(match_id=match.pk, seat=2)
    more = [SheetHand(number=number, entry_key=uuid4(), record_data=parse_hand("A 6 made")) for number in (4, 5)]
    record_hands(match_id=match.pk, hands=more)
    posted = {"match": match.pk, "entry_key": uuid4(), "number": 6, "waited": 300, **parse_hand("B 6 made")}
    record_phone_hand(match_id=match.pk, posted=parse_mark(posted), device="one")
    close_matches(match_ids=[match.pk])
    assert reload_match(match).log_digest
    assert damage(match) == []


def test_an_echo_after_the_last_change_is_no_damage(match: Match) -> None:
    play(match, "A 6 made")
    mark(match, "A 6 made", number=1, device="another")
    assert damage(match) == []


def test_log_of_an_older_program_gets_digests_at_first_check(match: Match) -> None:
    marks = build_log(match)
    Mark.objects.filter(match=match).update(digest="")
    Match.objects.filter(pk=match.pk).update(log_digest="")
    assert detect_damage() == []
    change_on_disk(marks[0], "waited", "61")
    assert damage(match) == [(1, 1)]


def test_mark_of_an_older_program_is_no_damage(match: Match) -> None:
    *_, last = play(match, "A 6 made", "B 7 made")
    Mark.objects.filter(pk=last.pk).update(digest="")
    Match.objects.filter(pk=match.pk).update(log_digest=get_first_seal(match))
    assert damage(match) == []
    assert detect_damage() == []
    assert all(match.marks.values_list("digest", flat=True))


def get_first_seal(match: Match) -> str:
    count, _, digests = reload_match(match).log_digest.partition(".")
    return f"{int(count) - 1}.{digests}"


def test_later_hand_does_not_hide_damage(match: Match) -> None:
    first, *_ = play(match, "A 6 made", "B 7 made")
    change_on_disk(first, "status", "'superseded'")
    mark(match, "B 6 made", number=3)
    assert reload_match(match).is_damaged
    assert damage(match)


def test_closing_a_round_detects_damage() -> None:
    match = matches_of(build_running_night())[0]
    first, *_ = play(match, "A 6 made", "B 7 made")
    change_on_disk(first, "waited", "61")
    close_matches(match_ids=[match.pk])
    assert reload_match(match).is_damaged


@pytest.mark.long
@pytest.mark.parametrize("column", ["status", "digest"])
def test_log_is_repaired_from_its_own_digests(match: Match, column: str) -> None:
    for changed in build_log(match):
        before = Mark.objects.filter(pk=changed.pk).values().get()
        change_on_disk(changed, column, CHANGES[column])
        detect_damage()
        assert repair_log(match_id=match.pk) == []
        assert Mark.objects.filter(pk=changed.pk).values().get() == before
        assert not reload_match(match).is_damaged


def test_result_is_repaired_by_refolding_the_log(match: Match) -> None:
    play(match, "A 6 made")
    before = reload_match(match).summary
    change_on_disk(match, "summary", "'{}'")
    change_on_disk(match, "first_dealer", "3")
    assert repair_log(match_id=match.pk) == []
    assert (reload_match(match).summary, reload_match(match).first_dealer) == (before, None)


@pytest.mark.long
@pytest.mark.parametrize("column", CHANGES)
def test_a_mark_is_repaired_from_a_copy(match: Match, column: str) -> None:
    for changed in build_log(match):
        copies = list(match.marks.all())
        mark(match, "A 6 made")
        before = Mark.objects.filter(pk=changed.pk).values().get()
        change_on_disk(changed, column, CHANGES[column])
        assert repair_log(match_id=match.pk, copies=copies) == []
        assert Mark.objects.filter(pk=changed.pk).values().get() == before


def test_a_lost_mark_is_repaired_from_a_copy(match: Match) -> None:
    for lost in build_log(match)[:1]:
        copies = list(match.marks.all())
        before = list(match.marks.order_by("pk").values())
        match.marks.filter(supersedes=lost).update(supersedes=None)
        Mark.objects.filter(pk=lost.pk).delete()
        assert repair_log(match_id=match.pk, copies=copies) == []
        assert list(match.marks.order_by("pk").values()) == before


def test_unproven_copy_changes_nothing(match: Match) -> None:
    first, *_ = play(match, "A 6 made", "B 7 made")
    copies = list(match.marks.all())
    copies[0].record_data = copies[1].record_data
    change_on_disk(first, "record_data", CHANGES["record_data"])
    assert repair_log(match_id=match.pk, copies=copies) == [Damage(match.pk, 1, 1, 1)]


def test_phone_log_repairs_a_damaged_log(match: Match) -> None:
    first, *_ = play(match, "A 6 made", "B 7 made")
    phone_log = build_phone_log(match)
    change_on_disk(first, "record_data", CHANGES["record_data"])
    detect_damage()
    assert build_phone_log(match)["since"] != phone_log["since"]
    bring(match, phone_log)
    assert damage(match) == []
    assert build_phone_log(match)["since"] == phone_log["since"]


def bring(match: Match, log_data: dict[str, Any]) -> None:
    (phone_log,) = parse_phone_logs(json.dumps([log_data]), device="phone")
    restore_log(match_id=match.pk, phone_log=phone_log, device="phone")
