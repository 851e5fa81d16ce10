"""Counted results, and the field of a ranking."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from engine.draws import FORMATS, Entrant, EntryId
from engine.draws.stages import POOLS, StageProgress, get_pools_by_entry, get_slot_stage, get_stage_progress
from engine.phases import PhasePlace
from engine.ranking import (
    LEFT_POOL,
    MET_KINDS,
    MISSED_KINDS,
    NO_PLACE,
    USUAL_ORDER,
    EntryResults,
    OutcomeKind,
    RankedField,
    Result,
    Row,
    StageGroup,
    build_ranked_field,
    place_in_pools,
    place_leavers,
    rank_field,
)

from .ledger import build_ledger, iterate_table_results
from .played_rounds import build_played_input, list_stage_standings
from .values import (
    FINAL_LINES_VERSION,
    LEFT_EARLY_VERSION,
    LEFT_POOL_VERSION,
    SCHEDULED_FORMATS,
    EventRules,
    EventSnapshot,
    add_win_parts,
    has_stage_progress,
)


def build_counted_field(snapshot: EventSnapshot) -> RankedField:
    """Return the counted field of a ranking of this event. A play-off gives its places, and counts for no
    other metric."""
    basis, plan = snapshot.basis, snapshot.basis.plan
    if not plan[-1].is_play_off:
        return _rank_leavers_last(snapshot, _counted_field(snapshot))
    field = _counted_field(snapshot.without_play_off)
    for entry, far in _get_progress(snapshot).items():
        if plan[far.stage].is_play_off and far.place is not None:
            field.lines[entry].play_off, field.lines[entry].is_still_playing = far.place, far.is_still_playing
    orders = {entry: basis.complete_order(order) for entry, order in field.orders.items()}
    return _rank_leavers_last(snapshot, replace(field, rules=basis.ranking_rules, orders=orders))


def _rank_leavers_last(snapshot: EventSnapshot, field: RankedField) -> RankedField:
    """Rank the entries that left early last of each tie, if there are any outside of pools."""
    leavers = {entry for entry in field.numbers if field.lines[entry].has_left_early}
    if snapshot.basis.version < LEFT_EARLY_VERSION or leavers <= field.pools.keys():
        return field
    orders = {entry: place_leavers(order) for entry, order in field.orders.items()}
    return replace(field, rules=replace(field.rules, order=place_leavers(field.rules.order)), orders=orders)


def _mark_early_leavers(snapshot: EventSnapshot, field: RankedField, progress: Mapping[EntryId, StageProgress]) -> None:
    """Mark the entries that left while others of their field played on: of a pool or a round robin, before they had
    met all others. There are none in brackets, nor in pools that are compared by totals."""
    plan, sections = snapshot.basis.plan, {entrant.id: entrant.section for entrant in snapshot.entrants}
    groups: defaultdict[tuple[int, str | None], list[EntryResults]] = defaultdict(list)
    for entry in field.numbers:
        index = progress[entry].stage if entry in progress else 0
        stage, is_in_pools = plan[index], plan[index].format == POOLS
        if FORMATS[stage.format].is_bracket or (is_in_pools and "pool_place" not in field.get_order(entry)):
            continue
        section = sections[entry] if stage.separates_sections else None
        groups[index, field.pools.get(entry) if is_in_pools else section].append(field.lines[entry])
    for (index, _), lines in groups.items():
        met = [sum(each.kind in MET_KINDS and each.stage == index for each in line.results) for line in lines]
        due = max(sum(map(bool, met)) - 1, *met) if plan[index].format in SCHEDULED_FORMATS else None
        for line, met_count in zip(lines, met, strict=True):
            is_gone = bool(line.results) and line.results[-1].kind is OutcomeKind.WITHDRAWN
            line.has_left_early = is_gone and met_count != due


def _counted_field(snapshot: EventSnapshot) -> RankedField:
    basis, progress = snapshot.basis, _get_progress(snapshot)
    orders, section_orders = (_map_own_orders(snapshot, progress, by_section=each) for each in (False, True))
    field = build_ranked_field(
        {entrant.id: entrant.number for entrant in snapshot.entrants if not entrant.is_house},
        {entry: _carry_over(basis, progress.get(entry), results) for entry, results in build_ledger(snapshot).items()},
        basis.ranking_rules,
        seed=basis.lot,
        games_to_win=basis.games_to_win,
        adjustments=snapshot.adjustments,
        stage_groups={
            entry: StageGroup(
                group=entry_progress.group,
                place=NO_PLACE if entry_progress.place is None else entry_progress.place,
                is_still_playing=entry_progress.is_still_playing,
            )
            for entry, entry_progress in progress.items()
        },
        orders={entry: basis.complete_order(order) for entry, order in section_orders.items()},
        last_entries=frozenset(
            entrant.id
            for entrant in snapshot.entrants
            if not basis.rules.keeps_rank(is_disqualified=entrant.is_disqualified)
        ),
    )
    field = replace(
        field,
        pools=_get_current_pools(snapshot, progress) if basis.version >= 4 else {},
        orders={entry: basis.complete_order(order) for entry, order in orders.items()},
    )
    _mark_early_leavers(snapshot, field, progress)
    if any("pool_place" in order for order in (field.rules.order, *field.orders.values())):
        pool_orders = {pool: section_orders.get(entry, basis.rules.order) for entry, pool in field.pools.items()}
        for line in field.lines.values():
            line.rates_all_rounds = basis.version < LEFT_POOL_VERSION
        field = place_in_pools(field, {pool: _list_pool_metrics(basis, order) for pool, order in pool_orders.items()})
    return _keep_final_lines(snapshot, field, progress)


def _list_pool_metrics(basis: EventRules, order: Sequence[str]) -> tuple[str, ...]:
    """Return the metrics of a pool, those who left it early last of a tie."""
    rules = replace(basis.rules, order=tuple(order))
    chosen = tuple(key for key in add_win_parts(rules, basis.phases) if key != "pool_place") or USUAL_ORDER
    if basis.version < LEFT_POOL_VERSION:
        return chosen
    return place_leavers(chosen)


def _map_own_orders(
    snapshot: EventSnapshot, progress: Mapping[EntryId, StageProgress], *, by_section: bool
) -> dict[EntryId, tuple[str, ...]]:
    """Return the metrics of each entry, as chosen, in the last round of its stage, or of its section there;
    empty if no phase has metrics of its own."""
    basis, last = snapshot.basis, max((each.round for each in snapshot.tables), default=1)
    orders = {}
    for entrant in snapshot.entrants if basis.has_own_orders else ():
        far = progress.get(entrant.id)
        place = PhasePlace(stage=far.stage if far else 0, section=entrant.section if by_section else None)
        orders[entrant.id] = basis.get_phase_rules(place, far.last_round if far else last).order
    return orders


def list_left_out_rounds(snapshot: EventSnapshot) -> dict[EntryId, list[Result]]:
    """Return the rounds of each entry before its stage that the stage does not carry over, as the rules count
    them."""
    if all(stage.carried == "all" for stage in snapshot.basis.plan):
        return {}
    progress, ledger, basis = _get_progress(snapshot), build_ledger(snapshot), snapshot.basis
    carried_rounds = {
        entry: {result.round for result in _carry_over(basis, progress.get(entry), results)}
        for entry, results in ledger.items()
    }
    rules = replace(basis.rules, dropped=0)
    field = build_ranked_field(snapshot.numbers, ledger, rules, games_to_win=basis.games_to_win)
    return {
        entry: [
            result
            for result in field.lines[entry].results
            if result.round < far.first_round and result.round not in carried_rounds[entry]
        ]
        for entry, far in progress.items()
    }


def rank_sections(snapshot: EventSnapshot, field: RankedField) -> dict[str, tuple[Row, ...]]:
    """Return the standings of each section that has metrics of its own."""
    basis = snapshot.basis
    names = {phase.place.section for phase in basis.phases if phase.settings.order is not None} - {None}
    if not names:
        return {}
    orders = _map_own_orders(snapshot, _get_progress(snapshot), by_section=True)
    members: defaultdict[str, dict[EntryId, int]] = defaultdict(dict)
    for entrant in snapshot.entrants:
        if entrant.id in field.numbers and entrant.section in names:
            members[entrant.section or ""][entrant.id] = entrant.number
    complete_orders = {entry: basis.complete_order(order) for entry, order in orders.items()}
    if LEFT_POOL in field.rules.order:
        complete_orders = {entry: place_leavers(order) for entry, order in complete_orders.items()}
    own_field = replace(field, orders=complete_orders)
    return {name: rank_field(replace(own_field, numbers=numbers)) for name, numbers in members.items()}


def rank_pools(snapshot: EventSnapshot) -> dict[int, dict[EntryId, int]]:
    """Return the rank of each entry in its pool at the end of the stage, or now, by stage (from 0)."""
    found = {}
    for index, stage in enumerate(snapshot.basis.plan):
        last = max((each.round for each in snapshot.tables if get_slot_stage(each.slot) == index), default=0)
        if stage.format == POOLS and last:
            ended = snapshot.truncate(last)
            field, pools = filter_arrived(ended, build_counted_field(ended)), get_pools_by_entry(ended.tables, index)
            members: defaultdict[str, dict[EntryId, int]] = defaultdict(dict)
            for entry in field.numbers.keys() & pools.keys():
                members[pools[entry]][entry] = field.numbers[entry]
            rows = chain.from_iterable(rank_field(replace(field, numbers=numbers)) for numbers in members.values())
            found[index] = {row.entry: row.rank for row in rows}
    return found


def _keep_final_lines(
    snapshot: EventSnapshot, field: RankedField, progress: Mapping[EntryId, StageProgress]
) -> RankedField:
    """Return the field in which entries whose stage is over have the line that they had at its end, among all that
    played it: what their opponents do in a later stage changes none of their metrics."""
    last = max((each.round for each in snapshot.tables), default=0)
    lines = dict(field.lines)
    for end in {far.last_round for far in progress.values()} - {last}:
        final_lines = build_counted_field(snapshot.truncate(end)).lines
        for entry in (entry for entry, far in progress.items() if far.last_round == end):
            line, final_line = lines[entry], final_lines[entry]
            if snapshot.basis.version < FINAL_LINES_VERSION:
                if entry in field.pools:
                    line.pool_place, line.has_left_early = final_line.pool_place, final_line.has_left_early
                continue
            lines[entry] = replace(
                final_line,
                adjustments=line.adjustments,
                group=line.group,
                place=line.place,
                is_still_playing=line.is_still_playing,
            )
    return replace(field, lines=lines)


def filter_arrived(snapshot: EventSnapshot, field: RankedField) -> RankedField:
    """Return the field of all entries present for a round so far.

    ``field`` is the ``build_counted_field`` of the snapshot. An entry that never came, or whose team always seated
    others, has no rank, and is ahead of nobody who has lost.
    """
    if snapshot.basis.version < 4:
        return field
    present = _list_present_entries(snapshot)
    return replace(field, numbers={entry: field.numbers[entry] for entry in field.numbers if entry in present})


def _list_present_entries(snapshot: EventSnapshot) -> set[EntryId]:
    """Return the entries present for a round of their stage so far; before the first round, all of them."""
    rounds, progress = {each.round for each in snapshot.tables}, _get_progress(snapshot)
    substitutes = {entry for each in snapshot.tables if each.is_substitute for entry in each.a}
    seated = {entry for each in snapshot.tables if not each.is_substitute for entry in (*each.a, *each.b)}

    def is_present(entrant: Entrant) -> bool:
        if entrant.id in substitutes:
            return False
        far = progress.get(entrant.id)
        if far is not None and far.place is None and FORMATS[snapshot.basis.plan[far.stage].format].is_bracket:
            return False  # it came once the bracket had begun
        return any(entrant.is_present(number) for number in rounds if far is None or number <= far.last_round)

    return seated | {entrant.id for entrant in snapshot.entrants if not rounds or is_present(entrant)}


def collect_scores(snapshot: EventSnapshot) -> dict[tuple[int, int], dict[EntryId, tuple[int, int]]]:
    """Return the scores of the played matches, by round and table: for each entry there its own and its
    opponents'. Scores are games, but points if one game is a match or the games are equal."""
    found: dict[tuple[int, int], dict[EntryId, tuple[int, int]]] = {}
    basis, sections = snapshot.basis, {entrant.id: entrant.section for entrant in snapshot.entrants}
    for table in snapshot.tables:
        for entry, result in iterate_table_results(table) if table.b else ():
            if result.kind is OutcomeKind.PLAYED:
                games = (result.games_won, result.games_lost)
                place = PhasePlace(stage=result.stage, section=sections.get(entry))
                length = basis.get_length(place, table.round) if basis.phases else None
                games_to_win = basis.games_to_win if length is None else length.games_to_win
                counts_games = games_to_win != 1 and games[0] != games[1]
                points = (result.points_for, result.points_against)
                found.setdefault((table.round, table.table), {})[entry] = games if counts_games else points
    return found


