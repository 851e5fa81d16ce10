"""The desk, by the client for programs: it knows what docs/api/guide.md says."""

from __future__ import annotations

import datetime
import threading
import time
from collections.abc import Callable
from http.client import HTTPException
from random import Random
from typing import Any, TypeVar

from client.charlemagne_client import Answer, Asked, CharlemagneError, Client, Connections, Refused
from client.charlemagne_client.shapes import DisputeOut, EventWhole, RankOut, RoundOut

from .lines import PATIENCE
from .measures import Measures

Found = TypeVar("Found")

BY_AND_BY = 300.0
"""Seconds for what the worker does, of a large event too."""
COME_AGAIN = 429
LABEL = "simulation"
"""Of the people whom it adds."""
NAMESAKES = 20
"""One of so many has the name of somebody else."""
FIRST = (
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
TOWNS = tuple(
    f"de {town}" for town in ("Matane", "Rimouski", "Cacouna", "Causapscal", "Kamouraska", "Trois-Pistoles")
)
LAST = (
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


class Way:
    """Sends as ``Connections`` do, measured; now and then the answer is lost, and the client asks again."""

    def __init__(self, server: str, measures: Measures, chance: Random, unheard: float) -> None:
        self._connections, self._measures = Connections(server, PATIENCE), measures
        self._chance, self._unheard = chance, unheard

    def __call__(self, asked: Asked) -> Answer:
        kind = f"desk: {asked.operation}"
        try:
            with self._measures.time_of(kind):
                answer = self._connections(asked)
        except (OSError, HTTPException) as error:
            if not isinstance(error, ConnectionError | HTTPException):  # a kept connection that was closed
                self._measures.error(f"{kind}: {error!r}")
            raise
        if answer.status >= 500:
            self._measures.error(f"{kind}: {asked.path} answered {answer.status}")
        if answer.status == COME_AGAIN:
            self._measures.count("asked to come again later")
        elif asked.method != "GET" and self._chance.random() < self._unheard:
            self._measures.count("answers lost on purpose")
            raise ConnectionResetError("lost on purpose")
        return answer


class Organizer:
    """Makes one event in the club of the key, and leads it."""

    def __init__(self, client: Client, measures: Measures, chance: Random) -> None:
        self.client, self.measures, self.chance = client, measures, chance
        self.club = client.get_me()["club"]
        self.event = ""
        self._settled = 0

    def make(self, *, tables: int, ruleset: str, name: str) -> EventWhole:
        made = self.client.create_event(
            self.club,
            name=name,
            held_on=datetime.datetime.now().astimezone().date().isoformat(),
            ruleset=ruleset,
            tables=tables,
            stages=[{"format": "swiss"}],
            details=["declarer", "trump"],
        )
        self.event = made["id"]
        return made

    def gather(self, count: int) -> list[int]:
        """The ids of so many people: those of an earlier simulation, and new ones."""
        known = [one["id"] for one in self.client.list_people(self.club, limit=200) if LABEL in one["labels"]]
        return known[:count] + self.add_people(count - len(known))

    def add_people(self, count: int) -> list[int]:
        """Some have the name of whoever came before them."""
        names: list[str] = []
        for _ in range(count):
            is_namesake = names and self.chance.randrange(NAMESAKES) == 0
            names.append(names[-1] if is_namesake else self._some_name())
        return [self._add_person(name) for name in names]

    def _some_name(self) -> str:
        return f"{self.chance.choice(FIRST)} {self.chance.choice(LAST)}"

    def _add_person(self, name: str) -> int:
        """A namesake gets something that tells the two apart, as the desk asks for in an event."""
        asked = name
        while True:
            try:
                return self.client.add_person(self.club, name=asked, labels=[LABEL])["id"]
            except Refused as refused:
                if refused.code != "name_known":
                    raise
            self.measures.count("namesakes")
            asked = f"{name if asked == name else self._some_name()} {self.chance.choice(TOWNS)}"

    def enter(self, people: list[int]) -> int:
        """A pair; its number."""
        return self.client.enter_people(self.event, people=people)["number"]

    def start(self) -> None:
        self.client.start_event(self.event)

    def publish(self) -> RoundOut:
        """The next round, drawn and published; the worker may take its time for a large one."""
        number = len(self.client.list_rounds(self.event)["results"]) + 1
        self.client.draw_round(self.event, seed=self.chance.randrange(10**6))
        self._until(lambda: self._round_in(number, "draft"))
        self.client.publish_round(self.event, number)
        return self._until(lambda: self._round_in(number, "published"))

    def close(self, number: int) -> RoundOut:
        self.client.close_round(self.event, number)
        return self._until(lambda: self._round_in(number, "closed"))

    def codes(self) -> dict[int, str]:
        return {card["table"]: card["code"] for card in self.client.list_cards(self.event)["results"]}

    def _round_in(self, number: int, state: str) -> RoundOut | None:
        try:
            found = self.client.get_round(self.event, number)
        except Refused as refused:
            if refused.code == "not_found":
                return None
            raise
        return found if found["state"] == state else None

    def _until(self, find: Callable[[], Found | None]) -> Found:
        until = time.monotonic() + BY_AND_BY
        while (found := find()) is None:
            if time.monotonic() > until:
                raise TimeoutError("the server does not come to an end with it")
            time.sleep(0.3)
        return found

    def answer_calls(self, stop: threading.Event, codes: dict[int, str], pause: float) -> None:
        """Settles what tables call for, until ``stop``; every other time the hand is corrected first. Who is
        not answered has asked in vain, and asks again."""
        while not stop.wait(pause):
            try:
                for call in self.client.list_disputes(self.event)["results"]:
                    self._settle(call, codes[call["table"]])
            except CharlemagneError as error:
                self.measures.error(f"desk: {error}")

    def _settle(self, call: DisputeOut, code: str) -> None:
        self._settled += 1
        where = (self.event, call["round"], call["table"])
        marks = [mark for mark in self.client.get_table(code)["marks"] if mark["status"] == "current"]
        played = [mark for mark in marks if mark["hand"]["kind"] == "hand" and mark["hand"].get("tricks")]
        if self._settled % 2 and played:
            mark = played[-1]
            hand = {name: mark["hand"][name] for name in ("side", "contract")} | {
                "outcome": self._other(mark)
            }
            self.client.mark_hand_at_desk(
                *where,
                number=mark["number"],
                hand=hand,
                supersedes=str(mark["id"]),
                reason="Compté à la table.",
            )
            self.measures.count("rulings of a hand")
        self.client.settle_dispute(*where, ruling="Les cartes ont été recomptées.", call=call["call"])
        self.measures.count("calls answered")

    def _other(self, mark: Any) -> str:
        return "failed" if mark["hand"]["outcome"] == "made" else "made"

    def come_late(self) -> int:
        """Two more people, who play from the next round on."""
        self.measures.count("late entries")
        return self.enter(self.add_people(2))

    def withdraw(self, entry: int, after: int) -> None:
        self.measures.count("withdrawals")
        self.client.withdraw_entry(self.event, entry, after=after)

    def substitute(self, entry: int) -> None:
        self.measures.count("substitutes")
        self.client.substitute_player(self.event, entry, 1, name=f"{self._some_name()} Remplaçant")

    def finish(self) -> None:
        self.client.end_event(self.event)
        self.client.publish_final(self.event)


def final_standings(client: Client, event: str) -> list[RankOut]:
    """As everybody reads them, once they are final."""
    until = time.monotonic() + BY_AND_BY
    while not (found := client.get_standings(event))["is_final"]:
        if time.monotonic() > until:
            raise TimeoutError("the standings do not become final")
        time.sleep(0.5)
    return found["results"]
