"""Random steps of two owners over a network that fails: two leaders, or none, are reported at both desks, and
the buttons there lead out of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from random import Random

import pytest
from django.db import transaction

from engine.checksums import to_canonical_json
from scoring.models import Mark
from tests.builders import mark, matches_of
from tests.spoiling_proxy import Fault, find_no_fault
from tests.tournaments.mirrors.test_two_installations import Pair, get_event, pair, reset_pairing_time, site
from tournaments.rounds.services.tables import adjust_table

__all__ = ["pair", "site"]

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

STEPS = 10
FAULTS = (Fault.DROP_ANSWER, Fault.DUPLICATE, Fault.RESET, Fault.CUT_BODY)


def activate_installation(pair: Pair, *, there: bool) -> AbstractContextManager[None]:
    return pair.site.activate() if there else nullcontext()


def is_leading(pair: Pair, *, there: bool) -> bool:
    with activate_installation(pair, there=there):
        return not get_event().is_mirror


def list_hands(pair: Pair, *, there: bool) -> list[tuple[int, bytes]]:
    with activate_installation(pair, there=there):
        marks = Mark.objects.filter(match__terms=get_event().terms_id)
        return sorted((each.number, to_canonical_json(each.record_data)) for each in marks)


def record_hands(pair: Pair, dice: Random) -> None:
    for there in (True, False):
        if is_leading(pair, there=there):
            with activate_installation(pair, there=there):
                match = matches_of(get_event())[0]
                mark(match, f"{dice.choice('AB')} 6 made", number=match.summary["next"])


def press_offered(pair: Pair, action: str, *, there: bool) -> bool:
    """Press a button if the page offers it."""
    page = pair.open_page(there=there)
    is_offered = any(form.attrs.get("action", "").endswith(action) for form in page.find_all("form"))
    return is_offered and pair.press(action, there=there).status == 200


def press_both(pair: Pair, dice: Random, action: str) -> None:
    for there in dice.sample((True, False), 2):
        press_offered(pair, action, there=there)


def spoil_network(pair: Pair, dice: Random) -> None:
    fault = dice.choice(FAULTS)
    pair.network.spoil = lambda method, path, count: fault if count % 2 else None


def cut_network(pair: Pair, dice: Random) -> None:
    pair.network.spoil = lambda method, path, count: Fault.RESET


def restore_network(pair: Pair, dice: Random) -> None:
    pair.network.spoil = find_no_fault


def press_hand_there_and_restore(pair: Pair, dice: Random) -> None:
    """Restore the public site from before a step of its owner."""
    older = pair.site.copy_database()
    press_offered(pair, dice.choice(("/hand", "/lead")), there=True)
    pair.catch_up()
    record_hands(pair, dice)
    pair.site.restore(older)


def continue_with_an_old_laptop(pair: Pair, dice: Random) -> None:
    """Restore the laptop from before a step of either owner, and go on there."""
    older = transaction.savepoint()
    press_offered(pair, dice.choice(("/hand", "/lead")), there=dice.random() < 0.5)
    record_hands(pair, dice)
    pair.catch_up()
    transaction.savepoint_rollback(older)
    record_hands(pair, dice)


def rule(pair: Pair, dice: Random) -> None:
    for there in (True, False):
        if is_leading(pair, there=there):
            with activate_installation(pair, there=there):
                adjust_table(event_id=get_event().pk, number=1, table=2, games=(1, 0), points=(32, dice.randrange(30)))


def link_again(pair: Pair, dice: Random) -> None:
    restore_network(pair, dice)
    reset_pairing_time(pair)


OWNER_STEPS: tuple[Callable[[Pair, Random], object], ...] = (
    *(record_hands, record_hands, cut_network, restore_network, spoil_network, lambda pair, dice: pair.catch_up()),
    *(lambda pair, dice: press_offered(pair, "/hand", there=dice.random() < 0.5),) * 2,
    lambda pair, dice: press_offered(pair, "/lead", there=dice.random() < 0.5),
    *(press_hand_there_and_restore, continue_with_an_old_laptop, rule, link_again),
    *(lambda pair, dice: press_both(pair, dice, "/hand"), lambda pair, dice: press_both(pair, dice, "/lead")),
)


def settle_dispute(pair: Pair) -> None:
    """Decide as both pages propose: follow the installation that leads, or lead here if none does."""
    is_led_there = is_leading(pair, there=True)
    if is_led_there and press_offered(pair, "/follow", there=False):
        return
    if is_leading(pair, there=False) and press_offered(pair, "/anew", there=True):
        return
    assert press_offered(pair, "/lead", there=False)


def wait_for_agreement(pair: Pair) -> bool:
    """Wait until nothing changes any more; return whether one leads, and the other has its hands."""
    for _ in range(3):
        pair.catch_up()
    pair.wait_for_a_minute()
    for there in (False, True):
        assert pair.open_page(there=there).status == pair.open_desk(there=there).status == 200
    is_one_leading = is_leading(pair, there=False) != is_leading(pair, there=True)
    is_equal = is_one_leading and list_hands(pair, there=False) == list_hands(pair, there=True)
    disputes = pair.get_disputes()
    assert all(disputes) or (is_equal and disputes == (None, None)), disputes
    return not any(disputes)


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 30))])
def test_any_steps_of_both_owners_end_in_one_leader_or_a_choice(pair: Pair, seed: int) -> None:
    dice = Random(seed)
    pair.catch_up()
    for _ in range(STEPS):
        dice.choice(OWNER_STEPS)(pair, dice)
    restore_network(pair, dice)
    for _ in range(3):
        if wait_for_agreement(pair):
            break
        settle_dispute(pair)
    else:
        assert wait_for_agreement(pair)
