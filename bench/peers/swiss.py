"""Draw one Swiss round by a public engine, for `bench draws --peer-python`: `swiss.py ENGINE`.

A separate Python runs it, which has the engine installed: swisspair (C++, one matching of the whole field) or
swissdutch (Python, the FIDE procedure of transpositions and exchanges). It prints a line of JSON. The state is JSON
on standard input: ``round``, and ``players``, best first, each with ``number`` (place in the starting list),
``score`` (wins), by round ``opponents`` (0: a bye) and ``sides`` (1, -1, 0: none), and ``float`` (of the previous
round: -2 down, 2 up).
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable
from typing import Any

State = dict[str, Any]
Pairs = list[tuple[int, int]]
"""Pairs of entry numbers; 0 is the bye."""


def build_swisspair(state: State) -> Callable[[], Pairs]:
    engine = importlib.import_module("swisspair")
    players = [
        engine.Player(
            id=str(player["number"]),
            points=player["score"],
            rank=rank,
            can_get_bye=0 not in player["opponents"],
            cannot_be_paired_against_ids={str(other) for other in player["opponents"] if other},
        )
        for rank, player in enumerate(state["players"], start=1)
    ]

    def draw_pairs() -> Pairs:
        matches = engine.create_matches(players, power_pairing=True)
        return [(int(match.p1.id), int(match.p2.id) if match.p2 else 0) for match in matches]

    return draw_pairs


def build_swissdutch(state: State) -> Callable[[], Pairs]:
    constants = importlib.import_module("swissdutch.constants")
    engine = importlib.import_module("swissdutch.dutch").DutchPairingEngine()
    player_class = importlib.import_module("swissdutch.player").Player
    players = [
        player_class(
            name=str(player["number"]),
            rating=10_000 - player["number"],
            pairing_no=player["number"],
            score=player["score"],
            float_status=constants.FloatStatus(player["float"]),
            opponents=tuple(player["opponents"]),
            colour_hist=tuple(map(constants.Colour, player["sides"])),
        )
        for player in state["players"]
    ]

    def draw_pairs() -> Pairs:
        after = engine.pair_round(state["round"], players)
        pairs = {tuple(sorted((player.pairing_no, player.opponents[-1]))) for player in after}
        return [(higher, lower) for lower, higher in sorted(pairs)]

    return draw_pairs


ENGINES = {"swisspair": build_swisspair, "swissdutch": build_swissdutch}


def main(engine: str, state: State) -> None:
    drawn = ENGINES[engine](state)
    started, processor_start = time.perf_counter(), time.process_time()
    pairs = drawn()
    seconds, processor = time.perf_counter() - started, time.process_time() - processor_start
    print(json.dumps({"seconds": seconds, "processor_seconds": processor, "pairs": pairs}))


if __name__ == "__main__":
    main(sys.argv[1], json.load(sys.stdin))
