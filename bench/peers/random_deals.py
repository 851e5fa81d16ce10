"""Play random deals of similar games by public engines, for `bench deals --peer-python`; prints a line of JSON.

A separate Python runs it, which has some of them installed: open_spiel (C++, Euchre: 24 cards, five tricks, two
bowers) and rlcard (Python, bridge: 52 cards, thirteen tricks). Engines that it lacks are left out.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import random
import sys
import time
from collections.abc import Callable

DealPlayer = Callable[[], int]
"""Function that plays one deal and returns the number of its decisions."""


def build_euchre() -> DealPlayer:
    game = importlib.import_module("pyspiel").load_game("euchre")
    chance = random.Random(1)

    def play_deal() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            state.apply_action(chance.choice(state.legal_actions()))
        return decisions

    return play_deal


def build_bridge() -> DealPlayer:
    rlcard = importlib.import_module("rlcard")
    agents = importlib.import_module("rlcard.agents")
    env = rlcard.make("bridge", config={"seed": 1})
    env.set_agents([agents.RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def play_deal() -> int:
        before = env.timestep
        env.run(is_training=False)
        return int(env.timestep - before)

    return play_deal


ENGINES = {"open_spiel_euchre": ("pyspiel", build_euchre), "rlcard_bridge": ("rlcard", build_bridge)}


def measure_rates(played: DealPlayer, *, seconds: float) -> tuple[float, float]:
    """Return deals and decisions per second of processor time, over at least ``seconds``."""
    played()
    deals = decisions = 0
    started = time.process_time()
    while (times := time.process_time() - started) < seconds:
        decisions += played()
        deals += 1
    return deals / times, decisions / times


def main(seconds: float) -> None:
    print(
        json.dumps(
            {
                name: measure_rates(game(), seconds=seconds)
                for name, (module, game) in ENGINES.items()
                if importlib.util.find_spec(module)
            }
        )
    )


if __name__ == "__main__":
    main(float(sys.argv[1]))
