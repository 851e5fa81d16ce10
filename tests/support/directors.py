"""A director who takes actions at random, for property tests."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from clubs.audit.log import Actor
from engine.ranking import RankingRules
from errors import Refusal
from rules import Side
from scoring.models import Match
from scoring.services.agreement import call_desk, record_agreement, settle_call
from tests.builders import build_account, mark, matches_of, reload_match
from tournaments.entries.services.check_in import change_attendance
from tournaments.entries.services.entry_actions import adjust_entry, disqualify_entry, return_entry, withdraw_entry
from tournaments.events.services.settings import change_ranking
from tournaments.history.services.undo import undo_action
from tournaments.lifecycle import RoundState
from tournaments.models import Event, Round
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.services.rounds import close_round, draw_round, publish_round, reopen_round, unpublish_round
from tournaments.rounds.services.tables import adjust_table, forfeit_table, hold_table, let_cards_count, swap_entries

from .event_files import build_tournament

MAX_STEPS = 50
"""Steps after which a round that is still not closed counts as stuck."""


class Director:
    """A director who takes any possible action at random; refused actions are only counted."""

    def __init__(self, event: Event, seed: int) -> None:
        self.event, self.chance = event, Random(seed)
        self.account = build_account()
        self.first_action = event.actions.latest("pk").pk
        self.done: Counter[str] = Counter()
        self.actions: tuple[Callable[[], object], ...] = (
            self.swap,
            self.swap,
            self.hold,
            self.redraw,
            self.forfeit,
            self.adjust_table,
            self.let_cards_count,
            self.withdraw,
            self.change_attendance_of_entry,
            self.adjust,
            self.correct,
            self.correct,
            self.unpublish,
            self.reopen,
            self.rank_otherwise,
            self.undo,
            self.undo,
            self.undo,
            self.advance_round,
            self.advance_round,
            self.advance_round,
        )

    def perform(self, count: int) -> None:
        for _ in range(count):
            action = self.chance.choice(self.actions)
            try:
                action()
            except Refusal as refusal:
                self.done[f"refused {refusal.code}"] += 1
            else:
                self.done[action.__name__] += 1
        for _ in range(MAX_STEPS):
            if self.last_round.state == RoundState.CLOSED:
                return
            self.advance_round()
        raise AssertionError(f"round {self.last_round.number} can neither be played nor closed")

    @property
    def last_round(self) -> Round:
        return self.event.rounds.order_by("-number").first() or draw_round(event_id=self.event.pk, seed=1)

    @property
    def actor(self) -> Actor:
        return Actor(account=self.account)

    def advance_round(self) -> None:
        last = self.last_round
        if last.state == RoundState.CLOSED:
            draw_round(event_id=self.event.pk, seed=self.chance.randrange(10_000), by=self.actor)
        elif last.state == RoundState.DRAFT:
            try:
                publish_round(event_id=self.event.pk, number=last.number, as_drawn=True)
            except Refusal as refusal:
                if refusal.code != "drawn_but_away":
                    raise
                draw_round(event_id=self.event.pk, seed=self.chance.randrange(10_000), by=self.actor)
        else:
            for match in matches_of(self.event, last.number):
                if not reload_match(match).is_over:
                    self.play(match)
            close_round(event_id=self.event.pk, number=last.number)

    def play(self, match: Match) -> None:
        """Play a match with a corrected slip, two phones, an undone hand and a call to the desk."""
        one, other = self.chance.sample("AB", 2)
        first = mark(match, f"{one} 6 made")
        mark(match, f"{one} 7 failed", number=1)
        mark(match, f"{one} 6 made", number=1, replaced=match.marks.order_by("-pk")[0])
        mark(match, f"{other} mulot made")
        mark(match, "undone", number=2, replaced=match.marks.order_by("-pk")[0])
        call_desk(match_id=match.pk, note="Who dealt?")
        settle_call(match_id=match.pk, account=self.account, ruling="Seat 2 dealt.")
        assert first.number == 1
        winner = self.chance.choice("AB")
        mark(match, f"{winner} gros_charlemagne made")
        record_agreement(match_id=match.pk, side=Side.A, game=1)

    def choose_round(self) -> Round:
        return self.chance.choice(list(self.event.rounds.all()) or [self.last_round])

    def choose_entry(self) -> int:
        return self.chance.choice(list(self.event.entries.values_list("number", flat=True)))

    def choose_table(self) -> dict[str, Any]:
        drawn = self.choose_round()
        numbers = [table.number for table in lineup_of(drawn).tables] or [1]
        return {
            "event_id": self.event.pk,
            "number": drawn.number,
            "table": self.chance.choice(numbers),
            "by": self.actor,
        }

    def swap(self) -> None:
        swap_entries(
            event_id=self.event.pk,
            number=self.chance.choice([self.choose_round().number, self.last_round.number]),
            one=self.choose_entry(),
            other=self.choose_entry(),
            by=self.actor,
        )

    def hold(self) -> None:
        hold_table(**self.choose_table(), is_held=True)

    def redraw(self) -> None:
        if self.last_round.state == RoundState.DRAFT:
            draw_round(event_id=self.event.pk, seed=self.chance.randrange(10_000))

    def forfeit(self) -> None:
        forfeit_table(**self.choose_table(), winner=self.chance.choice([Side.A, Side.B]))

    def adjust_table(self) -> None:
        adjust_table(**self.choose_table(), games=(1, 0), points=(21, self.chance.randrange(20)))

    def let_cards_count(self) -> None:
        let_cards_count(**self.choose_table())

    def withdraw(self) -> None:
        disqualify = partial(disqualify_entry, disqualification="Insults")
        actions: list[Callable[..., object]] = [withdraw_entry, return_entry, disqualify]
        self.chance.choice(actions)(event_id=self.event.pk, number=self.choose_entry(), by=self.actor)

    def change_attendance_of_entry(self) -> None:
        change_attendance(
            event_id=self.event.pk,
            number=self.choose_entry(),
            round_number=self.last_round.number + 1,
            attendance=self.chance.choice(["absent", "bye"]),
        )

    def adjust(self) -> None:
        metric = self.chance.choice(["match_wins", "points_for"])
        adjust_entry(
            event_id=self.event.pk,
            number=self.choose_entry(),
            metric=metric,
            amount=-1,
            by=Actor(reason="Late"),
        )

    def correct(self) -> None:
        """Correct a hand as the director, in a round that may be closed."""
        matches = matches_of(self.event, self.choose_round().number)
        match = self.chance.choice(matches) if matches else None
        last = match.marks.filter(status="current").order_by("-number").first() if match else None
        if match is not None and last is not None:
            side = self.chance.choice("AB")
            mark(match, f"{side} gros_charlemagne made", replaced=last, director=self.account)

    def unpublish(self) -> None:
        unpublish_round(event_id=self.event.pk, number=self.last_round.number)

    def reopen(self) -> None:
        reopen_round(event_id=self.event.pk, number=self.last_round.number)

    def rank_otherwise(self) -> None:
        order = self.chance.sample(["match_wins", "difference", "buchholz", "head_to_head"], 3)
        change_ranking(event_id=self.event.pk, rules=RankingRules(order=tuple(order), dropped=1))

    def undo(self) -> None:
        """Undo one of the last three actions in the history."""
        actions = list(self.event.actions.filter(pk__gt=self.first_action).order_by("-pk")[:3])
        if actions:
            undo_action(event_id=self.event.pk, action_id=self.chance.choice(actions).pk)


def build_eventful_tournament(
    seed: int, *, stages: str = "swiss", action_count: int = 60, rules: RankingRules | None = None
) -> Event:
    """Build a tournament on which a director has taken random actions.

    ``stages`` are formats, such as ``swiss, knockout``; each has two rounds, the last as many as it needs. Without
    ``rules``, the usual ranking applies.
    """
    formats = stages.split(", ")
    plan: list[dict[str, Any]] = [{"format": each, "rounds": 2} for each in formats]
    del plan[-1]["rounds"]
    event = build_tournament(stages=plan)
    if rules is not None:
        change_ranking(event_id=event.pk, rules=rules)
    Director(event, seed).perform(action_count)
    return event