def _get_progress(snapshot: EventSnapshot) -> Mapping[EntryId, StageProgress]:
    """Return how far each entry came, if the plan has stages or brackets."""
    plan = snapshot.basis.plan
    if not has_stage_progress(plan):
        return {}
    played_input = build_played_input(snapshot)
    return get_stage_progress(plan, played_input, list_stage_standings(plan, played_input, snapshot.orders))


def _get_current_pools(snapshot: EventSnapshot, progress: Mapping[EntryId, StageProgress]) -> dict[EntryId, str]:
    """Return the pool of each entry that is in a stage of pools, and in none after it; with its stage, as several have
    a pool A."""
    return {
        entry: f"{index}:{pool}" if snapshot.basis.version >= FINAL_LINES_VERSION else pool
        for index, stage in enumerate(snapshot.basis.plan)
        if stage.format == POOLS
        for entry, pool in get_pools_by_entry(snapshot.tables, index).items()
        if entry not in progress or progress[entry].stage == index
    }


def _carry_over(basis: EventRules, progress: StageProgress | None, results: list[Result]) -> list[Result]:
    """Return the results of an entry that count in its stage: its own, and those that the stage carries on.

    An entry that has left misses no round of a stage that is for others.
    """
    if progress is None:
        return results
    results = [each for each in results if each.kind not in MISSED_KINDS or each.round <= progress.last_round]
    if basis.plan[progress.stage].carried == "all":
        return results
    is_among = basis.plan[progress.stage].carried == "among"
    return [
        result
        for result in results
        if result.round >= progress.first_round
        or (is_among and result.opponents and progress.members.issuperset((*result.opponents, *result.partners)))
    ]
