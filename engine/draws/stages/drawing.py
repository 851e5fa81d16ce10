"""Stages: the rounds of an event in each part of its plan, their entrants, and the draw itself.

Slots drawn by a stage begin with the number of the stage (``2:W1-1``), by which its own history is
recognized. Older results that the stage carries on have a round below 1.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from engine.draws.bonds import told_together
from engine.draws.brackets.structure import is_match
from engine.draws.formats import FORMATS
from engine.draws.seating import number_anew
from engine.draws.values import (
    Bond,
    Draw,
    DrawInput,
    DrawnTable,
    Entrant,
    EntryId,
    Partners,
    PlayedPairing,
    Reason,
    ReasonCode,
)
from errors import Refusal

from .plans import POOLS, Stage, StagePlan, block_before, blocks, ranks
from .sections import fields_of, has_sections, join_sections

POOL = "pool"
"""The kind of bond between entries from the same pool."""


@dataclass(frozen=True, slots=True)
class StageRound:
    """A round of the event as a round of a stage (index from 0), which began after ``rounds_before``."""

    stage: int
    round: int
    rounds_before: int


class _Seated(Protocol):
    """A table or a bye of a round."""

    @property
    def round(self) -> int: ...
    @property
    def a(self) -> Partners: ...
    @property
    def b(self) -> Partners: ...
    @property
    def slot(self) -> str: ...


def stage_of(played: _Seated) -> int | None:
    """Return the stage, from 0, for which a table was drawn; None if it was not drawn by a plan."""
    number, colon, _ = played.slot.partition(":")
    return int(number) - 1 if colon and number.isdecimal() else None


def stage_of_slot(slot: str) -> int:
    """Return the stage of a table or a bye by its slot; the first, if the slot names none."""
    return int(slot.partition(":")[0]) - 1 if ":" in slot else 0


def is_bracket_slot(plan: StagePlan, slot: str) -> bool:
    """Return whether a slot of the event is a match of a bracket: somebody advances from it, at a table or by
    a walkover."""
    return FORMATS[plan[stage_of_slot(slot)].format].is_bracket and is_match(slot.partition(":")[2])


def stages_of_round(
    plan: StagePlan, played_round: int, history: Sequence[PlayedPairing]
) -> tuple[StageRound, ...]:
    """Return the stages to which a round of the event belongs, as far as history and the numbers of rounds
    tell.

    Only the draw knows how long a stage without a number of rounds lasts. After the last stage there are
    none.
    """
    groups = blocks(plan)
    block_of = {index: number for number, block in enumerate(groups) for index in block}
    starts: dict[int, int] = {0: 1}
    for table in history:
        if table.round <= played_round and (stage := stage_of(table)) in block_of:
            number = block_of[stage]
            starts[number] = min(table.round, starts.get(number, table.round))
    begun = ((number, start) for number, start in starts.items() if start <= played_round)
    number, start = max(begun, default=(0, 1))
    while number < len(groups):
        length = _length(plan, groups[number])
        if length is None or played_round < start + length:
            return tuple(
                StageRound(stage=index, round=played_round - start + 1, rounds_before=start - 1)
                for index in groups[number]
                if plan[index].rounds is None or played_round < start + (plan[index].rounds or 0)
            )
        number, start = number + 1, start + length
    return ()


def _length(plan: StagePlan, block: range) -> int | None:
    """Return the rounds of stages side by side, if each has a number."""
    rounds = [plan[index].rounds for index in block]
    return None if None in rounds else max(length or 0 for length in rounds)


def pools_in(history: Iterable[_Seated], stage: int) -> dict[EntryId, str]:
    """Return by entry the pool where it played, or sat out, in this stage."""
    return {
        entry: table.slot.partition(":")[2]
        for table in sorted(history, key=lambda table: table.round)
        if stage_of(table) == stage and not table.slot.endswith(":")
        for entry in (*table.a, *table.b)
    }


def entrants_of_stage(
    plan: StagePlan, stage_index: int, standings: Sequence[EntryId], pools: Mapping[EntryId, str]
) -> tuple[EntryId, ...]:
    """Return the entrants of a stage, by seed: from the standings when it begins, best first.

    From pools come all first, then all second… ``standings`` are of the entries still present; those who left
    have made room for the next.
    """
    stage = plan[stage_index]
    taken = ranks(stage)
    if stage.takes != "pool_top":
        return tuple(standings[taken.start : taken.stop])
    placed: Counter[str] = Counter()
    found: list[tuple[int, int, EntryId]] = []
    for place, entry in enumerate(entry for entry in standings if entry in pools):
        if placed[pools[entry]] in taken:
            found.append((placed[pools[entry]], place, entry))
        placed[pools[entry]] += 1
    return tuple(entry for _, _, entry in sorted(found))


MEMBERS_BY_RANK = 6
"""Last version of draws in which whoever the director had seated in a stage was missing in its next round."""


def _as_seated(
    members: Sequence[EntryId], here: StageRound, history: Sequence[PlayedPairing]
) -> tuple[EntryId, ...]:
    """Return the entrants of a bracket, each that was seated in its first round in the place of one who was
    not there. Beside other stages, they remain those of the standings."""
    first = sorted(
        (table for table in history if table.round == here.rounds_before + 1),
        key=lambda table: (table.slot, table.table),
    )
    there = {entry for table in first if table.slot for entry in (*table.a, *table.b)}
    matches = [table for table in first if is_match(table.slot.partition(":")[2])]
    came = [entry for table in matches for entry in (*table.a, *table.b) if entry not in members]
    absent = [entry for entry in members if entry not in there]
    place = dict(zip(absent, came, strict=False))
    is_alone = all(stage_of(table) in (here.stage, None) for table in first)
    return tuple(place.get(entry, entry) for entry in members) if is_alone else tuple(members)


def history_of_stage(
    plan: StagePlan, here: StageRound, history: Iterable[PlayedPairing], entrants: Collection[EntryId]
) -> tuple[PlayedPairing, ...]:
    """Return the history of a stage: its own rounds, from 1, and below 1 what it carries on of earlier
    ones."""
    found = []
    for table in history:
        number, stage = table.round - here.rounds_before, stage_of(table)
        is_among = all(entry in entrants for entry in (*table.a, *table.b))
        if number > 0:
            if stage == here.stage or (stage is None and is_among):
                found.append(replace(table, round=number, slot=table.slot.partition(":")[2]))
        elif plan[here.stage].carried == "all" or (plan[here.stage].carried == "among" and is_among):
            found.append(replace(table, round=number, slot=""))
    return tuple(found)


def draw_stage(plan: StagePlan, draw_input: DrawInput, standings: Sequence[Sequence[EntryId]] = ()) -> Draw:
    """Draw the next round of the event, whichever stages it belongs to; without tables once all are over.

    ``standings`` hold, for each stage that is over, all entries best first when it ended (of stages side by
    side: of the last one); where they are missing, the order of the entrants counts. In a stage, numbers are
    seeds from 1, and entries from a pool have a bond ``pool``. Refuses: what the formats refuse.
    """
    draws: list[Draw] | None = None
    for here in _blocks_ahead(plan, draw_input):
        draws = _draw_stages(plan, here, draw_input, standings)
        if any(drawn.tables or drawn.byes for drawn in draws):
            break
    if draws is None:
        return Draw(format="stages", round=draw_input.round, seed=draw_input.seed, tables=())
    return _together(draw_input, draws)


def next_slots(
    plan: StagePlan, draw_input: DrawInput, standings: Sequence[Sequence[EntryId]] = ()
) -> frozenset[str]:
    """Return the slots of the tables of the next round, and of its walkovers, each once, without drawing it:
    none once all stages are over. A round that cannot be drawn yet, as a winner is missing, counts too.

    ``standings`` as ``draw_stage`` takes them. No table is locked.
    """
    for here in _blocks_ahead(plan, draw_input):
        ahead = {each.stage: _slots_ahead(plan, each, draw_input, standings) for each in here}
        slots = {f"{stage + 1}:{slot}" for stage, found in ahead.items() for slot in found or ()}
        if slots or any(found is not None for found in ahead.values()):
            return frozenset(slots)
    return frozenset()


def _slots_ahead(
    plan: StagePlan, here: StageRound, draw_input: DrawInput, standings: Sequence[Sequence[EntryId]]
) -> frozenset[str] | None:
    known = FORMATS[plan[here.stage].format]
    found = [known.slots_ahead(field) for field in _fields_left(plan, here, draw_input, standings)]
    told = [slots for slots in found if slots is not None]
    return frozenset().union(*told) if told else None


def _blocks_ahead(plan: StagePlan, draw_input: DrawInput) -> Iterator[tuple[StageRound, ...]]:
    """Yield the stages side by side to which the next round belongs. Then yield those that it begins if the
    earlier ones have nothing more to play."""
    here = stages_of_round(plan, draw_input.round, draw_input.history)
    while here:
        yield here
        here = _following(plan, here, draw_input.round)


def _following(plan: StagePlan, here: Sequence[StageRound], number: int) -> tuple[StageRound, ...]:
    """Return the stages side by side after these, if they begin with this round of the event."""
    block = next((block for block in blocks(plan) if block.start > here[-1].stage), range(0))
    return tuple(StageRound(stage=index, round=1, rounds_before=number - 1) for index in block)


def inputs_of_round(
    plan: StagePlan, draw_input: DrawInput, standings: Sequence[Sequence[EntryId]] = ()
) -> tuple[tuple[StageRound, DrawInput], ...]:
    """Return the stages to which this round belongs, each with the draw as it sees it, which its prices
    depend on.

    The slots of a drawn draft tell which stages these are: give it as part of the history.
    """
    here = stages_of_round(plan, draw_input.round, draw_input.history)
    return tuple((each, own_input(plan, each, draw_input, standings)) for each in here)


def inputs_ahead(
    plan: StagePlan, draw_input: DrawInput, standings: Sequence[Sequence[EntryId]] = ()
) -> tuple[tuple[StageRound, DrawInput], ...]:
    """Return the stages of the next round to be drawn, each with the draw as it sees it. A finished stage
    makes room for those after it; empty once all are over. A stage whose sections are drawn apart appears
    once for each."""
    for here in _blocks_ahead(plan, draw_input):
        fields = ((each, _fields_left(plan, each, draw_input, standings)) for each in here)
        if going_on := tuple((each, field) for each, those in fields for field in those):
            return going_on
    return ()


def _draw_stages(
    plan: StagePlan,
    here: Sequence[StageRound],
    draw_input: DrawInput,
    standings: Sequence[Sequence[EntryId]],
) -> list[Draw]:
    """Draw the round of each stage as if it were alone, each with the locked tables of its entrants."""
    draws: list[Draw] = []
    locked = {table.number for table in draw_input.locked}
    for stage_round in here:
        own = own_input(plan, stage_round, draw_input, standings)
        fields = _fields_left(plan, stage_round, draw_input, standings)
        if not fields:
            continue
        known = FORMATS[plan[stage_round.stage].format]
        try:
            drawn_apart = [known.draw(field) for field in fields]
            drawn = join_sections(own, drawn_apart) if has_sections(known, own) else drawn_apart[0]
        except Refusal as refusal:
            raise _of_stage(refusal, stage_round) from None
        members = {entrant.id for entrant in own.entrants}
        tables = [
            table for table in drawn.tables if table.number not in locked or members & {*table.a, *table.b}
        ]
        draws.append(_in_event(drawn, stage_round, told_together(tables, own)))
    return draws


def _of_stage(refusal: Refusal, here: StageRound) -> Refusal:
    """Return the refusal with its slot, if it names one, as the event has it."""
    details = dict(refusal.details)
    if "slot" in details:
        details["slot"] = f"{here.stage + 1}:{details['slot']}"
    return Refusal(refusal.code, field=refusal.field, **details)


def _fields_left(
    plan: StagePlan, here: StageRound, draw_input: DrawInput, standings: Sequence[Sequence[EntryId]]
) -> list[DrawInput]:
    """Return the draw as the stage sees it, or as each of its sections does, without those that are over."""
    stage = plan[here.stage]
    fields = fields_of(FORMATS[stage.format], own_input(plan, here, draw_input, standings))
    return [field for field in fields if not _is_over(stage, field)]


def _is_over(stage: Stage, own: DrawInput) -> bool:
    """Return whether a stage without a number of rounds has had all that its format takes; for a bracket,
    whether nothing is left to play."""
    known = FORMATS[stage.format]
    if known.is_bracket:
        return known.slots_ahead(own) is None
    rounds = known.rounds(len(own.entrants), stage.settings)
    return stage.rounds is None and rounds is not None and own.round > rounds


def own_input(
    plan: StagePlan, here: StageRound, draw_input: DrawInput, standings: Sequence[Sequence[EntryId]]
) -> DrawInput:
    """Return the draw as the stage sees it, in which its first round is round 1."""
    entrants = {entrant.id: entrant for entrant in draw_input.entrants}
    before = block_before(plan, here.stage)
    order: Sequence[EntryId] = list(entrants)
    if not before:
        order = sorted(entrants, key=lambda entry: entrants[entry].number)
    elif len(standings) >= before.stop:
        order = [entry for entry in standings[before.stop - 1] if entry in entrants]
    there = [
        entry
        for entry in dict.fromkeys((*order, *entrants))
        if not entrants[entry].has_left(here.rounds_before + 1)
        and not (entrants[entry].is_house and FORMATS[plan[here.stage].format].is_bracket)
    ]
    pools: dict[EntryId, str] = {}
    for stage in before:
        if plan[stage].format == POOLS:
            pools |= pools_in(draw_input.history, stage)
    members = entrants_of_stage(plan, here.stage, there, pools)
    if FORMATS[plan[here.stage].format].is_bracket and draw_input.version > MEMBERS_BY_RANK:
        members = _as_seated(members, here, draw_input.history)
    seeds = {entry: number for number, entry in enumerate(members, start=1)}
    return replace(
        draw_input,
        round=here.round,
        entrants=tuple(
            _as_member(entrant, seeds[entrant.id], pools.get(entrant.id), here.rounds_before)
            for entrant in draw_input.entrants
            if entrant.id in seeds
        ),
        history=history_of_stage(plan, here, draw_input.history, seeds),
        settings=plan[here.stage].settings,
    )


def _as_member(entrant: Entrant, number: int, pool: str | None, rounds_before: int) -> Entrant:
    """Return the entrant as the stage has it: with its seed, and its rounds counted from the first of the
    stage."""
    leaves = None if entrant.leaves_after is None else entrant.leaves_after - rounds_before
    bonds = {
        replace(bond, rounds=None if bond.rounds is None else bond.rounds - rounds_before)
        for bond in entrant.bonds
        if bond.holds_in(rounds_before + 1)
    }
    return replace(
        entrant,
        number=number,
        bonds=frozenset(bonds | ({Bond(POOL, pool)} if pool else set())),
        arrives=max(1, entrant.arrives - rounds_before),
        leaves_after=leaves,
        absent=frozenset(number - rounds_before for number in entrant.absent),
        excused=frozenset(number - rounds_before for number in entrant.excused),
        withdrawn=frozenset(number - rounds_before for number in entrant.withdrawn),
        byes_asked=frozenset(number - rounds_before for number in entrant.byes_asked),
    )


def _in_event(drawn: Draw, here: StageRound, tables: Iterable[DrawnTable]) -> Draw:
    """Return the draw of a stage as the event has it: its slots with the stage's number, its rounds those of
    the event."""
    name = f"{here.stage + 1}:"
    return replace(
        drawn,
        round=drawn.round + here.rounds_before,
        tables=tuple(
            replace(table, slot=name + table.slot, reasons=_shift_rounds(table.reasons, here.rounds_before))
            for table in tables
        ),
        byes=tuple(
            replace(bye, slot=name + bye.slot, reasons=_shift_rounds(bye.reasons, here.rounds_before))
            for bye in drawn.byes
        ),
    )


_COUNTED = frozenset({ReasonCode.FEWEST_BYES, ReasonCode.FEWEST_LEFT_OVER, ReasonCode.LOWEST_IN_TURN})
"""Reasons that count byes and missed rounds: a later stage counts its own."""


def _shift_rounds(reasons: Iterable[Reason], rounds_before: int) -> tuple[Reason, ...]:
    if not rounds_before:
        return tuple(reasons)
    return tuple(
        replace(
            reason,
            details={
                name: tuple(number + rounds_before for number in value) if name == "rounds" else value
                for name, value in reason.details.items()
            }
            | ({"of_stage": True} if reason.code in _COUNTED else {}),
        )
        for reason in reasons
    )


def _together(draw_input: DrawInput, draws: Sequence[Draw]) -> Draw:
    """Join the draws of all stages, with the director's tables that belong to no stage."""
    if len(draws) == 1 and not draw_input.locked:
        return draws[0]
    one = draws[0] if len(draws) == 1 else None
    reason = (Reason(code=ReasonCode.LOCKED),)
    locked = {
        table.number: DrawnTable(number=table.number, a=table.a, b=table.b, reasons=reason)
        for table in draw_input.locked
    }
    tables = [table for drawn in draws for table in drawn.tables if table.number not in locked]
    for drawn in draws[::-1]:
        locked |= {table.number: table for table in drawn.tables if table.number in locked}
    if one is None:
        keeps_ranges = all(
            has_sections(FORMATS[drawn.format], replace(draw_input, settings=drawn.settings))
            for drawn in draws
        )
        tables = number_anew(tables, draw_input, keeps_ranges=keeps_ranges)
    return Draw(
        format="stages" if one is None else one.format,
        round=draw_input.round,
        seed=draw_input.seed,
        tables=tuple(sorted([*locked.values(), *tables], key=lambda table: table.number)),
        byes=tuple(bye for drawn in draws for bye in drawn.byes),
        settings=draw_input.settings if one is None else one.settings,
    )
