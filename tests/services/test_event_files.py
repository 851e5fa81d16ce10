"""An event as one file: everything in it can be computed again, and what was changed is found."""

import json
from random import Random

import pytest

from rules import Refusal
from tests.services.event_files import (
    Director,
    Forger,
    a_tournament,
    an_eventful_tournament,
    another,
    differences,
    file_of,
    leaves,
    of_preset,
    play_to_the_end,
    value_at,
    with_value,
)
from tournaments.event_files import Content, read_event_file, verify, written
from tournaments.presets import PRESETS

pytestmark = pytest.mark.django_db

TAMPERINGS = 100


@pytest.mark.parametrize("key", PRESETS)
def test_of_every_kind_played_to_its_end_is_proved(key: str) -> None:
    event = of_preset(key)
    rounds = play_to_the_end(event)
    content = file_of(event)
    assert differences(content) == []
    report = verify(content)
    assert report.notes == []
    assert report.counts["draws"] == rounds > 3


@pytest.mark.parametrize(
    "draw_format",
    ["swiss", "random", "swiss_individual", "progressive", "round_robin", "pools", "double_elimination"],
)
def test_of_a_tournament_in_which_everything_happened_is_proved(draw_format: str) -> None:
    """Swaps, held tables, rulings, corrections found late, withdrawals, rounds taken back, undone undos."""
    content = file_of(an_eventful_tournament(len(draw_format), draw_format=draw_format))
    assert differences(content) == []
    assert verify(content).counts["draws"] == len(content["rounds"])


@pytest.fixture(scope="module")
def content(django_db_setup: None, django_db_blocker: pytest.FixtureRequest) -> Content:
    """A Swiss tournament of three rounds, played by a director without troubles."""
    from django.db import transaction

    with django_db_blocker.unblock(), transaction.atomic():  # type: ignore[attr-defined]
        event = a_tournament(stages=[{"format": "swiss"}])
        director = Director(event, 1)
        for _ in range(8):
            director.end_of_round()
        found = file_of(event)
        transaction.set_rollback(True)
    return found


class TestATampering:
    def test_is_found_wherever_it_is(self, content: Content) -> None:
        chance = Random(2026)
        paths = list(leaves(content))
        for _ in range(TAMPERINGS):
            path = chance.choice(paths)
            tampered = with_value(content, path, another(value_at(content, path), chance))
            assert is_found(tampered), path

    def test_is_found_by_computing_where_the_sums_were_put_right(self, content: Content) -> None:
        deeds = set()
        for seed in range(TAMPERINGS):
            deed, forged = Forger(content, seed).forged()
            deeds.add(deed)
            codes = {each.code for each in verify(read_event_file(written(forged))).differences}
            assert codes, (deed, seed)
            assert "sum_is_other" not in codes
        assert len(deeds) > 20


def is_found(tampered: Content) -> bool:
    try:
        return bool(verify(read_event_file(json.dumps(tampered).encode())).differences)
    except Refusal:
        return True


def test_the_same_event_is_the_same_bytes(content: Content) -> None:
    again = read_event_file(written(content))
    assert again == content
    assert written(again) == written(content)
