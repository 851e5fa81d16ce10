"""A forger of event files, who knows how their checksums are computed."""

import json
from random import Random
from typing import Any

from tournaments.event_files.schema import Content
from tournaments.event_files.writer import add_checksums


class Forger:
    """A forger who changes values that can be recomputed, and corrects the checksums."""

    def __init__(self, content: Content, seed: int) -> None:
        self.content: Content = json.loads(json.dumps(content))
        self.chance, self.action_number = Random(seed), seed
        self.round = self.chance.choice(self.content["rounds"])
        self.table = self.chance.choice(self.round["tables"])

    def forge(self) -> tuple[str, Content]:
        actions = (
            self.contract,
            self.side,
            self.status,
            self.place,
            self.supersedes,
            self.mark_left_out,
            self.seats,
            self.bye,
            self.table_number,
            self.reason,
            self.seed,
            self.price,
            self.proof,
            self.earlier_result,
            self.order,
            self.score,
            self.winner,
            self.over,
            self.rank,
            self.row,
            self.count,
            self.ruling,
            self.agreement,
        )
        action = actions[self.action_number % len(actions)]
        action()
        return action.__name__, add_checksums(self.content)

    @property
    def marks(self) -> list[dict[str, Any]]:
        marks: list[dict[str, Any]] = self.table["match"]["marks"]
        return marks

    def choose_current_mark(self) -> dict[str, Any]:
        """Choose a hand that counts."""
        return self.chance.choice([mark for mark in self.marks if mark["status"] == "current"])

    def contract(self) -> None:
        self.choose_current_mark()["record"] |= {"contract": "8", "outcome": "made"}

    def side(self) -> None:
        record = self.choose_current_mark()["record"]
        record["side"] = "AB"["BA".index(record["side"])]

    def status(self) -> None:
        mark = self.chance.choice(self.marks)
        others = {"current", "superseded", "echo", "rival"} - {mark["status"]}
        mark["status"] = self.chance.choice(sorted(others))

    def place(self) -> None:
        self.chance.choice(self.marks)["place"] += 1

    def supersedes(self) -> None:
        mark = self.chance.choice([mark for mark in self.marks if mark["supersedes"] is not None])
        mark["supersedes"] = None

    def mark_left_out(self) -> None:
        self.marks.remove(self.choose_current_mark())

    def seats(self) -> None:
        self.table["a"], self.table["b"] = self.table["b"], self.table["a"]

    def bye(self) -> None:
        bye = self.chance.choice(self.round["byes"])
        bye["entry"], self.table["a"][0] = self.table["a"][0], bye["entry"]

    def table_number(self) -> None:
        self.table["number"] += 50

    def reason(self) -> None:
        self.table["reasons"].append({"code": "by_lot"})

    def seed(self) -> None:
        self.round["draw"]["seed"] += 1

    def price(self) -> None:
        price = self.round["draw"]["price"]
        price[self.chance.choice(sorted(price))] += 1

    def proof(self) -> None:
        self.chance.choice(self.round["draw"]["certificate"]["prices"])[1] += "0"

    def earlier_result(self) -> None:
        later = self.chance.choice(self.content["rounds"][1:])
        sat = self.chance.choice([sat for sat in later["draw"]["drawn_from"]["earlier"][0] if sat[2]])
        sat[4] = "B" if sat[4] == "A" else "A"

    def order(self) -> None:
        order = self.content["rounds"][-1]["draw"]["drawn_from"]["order"]
        order[0], order[-1] = order[-1], order[0]

    def score(self) -> None:
        points = self.table["match"]["summary"]["points"]
        points[self.chance.randrange(2)] += 3

    def winner(self) -> None:
        summary = self.table["match"]["summary"]
        summary["winner"] = "A" if summary["winner"] == "B" else "B"

    def over(self) -> None:
        self.table["match"]["is_over"] = False

    def rank(self) -> None:
        self.chance.choice(self.content["standings"]["rows"])["rank"] += 1

    def row(self) -> None:
        row = self.chance.choice(self.content["standings"]["rows"])
        row[self.chance.choice(["match_wins", "points_for", "entry"])] += 1

    def count(self) -> None:
        counted = self.content["standings"]["counted"]
        counted[self.chance.choice(sorted(counted))]["rounds"].pop()

    def ruling(self) -> None:
        self.table["ruling"] = {"kind": "forfeit", "winner": "B"}

    def agreement(self) -> None:
        self.table["match"]["agreements"][0]["agreed_to"] = "33-6 A points"
