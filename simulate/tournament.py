"""A tournament of two days, through the client alone: pools, finals A and B, timed rounds; and our own count."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from client.charlemagne_client import Client
from client.charlemagne_client.shapes import HandIn, RankOut, RoundOut, TableOut
from rules import RULESETS, MatchCriterion, MatchFormat, MatchState, Record, TieRule, fold, read_record

from .expected_standings import ORDER, ExpectedStandings
from .measurements import Measurements
from .organizer import MeasuredTransport, Organizer, fetch_final_standings

POOL, QUALIFIED, HANDS = 4, 2, 4
"""Pairs in a pool, those of them in final A, and hands before the time is up."""
POOL_ROUNDS = POOL - 1
SECTIONS = ("Aînés", "Juniors")
TIMED_FORMAT = MatchFormat(minutes=40, decided_by=MatchCriterion.POINTS)
WINNER_ROUND = 99
"""Round in which the winner of a final is eliminated: later than all real rounds."""


def play_tournament(server: str, token: str, say: Callable[[str], None], *, pairs: int, seed: int) -> dict[str, Any]:
    """Play a tournament of ``pairs`` pairs; return its figures, and whether all standings equal our count."""
    measures = Measurements()
    client = Client(server, token, send=MeasuredTransport(server, measures, Random(f"{seed}/desk"), 0.02))  # noqa: S311
    reader = Client(server, send=MeasuredTransport(server, measures, Random(0), 0))  # noqa: S311
    tournament = Tournament(client, reader, measures, say, seed=seed)
    tournament.play(pairs)
    for line in (*measures.format_report(), *tournament.differences):
        say(line)
    are_equal = not tournament.differences
    return {"pairs": pairs, "seed": seed, "errors": len(measures.errors), "standings_equal": are_equal}


class Tournament:
    """Tournament with its own count; ``differences`` has a sentence for each difference."""

    def __init__(
        self, client: Client, reader: Client, measures: Measurements, say: Callable[[str], None], *, seed: int
    ) -> None:
        self.client, self.reader, self.say = client, reader, say
        self.chance = Random(seed)  # noqa: S311 -- no secret
        self.organizer = Organizer(client, measures, self.chance)
        self.count = ExpectedStandings(games_to_win=0)
        self.sections: dict[str, list[int]] = defaultdict(list)
        self.pools: dict[str, set[int]] = defaultdict(set)
        self.left: dict[int, set[int]] = {}
        self.differences: list[str] = []

    def play(self, pairs: int) -> None:
        self._prepare(pairs)
        for number in range(1, POOL_ROUNDS + 1):
            self._play_round(number)
        self._compare_standings("pools", lambda section: self._fetch_standings(POOL_ROUNDS, section))
        number, self.left = POOL_ROUNDS, {}
        while not self.left or any(len(entries) > 1 for entries in self.left.values()):
            number += 1
            self._play_round(number)
        for stage, entries in self.left.items():
            self.count.reached |= dict.fromkeys(entries, (-stage, WINNER_ROUND))
        self.organizer.finish_event()
        event = self.organizer.event
        self._compare_standings("final", lambda section: fetch_final_standings(self.reader, event, section))

    def _prepare(self, pairs: int) -> None:
        organizer, client = self.organizer, self.client
        final = {"format": "knockout", "takes": "pool_top", "count": QUALIFIED}
        made = organizer.create_event(
            tables=pairs // 2,
            ruleset="canadian",
            name="Simulation",
            minutes=TIMED_FORMAT.minutes,
            stages=[
                {"format": "pools", "settings": {"pool_size": POOL}},
                {**final, "first": 1},
                {**final, "first": 1 + QUALIFIED, "beside": True},
            ],
            sections=[{"name": name} for name in SECTIONS],
            ranking={"order": list(ORDER), "across_pools": "totals"},
        )
        tomorrow = datetime.date.fromisoformat(made["held_on"]) + datetime.timedelta(days=1)
        client.announce_event(organizer.event, last_day=tomorrow.isoformat())
        people = organizer.find_or_add_people(2 * pairs)
        for place, pair in enumerate(zip(people[::2], people[1::2], strict=True)):
            entry, section = organizer.enter_pair([*pair]), SECTIONS[place % len(SECTIONS)]
            client.describe_entry(organizer.event, entry, section=section)
            self.count.enter(entry)
            self.sections[section].append(entry)
        organizer.start_event()

    def _play_round(self, number: int) -> None:
        drawn, codes = self.organizer.publish_round(), self.organizer.get_codes()
        self.client.begin_round(self.organizer.event, number)
        self._check_draw(drawn)
        for table in drawn["tables"]:
            state = self._play_table(codes[table["number"]], is_final=table["stage"] > 1)
            self._add_match(table, number, state)
        self.organizer.close_round(number)
        self.say(f"round {number}: {len(drawn['tables'])} tables")

    def _check_draw(self, round_data: RoundOut) -> None:
        """Check that each entry still in a final plays there or has a bye."""
        found: dict[int, set[int]] = defaultdict(set)
        for table in round_data["tables"]:
            found[table["stage"]] |= _list_entries(table)
            if table["place"] is not None and table["place"]["pool"]:
                self.pools[table["place"]["pool"]] |= _list_entries(table)
        for bye in round_data["byes"]:
            found[bye["stage"]].add(bye["entry"])
        if 1 in found:
            return
        if not self.left:
            self.left = {stage: set(entries) for stage, entries in found.items()}
            self._check_qualified()
        for stage, entries in self.left.items():
            if len(entries) > 1 and entries != found[stage]:
                difference = f"round {round_data['number']}, stage {stage}: {found[stage]}, counted {entries}"
                self.differences.append(difference)

    def _check_qualified(self) -> None:
        """Check that no pair in final B was better than one of its pool in final A."""
        for name, pool in self.pools.items():
            qualified = pool & self.left[2]
            figures = {entry: self.count.tallies[entry].figures for entry in pool}
            worst = min((figures[entry] for entry in qualified), default=())
            if len(qualified) != QUALIFIED or any(figures[entry] > worst for entry in pool - qualified):
                self.differences.append(f"pool {name}: {qualified} qualified, with {figures}")

    def _play_table(self, code: str, *, is_final: bool) -> MatchState:
        """Play ``HANDS`` hands until time is called; in a final, more hands until a side is ahead."""
        ruleset = RULESETS["canadian"]
        length = replace(TIMED_FORMAT, tie=TieRule.EXTRA_HAND) if is_final else TIMED_FORMAT
        match = self.client.get_table(code)["match"]
        marks: list[tuple[int, Record]] = []
        state = fold(ruleset, length, marks)
        while not state.is_over:
            number = len(marks) + 1
            hand: HandIn = {"kind": "time_called"} if number == HANDS + 1 else self._choose_hand()
            self.client.mark_hand(code, match=match, number=number, hand=hand)
            marks.append((number, read_record(ruleset, hand)))
            state = fold(ruleset, length, marks)
        return state

    def _choose_hand(self) -> HandIn:
        side, tricks = self.chance.choice("AB"), self.chance.randint(4, 8)
        return {"side": side, "contract": self.chance.choice("567"), "tricks": tricks}

    def _add_match(self, table: TableOut, number: int, state: MatchState) -> None:
        sides = [side["entries"] for side in table["sides"]]
        self.count.add_match(state, sides)
        if table["stage"] > 1 and state.winner is not None:
            for loser in sides[state.winner.other]:
                self.left[table["stage"]].discard(loser)
                self.count.reached[loser] = (-table["stage"], number)

    def _fetch_standings(self, number: int, section: str) -> list[RankOut]:
        def current() -> list[RankOut] | None:
            found = self.reader.get_standings(self.organizer.event, section=section)
            return found["results"] if found["after_round"] == number else None

        return self.organizer.wait_until(current)

    def _compare_standings(self, when: str, read: Callable[[str], list[RankOut]]) -> None:
        for section, entries in {"": [*self.count.tallies], **self.sections}.items():
            found = self.count.of(entries).find_differences(read(section))
            self.differences += [f"{when}, {section or 'all'}: {difference}" for difference in found]


def _list_entries(table: TableOut) -> set[int]:
    return {entry for side in table["sides"] for entry in side["entries"]}
