"""A phone at a table, by the addresses of its page: it folds the match itself, and marks what is played."""

from __future__ import annotations

import html
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any
from uuid import uuid4

from rules import (
    MatchState,
    Record,
    Ruleset,
    Seat,
    Side,
    fold,
    is_read_aloud,
    match_format_from_json,
    read_record,
    ruleset_from_json,
)

from .cards import Hand, dealt_hand, form_of
from .lines import Line, NoNetwork
from .measures import Measures
from .outbox import PATIENCE, Outbox, TableLost

MARK, LOOK = "phone: mark", "phone: table"
AGREE, DISPUTE, DEALER = "phone: agree", "phone: call the desk", "phone: who dealt"
KNOWN = re.compile(r'<template id="known">([^<]*)</template>')


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """Shares of hands or matches in which something happens at a table; a hand takes ``pace`` seconds."""

    pace: float = 0.0
    corrected: float = 0.04
    undone: float = 0.04
    away: float = 0.06
    unheard: float = 0.04
    repeated: float = 0.02
    asked: float = 0.2
    called: float = 0.05
    agreed: float = 0.7
    dealer_named: float = 0.1


@dataclass(slots=True, kw_only=True)
class Mark:
    """A mark in the log of a match. The table never replaces a director's."""

    key: str
    record: Record
    is_directors: bool = False


