"""A whole night: who comes, round after round, and what is compared in the end."""

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

from .counting import Count
from .lines import Line
from .measures import Measures
from .organizer import Organizer, Way, final_standings
from .outbox import TableLost
from .phones import MARK, Habits, Phone
from .watchers import Watcher

STACK = 512 * 1024
"""Bytes of each of many threads, which do little."""
MOST_TABLES = 1_000
"""Of an event. With fewer there is one more, for a pair that comes late."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A night to simulate in the club with the API key ``token``. ``pace`` is the seconds per hand; 0: no
    pause."""

    server: str
    token: str
    tables: int
    rounds: int
    pace: float
    watchers: int
    seed: int
    ruleset: str = "canadian"
    name: str = "Simulation"
    unheard: float = 0.02


def play_nights(plans: Sequence[Plan], say: Callable[[str], None], *, within: float) -> dict[str, Any]:
    """The figures of these nights, which begin ``within`` so many seconds of one another; what cannot go on
    is an error among them. ``say`` is told how it goes."""
    threading.stack_size(STACK)
    measures, begun = Measures(), time.monotonic()
    with ThreadPoolExecutor(len(plans), "night") as pool:
        nights = [pool.submit(Night(plan, measures, say).play) for plan in _one_by_one(plans, within)]
        are_equal = [night.result() for night in nights]
    seconds = time.monotonic() - begun
    for line in measures.lines():
        say(line)
    plan, done = plans[0], measures.done
    return {
        "hands": done["hands"],
        "errors": len(measures.errors),
        "p50_ms": measures.p50(MARK),
        "p99_ms": measures.p99(MARK),
        "standings_equal": all(are_equal),
        "p99_ms_of_all": measures.p99(),
        "requests": sum(map(len, measures.times.values())),
        "seconds": round(seconds, 1),
        "nights": len(plans),
        "tables": plan.tables,
        "rounds": plan.rounds,
        "watchers": plan.watchers,
        "seed": plan.seed,
        **{what.replace(" ", "_"): done[what] for what in ("corrections", "undos", "calls answered")},
    }


def _one_by_one(plans: Sequence[Plan], within: float) -> Iterator[Plan]:
    """Each when it begins."""
    for plan in plans:
        yield plan
        time.sleep(within / len(plans))


class Night:
    """Played by ``play``; ``say`` is told how it goes."""

    def __init__(self, plan: Plan, measures: Measures, say: Callable[[str], None]) -> None:
        self.plan, self.measures, self.say = plan, measures, say
        self._stop = threading.Event()
        self._phones: dict[int, Phone] = {}

    def play(self) -> bool:
        """Whether the published standings are those that follow from what the phones saw."""
        try:
            return self._play()
        except (CharlemagneError, TimeoutError) as error:
            self.measures.error(f"broken off: {error}")
            return False
        finally:
            self._stop.set()

    def _play(self) -> bool:
        plan, seed = self.plan, self.plan.seed
        way = Way(plan.server, self.measures, Random(f"{seed}/desk"), plan.unheard)  # noqa: S311
        client = Client(plan.server, plan.token, language="fr", send=way)
        organizer = Organizer(client, self.measures, Random(f"{seed}/people"))  # noqa: S311
        made = organizer.make(tables=min(plan.tables + 1, MOST_TABLES), ruleset=plan.ruleset, name=plan.name)
        self.say(f"event {plan.server}/fr/e/{made['id']}")
        count = Count(games_to_win=made["format"]["games_to_win"] or 0)
        people = organizer.gather(4 * plan.tables)
        for first, second in zip(people[::2], people[1::2], strict=True):
            count.enter(organizer.enter([first, second]))
        organizer.start()
        watchers = [
            Watcher(plan.server, made["id"], self.measures, self._stop, f"{seed}/watcher/{number}")
            for number in range(plan.watchers)
        ]
        for watcher in watchers:
            watcher.start()
        for number in range(1, plan.rounds + 1):
            self._round(organizer, number, count)
            if number < plan.rounds:
                self._between(organizer, number, count)
        organizer.finish()
        self._stop.set()
        for watcher in watchers:
            watcher.join(5)
        return self._is_equal(count, made["id"])

    def _round(self, organizer: Organizer, number: int, count: Count) -> None:
        drawn, codes, begun = organizer.publish(), organizer.codes(), time.monotonic()
        over = threading.Event()
        pause = max(0.3, self.plan.pace / 10)
        desk = threading.Thread(target=organizer.answer_calls, args=(over, codes, pause), daemon=True)
        desk.start()
        tables = [table["number"] for table in drawn["tables"]]
        with ThreadPoolExecutor(len(tables), "table") as pool:
            played = dict(zip(tables, pool.map(lambda at: self._match(at, codes[at]), tables), strict=True))
        over.set()
        desk.join()
        closed = organizer.close(number)
        self._add_up(closed, played, count)
        self.say(f"round {number}: {len(tables)} tables, {time.monotonic() - begun:.1f} s")

    def _match(self, table: int, code: str) -> MatchState | None:
        """None where the table could not go on: then that is among the errors."""
        try:
            return self._phone(table, code).play()
        except TableLost as lost:
            self.measures.error(f"table {table}: {lost}")
        except Exception as error:  # noqa: BLE001 -- one table does not end the night
            self.measures.error(f"table {table}: {error!r}")
        return None

    def _phone(self, table: int, code: str) -> Phone:
        if table not in self._phones:
            self._phones[table] = Phone(
                code,
                Line(self.plan.server, self.measures),
                self.measures,
                Habits(pace=self.plan.pace, **({} if self._phones else {"called": 1.0})),
                Random(f"{self.plan.seed}/table/{table}"),  # noqa: S311
            )
        return self._phones[table]

    def _add_up(self, closed: RoundOut, played: dict[int, MatchState | None], count: Count) -> None:
        """And holds what the round shows of each table against what its phone saw."""
        for table in closed["tables"]:
            state, sides = played[table["number"]], table["sides"]
            if state is None:
                continue
            count.add_match(state, [side["entries"] for side in sides])
            shown = [(side["points"], side["games_won"]) for side in sides]
            seen = list(zip(state.points, state.games_won, strict=True))
            if shown != seen:
                self.measures.error(f"table {table['number']} shows {shown}, its phone saw {seen}")
        for bye in closed["byes"]:
            self.measures.count("byes")
            count.add_bye(bye["entry"])

    def _between(self, organizer: Organizer, number: int, count: Count) -> None:
        """Somebody comes late after the first round; somebody goes after the second, or before the last."""
        if number == 1:
            count.enter(organizer.come_late())
            organizer.substitute(2)
        if number == min(2, self.plan.rounds - 1):
            organizer.withdraw(1, after=number)

    def _is_equal(self, count: Count, event: str) -> bool:
        way = Way(self.plan.server, self.measures, Random(0), 0)  # noqa: S311
        differences = count.differences(final_standings(Client(self.plan.server, send=way), event))
        for difference in differences:
            self.measures.error(difference)
        return not differences
