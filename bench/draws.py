"""A round of a Swiss event drawn and proved, beside other engines on the same state.

The event: clubs of a dozen, results by skill with some luck, earlier rounds drawn by our own Swiss. The time
of ours is that of the whole draw, reasons and certificate included; of networkx and the peers' libraries that
of the call; of bbpPairings that of its process. Best of three each, by the clock and by the processor: each
uses one processor, so the two are the same on a quiet machine, and on a busy one the second can be compared.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, TypeVar

import networkx as nx

from engine.draws import Bond, Draw, DrawInput, Entrant, EntryId, PlayedPairing, draw
from engine.draws.pairing_cost.certificates import is_proved
from engine.draws.pairing_cost.comparison import price_meeting, price_tables
from engine.draws.pairing_cost.costs import build_prices, compute_price, get_positions
from engine.draws.pairing_cost.criteria import PairingSettings
from engine.draws.pairing_cost.pairing import Prices
from engine.draws.trf import TrfReport, build_report, render_trf
from rules import Side

PEERS = Path(__file__).parent / "peers" / "swiss.py"
CLUB = 12
"""Entries of one club."""
TIMES = 3
NETWORKX_MAX_ENTRIES = 200

Pairs = list[tuple[EntryId, EntryId | None]]
"""Who meets whom; None: has the bye."""

_Result = TypeVar("_Result")


def main(argv: list[str]) -> dict[str, Any]:
    """Seconds and quality by engine, how many times ours each takes, and milliseconds for two questions."""
    parser = argparse.ArgumentParser(prog="bench draws")
    parser.add_argument("--entries", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=6, help="the round to be drawn; those before are played")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--peer-python", help="a Python with swisspair and swissdutch installed")
    parser.add_argument("--bbp", help="a bbpPairings executable")
    parser.add_argument("--limit", type=float, default=120, help="seconds that a peer may take for one draw")
    options = parser.parse_args(argv)

    state = state_before(options.rounds, entries=options.entries, seed=options.seed)
    times, result = measure_best(lambda: draw("swiss", state))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    prices = build_prices(state, PairingSettings())
    engines: dict[str, dict[str, Any]] = {"ours": {**times, **measure_quality(state, list_pairs(result))}}
    for name, found in run_peers(state, prices, options).items():
        if isinstance(found, str):
            engines[name] = {"left_out": found}
        else:
            engines[name] = {
                **found[0],
                **measure_quality(state, found[1]),
                **compare_with_peer(state, result, found[1]),
            }
    return {
        "entries": options.entries,
        "round": options.rounds,
        **times,
        "certified": is_certified(result, prices),
        "peak_mb": round(peak / 1024),
        **measure_questions(state, result),
        "engines": engines,
        "times_ours": {
            name: round(engine["processor_seconds"] / times["processor_seconds"], 1)
            for name, engine in engines.items()
            if name != "ours" and "seconds" in engine
        },
    }


def measure_best(
    call: Callable[[], _Result], *, usage_scope: int = resource.RUSAGE_SELF
) -> tuple[dict[str, float], _Result]:
    """The least of three calls, by the clock and by the processor (of this process, or of those it starts),
    and what the last call returned."""
    seconds, processor = [], []
    for _ in range(TIMES):
        started, processor_start = perf_counter(), _get_processor_seconds(usage_scope)
        result = call()
        seconds.append(perf_counter() - started)
        processor.append(_get_processor_seconds(usage_scope) - processor_start)
    return _format_times(seconds, processor), result


def _get_processor_seconds(usage_scope: int) -> float:
    usage = resource.getrusage(usage_scope)
    return usage.ru_utime + usage.ru_stime


def _format_times(seconds: Iterable[float], processor: Iterable[float]) -> dict[str, float]:
    return {"seconds": round(min(seconds), 5), "processor_seconds": round(min(processor), 5)}


# The state


def state_before(played_round: int, *, entries: int, seed: int) -> DrawInput:
    """An event with all rounds before this one played; a win counts 1, a bye as a win."""
    chance = Random(seed)
    skill = [chance.gauss(0, 1) for _ in range(entries)]
    clubs = [Bond("club", str(number % max(1, entries // CLUB))) for number in range(entries)]
    chance.shuffle(clubs)
    scores: Counter[int] = Counter()
    history: list[PlayedPairing] = []
    for number in range(1, played_round + 1):
        before = DrawInput(
            round=number,
            entrants=tuple(
                Entrant(
                    id=EntryId(entry + 1),
                    number=entry + 1,
                    score=scores[entry + 1],
                    bonds=frozenset([clubs[entry]]),
                )
                for entry in sorted(range(entries), key=lambda entry: (-scores[entry + 1], entry))
            ),
            history=tuple(history),
            seed=seed,
        )
        if number < played_round:
            history += _play_round(draw("swiss", before), scores, skill, chance)
    return before


def _play_round(result: Draw, scores: Counter[int], skill: Sequence[float], chance: Random) -> list[PlayedPairing]:
    """The round with results: whoever is one deviation better wins three times in four."""
    tables = []
    for table in result.tables:
        (a,), (b,) = table.a, table.b
        came = scores[a], scores[b]
        a_wins = chance.random() < 1 / (1 + 3 ** (skill[b - 1] - skill[a - 1]))
        winner = Side.A if a_wins else Side.B
        scores[a if a_wins else b] += 1
        tables.append(PlayedPairing(round=result.round, a=table.a, b=table.b, winner=winner, scores=came))
    for bye in result.byes:
        scores[bye.entry] += 1
        tables.append(PlayedPairing(round=result.round, a=(bye.entry,)))
    return tables


# What a draw is worth


def list_pairs(result: Draw) -> Pairs:
    tables: Pairs = [(table.a[0], table.b[0]) for table in result.tables]
    return tables + [(bye.entry, None) for bye in result.byes]


def measure_quality(state: DrawInput, pairs: Pairs) -> dict[str, int]:
    """Entries that met another score, the squared differences, club-mates that met, and who met again."""
    entrants = {entrant.id: entrant for entrant in state.entrants}
    met_pairs = {frozenset((*table.a, *table.b)) for table in state.history if table.b}
    meetings = [(entrants[one], entrants[other]) for one, other in pairs if other is not None]
    return {
        "floaters": sum(2 for one, other in meetings if one.score != other.score),
        "squared_difference": sum((one.score - other.score) ** 2 for one, other in meetings),
        "club_mates": sum(bool(one.bonds & other.bonds) for one, other in meetings),
        "repeats": sum(frozenset((one.id, other.id)) in met_pairs for one, other in meetings),
    }


def compare_with_peer(state: DrawInput, result: Draw, pairs: Pairs) -> dict[str, Any]:
    """Whether a peer's draw costs less by our criteria, and the first by which the two differ."""
    theirs = compute_price(state, PairingSettings(), pairs)
    differs = next((key for key, value in result.price.items() if theirs[key] != value), None)
    return {
        "differs_in": differs,
        "is_cheaper": differs is not None and theirs[differs] < result.price[differs],
    }