class Phone:
    """At the table of this code, from round to round."""

    def __init__(self, code: str, line: Line, measures: Measures, habits: Habits, chance: Random) -> None:
        self.path = f"/t/{code}"
        self.line, self.measures, self.habits, self.chance = line, measures, habits, chance
        self.known: dict[str, Any] = {}
        self.places: dict[int, Mark] = {}
        self.outbox = Outbox(
            line=line,
            measures=measures,
            chance=chance,
            unheard=habits.unheard,
            repeated=habits.repeated,
        )

    def play(self) -> MatchState:
        """The match now at the table, to its end; as the server shows it then. Raises TableLost."""
        self._look()
        self._take_over()
        if self.chance.random() < self.habits.dealer_named:
            self._name_dealer()
        will_call = self.chance.random() < self.habits.called
        called_at = self.chance.randint(2, 6) if will_call else 0
        while True:
            while not self.state.is_over:
                self._play_hand()
                if called_at and len(self.places) >= called_at:
                    called_at = 0
                    self._call_the_desk()
            self.line.is_away = False
            self.outbox.flush_all()
            self._look()
            self._adopt()
            if self.state.is_over:
                break
        self._agree()
        return self.state

    @property
    def ruleset(self) -> Ruleset:
        return ruleset_from_json(self.known["ruleset"])

    @property
    def state(self) -> MatchState:
        """The match as this phone folds it."""
        return self._fold_places({number: mark.record for number, mark in self.places.items()})

    def _fold_places(self, places: Mapping[int, Record]) -> MatchState:
        return fold(
            self.ruleset,
            match_format_from_json(self.known["match_format"]),
            places.items(),
            first_dealer=Seat(self.known["first_dealer"]),
        )

    # What is tapped

    def _play_hand(self) -> None:
        """One hand is played and marked; now and then an earlier one is corrected, or the last taken back."""
        time.sleep(self.habits.pace * self.chance.uniform(0.5, 1.5))
        if self.chance.random() < self.habits.away:
            self.measures.count("phones without a network")
            self.line.is_away = True
        elif self.chance.random() < 0.5:
            self.line.is_away = False
        what = self.chance.random()
        ours = sorted(number for number, mark in self.places.items() if not mark.is_directors)
        if ours and what < self.habits.undone and ours[-1] == max(self.places):
            self._undo()
        elif ours and what < self.habits.undone + self.habits.corrected:
            self._mark(self.chance.choice(ours), self._hand(), "corrections")
        else:
            self._mark(max(self.places, default=0) + 1, self._hand(), "hands")
        self.outbox.flush()

    def _hand(self) -> Hand:
        seed = f"{self.chance.random()}"
        return dealt_hand(self.ruleset, self.state.dealer, self.known["details"], seed=seed)

    def _mark(self, number: int, hand: Hand, what: str) -> None:
        key, before = str(uuid4()), self.places.get(number)
        record = read_record(self.ruleset, hand)
        form = {"match": self._match, "entry_key": key, "number": str(number), **self._replacing(before)}
        form |= form_of(hand, self.known["details"])
        earlier = {place: mark.record for place, mark in self.places.items() if place < number}
        after = self._fold_places(earlier | {number: record})
        if is_read_aloud(self._fold_places(earlier), after) and self.chance.random() > self.habits.asked:
            form["confirmed"] = "1"
        if before is None or before.record != record:  # else the first one stands, by its key
            self.places[number] = Mark(key=key, record=record)
        self.outbox.keep(MARK, self.path, form)
        self.measures.count(what)

    def _undo(self) -> None:
        key, number = str(uuid4()), max(self.places)
        form = {"match": self._match, "entry_key": key, "number": str(number), "kind": "undone"}
        self.outbox.keep(MARK, self.path, form | self._replacing(self.places.pop(number)))
        self.measures.count("undos")

    def _replacing(self, before: Mark | None) -> dict[str, str]:
        """Return the mark to replace; only that one, until the server has said what else is there."""
        if before is None:
            return {}
        return {"supersedes": before.key} | ({} if before.key in self.outbox.recorded else {"saw_only": "1"})

    def _name_dealer(self) -> None:
        first = str(self.known["first_dealer"])
        seat = str(self.chance.randrange(self.ruleset.seats))
        form = {"match": self._match, "seat": seat, "seen": first}
        self.outbox.keep(DEALER, f"{self.path}/dealer", form)
        self.outbox.flush_all()
        self._look()

    def _call_the_desk(self) -> None:
        """The table waits until the desk has answered, and looks what it has ruled."""
        self.measures.count("calls of the desk")
        self.line.is_away = False
        form = {"match": self._match, "entry_key": str(uuid4()), "note": "7 ou 8 levées ?"}
        self.outbox.keep(DISPUTE, f"{self.path}/dispute", form)
        self.outbox.flush_all()
        until = time.monotonic() + PATIENCE
        while True:
            self._look()
            if self.known["dispute"] is None:
                break
            if time.monotonic() > until:
                raise TableLost("the desk does not answer")
            time.sleep(max(0.2, min(5.0, self.habits.pace / 10)))
        self._adopt()

    def _agree(self) -> None:
        """Each side says D'accord to each game, as it saw it."""
        for game in self.state.games:
            assert game.winner is not None
            assert game.by is not None
            seen = f"{game.points[0]}-{game.points[1]} {game.winner.name} {game.by.value}"
            for side in Side:
                if self.chance.random() < self.habits.agreed:
                    form = {"match": self._match, "side": side.name, "game": str(game.number), "seen": seen}
                    self.outbox.keep(AGREE, f"{self.path}/agree", form)
        self.outbox.flush_all()

    @property
    def _match(self) -> str:
        return str(self.known["match"]["pk"])

    # What is seen

    def _look(self) -> None:
        """The page of the table, as often as it takes; once it draws itself, only what the server knows."""
        said = {"HX_Request": "true", "Charlemagne_Draws": "1"} if self.known else {}
        until = time.monotonic() + PATIENCE
        while True:
            try:
                reply = self.line.get(LOOK, self.path, **said)
            except NoNetwork:
                reply = None
            found = KNOWN.search(reply.text) if reply is not None and reply.status == 200 else None
            if found is not None and reply is not None:
                self.known = json.loads(html.unescape(found[1]))
                self.outbox.held = f"match={self._match}&revision={self.known['match']['revision']}"
                return
            if time.monotonic() > until:
                raise TableLost(f"the table has no page: {reply and reply.status}")
            time.sleep(0.5)

    def _adopt(self) -> None:
        """Check that the server has the marks of this phone, except where a director ruled."""
        ours = self.places
        self._take_over()
        for number in sorted(ours.keys() | self.places.keys()):
            mark, here = self.places.get(number), ours.get(number)
            is_ruled = mark is not None and mark.is_directors
            if not is_ruled and (mark and (mark.key, mark.record)) != (here and (here.key, here.record)):
                self.measures.error(f"{self.path}: hand {number} is {mark}, but was {here}")

    def _take_over(self) -> None:
        self.places = {
            mark["number"]: Mark(
                key=mark["key"],
                record=read_record(self.ruleset, mark["record"]),
                is_directors=mark["is_directors"],
            )
            for mark in self.known["marks"]
            if mark["status"] == "current" and mark["record"]["kind"] != "undone"
        }
        self.outbox.recorded |= {mark.key for mark in self.places.values()}
