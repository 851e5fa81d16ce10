"""The desk, through the API client: it uses only what docs/api/guide.md documents."""

from __future__ import annotations

import datetime
import threading
import time
from collections.abc import Callable
from http.client import HTTPException
from random import Random
from typing import Any, TypeVar

from client.charlemagne_client import ApiRequest, ApiResponse, CharlemagneError, Client, ConnectionPool, Refused
from client.charlemagne_client.shapes import DisputeOut, EventWhole, HandIn, RankOut, RoundOut

from .http_device import TIMEOUT
from .measurements import Measurements

ResultT = TypeVar("ResultT")

TASK_TIMEOUT = 300.0
"""Seconds that a task of the worker may take, even of a large event."""
TOO_MANY_REQUESTS = 429
LABEL = "simulation"
"""Label of the people that the organizer adds."""
NAMESAKES = 20
"""One in this many people has another person's name."""
FIRST_NAMES = (
    *("Agathe", "Alcide", "Béatrice", "Bruno", "Cécile", "Clément", "Denise", "Donat", "Édith", "Émile"),
    *(
        "Fernand",
        "Florence",
        "Gaston",
        "Ghislaine",
        "Hervé",
        "Huguette",
        "Irénée",
        "Jeannine",
        "Jules",
        "Léo",
    ),
    *("Lise", "Madeleine", "Marcel", "Nicole", "Noël", "Odette", "Omer", "Pauline", "Réjean", "Rita"),
    *("Solange", "Sylvio", "Thérèse", "Ulric", "Violette", "Yvette", "Yvon", "Zoé"),
)
TOWNS = tuple(f"de {town}" for town in ("Matane", "Rimouski", "Cacouna", "Causapscal", "Kamouraska", "Trois-Pistoles"))
LAST_NAMES = (
    *("Albert", "Beaulieu", "Bouchard", "Caron", "Chassé", "Cyr", "Daigle", "Deschênes", "Dubé", "Émond"),
    *(
        "Fortin",
        "Fournier",
        "Gagnon",
        "Gauthier",
        "Hébert",
        "Hudon",
        "Isabelle",
        "Jalbert",
        "Keable",
        "Lagacé",
    ),
    *(
        "Lavoie",
        "Lévesque",
        "Martin",
        "Michaud",
        "Nadeau",
        "Ouellet",
        "Paradis",
        "Pelletier",
        "Quirion",
        "Roy",
    ),
    *("Saint-Pierre", "Sirois", "Soucy", "Thériault", "Tremblay", "Turcotte", "Vaillancourt", "Violette"),
)


class MeasuredTransport:
    """A measured ``ConnectionPool`` that sometimes loses an answer, so that the client sends its request again."""

    def __init__(self, server: str, measures: Measurements, chance: Random, lost_share: float) -> None:
        self._connections, self._measures = ConnectionPool(server, TIMEOUT), measures
        self._chance, self._lost_share = chance, lost_share

    def __call__(self, request: ApiRequest) -> ApiResponse:
        kind = f"desk: {request.operation}"
        try:
            with self._measures.measure_time(kind):
                answer = self._connections(request)
        except (OSError, HTTPException) as error:
            if not isinstance(error, ConnectionError | HTTPException):  # a kept connection that was closed
                self._measures.record_error(f"{kind}: {error!r}")
            raise
        if answer.status >= 500:
            self._measures.record_error(f"{kind}: {request.path} answered {answer.status}")
        if answer.status == TOO_MANY_REQUESTS:
            self._measures.count("asked to come again later")
        elif request.method != "GET" and self._chance.random() < self._lost_share:
            self._measures.count("answers lost on purpose")
            raise ConnectionResetError("lost on purpose")
        return answer


