"""A whole night: people, rounds, and the final comparison."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import Any

from client.charlemagne_client import CharlemagneError, Client
from client.charlemagne_client.shapes import RoundOut
from rules import MatchState

from .expected_standings import ExpectedStandings
from .http_device import HttpDevice
from .measurements import Measurements
from .organizer import MeasuredTransport, Organizer, fetch_final_standings
from .outbox import TableLost
from .phones import MARK, Habits, Phone
from .watchers import Watcher

STACK_SIZE = 512 * 1024
"""Stack size in bytes of each thread; there are many, and they do little."""
MAX_TABLES = 1_000
"""Most tables of an event. With fewer, the event has one more table, for a late pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Night to simulate in the club of the API key ``token``; ``pace`` is seconds per hand, 0 for no pause."""

    server: str
    token: str
    tables: int
    rounds: int
    pace: float
    watchers: int
    seed: int
    ruleset: str = "canadian"
    name: str = "Simulation"
    lost_answer_share: float = 0.02


def play_nights(plans: Sequence[Plan], report: Callable[[str], None], *, spread_seconds: float) -> dict[str, Any]:
    """Play these nights, which begin within ``spread_seconds``, and return their figures.

    A night that cannot go on counts as an error. ``report`` prints the progress.
    """
    threading.stack_size(STACK_SIZE)
    measures, started = Measurements(), time.monotonic()
    with ThreadPoolExecutor(len(plans), "night") as pool:
        nights = [pool.submit(Night(plan, measures, report).play) for plan in _iter_with_delays(plans, spread_seconds)]
        equalities = [night.result() for night in nights]
    seconds = time.monotonic() - started
    for line in measures.format_report():
        report(line)
    plan, counts = plans[0], measures.counts
    return {
        "hands": counts["hands"],
        "errors": len(measures.errors),
        "p50_ms": measures.compute_p50(MARK),
        "p99_ms": measures.compute_p99(MARK),
        "standings_equal": all(equalities),
        "p99_ms_of_all": measures.compute_p99(),
        "requests": sum(map(len, measures.times.values())),
        "seconds": round(seconds, 1),
        "nights": len(plans),
        "tables": plan.tables,
        "rounds": plan.rounds,
        "watchers": plan.watchers,
        "seed": plan.seed,
        **{action.replace(" ", "_"): counts[action] for action in ("corrections", "undos", "calls answered")},
    }


def _iter_with_delays(plans: Sequence[Plan], spread_seconds: float) -> Iterator[Plan]:
    """Yield each plan when its night begins."""
    for plan in plans:
        yield plan
        time.sleep(spread_seconds / len(plans))


class Night:
    """A simulated night. ``play`` plays it, and ``report`` prints its progress."""

    def __init__(self, plan: Plan, measures: Measurements, report: Callable[[str], None]) -> None:
        self.plan, self.measures, self.report = plan, measures, report
        self._stop = threading.Event()
        self._phones: dict[int, Phone] = {}

    def play(self) -> bool:
        """Play the night, and return whether the published standings equal those computed from the phones."""
        try:
            return self._play()
        except (CharlemagneError, TimeoutError) as error:
            self.measures.record_error(f"broken off: {error}")
            return False
        finally:
            self._stop.set()

    def _play(self) -> bool:
        plan, seed = self.plan, self.plan.seed
        transport = MeasuredTransport(plan.server, self.measures, Random(f"{seed}/desk"), plan.lost_answer_share)  # noqa: S311
        client = Client(plan.server, plan.token, language="fr", send=transport)
        organizer = Organizer(client, self.measures, Random(f"{seed}/people"))  # noqa: S311
        event = organizer.create_event(tables=min(plan.tables + 1, MAX_TABLES), ruleset=plan.ruleset, name=plan.name)
        self.report(f"event {plan.server}/fr/e/{event['id']}")
        expected = ExpectedStandings(games_to_win=event["format"]["games_to_win"] or 0)
        people = organizer.find_or_add_people(4 * plan.tables)
        for first, second in zip(people[::2], people[1::2], strict=True):
            expected.enter(organizer.enter_pair([first, second]))
        organizer.start_event()
        watchers = [
            Watcher(plan.server, event["id"], self.measures, self._stop, f"{seed}/watcher/{number}")
            for number in range(plan.watchers)
        ]
        for watcher in watchers:
            watcher.start()
        for number in range(1, plan.rounds + 1):
            self._play_round(organizer, number, expected)
            if number < plan.rounds:
                self._change_entries(organizer, number, expected)
        organizer.finish_event()
        self._stop.set()
        for watcher in watchers:
            watcher.join(5)
        return self._check_standings(expected, event["id"])

    def _play_round(self, organizer: Organizer, number: int, expected: ExpectedStandings) -> None:
        drawn_round, codes, started = organizer.publish_round(), organizer.get_codes(), time.monotonic()
        is_over = threading.Event()
        pause = max(0.3, self.plan.pace / 10)
        desk = threading.Thread(target=organizer.answer_calls, args=(is_over, codes, pause), daemon=True)
        desk.start()
        tables = [table["number"] for table in drawn_round["tables"]]
        with ThreadPoolExecutor(len(tables), "table") as pool:
            states = dict(zip(tables, pool.map(lambda at: self._play_match(at, codes[at]), tables), strict=True))
        is_over.set()
        desk.join()
        closed_round = organizer.close_round(number)
        self._add_round(closed_round, states, expected)
        self.report(f"round {number}: {len(tables)} tables, {time.monotonic() - started:.1f} s")

    def _play_match(self, table: int, code: str) -> MatchState | None:
        """Play the match of a table; return None, with an error recorded, if it cannot go on."""
        try:
            return self._get_phone(table, code).play_match()
        except TableLost as lost:
            self.measures.record_error(f"table {table}: {lost}")
        except Exception as error:  # noqa: BLE001 -- one table does not end the night
            self.measures.record_error(f"table {table}: {error!r}")
        return None

    def _get_phone(self, table: int, code: str) -> Phone:
        if table not in self._phones:
            self._phones[table] = Phone(
                code,
                HttpDevice(self.plan.server, self.measures),
                self.measures,
                Habits(pace=self.plan.pace, **({} if self._phones else {"called": 1.0})),
                Random(f"{self.plan.seed}/table/{table}"),  # noqa: S311
            )
        return self._phones[table]

    def _add_round(
        self, closed_round: RoundOut, states: dict[int, MatchState | None], expected: ExpectedStandings
    ) -> None:
        """Add a round to the expected standings, and compare each table's result with its phone's."""
        for table in closed_round["tables"]:
            state, sides = states[table["number"]], table["sides"]
            if state is None:
                continue
            expected.add_match(state, [side["entries"] for side in sides])
            shown_results = [(side["points"], side["games_won"]) for side in sides]
            phone_results = list(zip(state.points, state.games_won, strict=True))
            if shown_results != phone_results:
                self.measures.record_error(
                    f"table {table['number']} shows {shown_results}, its phone saw {phone_results}"
                )
        for bye in closed_round["byes"]:
            self.measures.count("byes")
            expected.add_bye(bye["entry"])

    def _change_entries(self, organizer: Organizer, number: int, expected: ExpectedStandings) -> None:
        """Add a late pair and a substitute after round 1, and withdraw an entry after round 2 or earlier."""
        if number == 1:
            expected.enter(organizer.add_late_pair())
            organizer.substitute_player(2)
        if number == min(2, self.plan.rounds - 1):
            organizer.withdraw_entry(1, last_round=number)
            expected.tallies[1].has_left = True

    def _check_standings(self, expected: ExpectedStandings, event: str) -> bool:
        transport = MeasuredTransport(self.plan.server, self.measures, Random(0), 0)  # noqa: S311
        differences = expected.find_differences(fetch_final_standings(Client(self.plan.server, send=transport), event))
        for difference in differences:
            self.measures.record_error(difference)
        return not differences
