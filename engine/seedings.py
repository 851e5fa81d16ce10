"""Meetings in a bracket: the next one of an entry, and those that its seeds lead to, with their price.

The price counts, for each round, the entries kept apart that can meet in it first; and the entries outside
their tier: seeds 3 and 4, 5 to 8 and so on, those with a bye among themselves.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

from .charts.shapes import BRACKETS
from .draws import DrawInput, Entrant, EntryId, PlayedPairing
from .draws.bonds import DIRECTOR_KINDS
from .draws.brackets.rounds import get_bracket_state, list_seeds, list_shared_bonds
from .draws.brackets.seed_separation import find_first_meetings, list_tiers
from .draws.brackets.settlement import settle_bracket
from .draws.brackets.structure import Bracket, Seed, SlotLoser
from .draws.lineups import Lineup
from .draws.stages import build_next_inputs, build_round_inputs
from .results import EventSnapshot, build_draw_input, list_stage_standings

MEETING_CRITERION = "meet_in_"
"""The beginning of a criterion that counts who can first meet in a round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeding:
    """The entries at the places of a bracket, by seed (``order``); by number they would be ``seeds``. Bonds
    of these ``kinds`` keep entries apart."""

    bracket: Bracket
    order: tuple[EntryId | None, ...]
    seeds: tuple[EntryId, ...]
    entrants: Mapping[EntryId, Entrant]
    kinds: frozenset[str]

    @property
    def price(self) -> dict[str, int]:
        """The cost by criterion, most important first."""
        meetings = find_first_meetings(self.bracket, is_winners=True)
        found = Counter(
            meetings[two]
            for two in combinations(range(len(self.order)), 2)
            if two in meetings and self._are_apart(*two, number=meetings[two])
        )
        own = {self.seeds[place]: tier for tier in list_tiers(len(self.seeds)) for place in tier}
        moved = sum(place not in own.get(entry, ()) for place, entry in enumerate(self.order) if entry)
        rounds = range(1, self.bracket.rounds + 1)
        return {f"{MEETING_CRITERION}{number}": found[number] for number in rounds} | {"seeds": moved}

    def list_opponents(self, entry: EntryId) -> list[tuple[EntryId, ...]]:
        """Return who can be its opponent in its first match, and in each that follows its wins."""
        comers: dict[str, set[int]] = {}
        found = []
        for slot in self.bracket.slots:
            if slot.key.startswith("W"):
                sides = [{each.number - 1} if isinstance(each, Seed) else comers[each.slot] for each in slot.sources]
                comers[slot.key] = sides[0] | sides[1]
                for own, others in (sides, sides[::-1]):
                    if entry in {self.order[place] for place in own}:
                        found.append(tuple(at for place in sorted(others) if (at := self.order[place])))
        return found

    def _are_apart(self, one: int, other: int, *, number: int) -> bool:
        here, there = (self.entrants.get(self.order[at] or EntryId(0)) for at in (one, other))
        bonds = list_shared_bonds(here, there, self.kinds) if here is not None and there is not None else ()
        return any(bond.is_active(number) for bond in bonds)


class NextMeeting(NamedTuple):
    """The next match of an entry: its slot in the event, and the one in its bracket whose winner or loser it
    meets, None once that is known."""

    slot: str
    awaited_slot: str | None
    is_loser: bool


def find_next_meeting(snapshot: EventSnapshot, entry: EntryId) -> NextMeeting | None:
    """Return the match of a bracket that an entry plays next, or now; None if there is none."""
    plan, draw = snapshot.basis.plan, build_draw_input(snapshot, seed=0)
    for here, own in build_next_inputs(plan, draw, list_stage_standings(plan, draw, snapshot.orders)):
        if plan[here.stage].format not in BRACKETS:
            continue
        settled = get_bracket_state(own, *BRACKETS[plan[here.stage].format](own))
        for slot in settled.bracket.slots:
            sides = settled.get_sides(slot)
            if slot.key not in settled.outcomes and entry in sides:
                other = slot.sources[1 - sides.index(entry)]
                return NextMeeting(
                    slot=f"{here.stage + 1}:{slot.key}",
                    awaited_slot=None if isinstance(other, Seed) or None not in sides else other.slot,
                    is_loser=isinstance(other, SlotLoser),
                )
    return None


def build_seeding(snapshot: EventSnapshot, draw: DrawInput, lineup: Lineup) -> Seeding | None:
    """Return the seeding with this line-up of a round; None if it is not the first round of a bracket."""
    drafted = [PlayedPairing(round=draw.round, a=each.a, b=each.b, slot=each.slot) for each in lineup.tables]
    drafted += [PlayedPairing(round=draw.round, a=(bye.entry,), slot=bye.slot) for bye in lineup.byes]
    plan, so_far = snapshot.basis.plan, replace(draw, history=(*draw.history, *drafted))
    inputs = build_round_inputs(plan, so_far, list_stage_standings(plan, draw, snapshot.orders))
    if len(inputs) != 1:
        return None
    ((here, own),) = inputs
    if here.round != 1 or plan[here.stage].format not in BRACKETS:
        return None
    bracket, seeds = BRACKETS[plan[here.stage].format](own)
    return Seeding(
        bracket=bracket,
        order=settle_bracket(bracket, seeds, own.entrants, own.history, next_round=1).seeds,
        seeds=list_seeds(own),
        entrants={entrant.id: entrant for entrant in own.entrants},
        kinds=frozenset({*own.settings.get("separate", ()), *DIRECTOR_KINDS}),
    )
