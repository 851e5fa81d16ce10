"""Send requests that the API schema allows, and others that it forbids, to a running server.

Schemathesis generates the cases (tests/api/attack.py), sent without a key, with a read key, and with a director's key.
They end events and remove people, so each round has its own night.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from bench.hall import open_hall
from client.charlemagne_client import Client

NAMES = ("Un", "Deux", "Trois", "Quatre", "Cinq", "Six", "Sept", "Huit")
CASES_PER_ROUND = 2
"""Cases for each operation, by each of the three callers."""


def main(argv: list[str]) -> dict[str, Any]:
    """Return ``cases``, ``rounds``, ``seconds``, answers by status, and differences from the schema.

    ``found`` is the number of differences, ``first_found`` up to ten of them.
    """
    parser = argparse.ArgumentParser(prog="bench schema")
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1, help="web processes")
    options = parser.parse_args(argv)
    with open_hall(tables=2) as venue:
        keys = json.loads(venue.run_role("keys"))
        started, number = time.monotonic(), options.seed
        answers: Counter[int] = Counter()
        findings: dict[str, str] = {}
        with venue.serve("--processes", str(options.processes)) as port:
            while answers.total() < options.cases:
                _run_round(f"http://127.0.0.1:{port}", keys, number, answers, findings)
                number += 1
    return {
        "cases": answers.total(),
        "rounds": number - options.seed,
        "seconds": round(time.monotonic() - started, 1),
        **{str(status): count for status, count in sorted(answers.items())},
        "found": len(findings),
        "first_found": dict(list(findings.items())[:10]),
    }


def _run_round(
    server: str, keys: Mapping[str, str], number: int, answers: Counter[int], findings: dict[str, str]
) -> None:
    """Send cases in a new night, as each of the three callers."""
    from schemathesis import Case

    from tests.api.attack import Attack

    url_values = _create_night(Client(server, keys["direct"]), number)
    for key_name in ("", "read", "direct"):
        headers = {"Authorization": f"Bearer {keys[key_name]}"} if key_name else {}

        def send(case: Case[Any], headers: Mapping[str, str] = headers) -> Any:
            answer = case.call(base_url=server, headers=dict(headers))
            while answer.status_code == HTTPStatus.TOO_MANY_REQUESTS and "retry-after" in answer.headers:
                time.sleep(int(answer.headers["retry-after"][0]))
                answer = case.call(base_url=server, headers=dict(headers))
            return answer

        attack = Attack(send={key_name: send}, answers=answers)
        attack.run(lambda one: _get_url_values(one.path, url_values), cases=CASES_PER_ROUND, number=number)
        findings |= {f"{key_name} {name}: {kind}": message for (_, name, kind), message in attack.failures.items()}


def _create_night(client: Client, number: int) -> dict[str, Any]:
    """Create a night in its first round, and return the values of its URL parameters."""
    club = client.get_me()["club"]
    event = client.create_event(club, name=f"Soirée {number}", held_on="2026-11-17", ruleset="canadian", tables=2)
    for one, other in zip(NAMES[::2], NAMES[1::2], strict=True):
        client.add_entry(event["id"], players=[f"{one} Roy", f"{other} Roy"], is_present=True)
    client.start_event(event["id"])
    client.draw_round(event["id"], seed=number)
    client.publish_round(event["id"], 1)
    code = client.list_cards(event["id"])["results"][0]["code"]
    return {"slug": club, "short": event["id"], "code": code}


def _get_url_values(path: str, url_values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a path's parameters; numbers are 1."""
    return {name: url_values.get(name, 1) for name in re.findall(r"<\w+:(\w+)>", path)}