def is_certified(result: Draw, prices: Prices) -> bool:
    """Whether the stored proof holds, every pair of the whole field priced against it."""
    pairs = [get_positions(prices.field, pair) for pair in list_pairs(result)]
    return result.certificate is not None and is_proved(result.certificate, prices, pairs)


def measure_questions(state: DrawInput, result: Draw) -> dict[str, float]:
    """Milliseconds for what a director asks: what a draw made by hand costs, and why two do not meet."""
    if len(result.tables) < 2:
        return {}
    pair = state.entrants[0].id, state.entrants[len(state.entrants) // 2].id
    calls: dict[str, Callable[[], object]] = {
        "by_hand_ms": lambda: price_tables(state, "swiss", result.tables),
        "why_not_ms": lambda: price_meeting(state, "swiss", *pair),
    }
    times = {name: measure_best(question)[0] for name, question in calls.items()}
    return {name: round(1000 * each["processor_seconds"], 2) for name, each in times.items()}


# The peers


def run_peers(
    state: DrawInput, prices: Prices, options: argparse.Namespace
) -> dict[str, tuple[dict[str, float], Pairs] | str]:
    """By engine, seconds and pairs, or why there are none."""
    found: dict[str, tuple[dict[str, float], Pairs] | str] = {}
    if prices.field.size <= NETWORKX_MAX_ENTRIES:
        found["networkx"] = run_networkx(prices)
    else:
        found["networkx"] = f"the full graph of more than {NETWORKX_MAX_ENTRIES} entries takes minutes"
    for name in ("swisspair", "swissdutch"):
        found[name] = (
            run_library(options.peer_python, name, state, limit=options.limit)
            if options.peer_python
            else "--peer-python not given"
        )
    found["bbppairings"] = run_bbp(options.bbp, state, limit=options.limit) if options.bbp else "--bbp not given"
    return found


def run_networkx(prices: Prices) -> tuple[dict[str, float], Pairs]:
    """The whole graph with our prices."""
    costs = {pair: prices.price(*pair) for pair in combinations(range(prices.field.size), 2)}
    dearest = 1 + max(costs.values(), default=0)
    graph = nx.Graph()
    graph.add_weighted_edges_from((*pair, dearest - cost) for pair, cost in costs.items())
    seconds, matching = measure_best(lambda: nx.max_weight_matching(graph, maxcardinality=True))
    ids, nobody = prices.field.ids, prices.field.bye_position
    pairs = (sorted(pair) for pair in matching)
    return seconds, [(ids[higher], None if lower == nobody else ids[lower]) for higher, lower in pairs]


def run_library(python: str, name: str, state: DrawInput, *, limit: float) -> tuple[dict[str, float], Pairs] | str:
    """A Python library, in a process of its own; the time is that of the call alone."""
    state_json = json.dumps(_serialize_state(state))
    answers = []
    try:
        for _ in range(TIMES):
            answer = subprocess.run(
                [python, PEERS, name], input=state_json, capture_output=True, text=True, check=True, timeout=limit
            )
            answers.append(json.loads(answer.stdout))
    except subprocess.TimeoutExpired:
        return f"no answer within {limit:g} s"
    except subprocess.CalledProcessError as error:
        return f"failed: {error.stderr.strip().splitlines()[-1]}"
    pairs: Pairs = [(EntryId(one), EntryId(other) or None) for one, other in answers[0]["pairs"]]
    seconds, processor = ([answer[clock] for answer in answers] for clock in ("seconds", "processor_seconds"))
    return _format_times(seconds, processor), pairs


def run_bbp(program: str, state: DrawInput, *, limit: float) -> tuple[dict[str, float], Pairs] | str:
    """bbpPairings: FIDE Dutch, a process that reads and writes files."""
    with tempfile.TemporaryDirectory() as folder:
        report, answer = Path(folder, "event.trf"), Path(folder, "pairs")
        frame = TrfReport(rounds=state.round, first_side=Side.A)
        report.write_text(render_trf(build_report(state, {}, frame=frame)), encoding="utf-8")
        command = [program, "--dutch", str(report), "-p", str(answer)]
        try:
            seconds, _ = measure_best(
                lambda: subprocess.run(command, check=True, capture_output=True, text=True, timeout=limit),
                usage_scope=resource.RUSAGE_CHILDREN,
            )
        except subprocess.TimeoutExpired:
            return f"no answer within {limit:g} s"
        except subprocess.CalledProcessError as error:
            return f"failed: {error.returncode} {error.stderr.strip()}"
        pairs = [line.split() for line in answer.read_text(encoding="utf-8").splitlines()[1:]]
    return seconds, [(EntryId(int(one)), EntryId(int(other)) or None) for one, other in pairs]


@dataclass(frozen=True)
class _Row:
    """One round of one entry: the opponent's number (0: a bye), the side (1, -1, 0), and its float."""

    opponent: int
    side: int
    float_direction: int


def _build_rows(state: DrawInput) -> dict[EntryId, list[_Row]]:
    rows: dict[EntryId, list[_Row]] = {entrant.id: [] for entrant in state.entrants}
    for table in sorted(state.history, key=lambda table: table.round):
        if not table.b:
            rows[table.a[0]].append(_Row(0, 0, float_direction=-2))
            continue
        (a,), (b,) = table.a, table.b
        difference = table.scores[0] - table.scores[1]
        down = (difference < 0) - (difference > 0)
        rows[a].append(_Row(b, 1, float_direction=2 * down))
        rows[b].append(_Row(a, -1, float_direction=-2 * down))
    return rows


def _serialize_state(state: DrawInput) -> dict[str, Any]:
    rows = _build_rows(state)
    return {
        "round": state.round,
        "players": [
            {
                "number": entrant.id,
                "score": entrant.score,
                "opponents": [row.opponent for row in rows[entrant.id]],
                "sides": [row.side for row in rows[entrant.id]],
                "float": rows[entrant.id][-1].float_direction if rows[entrant.id] else 0,
            }
            for entrant in state.entrants
        ],
    }
