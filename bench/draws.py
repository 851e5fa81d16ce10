"""Draw and prove a round of a Swiss event, beside other engines on the same state.

The event has clubs of a dozen entries, results by skill and luck, and earlier rounds drawn by our own Swiss.
Our time is that of the whole draw, with reasons and certificate; for networkx and the peer libraries it is that
of the call, for bbpPairings that of its process. Each is the best of three, by the clock and by the processor.
Each engine uses one processor, so both times agree on a quiet machine; on a busy one, compare processor times.
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
"""Pairs of entries; the second is None for a bye."""

_Result = TypeVar("_Result")


def main(argv: list[str]) -> dict[str, Any]:
    """Return time and quality of our draw and of each engine's.

    - ``entries``, ``round``, ``seconds``, ``processor_seconds``, ``certified``, ``peak_mb`` of ours
    - ``by_hand_ms``, ``why_not_ms``: milliseconds to price a draw made by hand, and to say why two do not meet
    - ``engines``: by name, times, quality and comparison, or ``left_out`` with the reason
    - ``times_ours``: by name, processor time ÷ ours
    """
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
    """Return the shortest of three calls, by the clock and by the processor, and the last call's result.

    ``usage_scope`` selects the processor time of this process, or of its child processes.
    """
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


# State


def state_before(played_round: int, *, entries: int, seed: int) -> DrawInput:
    """Return an event with all rounds before this one played; a win and a bye count 1."""
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
    """Play the round: an entry that is one standard deviation better wins three times in four."""
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


# Quality of a draw


def list_pairs(result: Draw) -> Pairs:
    tables: Pairs = [(table.a[0], table.b[0]) for table in result.tables]
    return tables + [(bye.entry, None) for bye in result.byes]


def measure_quality(state: DrawInput, pairs: Pairs) -> dict[str, int]:
    """Count entries in matches of unequal scores, squared score differences, club-mates who meet, and rematches."""
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
    """Return whether a peer's draw costs less by our criteria, and the first criterion that differs."""
    theirs = compute_price(state, PairingSettings(), pairs)
    differs = next((key for key, value in result.price.items() if theirs[key] != value), None)
    return {
        "differs_in": differs,
        "is_cheaper": differs is not None and theirs[differs] < result.price[differs],
    }


def is_certified(result: Draw, prices: Prices) -> bool:
    """Return whether the stored proof holds when every pair of the field is priced against it."""
    pairs = [get_positions(prices.field, pair) for pair in list_pairs(result)]
    return result.certificate is not None and is_proved(result.certificate, prices, pairs)


def measure_questions(state: DrawInput, result: Draw) -> dict[str, float]:
    """Return milliseconds to price a draw made by hand, and to say why two entries do not meet."""
    if len(result.tables) < 2:
        return {}
    pair = state.entrants[0].id, state.entrants[len(state.entrants) // 2].id
    calls: dict[str, Callable[[], object]] = {
        "by_hand_ms": lambda: price_tables(state, "swiss", result.tables),
        "why_not_ms": lambda: price_meeting(state, "swiss", *pair),
    }
    times = {name: measure_best(question)[0] for name, question in calls.items()}
    return {name: round(1000 * each["processor_seconds"], 2) for name, each in times.items()}


# Peers


def run_peers(
    state: DrawInput, prices: Prices, options: argparse.Namespace
) -> dict[str, tuple[dict[str, float], Pairs] | str]:
    """Return seconds and pairs by engine, or why there are none."""
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
    """Match the complete graph with our prices."""
    costs = {pair: prices.price(*pair) for pair in combinations(range(prices.field.size), 2)}
    dearest = 1 + max(costs.values(), default=0)
    graph = nx.Graph()
    graph.add_weighted_edges_from((*pair, dearest - cost) for pair, cost in costs.items())
    seconds, matching = measure_best(lambda: nx.max_weight_matching(graph, maxcardinality=True))
    ids, nobody = prices.field.ids, prices.field.bye_position
    pairs = (sorted(pair) for pair in matching)
    return seconds, [(ids[higher], None if lower == nobody else ids[lower]) for higher, lower in pairs]


def run_library(python: str, name: str, state: DrawInput, *, limit: float) -> tuple[dict[str, float], Pairs] | str:
    """Run a Python library in its own process; the time is that of the call alone."""
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
    """Run bbpPairings (FIDE Dutch), a process that reads and writes files."""
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
    """One entry in one round: the opponent's number (0 for a bye), the side (1, -1, 0), and the float."""

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
