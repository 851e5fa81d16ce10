"""Scores that the Swiss draw receives equal those of an independent tally after random rounds.

The tally follows docs/development/standings.md, "Rounds without cards": matches, byes, forfeits, late entries,
missed rounds and withdrawals.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from engine.draws import EntryId
from engine.ranking import UNPLAYED_KINDS, Bye, RankingRules
from rules import Side
from tests.builders import build_event, get_draw_input
from tests.long_runs import RUN_SEED, choose_count
from tournaments.entries.services.check_in import change_attendance
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.entry_actions import return_entry, withdraw_entry
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import change_ranking
from tournaments.models import Entry, Event
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.services.rounds import close_round, draw_round, publish_round
from tournaments.rounds.services.tables import adjust_table, forfeit_table

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

EVENINGS = [f"{RUN_SEED}{number}" for number in range(choose_count(6, long=100))]
ROUNDS = 4
BYE_SCORES = {Bye.WIN: 2, Bye.DRAW: 1, Bye.NOTHING: 0, Bye.AVERAGE: 1}


class Notebook:
    """A random evening with a tally of its scores.

    A win counts 2, a draw 1, a loss 0, and a round without cards what the event's rules say.
    """

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.event: Event = build_event(dice.randint(4, 7), draw_format="swiss", tables=8)
        worths: dict[str, Any] = {kind: dice.choice(list(Bye)) for kind in UNPLAYED_KINDS}
        self.rules = RankingRules(**worths)
        change_ranking(event_id=self.event.pk, rules=self.rules)
        self.event = start_event(event_id=self.event.pk)
        self.scores: Counter[EntryId] = Counter({EntryId(entry.pk): 0 for entry in self.event.entries.all()})
        self.gone: set[EntryId] = set()
        self.seen: Counter[str] = Counter()

    def add_score(self, what: str, entries: tuple[EntryId, ...], worth: int) -> None:
        self.seen[what] += 1
        for entry in entries:
            self.scores[entry] += worth

    def play(self, number: int) -> None:
        """Play a round: record absences before the draw, then end each table in one of five ways."""
        at: dict[str, Any] = {"event_id": self.event.pk, "number": number}
        missing = self._choose_absences(number)
        drawn = draw_round(event_id=self.event.pk, seed=self.dice.getrandbits(8))
        publish_round(**at)
        lineup = lineup_of(drawn)
        for table in lineup.tables:
            self._end(number, table.number, table.a, table.b)
        for bye in lineup.byes:
            if bye.entry not in missing:
                self.add_score("bye", (bye.entry,), BYE_SCORES[self.rules.bye])
        for entry, kind in missing.items():
            self.add_score(kind, (entry,), BYE_SCORES[self.rules.get_bye_value(kind)])
        close_round(**at)

    def _choose_absences(self, number: int) -> dict[EntryId, str]:
        """Record up to two entries as absent or with a requested bye, and return them."""
        here = list(self.event.entries.exclude(pk__in=self.gone).order_by("number"))
        missing = {
            entry: self.dice.choice(["absent", "requested_bye"])
            for entry in self.dice.sample(here, self.dice.choice([0, 1, 1, 2]))
        }
        for entry, kind in missing.items():
            change_attendance(
                event_id=self.event.pk,
                number=entry.number,
                round_number=number,
                attendance="absent" if kind == "absent" else "bye",
            )
        return {EntryId(entry.pk): kind for entry, kind in missing.items()}

    def _end(self, number: int, table: int, a: tuple[EntryId, ...], b: tuple[EntryId, ...]) -> None:
        at: dict[str, Any] = {"event_id": self.event.pk, "number": number, "table": table}
        how = self.dice.choice(["A", "B", "draw", "forfeit", "nobody came"])
        if how == "forfeit":
            forfeit_table(**at, winner=Side.B)
            self.add_score(how, b, BYE_SCORES[self.rules.forfeit])
        elif how == "nobody came":
            forfeit_table(**at, winner=None)
            self.add_score(how, (), 0)
        else:
            points = {"A": (32, 9), "B": (9, 32), "draw": (20, 20)}[how]
            adjust_table(**at, games=(0, 0), points=points)
            for side, entries in (("A", a), ("B", b)):
                self.add_score(how, entries, {side: 2, "draw": 1}.get(how, 0))

    def change_entries(self, number: int) -> None:
        """Change the entries between two rounds.

        A late entry gets the score for missed rounds; a withdrawn entry gains nothing, even if it returns or withdraws
        again.
        """
        letter = "ABCDE"[number]
        if self.dice.random() < 0.5:
            (late,) = add_entry(event_id=self.event.pk, players=(f"Zoé {letter}", f"Yves {letter}"))
            self.add_score("late", (EntryId(late.pk),), number * BYE_SCORES[self.rules.late])
        if self.dice.random() < 0.3:
            entry: Entry = self.dice.choice(list(self.event.entries.exclude(pk__in=self.gone)))
            withdraw_entry(event_id=self.event.pk, number=entry.number)
            self.gone.add(EntryId(entry.pk))
            self.seen["gone"] += 1
        elif self.gone and self.dice.random() < 0.5:
            gone = self.dice.choice(list(self.event.entries.filter(pk__in=self.gone)))
            return_entry(event_id=self.event.pk, number=gone.number)
            self.seen["back"] += 1
            if self.dice.random() < 0.5:
                withdraw_entry(event_id=self.event.pk, number=gone.number)
            else:
                self.gone.remove(EntryId(gone.pk))

    def get_draw_scores(self) -> dict[EntryId, int]:
        """Return the score of each entrant in the input of the next draw."""
        return {entrant.id: entrant.score for entrant in get_draw_input(self.event, seed=0).entrants}


def test_draw_scores_match_the_rulebook_round_by_round() -> None:
    seen: Counter[str] = Counter()
    for seed in EVENINGS:
        evening = Notebook(Random(seed))
        for number in range(1, ROUNDS + 1):
            evening.play(number)
            assert evening.get_draw_scores() == evening.scores, (seed, evening.rules, evening.seen)
            evening.change_entries(number)
            assert evening.get_draw_scores() == evening.scores, (seed, evening.rules, evening.seen)
        seen += evening.seen
    played = {"A", "B", "draw", "forfeit", "nobody came"}
    assert {*seen} == played | {"bye", "absent", "requested_bye", "late", "gone", "back"}
