"""A table with two phones that may not know each other's marks, and the server's answers to their marks.

An offline phone replaces its own newest mark, and knows of no other. Some marks are sent twice, and some after the
round is closed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Any
from uuid import UUID

from errors import Refusal
from rules import (
    Game,
    MatchFormat,
    MatchState,
    Record,
    Ruleset,
    Seat,
    fold,
    is_read_aloud,
    match_format_to_json,
    read_record,
    record_to_json,
    ruleset_to_json,
)
from scoring.parsing import parse_mark
from tournaments.event_files.verifying.matches import FileMarkRow, LogReplay

from .forms import Form, build_form, choose_match_format, choose_ruleset

Json = dict[str, Any]

UNKNOWN_KEY = str(UUID(int=0))


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneMatch:
    """Match as sent to a phone, and everything that the phone should compute."""

    match: Json
    expected: Json


@dataclass(frozen=True, slots=True)
class Tap:
    """Hand marked at a phone: its number, the newest mark that the phone saw there, and the form."""

    number: int
    seen_pk: int | None
    form: Form
    saw_only: bool = False


class ReplayedRound(LogReplay):
    """Log that takes the table's marks until its round is closed, and then only directors' marks."""

    is_closed = False

    def _check_table_may_mark(self, record: Record, replaced: Iterable[FileMarkRow]) -> None:
        super()._check_table_may_mark(record, replaced)
        if self.is_closed:
            raise Refusal("match_closed")


class LogView:
    """Log as a phone saw it last."""

    def __init__(self, replay: LogReplay) -> None:
        log = replay.log
        self.next = log.next_number
        self.here = {number: log.get_marks(number) for number in {*log.active, *log.undone}}
        self.contested = sorted(log.rivals)

    def get_newest_pk(self, number: int) -> int | None:
        return self.here[number][-1].pk if number in self.here else None


class Table:
    """Table with two phones, which mostly mark the same hands; the server's rules answer each tap."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.ruleset: Ruleset = choose_ruleset(chance)
        self.format: MatchFormat = choose_match_format(chance)
        self.dealer = Seat(chance.randrange(self.ruleset.seats))
        self.replay = ReplayedRound(self.ruleset, self.format, self.dealer)
        self.sights = [LogView(self.replay)] * 2
        self.played: dict[int, Form] = {}
        self.own: list[dict[int, int]] = [{}, {}]
        self.written: dict[str, tuple[Json, FileMarkRow]] = {}
        self.posts: list[Json] = []
        self.answers: list[Json] = []

    def play(self, taps: int) -> PhoneMatch:
        closed_after = self.chance.randint(1, 4 * taps)
        for number in range(taps):
            self.replay.is_closed = number >= closed_after
            phone = self.chance.randrange(2)
            if self.chance.random() < 0.7:
                self.sights[phone] = LogView(self.replay)
            if self.posts and self.chance.random() < 0.03:
                self._repeat_post(self.chance.choice(self.posts))
            elif self.own[phone] and self.chance.random() < 0.2:
                self._mark(self._build_own_tap(self.own[phone]), phone)
            else:
                self._mark(self._build_tap(self.sights[phone]), phone)
        match = {
            "ruleset": ruleset_to_json(self.ruleset),
            "match_format": match_format_to_json(self.format),
            "first_dealer": self.dealer,
            "closed_after": closed_after,
            "posts": self.posts,
        }
        statuses = [str(line.status) for line in self.replay.lines]
        return PhoneMatch(
            match=match, expected={"said": self.answers, "statuses": statuses, "steps": self._list_steps()}
        )

    def _build_tap(self, sight: LogView) -> Tap:
        chance = self.chance.random()
        last = max(1, sight.next - 1)
        if chance < 0.1 and sight.contested:
            number = self.chance.choice(sight.contested)
            return Tap(number, sight.get_newest_pk(number), _to_form(self.chance.choice(sight.here[number])))
        if 0.1 <= chance < 0.18:
            number = last if self.chance.random() < 0.8 else self.chance.randint(1, last)
            return Tap(number, sight.get_newest_pk(number), {"kind": "undone"})
        if chance < 0.35:
            number = self.chance.randint(1, last)
            return Tap(number, sight.get_newest_pk(number), build_form(self.chance, self.ruleset))
        if chance < 0.4:
            seen = self.chance.choice((None, self.chance.randint(1, 9)))
            return Tap(self.chance.randint(0, sight.next + 1), seen, build_form(self.chance, self.ruleset))
        form = self.played.setdefault(sight.next, build_form(self.chance, self.ruleset))
        if self.chance.random() < 0.15:
            form = self.played[sight.next] = build_form(self.chance, self.ruleset)
        return Tap(sight.next, self.chance.choice((None, sight.get_newest_pk(sight.next))), form)

    def _build_own_tap(self, own_marks: dict[int, int]) -> Tap:
        """Return a tap that replaces the phone's own newest mark of a hand, mostly of the last hand."""
        number = max(own_marks) if self.chance.random() < 0.6 else self.chance.choice(list(own_marks))
        form = self.chance.choice(({"kind": "undone"}, self.played.get(number), None))
        return Tap(number, own_marks[number], form or build_form(self.chance, self.ruleset), saw_only=True)

    def _mark(self, tap: Tap, phone: int) -> None:
        key = str(UUID(int=self.chance.getrandbits(128)))
        form = {"match": "1", "entry_key": key, "number": str(tap.number), "supersedes": self._get_key(tap.seen_pk)}
        if tap.saw_only:
            form["saw_only"] = "on"
        self._record_post({"form": tap.form | form, "is_directors": self.chance.random() < 0.1})
        if key in self.written:
            self.own[phone][tap.number] = self.written[key][1].pk

    def _get_key(self, pk: int | None) -> str:
        """Return the key of the mark at this position of the log; an unknown key if there is none."""
        if pk is None:
            return ""
        keys = list(self.written)
        return keys[pk - 1] if pk <= len(keys) else UNKNOWN_KEY

    def _repeat_post(self, post: Json) -> None:
        """Post a form again, or another form under its key."""
        form = post["form"]
        if self.chance.random() < 0.3:
            form = form | {"number": str(self.chance.randint(1, 3))}
        self._record_post(post | {"form": form})

    def _record_post(self, post: Json) -> None:
        self.posts.append(post)
        self.answers.append(self._process_post(**post))

    def _process_post(self, form: Form, *, is_directors: bool) -> Json:
        try:
            posted = parse_mark(form)
            record = read_record(self.ruleset, posted.hand)
        except Refusal as refusal:
            return {"unread": [refusal.code, refusal.field, _to_json(refusal.details)]}
        record_json = record_to_json(record)
        answer: Json = {"record": record_json, "is_read_aloud": self._is_read_aloud(posted.number, record)}
        mark = {
            "place": posted.number,
            "record": record_json,
            "by": is_directors,
            "supersedes": self._get_pk(form["supersedes"]),
            "saw_only": posted.saw_only,
        }
        try:
            line = self._write(form["entry_key"], mark)
        except Refusal as refusal:
            return answer | {"refused": [refusal.code, _to_json(refusal.details)]}
        return answer | {"status": str(line.status)} | self._build_state()

    def _get_pk(self, key: str) -> int | None:
        """Return the position in the log of this key's mark; 0, which no mark has, if there is none."""
        if not key:
            return None
        return self.written[key][1].pk if key in self.written else 0

    def _write(self, key: str, mark: Json) -> FileMarkRow:
        """Write the mark of this key once, and return its line. Refuses: entry_key_reused, and what the log refuses."""
        if key not in self.written:
            self.replay.replay_mark(mark)
            self.written[key] = mark, self.replay.lines[-1]
        before, line = self.written[key]
        if before != mark:
            raise Refusal("entry_key_reused")
        return line

    def _build_state(self) -> Json:
        log = self.replay.log
        return {
            "next": log.next_number,
            "waits": [[number, [mark.pk for mark in log.get_marks(number)]] for number in sorted(log.rivals)],
            "free": sorted(log.undone),
            "echoes": [[number, [mark.pk for mark, _ in each]] for number, each in sorted(log.echoes.items()) if each],
            "match": serialize_state(self.replay.state),
            "lines": serialize_lines(self.replay.state),
        }

    def _is_read_aloud(self, number: int, record: Record) -> bool:
        before = self._fold([place for place in self.replay.log.places if place[0] < number])
        return is_read_aloud(before, before.add_record(number, record))

    def _list_steps(self) -> list[list[Any]]:
        """Return the match state after each of its hands."""
        state, steps = self._fold([]), []
        for number, record in sorted(self.replay.log.places, key=lambda place: place[0]):
            state = state.add_record(number, record)
            steps.append(serialize_state(state))
        return steps

    def _fold(self, places: list[tuple[int, Record]]) -> MatchState:
        return fold(self.ruleset, self.format, places, first_dealer=self.dealer)


def serialize_state(state: MatchState) -> list[Any]:
    return [
        [_serialize_game(game) for game in (*state.games, state.game)],
        list(state.games_won),
        list(state.points),
        state.deals,
        state.dealer,
        state.is_over,
        None if state.winner is None else state.winner.name,
    ]


def serialize_lines(state: MatchState) -> list[Any]:
    return [
        [line.number, line.dealer, list(line.gained), _serialize_game(line.game), line.is_surplus, line.ends_game]
        for line in state.lines
    ]


def _serialize_game(game: Game) -> list[Any]:
    return [game.number, list(game.points), game.winner and game.winner.name, game.by and game.by.value]


def _to_form(mark: FileMarkRow) -> Form:
    return {name: str(value) for name, value in mark.record_data.items()}


def _to_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


def play_table(seed: int, number: int) -> PhoneMatch:
    chance = Random(f"{seed}/{number}")
    return Table(chance).play(chance.randint(3, 30))
