"""Stages: the rounds of an event in each part of its plan, their entrants, and the draw itself.

Slots drawn by a stage begin with the number of the stage (``2:W1-1``), by which its own history is
recognized. Older results that the stage carries on have a round below 1.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from engine.draws.bonds import POOL, explain_shared_bonds
from engine.draws.brackets.structure import is_match
from engine.draws.formats import FORMATS
from engine.draws.seating import renumber_tables
from engine.draws.values import (
    RETURNING_MEMBERS_VERSION,
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

from .phase_tables import number_by_phase
from .plans import POOLS, Stage, StagePlan, get_previous_block, get_rank_range, get_slot_stage, list_blocks
from .sections import build_section_fields, has_sections, join_sections


@dataclass(frozen=True, slots=True)
class StageRound:
    """A round of the event as a round of a ``stage`` (index from 0).

    The stage began after round ``round_offset`` of the event.
    """

    stage: int
    round: int
    round_offset: int


class _SlotHolder(Protocol):
    """A table or a bye of a round."""

    @property
    def round(self) -> int: ...
    @property
    def a(self) -> Partners: ...
    @property
    def b(self) -> Partners: ...
    @property
    def slot(self) -> str: ...


def get_stage(table: _SlotHolder) -> int | None:
    """Return the stage, from 0, for which a table was drawn; None if it was not drawn by a plan."""
    number, colon, _ = table.slot.partition(":")
    return int(number) - 1 if colon and number.isdecimal() else None


def is_bracket_slot(plan: StagePlan, slot: str) -> bool:
    """Return whether a slot of the event is a match of a bracket: somebody advances from it, at a table or by
    a walkover."""
    return FORMATS[plan[get_slot_stage(slot)].format].is_bracket and is_match(slot.partition(":")[2])


def list_round_stages(plan: StagePlan, played_round: int, history: Sequence[PlayedPairing]) -> tuple[StageRound, ...]:
    """Return the stages to which a round of the event belongs, as far as history and the numbers of rounds
    tell.

    Only the draw knows how long a stage without a number of rounds lasts. After the last stage there are
    none.
    """
    groups = list_blocks(plan)
    block_numbers = {index: number for number, block in enumerate(groups) for index in block}
    starts: dict[int, int] = {0: 1}
    for table in history:
        if table.round <= played_round and (stage := get_stage(table)) in block_numbers:
            number = block_numbers[stage]
            starts[number] = min(table.round, starts.get(number, table.round))
    started = ((number, start) for number, start in starts.items() if start <= played_round)
    number, start = max(started, default=(0, 1))
    while number < len(groups):
        length = _get_block_length(plan, groups[number])
        if length is None or played_round < start + length:
            return tuple(
                StageRound(stage=index, round=played_round - start + 1, round_offset=start - 1)
                for index in groups[number]
                if plan[index].rounds is None or played_round < start + (plan[index].rounds or 0)
            )
        number, start = number + 1, start + length
    return ()


def _get_block_length(plan: StagePlan, block: range) -> int | None:
    """Return the rounds of stages side by side, if each has a number."""
    rounds = [plan[index].rounds for index in block]
    return None if None in rounds else max(length or 0 for length in rounds)


def get_pools_by_entry(history: Iterable[_SlotHolder], stage: int) -> dict[EntryId, str]:
    """Return by entry the pool where it played, or sat out, in this stage."""
    return {
        entry: table.slot.partition(":")[2]
        for table in sorted(history, key=lambda table: table.round)
        if get_stage(table) == stage and not table.slot.endswith(":")
        for entry in (*table.a, *table.b)
    }


def list_stage_entrants(
    plan: StagePlan, stage_index: int, standings: Sequence[EntryId], pools: Mapping[EntryId, str]
) -> tuple[EntryId, ...]:
    """Return the entrants of a stage, by seed: from the standings when it begins, best first.

    From pools come all first, then all second… ``standings`` are of the entries still present; those who left
    have made room for the next, and those who came or came back too late for places of their own are last.
    """
    stage = plan[stage_index]
    taken = get_rank_range(stage)
    if stage.takes != "pool_top":
        return tuple(standings[taken.start : taken.stop])
    placed_counts: Counter[str] = Counter()
    found: list[tuple[int, int, EntryId]] = []
    for place, entry in enumerate(entry for entry in standings if entry in pools):
        if placed_counts[pools[entry]] in taken:
            found.append((placed_counts[pools[entry]], place, entry))
        placed_counts[pools[entry]] += 1
    return tuple(entry for _, _, entry in sorted(found))


RANKED_MEMBERS_VERSION = 6
"""Last version of draws in which entries that the director had seated in a stage were missing in its next round."""


def _replace_absent_members(
    members: Sequence[EntryId], stage_round: StageRound, history: Sequence[PlayedPairing]
) -> tuple[EntryId, ...]:
    """Return the entrants of a bracket, each that was seated in its first round in the place of one who was
    not there. Beside other stages, they remain those of the standings."""
    first_tables = sorted(
        (table for table in history if table.round == stage_round.round_offset + 1),
        key=lambda table: (table.slot, table.table),
    )
    seated = {entry for table in first_tables if table.slot for entry in (*table.a, *table.b)}
    matches = [table for table in first_tables if is_match(table.slot.partition(":")[2])]
    newcomers = [entry for table in matches for entry in (*table.a, *table.b) if entry not in members]
    absent = [entry for entry in members if entry not in seated]
    place = dict(zip(absent, newcomers, strict=False))
    is_alone = all(get_stage(table) in (stage_round.stage, None) for table in first_tables)
    return tuple(place.get(entry, entry) for entry in members) if is_alone else tuple(members)


def build_stage_history(
    plan: StagePlan, stage_round: StageRound, history: Iterable[PlayedPairing], entrants: Collection[EntryId]
) -> tuple[PlayedPairing, ...]:
    """Return the history of a stage: its own rounds, from 1, and below 1 what it carries on of earlier
    ones."""
    found = []
    for table in history:
        number, stage = table.round - stage_round.round_offset, get_stage(table)
        is_among = all(entry in entrants for entry in (*table.a, *table.b))
        if number > 0:
            if stage == stage_round.stage or (stage is None and is_among):
                found.append(replace(table, round=number, slot=table.slot.partition(":")[2]))
        elif plan[stage_round.stage].carried == "all" or (plan[stage_round.stage].carried == "among" and is_among):
            found.append(replace(table, round=number, slot=""))
    return tuple(found)


def draw_stage(plan: StagePlan, draw_input: DrawInput, standings: Sequence[Sequence[EntryId]] = ()) -> Draw:
    """Draw the next round of the event, whichever stages it belongs to; without tables once all are over.

    ``standings`` hold, for each stage that is over, all entries best first when it ended (of stages side by
    side: of the last one); where they are missing, the order of the entrants counts. In a stage, numbers are
    seeds from 1, and entries from a pool have a bond ``pool``. Refuses: what the formats refuse.
    """
    draws: list[Draw] | None = None
    for block in _iterate_next_blocks(plan, draw_input):
        draws = _draw_stages(plan, block, draw_input, standings)
        if any(draw.tables or draw.byes for draw in draws):
            break
    if draws is None:
        return Draw(format="stages", round=draw_input.round, seed=draw_input.seed, tables=())
    return _join_draws(draw_input, draws)


def list_next_slots(
    plan: StagePlan, draw_input: DrawInput, standings: Sequence[Sequence[EntryId]] = ()
) -> frozenset[str]:
    """Return the slots of the tables of the next round, and of its walkovers, each once, without drawing it:
    none once all stages are over. A round that cannot be drawn yet, as a winner is missing, counts too.

    ``standings`` as ``draw_stage`` takes them. No table is locked.
    """
    for block in _iterate_next_blocks(plan, draw_input):
        slots_by_stage = {each.stage: _list_stage_slots(plan, each, draw_input, standings) for each in block}
        slots = {f"{stage + 1}:{slot}" for stage, found in slots_by_stage.items() for slot in found or ()}
        if slots or any(found is not None for found in slots_by_stage.values()):
            return frozenset(slots)
    return frozenset()


def _list_stage_slots(
    plan: StagePlan, stage_round: StageRound, draw_input: DrawInput, standings: Sequence[Sequence[EntryId]]
) -> frozenset[str] | None:
    draw_format = FORMATS[plan[stage_round.stage].format]
    found = [draw_format.next_slots(field) for field in _list_open_fields(plan, stage_round, draw_input, standings)]
    known_slots = [slots for slots in found if slots is not None]
    return frozenset().union(*known_slots) if known_slots else None


def _iterate_next_blocks(plan: StagePlan, draw_input: DrawInput) -> Iterator[tuple[StageRound, ...]]:
    """Yield the stages side by side to which the next round belongs. Then yield those that it begins if the
    earlier ones have nothing more to play."""
    block = list_round_stages(plan, draw_input.round, draw_input.history)
    while block:
        yield block
        block = _list_next_block(plan, block, draw_input.round)


def _list_next_block(plan: StagePlan, current_block: Sequence[StageRound], number: int) -> tuple[StageRound, ...]:
    """Return the stages side by side after these, if they begin with this round of the event."""
    block = next((block for block in list_blocks(plan) if block.start > current_block[-1].stage), range(0))
    return tuple(StageRound(stage=index, round=1, round_offset=number - 1) for index in block)


def build_round_inputs(
    plan: StagePlan, draw_input: DrawInput, standings: Sequence[Sequence[EntryId]] = ()
) -> tuple[tuple[StageRound, DrawInput], ...]:
    """Return the stages to which this round belongs, each with the draw as it sees it, which its prices
    depend on.

    The slots of a drawn draft tell which stages these are: give it as part of the history.
    """
    block = list_round_stages(plan, draw_input.round, draw_input.history)
    return tuple((each, build_stage_input(plan, each, draw_input, standings)) for each in block)


def build_next_inputs(
    plan: StagePlan, draw_input: DrawInput, standings: Sequence[Sequence[EntryId]] = ()
) -> tuple[tuple[StageRound, DrawInput], ...]:
    """Return the stages of the next round to be drawn, each with the draw as it sees it. A finished stage
    makes room for those after it; empty once all are over. A stage whose sections are drawn apart appears
    once for each."""
    for block in _iterate_next_blocks(plan, draw_input):
        fields = ((each, _list_open_fields(plan, each, draw_input, standings)) for each in block)
        if inputs := tuple((each, field) for each, stage_fields in fields for field in stage_fields):
            return inputs
    return ()


def _draw_stages(
    plan: StagePlan,
    stage_rounds: Sequence[StageRound],
    draw_input: DrawInput,
    standings: Sequence[Sequence[EntryId]],
) -> list[Draw]:
    """Draw the round of each stage as if it were alone, each with the locked tables of its entrants."""
    draws: list[Draw] = []
    locked = {table.number for table in draw_input.locked}
    for stage_round in stage_rounds:
        stage_input = build_stage_input(plan, stage_round, draw_input, standings)
        fields = _list_open_fields(plan, stage_round, draw_input, standings)
        if not fields:
            continue
        draw_format = FORMATS[plan[stage_round.stage].format]
        try:
            section_draws = [draw_format.draw(field) for field in fields]
            stage_draw = (
                join_sections(stage_input, section_draws)
                if has_sections(draw_format, stage_input)
                else section_draws[0]
            )
        except Refusal as refusal:
            raise _add_stage_to_slot(refusal, stage_round) from None
        members = {entrant.id for entrant in stage_input.entrants}
        tables = [table for table in stage_draw.tables if table.number not in locked or members & {*table.a, *table.b}]
        draws.append(_convert_to_event(stage_draw, stage_round, explain_shared_bonds(tables, stage_input)))
    return draws


def _add_stage_to_slot(refusal: Refusal, stage_round: StageRound) -> Refusal:
    """Return the refusal with its slot, if it names one, as the event has it."""
    details = dict(refusal.details)
    if "slot" in details:
        details["slot"] = f"{stage_round.stage + 1}:{details['slot']}"
    return Refusal(refusal.code, field=refusal.field, **details)


def _list_open_fields(
    plan: StagePlan, stage_round: StageRound, draw_input: DrawInput, standings: Sequence[Sequence[EntryId]]
) -> list[DrawInput]:
    """Return the draw as the stage sees it, or as each of its sections does, without those that are over."""
    stage = plan[stage_round.stage]
    fields = build_section_fields(FORMATS[stage.format], build_stage_input(plan, stage_round, draw_input, standings))
    open_fields = [field for field in fields if not _is_over(stage, field)]
    if open_fields and FORMATS[stage.format].catches_up and draw_input.version > CATCHING_UP_VERSION:
        return [field for field in fields if field in open_fields or FORMATS[stage.format].next_slots(field)]
    return open_fields


CATCHING_UP_VERSION = 9
"""Last version of draws in which a section made up no missed match while larger sections played on."""


def _is_over(stage: Stage, stage_input: DrawInput) -> bool:
    """Return whether a stage without a number of rounds has had all that its format takes; for a bracket,
    whether nothing is left to play."""
    draw_format = FORMATS[stage.format]
    if draw_format.is_bracket:
        return draw_format.next_slots(stage_input) is None
    rounds = draw_format.rounds(len(stage_input.entrants), stage.settings)
    return stage.rounds is None and rounds is not None and stage_input.round > rounds


def build_stage_input(
    plan: StagePlan, stage_round: StageRound, draw_input: DrawInput, standings: Sequence[Sequence[EntryId]]
) -> DrawInput:
    """Return the draw as the stage sees it, in which its first round is round 1."""
    entrants = {entrant.id: entrant for entrant in draw_input.entrants}
    previous_block = get_previous_block(plan, stage_round.stage)
    order: Sequence[EntryId] = list(entrants)
    if not previous_block:
        order = sorted(entrants, key=lambda entry: entrants[entry].number)
    elif len(standings) >= previous_block.stop:
        order = [entry for entry in standings[previous_block.stop - 1] if entry in entrants]
    present = [
        entry
        for entry in dict.fromkeys((*order, *entrants))
        if not entrants[entry].has_left(stage_round.round_offset + 1)
        and not (entrants[entry].is_house and FORMATS[plan[stage_round.stage].format].is_bracket)
    ]
    pools: dict[EntryId, str] = {}
    for stage in previous_block:
        if plan[stage].format == POOLS:
            pools |= get_pools_by_entry(draw_input.history, stage)
    if previous_block and draw_input.version > RETURNING_MEMBERS_VERSION:
        present.sort(key=lambda entry: _comes_late(entrants[entry], stage_round.round_offset))
    members = list_stage_entrants(plan, stage_round.stage, present, pools)
    if FORMATS[plan[stage_round.stage].format].is_bracket and draw_input.version > RANKED_MEMBERS_VERSION:
        members = _replace_absent_members(members, stage_round, draw_input.history)
    seeds = {entry: number for number, entry in enumerate(members, start=1)}
    return replace(
        draw_input,
        round=stage_round.round,
        entrants=tuple(
            _shift_entrant(entrant, seeds[entrant.id], pools.get(entrant.id), stage_round.round_offset)
            for entrant in draw_input.entrants
            if entrant.id in seeds
        ),
        history=build_stage_history(plan, stage_round, draw_input.history, seeds),
        settings=plan[stage_round.stage].settings,
    )


def _comes_late(entrant: Entrant, last_round: int) -> bool:
    """Return whether an entrant came after that round, before which a stage ended, or was not there for the next."""
    return entrant.arrives > last_round or not entrant.takes_part(last_round + 1)


def _shift_entrant(entrant: Entrant, number: int, pool: str | None, round_offset: int) -> Entrant:
    """Return the entrant as the stage has it: with its seed, and its rounds counted from the first of the
    stage."""
    leaves = None if entrant.leaves_after is None else entrant.leaves_after - round_offset
    bonds = {
        replace(bond, rounds=None if bond.rounds is None else bond.rounds - round_offset)
        for bond in entrant.bonds
        if bond.is_active(round_offset + 1)
    }
    return replace(
        entrant,
        number=number,
        bonds=frozenset(bonds | ({Bond(POOL, pool)} if pool else set())),
        arrives=max(1, entrant.arrives - round_offset),
        leaves_after=leaves,
        absent=frozenset(number - round_offset for number in entrant.absent),
        excused=frozenset(number - round_offset for number in entrant.excused),
        withdrawn=frozenset(number - round_offset for number in entrant.withdrawn),
        requested_byes=frozenset(number - round_offset for number in entrant.requested_byes),
    )


def _convert_to_event(draw: Draw, stage_round: StageRound, tables: Iterable[DrawnTable]) -> Draw:
    """Return the draw of a stage as the event has it: its slots with the stage's number, its rounds those of
    the event."""
    name = f"{stage_round.stage + 1}:"
    return replace(
        draw,
        round=draw.round + stage_round.round_offset,
        tables=tuple(
            replace(table, slot=name + table.slot, reasons=_shift_rounds(table.reasons, stage_round.round_offset))
            for table in tables
        ),
        byes=tuple(
            replace(bye, slot=name + bye.slot, reasons=_shift_rounds(bye.reasons, stage_round.round_offset))
            for bye in draw.byes
        ),
    )


_COUNTED_REASONS = frozenset({ReasonCode.FEWEST_BYES, ReasonCode.FEWEST_LEFT_OVER, ReasonCode.LOWEST_IN_TURN})
"""Reasons that count byes and missed rounds: a later stage counts its own."""


def _shift_rounds(reasons: Iterable[Reason], round_offset: int) -> tuple[Reason, ...]:
    if not round_offset:
        return tuple(reasons)
    return tuple(
        replace(
            reason,
            details={
                name: tuple(number + round_offset for number in value) if name == "rounds" else value
                for name, value in reason.details.items()
            }
            | ({"of_stage": True} if reason.code in _COUNTED_REASONS else {}),
        )
        for reason in reasons
    )


def _join_draws(draw_input: DrawInput, draws: Sequence[Draw]) -> Draw:
    """Join the draws of all stages, with the director's tables that belong to no stage."""
    if len(draws) == 1 and not draw_input.locked:
        numbered = number_by_phase(draws[0].tables, draw_input) if draw_input.phase_tables else draws[0].tables
        return replace(draws[0], tables=tuple(sorted(numbered, key=lambda table: table.number)))
    single = draws[0] if len(draws) == 1 else None
    reason = (Reason(code=ReasonCode.LOCKED),)
    locked = {
        table.number: DrawnTable(number=table.number, a=table.a, b=table.b, reasons=reason)
        for table in draw_input.locked
    }
    tables = [table for draw in draws for table in draw.tables if table.number not in locked]
    for draw in draws[::-1]:
        locked |= {table.number: table for table in draw.tables if table.number in locked}
    if draw_input.phase_tables:
        tables = number_by_phase(tables, draw_input)
    elif single is None:
        keeps_ranges = all(
            has_sections(FORMATS[draw.format], replace(draw_input, settings=draw.settings)) for draw in draws
        )
        tables = renumber_tables(tables, draw_input, keeps_ranges=keeps_ranges)
    return Draw(
        format="stages" if single is None else single.format,
        round=draw_input.round,
        seed=draw_input.seed,
        tables=tuple(sorted([*locked.values(), *tables], key=lambda table: table.number)),
        byes=tuple(bye for draw in draws for bye in draw.byes),
        settings=draw_input.settings if single is None else single.settings,
    )