class Organizer:
    """Organizer who creates one event in the club of the API key, and runs it."""

    def __init__(self, client: Client, measures: Measurements, chance: Random) -> None:
        self.client, self.measures, self.chance = client, measures, chance
        self.club = client.get_me()["club"]
        self.event = ""
        self._settled_count = 0

    def create_event(self, *, tables: int, ruleset: str, name: str, **settings: Any) -> EventWhole:
        usual: dict[str, Any] = {"stages": [{"format": "swiss"}], "details": ["declarer", "trump"]}
        event = self.client.create_event(
            self.club,
            name=name,
            held_on=datetime.datetime.now().astimezone().date().isoformat(),
            ruleset=ruleset,
            tables=tables,
            **usual | settings,
        )
        self.event = event["id"]
        return event

    def find_or_add_people(self, count: int) -> list[int]:
        """Return the ids of ``count`` people: those of an earlier simulation, then new ones."""
        person_ids = [
            person["id"] for person in self.client.list_people(self.club, limit=200) if LABEL in person["labels"]
        ]
        return person_ids[:count] + self.add_people(count - len(person_ids))

    def add_people(self, count: int) -> list[int]:
        """Add people, some with the name of the previous one."""
        names: list[str] = []
        for _ in range(count):
            is_namesake = names and self.chance.randrange(NAMESAKES) == 0
            names.append(names[-1] if is_namesake else self._choose_name())
        return [self._add_person(name) for name in names]

    def _choose_name(self) -> str:
        return f"{self.chance.choice(FIRST_NAMES)} {self.chance.choice(LAST_NAMES)}"

    def _add_person(self, name: str) -> int:
        """Add a person; a namesake gets an addition that tells the two apart, as the desk asks in an event."""
        full_name = name
        while True:
            try:
                return self.client.add_person(self.club, name=full_name, labels=[LABEL])["id"]
            except Refused as refused:
                if refused.code != "name_known":
                    raise
            self.measures.count("namesakes")
            full_name = f"{name if full_name == name else self._choose_name()} {self.chance.choice(TOWNS)}"

    def enter_pair(self, people: list[int]) -> int:
        """Enter a pair, and return its number."""
        return self.client.enter_people(self.event, people=people)["number"]

    def start_event(self) -> None:
        self.client.start_event(self.event)

    def publish_round(self) -> RoundOut:
        """Draw and publish the next round; for a large event, this may take the worker some time."""
        number = len(self.client.list_rounds(self.event)["results"]) + 1
        self.client.draw_round(self.event, seed=self.chance.randrange(10**6))
        self.wait_until(lambda: self._find_round(number, "draft"))
        self.client.publish_round(self.event, number)
        return self.wait_until(lambda: self._find_round(number, "published"))

    def close_round(self, number: int) -> RoundOut:
        self.client.close_round(self.event, number)
        return self.wait_until(lambda: self._find_round(number, "closed"))

    def get_codes(self) -> dict[int, str]:
        return {card["table"]: card["code"] for card in self.client.list_cards(self.event)["results"]}

    def _find_round(self, number: int, state: str) -> RoundOut | None:
        try:
            round_out = self.client.get_round(self.event, number)
        except Refused as refused:
            if refused.code == "not_found":
                return None
            raise
        return round_out if round_out["state"] == state else None

    def wait_until(self, find: Callable[[], ResultT | None]) -> ResultT:
        deadline = time.monotonic() + TASK_TIMEOUT
        while (result := find()) is None:
            if time.monotonic() > deadline:
                raise TimeoutError("the server does not come to an end with it")
            time.sleep(0.3)
        return result

    def answer_calls(self, stop: threading.Event, codes: dict[int, str], pause: float) -> None:
        """Answer calls of tables until ``stop``; at every other one, correct the hand first.

        After an error, the remaining calls are answered at the next attempt.
        """
        while not stop.wait(pause):
            try:
                for call in self.client.list_disputes(self.event)["results"]:
                    self._settle_call(call, codes[call["table"]])
            except CharlemagneError as error:
                self.measures.record_error(f"desk: {error}")

    def _settle_call(self, call: DisputeOut, code: str) -> None:
        self._settled_count += 1
        table_path = (self.event, call["round"], call["table"])
        marks = [mark for mark in self.client.get_table(code)["marks"] if mark["status"] == "current"]
        played_marks = [mark for mark in marks if mark["hand"]["kind"] == "hand" and mark["hand"].get("tricks")]
        if self._settled_count % 2 and played_marks:
            mark = played_marks[-1]
            hand: HandIn = {
                "side": mark["hand"]["side"],
                "contract": mark["hand"]["contract"],
                "outcome": self._get_other_outcome(mark),
            }
            self.client.mark_hand_at_desk(
                *table_path,
                number=mark["number"],
                hand=hand,
                supersedes=str(mark["id"]),
                reason="Compté à la table.",
            )
            self.measures.count("rulings of a hand")
        self.client.settle_dispute(*table_path, ruling="Les cartes ont été recomptées.", call=call["call"])
        self.measures.count("calls answered")

    def _get_other_outcome(self, mark: Any) -> str:
        return "failed" if mark["hand"]["outcome"] == "made" else "made"

    def add_late_pair(self) -> int:
        """Add two people who play from the next round on."""
        self.measures.count("late entries")
        return self.enter_pair(self.add_people(2))

    def withdraw_entry(self, entry: int, last_round: int) -> None:
        self.measures.count("withdrawals")
        self.client.withdraw_entry(self.event, entry, after=last_round)

    def substitute_player(self, entry: int) -> None:
        self.measures.count("substitutes")
        self.client.substitute_player(self.event, entry, 1, name=f"{self._choose_name()} Remplaçant")

    def finish_event(self) -> None:
        self.client.end_event(self.event)
        self.client.publish_final(self.event)


def fetch_final_standings(client: Client, event: str, section: str = "") -> list[RankOut]:
    """Return the public standings, once they are final."""
    deadline = time.monotonic() + TASK_TIMEOUT
    while not (standings := client.get_standings(event, section=section))["is_final"]:
        if time.monotonic() > deadline:
            raise TimeoutError("the standings do not become final")
        time.sleep(0.5)
    return standings["results"]
