"""An independent API client, written from docs/api/guide.md alone, that runs a whole night.

python -I -S whole_night.py HOST:PORT KEY CLUB
"""

import json
import sys
from http.client import HTTPConnection
from typing import Any
from uuid import uuid4


class Site:
    """An HTTP client of a server's API."""

    def __init__(self, host: str, token: str = "") -> None:
        self.host, self.token = host, token

    def send_request(self, method: str, path: str, body: Any = None) -> Any:
        connection = HTTPConnection(self.host, timeout=30)
        headers = {"Content-Type": "application/json", "Accept-Language": "en"}
        headers |= {"Idempotency-Key": str(uuid4())}
        headers |= {"Authorization": f"Bearer {self.token}"} if self.token else {}
        connection.request(method, f"/api/v1/{path}", json.dumps(body or {}), headers)
        answer = connection.getresponse()
        payload = json.loads(answer.read() or b"null")
        assert answer.status < 300, (method, path, answer.status, payload)
        return payload

    def get(self, path: str) -> Any:
        return self.send_request("GET", path)

    def post(self, path: str, **body: Any) -> Any:
        return self.send_request("POST", path, body)


NAMES: tuple[str, ...] = (
    "Agathe Albert",
    "Bruno Caron",
    "Cécile Dumont",
    "Donat Émond",
    "Édith Fortin",
    "Fernand Gagnon",
)
NAMES += ("Ghislaine Hudon", "Hervé Isabelle")


def play(site: Site, event: str, number: int) -> None:
    """Record hands at every table, won by the side with the lower entry number, until the match is over."""
    for table in site.get(f"{event}/rounds/{number}")["tables"]:
        code = site.get(f"{event}/rounds/{number}/tables/{table['number']}")["code"]
        first, second = (side["entries"] for side in table["sides"])
        hand = {"side": "A" if first < second else "B", "contract": "charlemagne", "tricks": 8}
        while not (match := site.get(f"tables/{code}"))["summary"]["winner"]:
            (hand_number,) = [match["summary"]["next"]]
            site.post(f"tables/{code}/hands", match=match["match"], number=hand_number, hand=hand)


def play_night(site: Site, club: str) -> Any:
    for name in NAMES:
        site.post(f"{club}/people", name=name)
    person_ids = {one["name"]: one["id"] for one in site.get(f"{club}/people")["results"]}
    made = site.post(f"{club}/events", name="Soirée du mardi", held_on="2026-11-17", ruleset="canadian", tables=2)
    event = f"events/{made['id']}"
    for first, second in zip(NAMES[::2], NAMES[1::2], strict=True):
        site.post(f"{event}/entries/people", people=[person_ids[first], person_ids[second]])
    site.post(f"{event}/start")
    for _ in range(2):
        number = site.post(f"{event}/rounds", seed=7)["number"]
        site.post(f"{event}/rounds/{number}/publish")
        play(site, event, number)
        site.post(f"{event}/rounds/{number}/close")
    site.post(f"{event}/end")
    site.post(f"{event}/publish-final")
    return Site(site.host).get(f"{event}/standings")


if __name__ == "__main__":
    host, token, club = sys.argv[1:]
    print(json.dumps(play_night(Site(host, token), f"clubs/{club}")))
