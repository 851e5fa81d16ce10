"""A match's log stores digests, by which what a disk has damaged is found, named and repaired."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from rules import CANADIAN
from scoring.log_chain import Damage
from scoring.models import Mark, Match
from scoring.phone_logs import parse_phone_logs
from scoring.queries import damaged_hands
from scoring.services import (
    WrittenHand,
    accept_log,
    bring_back_log,
    close_matches,
    name_first_dealer,
    note_damage,
    record_hand_of_phone,
    record_hands,
    repair_log,
)
from tests.builders import (
    TWO_GAMES,
    a_match,
    a_running_night,
    an_account,
    fresh,
    hand,
    mark,
    matches_of,
    play,
)
from tests.scoring.test_log_restore import kept_by

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return a_match(CANADIAN, TWO_GAMES)


def change_on_disk(row: Mark | Match, column: str, value: str) -> None:
    """As a disk does it: no program knows."""
    with connection.cursor() as cursor:
        table = row._meta.db_table
        cursor.execute(f"UPDATE {table} SET {column} = {value} WHERE id = %s", [row.pk])


def damage(match: Match) -> list[tuple[int, int]]:
    """Tables and hands."""
    return [(each.table, each.hand) for each in damaged_hands([match.pk])]


def a_log(match: Match) -> list[Mark]:
    """Three hands, one of them corrected, one marked twice, one by a director."""
    one, two = play(match, "A 6 made", "B 7 made")
    mark(match, "B 8 made", replacing=two)
    mark(match, "A 6 made", number=one.number, device="another")
    mark(match, "A 7 made", director=an_account())
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
def test_a_change_of_a_stored_mark_is_found_with_its_table_and_hand(match: Match, column: str) -> None:
    first, *_ = play(match, "A 6 made", "B 7 made", "A 8 made")
    change_on_disk(first, column, CHANGES[column])
    table, number = damage(match)[0]
    assert (table, number) == (match.card.number, 9 if column == "number" else first.number)


@pytest.mark.parametrize(
    ("column", "value"), [("is_over", "TRUE"), ("first_dealer", "3"), ("round_number", "2")]
)
def test_a_change_of_a_stored_result_is_found(match: Match, column: str, value: str) -> None:
    play(match, "A 6 made")
    change_on_disk(match, column, value)
    assert damage(match) == [(1, 0)]


def test_a_lost_mark_is_found(match: Match) -> None:
    for place in range(3):
        lost = play(match, "A 6 made", "B 7 made", "A 8 made")[place]
        Mark.objects.filter(pk=lost.pk).delete()
        assert damage(match)
        accept_log(match_id=match.pk)


def test_whatever_writes_to_a_log_keeps_its_digests(match: Match) -> None:
    a_log(match)
    name_first_dealer(match_id=match.pk, seat=2)
    more = [WrittenHand(number=number, entry_key=uuid4(), plain=hand("A 6 made")) for number in (4, 5)]
    record_hands(match_id=match.pk, hands=more)
    record_hand_of_phone(
        match_id=match.pk, entry_key=uuid4(), number=6, hand=hand("B 6 made"), device="one", waited=300
    )
    close_matches(match_ids=[match.pk])
    assert fresh(match).log_digest
    assert damage(match) == []


def test_an_echo_after_the_last_change_is_no_damage(match: Match) -> None:
    play(match, "A 6 made")
    mark(match, "A 6 made", number=1, device="another")
    assert damage(match) == []


def test_a_log_of_an_older_program_is_completed_when_it_is_checked_first(match: Match) -> None:
    marks = a_log(match)
    Mark.objects.filter(match=match).update(digest="")
    Match.objects.filter(pk=match.pk).update(log_digest="")
    assert note_damage() == []
    change_on_disk(marks[0], "waited", "61")
    assert damage(match) == [(1, 1)]


def test_a_mark_of_an_older_program_beside_this_one_is_no_damage(match: Match) -> None:
    *_, last = play(match, "A 6 made", "B 7 made")
    Mark.objects.filter(pk=last.pk).update(digest="")
    Match.objects.filter(pk=match.pk).update(log_digest=first_seal(match))
    assert damage(match) == []
    assert note_damage() == []
    assert all(match.marks.values_list("digest", flat=True))


def first_seal(match: Match) -> str:
    count, _, digests = fresh(match).log_digest.partition(".")
    return f"{int(count) - 1}.{digests}"


def test_a_later_hand_does_not_seal_damage(match: Match) -> None:
    first, *_ = play(match, "A 6 made", "B 7 made")
    change_on_disk(first, "status", "'superseded'")
    mark(match, "B 6 made", number=3)
    assert fresh(match).is_damaged
    assert damage(match)


def test_a_round_that_closes_notes_its_damage() -> None:
    match = matches_of(a_running_night())[0]
    first, *_ = play(match, "A 6 made", "B 7 made")
    change_on_disk(first, "waited", "61")
    close_matches(match_ids=[match.pk])
    assert fresh(match).is_damaged


@pytest.mark.parametrize("column", ["status", "digest"])
def test_a_log_is_repaired_from_itself_as_far_as_its_digests_prove_it(match: Match, column: str) -> None:
    for changed in a_log(match):
        before = Mark.objects.filter(pk=changed.pk).values().get()
        change_on_disk(changed, column, CHANGES[column])
        note_damage()
        assert repair_log(match_id=match.pk) == []
        assert Mark.objects.filter(pk=changed.pk).values().get() == before
        assert not fresh(match).is_damaged


def test_a_result_is_repaired_by_folding_the_log_again(match: Match) -> None:
    play(match, "A 6 made")
    before = fresh(match).summary
    change_on_disk(match, "summary", "'{}'")
    change_on_disk(match, "first_dealer", "3")
    assert repair_log(match_id=match.pk) == []
    assert (fresh(match).summary, fresh(match).first_dealer) == (before, None)


@pytest.mark.parametrize("column", CHANGES)
def test_a_mark_is_repaired_from_a_copy(match: Match, column: str) -> None:
    for changed in a_log(match):
        copies = list(match.marks.all())
        mark(match, "A 6 made")
        before = Mark.objects.filter(pk=changed.pk).values().get()
        change_on_disk(changed, column, CHANGES[column])
        assert repair_log(match_id=match.pk, copies=copies) == []
        assert Mark.objects.filter(pk=changed.pk).values().get() == before


def test_a_lost_mark_is_repaired_from_a_copy(match: Match) -> None:
    for lost in a_log(match)[:1]:
        copies = list(match.marks.all())
        before = list(match.marks.order_by("pk").values())
        match.marks.filter(supersedes=lost).update(supersedes=None)
        Mark.objects.filter(pk=lost.pk).delete()
        assert repair_log(match_id=match.pk, copies=copies) == []
        assert list(match.marks.order_by("pk").values()) == before


def test_a_copy_that_the_digests_do_not_prove_changes_nothing(match: Match) -> None:
    first, *_ = play(match, "A 6 made", "B 7 made")
    copies = list(match.marks.all())
    copies[0].record_data = copies[1].record_data
    change_on_disk(first, "record_data", CHANGES["record_data"])
    assert repair_log(match_id=match.pk, copies=copies) == [Damage(match.pk, 1, 1, 1)]


def test_a_phone_is_asked_for_a_damaged_log_and_repairs_it(match: Match) -> None:
    first, *_ = play(match, "A 6 made", "B 7 made")
    known = kept_by(match)
    change_on_disk(first, "record_data", CHANGES["record_data"])
    note_damage()
    assert kept_by(match)["since"] != known["since"]
    bring(match, known)
    assert damage(match) == []
    assert kept_by(match)["since"] == known["since"]


def bring(match: Match, known: dict[str, Any]) -> None:
    (kept,) = parse_phone_logs(json.dumps([known]), device="phone")
    bring_back_log(match_id=match.pk, kept=kept, device="phone")
