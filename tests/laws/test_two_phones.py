"""Two phones and the desk in random order: exactly one result counts, and agreements match what was seen."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errors import Refusal
from rules import MatchState, Side, read_record, record_to_json
from scoring.fold import build_summary, fold_match, format_game_result
from scoring.logs import Log, place_mark, read_log
from scoring.models import Match
from scoring.services.agreement import record_agreement
from scoring.services.marks import record_hand
from tests.builders import build_account, build_match, mark, parse_hand, reload_match, win
from tests.long_runs import choose_count

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

HANDS = ("A gros_charlemagne made", "A 8 made", "B gros_charlemagne made", "misdeal", "undone")
PHONES = ("one", "other")


@dataclass(slots=True)
class KnownMark:
    """A mark as a phone knows it."""

    pk: int
    key: UUID
    number: int
    record_data: Any
    status: str


@dataclass
class Phone:
    """A phone: it shows the last received state with its own marks, and sends its requests in order."""

    match: Match
    lines: list[KnownMark] = field(default_factory=list)
    queue: deque[Callable[[], object]] = field(default_factory=deque)
    own_marks: dict[int, KnownMark] = field(default_factory=dict)

    @property
    def log(self) -> Log[KnownMark]:
        return read_log(self.lines, self.match.terms.ruleset)

    @property
    def state(self) -> MatchState:
        return fold_match(self.match, self.log.places)

    def receive_state(self) -> None:
        """Load the server's state, unless requests are queued."""
        if not self.queue:
            self.own_marks.clear()
            self.lines = [
                KnownMark(each.pk, each.entry_key, each.number, each.record_data, each.status)
                for each in self.match.marks.order_by("pk")
            ]

    def tap(self, text: str, *, back: int) -> None:
        """Record the next hand, replace the hand ``back`` places before it, or undo the last hand."""
        log = self.log
        is_undo = text == "undone"
        number = log.last_number if is_undo else max(1, log.next_number - back)
        seen = max(log.get_marks(number), key=lambda line: line.pk, default=None)
        record = read_record(self.match.terms.ruleset, parse_hand(text))
        saw_only = seen is not None and seen is self.own_marks.get(number)
        try:
            placement = place_mark(log, number, record, supersedes=seen, saw_only=saw_only)
        except Refusal:
            return
        line = KnownMark(10**6 + len(self.lines), uuid4(), number, record_to_json(record), placement.status)
        for each, status in placement.iter_status_changes():
            each.status = status
        self.lines.append(line)
        self.own_marks[number] = line
        sent: dict[str, Any] = {
            "match_id": self.match.pk,
            "entry_key": line.key,
            "number": number,
            "hand": parse_hand(text),
        }
        sent |= {"supersedes": None if seen is None else seen.key, "saw_only": saw_only}
        self.queue.append(lambda: record_hand(**sent))

    def agree(self, side: Side, agreed_games: set[tuple[int, Side, str]]) -> None:
        """Agree to the last game on the screen, if there is one, and note what was seen."""
        if not self.state.games:
            return
        game = self.state.games[-1]
        seen = format_game_result(game)
        agreed_games.add((game.number, side, seen))
        self.queue.append(lambda: record_agreement(match_id=self.match.pk, side=side, game=game.number, expected=seen))

    def send(self, *, is_lost: bool) -> None:
        """Send the first queued request; if its response is lost, the request stays queued."""
        if not self.queue:
            return
        try:
            self.queue[0]()
        except Refusal:
            is_lost = False
        if not is_lost:
            self.queue.popleft()


def check(match: Match, meant: set[tuple[int, Side, str]]) -> None:
    """Check the invariants that hold after every step."""
    stored_match = reload_match(match)
    marks = list(stored_match.marks.order_by("pk"))
    log = read_log(marks, stored_match.terms.ruleset)
    state = fold_match(stored_match, log.places)
    assert stored_match.summary == build_summary(state, next_number=log.next_number)
    assert stored_match.has_rivals == bool(log.rivals)
    standing = [each.number for each in marks if each.status == "current"]
    assert len(standing) == len(set(standing))
    agreements = {(each.game, Side(each.side), each.agreed_to) for each in stored_match.agreements.all()}
    assert agreements <= meant
    assert len(agreements) == stored_match.agreements.count()


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("tap"), st.sampled_from(PHONES), st.sampled_from(HANDS), st.sampled_from((0, 0, 0, 1, 2))),
        st.tuples(st.just("agree"), st.sampled_from(PHONES), st.sampled_from(tuple(Side)), st.just(0)),
        st.tuples(st.just("send"), st.sampled_from(PHONES), st.booleans(), st.just(0)),
        st.tuples(st.just("hear"), st.sampled_from(PHONES), st.none(), st.just(0)),
        st.tuples(st.just("rule"), st.sampled_from(PHONES), st.sampled_from(HANDS[:4]), st.just(0)),
    ),
    max_size=24,
)


@settings(max_examples=choose_count(40, long=2_000), deadline=None)
@given(steps=STEPS, begun=st.booleans())
def test_exactly_one_result_counts_and_is_agreed_as_seen(steps: list[tuple[str, str, Any, int]], begun: bool) -> None:
    match = build_match()
    director = build_account()
    if begun:
        win(match)
    phones = {name: Phone(match) for name in PHONES}
    meant: set[tuple[int, Side, str]] = set()

    def rule(text: str) -> None:
        if last := match.marks.filter(status="current").order_by("number").last():
            mark(match, text, replaced=last, director=director)

    for phone in phones.values():
        phone.receive_state()
    for what, name, detail, back in steps:
        phone = phones[name]
        takes: dict[str, Callable[[], None]] = {
            "tap": partial(phone.tap, detail, back=back),
            "agree": partial(phone.agree, detail, meant),
            "send": partial(phone.send, is_lost=detail),
            "hear": phone.receive_state,
            "rule": partial(rule, detail),
        }
        takes[what]()
        check(match, meant)
    for phone in phones.values():
        while phone.queue:
            phone.send(is_lost=False)
        check(match, meant)
    shown = []
    for phone in phones.values():
        phone.receive_state()
        shown.append(build_summary(phone.state, next_number=phone.log.next_number))
    assert shown == [reload_match(match).summary] * 2
