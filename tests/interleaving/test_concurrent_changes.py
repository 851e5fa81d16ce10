"""Two concurrent changes have the effect of some serial order, however their statements interleave.

The final state and both outcomes must equal those of one of the two orders. The second change begins before each
statement of the first that locks or writes.
"""

from collections.abc import Callable
from random import Random

import pytest
from django.db import connection

from tests.interleaving.calls import Call, Scene
from tests.interleaving.database_state import SavedDatabase, State
from tests.interleaving.runners import LOCK_OR_WRITE, Runner, open_runners, run_two
from tests.interleaving.scenes import SCENES
from tests.long_runs import RUN_SEED, choose_count

pytestmark = [
    pytest.mark.django_db(transaction=True, reset_sequences=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite lets one writer in after the other"),
    pytest.mark.postgresql("interleaved writers"),
]

PAIRS = choose_count(4, long=40)
"""Number of random pairs of calls per scene."""

RunOutcome = tuple[str, str, State]


class CallPair:
    """Two calls that run concurrently from one saved state, in every schedule."""

    def __init__(self, snapshot: SavedDatabase, runners: tuple[Runner, Runner], first: Call, second: Call) -> None:
        self.snapshot, self.runners, self.calls = snapshot, runners, (first, second)
        of_second, of_first, state = self._run_schedule(second, first, None)
        self.second_first: RunOutcome = (of_first, of_second, state)
        self.in_order = self._run_schedule(first, second, None)
        self.sent = list(runners[0].sent_statements)

    def list_faults(self) -> list[str]:
        """Describe each schedule whose result equals that of neither order."""
        moments = [number for number, sql in enumerate(self.sent) if LOCK_OR_WRITE.search(sql)]
        ends = {after: self._run_schedule(*self.calls, after) for after in moments}
        return [
            self._format_fault(after, end)
            for after, end in ends.items()
            if end not in (self.in_order, self.second_first)
        ]

    def _run_schedule(self, first: Call, second: Call, after: int | None) -> RunOutcome:
        self.snapshot.take_up()
        return (*run_two(self.runners, first, second, after=after), self.snapshot.read_state())

    def _format_fault(self, after: int, end: RunOutcome) -> str:
        first, second = (call.func.__name__ for call in self.calls)
        nearest = min((end[2].list_differences(order[2]) for order in (self.in_order, self.second_first)), key=len)
        return "\n    ".join(
            [
                f"{second} before statement {after} of {first} ({self.sent[after][:80]}): {end[:2]}; "
                f"in order {self.in_order[:2]}, the other first {self.second_first[:2]}",
                *nearest[:6],
            ]
        )


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_concurrent_changes_have_the_effect_of_some_serial_order(scene: Callable[[], Scene]) -> None:
    calls = scene()
    every = [(first, second) for first in calls for second in calls]
    dice = Random(RUN_SEED + scene.__name__)
    saved_database = SavedDatabase()
    with open_runners() as runners:
        chosen = dice.sample(every, min(PAIRS, len(every)))
        faults = [
            fault for one, other in chosen for fault in CallPair(saved_database, runners, one, other).list_faults()
        ]
    saved_database.drop()
    assert not faults, "\n".join(faults)
