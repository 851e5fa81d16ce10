"""The questions to an organizer, and their possible answers."""

from collections.abc import Mapping
from dataclasses import dataclass

from errors import Refusal, check_choice
from rules import RULESETS, Ruleset, get_ruleset

PARTNERS = ("fixed", "drawn")
"""Pairs that stay together, or partners drawn for each round."""

MATTERS = ("everybody_plays", "strongest_wins", "meet_many")
"""The possible priorities: everybody plays to the end, the strongest win, people meet many others."""

LIMITS: Mapping[str, tuple[int, int]] = {
    "people": (4, 4000),
    "tables": (1, 2000),
    "begins": (0, 1439),
    "minutes": (20, 1440),
    "minutes_a_hand": (1, 30),
}
"""The minimum and maximum of each number."""


MAX_TWO_PLAYER_PEOPLE = 12
"""The most people for whom a game of two is proposed, unless the club usually plays it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanQuestion:
    """The answers of an organizer. ``begins`` is in minutes from midnight, ``minutes`` from then on."""

    people: int
    tables: int
    minutes: int
    partners: str = PARTNERS[0]
    begins: int = 19 * 60
    minutes_a_hand: int = 4
    ruleset: str = "canadian"
    matters: str = MATTERS[0]

    @property
    def seats(self) -> int:
        return get_ruleset(self.ruleset).seats

    @property
    def has_drawn_partners(self) -> bool:
        """Whether partners are drawn for each round. In a game of two nobody has a partner."""
        return self.partners == "drawn" and self.seats == 4

    @property
    def entries(self) -> int:
        """The number of entries to be drawn: pairs, or persons."""
        return self.people // 2 if self.partners == "fixed" and self.seats == 4 else self.people

    @property
    def tables_needed(self) -> int:
        return self.people // self.seats


def list_rulesets(people: int, tables: int, *, usual: str) -> tuple[Ruleset, ...]:
    """Return the rulesets that suit so many people at so many tables, the club's usual one first. Games of
    two are offered only for few people, and if each two have a table."""
    fits_two_player = people <= min(MAX_TWO_PLAYER_PEOPLE, 2 * tables)
    found = [ruleset for ruleset in RULESETS.values() if ruleset.seats == 4 or fits_two_player]
    return (RULESETS[usual], *(ruleset for ruleset in found if ruleset.key != usual))


def check_question(question: PlanQuestion) -> PlanQuestion:
    """Check that a question can be answered, and return it.

    Refuses: number_too_small, number_too_large, no_such_choice, no_such_ruleset, people_not_in_pairs,
    too_few_tables.
    """
    for name, (least, most) in LIMITS.items():
        value = getattr(question, name)
        if value < least:
            raise Refusal("number_too_small", field=name, value=value, least=least)
        if value > most:
            raise Refusal("number_too_large", field=name, value=value, most=most)
    for name, choices in (("partners", PARTNERS), ("matters", MATTERS)):
        check_choice(getattr(question, name), choices, field=name)
    if question.seats == 4 and question.partners == "fixed" and question.people % 2:
        raise Refusal("people_not_in_pairs", field="people", people=question.people)
    if question.tables < question.tables_needed:
        raise Refusal("too_few_tables", field="tables", needed=question.tables_needed, tables=question.tables)
    return question
