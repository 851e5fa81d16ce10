"""A phone at a table, through the URLs of its page: it computes the match itself, and records hands."""

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

from .cards import Hand, build_form, deal_hand
from .http_device import HttpDevice, NetworkDown
from .measurements import Measurements
from .outbox import TIMEOUT, Outbox, TableLost

MARK, LOAD = "phone: mark", "phone: table"
AGREE, DISPUTE, DEALER = "phone: agree", "phone: call the desk", "phone: who dealt"
MATCH_DATA = re.compile(r'<template id="known">([^<]*)</template>')


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """Shares of hands or matches in which something happens at a table; a hand takes ``pace`` seconds."""

    pace: float = 0.0
    correction_share: float = 0.04
    undo_share: float = 0.04
    offline_share: float = 0.06
    lost_answer_share: float = 0.04
    repeat_share: float = 0.02
    confirmation_share: float = 0.2
    called: float = 0.05
    agreement_share: float = 0.7
    dealer_share: float = 0.1


@dataclass(slots=True, kw_only=True)
class Mark:
    """A mark in the log of a match. The table never replaces a director's."""

    key: str
    record: Record
    is_directors: bool = False


class Phone:
    """Phone at the table of this code, from round to round."""

    def __init__(
        self, code: str, http_device: HttpDevice, measures: Measurements, habits: Habits, chance: Random
    ) -> None:
        self.path = f"/t/{code}"
        self.http_device, self.measures, self.habits, self.chance = http_device, measures, habits, chance
        self.match_data: dict[str, Any] = {}
        self.places: dict[int, Mark] = {}
        self.outbox = Outbox(
            http_device=http_device,
            measures=measures,
            chance=chance,
            lost_answer_share=habits.lost_answer_share,
            repeat_share=habits.repeat_share,
        )

    def play_match(self) -> MatchState:
        """Play the current match to its end, and return it as the server shows it. Raises TableLost."""
        self._load_match()
        self._load_marks()
        if self.chance.random() < self.habits.dealer_share:
            self._name_dealer()
        calls_desk = self.chance.random() < self.habits.called
        call_hand = self.chance.randint(2, 6) if calls_desk else 0
        while True:
            while not self.state.is_over:
                self._play_hand()
                if call_hand and len(self.places) >= call_hand:
                    call_hand = 0
                    self._call_desk()
            self.http_device.is_offline = False
            self.outbox.flush_all()
            self._load_match()
            self._check_marks()
            if self.state.is_over:
                break
        self._confirm_results()
        return self.state

    @property
    def ruleset(self) -> Ruleset:
        return ruleset_from_json(self.match_data["ruleset"])

    @property
    def state(self) -> MatchState:
        """Match as this phone computes it."""
        return self._fold_places({number: mark.record for number, mark in self.places.items()})

    def _fold_places(self, places: Mapping[int, Record]) -> MatchState:
        return fold(
            self.ruleset,
            match_format_from_json(self.match_data["match_format"]),
            places.items(),
            first_dealer=Seat(self.match_data["first_dealer"]),
        )

    # Taps

    def _play_hand(self) -> None:
        """Play and record a hand; sometimes correct an earlier one, or undo the last."""
        time.sleep(self.habits.pace * self.chance.uniform(0.5, 1.5))
        if self.chance.random() < self.habits.offline_share:
            self.measures.count("phones without a network")
            self.http_device.is_offline = True
        elif self.chance.random() < 0.5:
            self.http_device.is_offline = False
        draw = self.chance.random()
        own_numbers = sorted(number for number, mark in self.places.items() if not mark.is_directors)
        if own_numbers and draw < self.habits.undo_share and own_numbers[-1] == max(self.places):
            self._undo_hand()
        elif own_numbers and draw < self.habits.undo_share + self.habits.correction_share:
            self._record_hand(self.chance.choice(own_numbers), self._deal_hand(), "corrections")
        else:
            self._record_hand(max(self.places, default=0) + 1, self._deal_hand(), "hands")
        self.outbox.flush()

    def _deal_hand(self) -> Hand:
        seed = f"{self.chance.random()}"
        return deal_hand(self.ruleset, self.state.dealer, self.match_data["details"], seed=seed)

    def _record_hand(self, number: int, hand: Hand, action: str) -> None:
        key, previous_mark = str(uuid4()), self.places.get(number)
        record = read_record(self.ruleset, hand)
        form = {
            "match": self._match_id,
            "entry_key": key,
            "number": str(number),
            **self._build_replacement(previous_mark),
        }
        form |= build_form(hand, self.match_data["details"])
        earlier = {place: mark.record for place, mark in self.places.items() if place < number}
        state_after = self._fold_places(earlier | {number: record})
        if (
            is_read_aloud(self._fold_places(earlier), state_after)
            and self.chance.random() > self.habits.confirmation_share
        ):
            form["confirmed"] = "1"
        if previous_mark is None or previous_mark.record != record:  # otherwise the first mark stays, by its key
            self.places[number] = Mark(key=key, record=record)
        self.outbox.add(MARK, self.path, form)
        self.measures.count(action)

    def _undo_hand(self) -> None:
        key, number = str(uuid4()), max(self.places)
        form = {"match": self._match_id, "entry_key": key, "number": str(number), "kind": "undone"}
        self.outbox.add(MARK, self.path, form | self._build_replacement(self.places.pop(number)))
        self.measures.count("undos")

    def _build_replacement(self, previous_mark: Mark | None) -> dict[str, str]:
        """Return the fields that name the mark to replace; ``saw_only`` until the server has recorded that mark."""
        if previous_mark is None:
            return {}
        return {"supersedes": previous_mark.key} | (
            {} if previous_mark.key in self.outbox.recorded_keys else {"saw_only": "1"}
        )

    def _name_dealer(self) -> None:
        first_dealer = str(self.match_data["first_dealer"])
        seat = str(self.chance.randrange(self.ruleset.seats))
        form = {"match": self._match_id, "seat": seat, "seen": first_dealer}
        self.outbox.add(DEALER, f"{self.path}/dealer", form)
        self.outbox.flush_all()
        self._load_match()

    def _call_desk(self) -> None:
        """Call the desk, wait until it has answered, and check its ruling."""
        self.measures.count("calls of the desk")
        self.http_device.is_offline = False
        form = {"match": self._match_id, "entry_key": str(uuid4()), "note": "7 ou 8 levées ?"}
        self.outbox.add(DISPUTE, f"{self.path}/dispute", form)
        self.outbox.flush_all()
        deadline = time.monotonic() + TIMEOUT
        while True:
            self._load_match()
            if self.match_data["dispute"] is None:
                break
            if time.monotonic() > deadline:
                raise TableLost("the desk does not answer")
            time.sleep(max(0.2, min(5.0, self.habits.pace / 10)))
        self._check_marks()

    def _confirm_results(self) -> None:
        """Confirm the result of each game for each side, as this phone computed it."""
        for game in self.state.games:
            assert game.winner is not None
            assert game.by is not None
            result_text = f"{game.points[0]}-{game.points[1]} {game.winner.name} {game.by.value}"
            for side in Side:
                if self.chance.random() < self.habits.agreement_share:
                    form = {"match": self._match_id, "side": side.name, "game": str(game.number), "seen": result_text}
                    self.outbox.add(AGREE, f"{self.path}/agree", form)
        self.outbox.flush_all()

    @property
    def _match_id(self) -> str:
        return str(self.match_data["match"]["pk"])

    # Data from the server

    def _load_match(self) -> None:
        """Load the page of the table until it succeeds; once loaded, only the data from which it draws itself."""
        headers = {"HX_Request": "true", "Charlemagne_Draws": "1"} if self.match_data else {}
        deadline = time.monotonic() + TIMEOUT
        while True:
            try:
                reply = self.http_device.get(LOAD, self.path, **headers)
            except NetworkDown:
                reply = None
            data_match = MATCH_DATA.search(reply.text) if reply is not None and reply.status == 200 else None
            if data_match is not None and reply is not None:
                self.match_data = json.loads(html.unescape(data_match[1]))
                self.outbox.phone_report = f"match={self._match_id}&revision={self.match_data['match']['revision']}"
                return
            if time.monotonic() > deadline:
                raise TableLost(f"the table has no page: {reply and reply.status}")
            time.sleep(0.5)

    def _check_marks(self) -> None:
        """Check that the server has the marks of this phone, except where a director ruled."""
        own_places = self.places
        self._load_marks()
        for number in sorted(own_places.keys() | self.places.keys()):
            mark, own_mark = self.places.get(number), own_places.get(number)
            is_ruling = mark is not None and mark.is_directors
            if not is_ruling and (mark and (mark.key, mark.record)) != (own_mark and (own_mark.key, own_mark.record)):
                self.measures.record_error(f"{self.path}: hand {number} is {mark}, but was {own_mark}")

    def _load_marks(self) -> None:
        self.places = {
            mark["number"]: Mark(
                key=mark["key"],
                record=read_record(self.ruleset, mark["record"]),
                is_directors=mark["is_directors"],
            )
            for mark in self.match_data["marks"]
            if mark["status"] == "current" and mark["record"]["kind"] != "undone"
        }
        self.outbox.recorded_keys |= {mark.key for mark in self.places.values()}
