"""Settings of an event (stages, ranking, sections, rules, hall): checks and changes."""

import datetime
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from engine.draws import FORMATS
from engine.draws.schedules.foursomes import has_table_for_two
from engine.draws.stages import Stage, StagePlan, get_slot_stage, list_blocks, parse_stage_plan
from engine.phases import (
    Phase,
    PhasePlace,
    Phases,
    PhaseSettings,
    add_phase,
    check_phase,
    find_changed_round,
    phases_to_json,
)
from engine.ranking import RankingRules, ranking_rules_from_json, ranking_rules_to_json
from errors import Refusal
from rules import MatchFormat, Ruleset, check_format, has_two_player_rules, match_format_to_json
from tournaments.announcement import announcement_to_json
from tournaments.history.services.changes import Change
from tournaments.lifecycle import EventState, RoundState
from tournaments.models import PROOFS, Event, Seating, Table
from tournaments.rounds.chances import count_club_hands
from tournaments.rounds.queries.rounds import lineup_of
from web.names import get_group_key, validate_title

from .lifecycle import MAX_TABLES, adapt_ranking, build_rules_columns

SECTION_LENGTH = 40
MAX_TABLES_PER_ROW = 12
"""Most tables in a row that fit on a phone."""


@transaction.atomic
def rename_event(*, event_id: int, name: str, held_on: datetime.date, by: Actor = NOBODY) -> Event:
    """Change the name and day of an event. The last day moves with it; the address stays. Safe to repeat.

    Refuses: event_name_required; counts_in_closed_season, if it would leave that season.
    """
    change = Change(event_id, "rename_event", by)
    event = change.event
    name = validate_title(name, field="name")[:80]
    if change.is_repeat or (name, held_on) == (event.name, event.held_on):
        return event
    if not name:
        raise Refusal("event_name_required", field="name")
    old_name = event.name
    announcement_data = announcement_to_json(event.announcement.move(held_on - event.held_on))
    change.update(event, name=name, held_on=held_on, announcement_data=announcement_data)
    change.record(before=old_name, after=name)
    return event


@transaction.atomic
def plan_hall(*, event_id: int, per_row: int, snakes: bool, by: Actor = NOBODY) -> Event:
    """Set how tables are arranged in the hall: the number per row, or 0 for no directions. With ``snakes``,
    every other row is numbered backwards. Safe to repeat.

    Refuses: too_many_in_a_row.
    """
    change = Change(event_id, "plan_hall", by)
    event = change.event
    if not 0 <= per_row <= MAX_TABLES_PER_ROW:
        raise Refusal("too_many_in_a_row", field="hall_row", most=MAX_TABLES_PER_ROW)
    if not change.is_repeat and (per_row, snakes) != (event.hall_row, event.hall_snakes):
        change.update(event, hall_row=per_row, hall_snakes=snakes)
        change.record()
    return event


@transaction.atomic
def change_rules(
    *,
    event_id: int,
    ruleset: Ruleset,
    rules_name: str = "",
    details: Collection[str] = (),
    by: Actor = NOBODY,
) -> Event:
    """Change the ruleset and the details recorded for each hand. Only before the first match. Safe to repeat.

    Refuses: matches_opened, no_such_detail, entries_of_other_size, and what ``check_plan`` and
    ``check_tables_for_two`` refuse.
    """
    change = Change(event_id, "change_rules", by)
    event, terms = change.event, change.event.terms
    new_values = build_rules_columns(ruleset, rules_name, details)
    if change.is_repeat or all(getattr(terms, name) == value for name, value in new_values.items()):
        return event
    if ruleset.seats != terms.ruleset.seats and event.entries.exists():
        raise Refusal("entries_of_other_size", field="ruleset")
    check_plan(event.plan, seats=ruleset.seats)
    if has_two_player_rules(terms.ruleset):
        check_tables_for_two(event.plan, ruleset)
    change.update(terms, **new_values)
    if event.state != EventState.PREPARING:
        change.update(event, hand_counts=count_club_hands(event))
    change.record()
    return event


@transaction.atomic
def change_match_length(*, event_id: int, match_format: MatchFormat, by: Actor = NOBODY) -> Event:
    """Change the length of a match. Only before the first match. If matches can be drawn from now on, an
    event with a default ranking counts half wins, until it begins. Safe to repeat.

    Refuses: matches_opened, and what ``check_format`` refuses.
    """
    change = Change(event_id, "change_match_length", by)
    event, terms = change.event, change.event.terms
    if change.is_repeat or match_format == terms.match_format:
        return event
    check_format(match_format)
    could_be_tied = terms.match_format.may_stop_in_a_game
    change.update(terms, format_data=match_format_to_json(match_format))
    if event.state == EventState.PREPARING and not could_be_tied:
        _count_half_wins(change, match_format)
    change.record()
    return event


def _count_half_wins(change: Change, match_format: MatchFormat) -> None:
    """Count half wins in a usual ranking, if matches of this length can be drawn."""
    rules = ranking_rules_from_json(change.event.ranking)
    if (adapted_rules := adapt_ranking(rules, match_format)) != rules:
        change.update(change.event, ranking=ranking_rules_to_json(adapted_rules))


@transaction.atomic
def change_stages(*, event_id: int, stages: Sequence[Mapping[str, Any]], by: Actor = NOBODY) -> Event:
    """Change the stages. Of the stages already begun, only the number of rounds of the last one, and the treatment
    of leavers' results, can change. Safe to repeat.

    Refuses: stage_begun, rounds_drawn, entries_of_other_size, and what ``parse_stage_plan``, ``check_plan`` and
    ``check_tables_for_two`` refuse.
    """
    change = Change(event_id, "change_stages", by)
    event, new_stages = change.event, [dict(stage) for stage in stages]
    if change.is_repeat or new_stages == event.stages:
        return event
    plan = parse_stage_plan(new_stages)
    check_plan(plan, seats=event.terms.ruleset.seats)
    if not any(has_table_for_two(stage.settings) for stage in event.plan):
        check_tables_for_two(plan, event.terms.ruleset)
    draws_partners = FORMATS[plan[0].format].draws_partners
    if draws_partners != event.draws_partners and event.entries.exists():
        raise Refusal("entries_of_other_size", field="stages.0.format")
    _check_begun_stages(event, new_stages, plan)
    old_stages = event.stages
    change.update(event, stages=new_stages, phase_data=_build_remaining_phases(event, stages=len(new_stages)))
    change.record(before=old_stages, after=new_stages)
    return event


@transaction.atomic
def change_ranking(*, event_id: int, rules: RankingRules, by: Actor = NOBODY) -> Event:
    """Change the ranking rules. The standings are computed again. Safe to repeat."""
    change = Change(event_id, "change_ranking", by)
    event = change.event
    before, after = (
        ranking_rules_to_json(ranking_rules_from_json(event.ranking)),
        ranking_rules_to_json(rules),
    )
    if change.is_repeat or before == after:
        return event
    change.update(event, ranking=after)
    change.record(before=before, after=after)
    return event


@transaction.atomic
def change_sections(
    *,
    event_id: int,
    sections: Sequence[Mapping[str, Any]],
    renamed: Mapping[str, str] | None = None,
    by: Actor = NOBODY,
) -> Event:
    """Change the sections. Entries of a removed section are in none. Safe to repeat.

    ``renamed`` maps old names to new ones: their entries move with them.

    Refuses: what ``check_sections`` refuses.
    """
    change = Change(event_id, "change_sections", by)
    event, new_sections = change.event, [dict(section) for section in sections]
    if change.is_repeat or (new_sections == event.sections and not _has_renames(renamed)):
        return event
    check_sections(new_sections)
    old_sections = event.sections
    new_names = {section["name"]: section["name"] for section in new_sections} | dict(renamed or {})
    changed_names = [section["name"] for section in old_sections if new_names.get(section["name"]) != section["name"]]
    change.update(event, sections=new_sections, phase_data=_build_remaining_phases(event, sections=new_names))
    members = {name: list(event.entries.filter(section=name)) for name in changed_names}
    for name, entries in members.items():
        change.update_all(entries, section=new_names.get(name, ""))
    change.record(before=old_sections, after=new_sections)
    return event


def check_plan(plan: StagePlan, *, seats: int) -> None:
    """Check that matches of so many seats suit the stages. Refuses: partners_need_four."""
    for index, stage in enumerate(plan):
        if FORMATS[stage.format].draws_partners and seats != 4:
            raise Refusal("partners_need_four", field=f"stages.{index}.format")


def check_tables_for_two(plan: StagePlan, ruleset: Ruleset) -> None:
    """Check that the ruleset has rules for two if a stage has tables for two. Refuses: no_rules_for_two."""
    for index, stage in enumerate(plan):
        if has_table_for_two(stage.settings) and not has_two_player_rules(ruleset):
            raise Refusal("no_rules_for_two", field=f"stages.{index}.settings.odd")


@transaction.atomic
def change_phase(
    *,
    event_id: int,
    settings: PhaseSettings,
    stage: int | None = None,
    section: str | None = None,
    since: int = 1,
    by: Actor = NOBODY,
) -> Event:
    """Change the settings that a stage (from 0) or a section has of its own, or the whole event without them,
    from a round on. What is None is inherited again. Matches keep what they were published with. If matches
    can become drawn for the first time, a default ranking then counts half wins. Safe to repeat.

    Refuses: no_such_phase, phase_played, entries_of_other_size, tables_out_of_range, and what ``check_format`` and
    ``check_phase`` refuse.
    """
    change = Change(event_id, "change_phase", by)
    event, place = change.event, PhasePlace(stage=stage, section=section)
    names = [event_section["name"] for event_section in event.sections]
    if (stage is not None and not 0 <= stage < len(event.stages)) or section not in (None, *names):
        raise Refusal("no_such_phase", field="since")
    if settings.match_format is not None:
        check_format(settings.match_format)
    if settings.tables is not None and settings.tables[1] > MAX_TABLES:
        raise Refusal("tables_out_of_range", field="last_table", most=MAX_TABLES)
    if settings.ruleset is not None and settings.ruleset.seats != event.terms.ruleset.seats:
        raise Refusal("entries_of_other_size", field="ruleset")
    phase = check_phase(Phase(place=place, since=since, settings=settings))
    before, after = event.phases, add_phase(event.phases, phase)
    if change.is_repeat or before == after:
        return event
    if (last := find_changed_round(before, after, _get_published_places(event))) is not None:
        raise Refusal("phase_played", field="since", round=last, next=last + 1)
    stages = event.plan if stage is None else [event.plan[stage]]
    earlier_formats = [each.settings.match_format or event.terms.match_format for each in before]
    could_be_tied = any(each.may_stop_in_a_game for each in (event.terms.match_format, *earlier_formats))
    has_draws = not could_be_tied and not all(FORMATS[each.format].is_bracket for each in stages)
    if has_draws and settings.match_format is not None:
        _count_half_wins(change, settings.match_format)
    _, last_table = settings.tables or (0, 0)
    table_count = max(event.table_count, last_table)
    change.update(event, phase_data=phases_to_json(after) or None, table_count=table_count)
    (phase_data,) = phases_to_json([phase])
    change.record(stages=event.stages, phase=phase_data)
    return event


def _get_published_places(event: Event) -> set[tuple[PhasePlace, int]]:
    """Return the parts of the event that have a published round, with its number. Two queries."""
    slots = {
        *Table.objects.filter(round__event=event).values_list("round__number", "slot"),
        *Seating.objects.filter(round__event=event, table=None).values_list("round__number", "slot"),
    }
    sections = (None, *(event_section["name"] for event_section in event.sections))
    return {
        (PhasePlace(stage=get_slot_stage(slot), section=section), number)
        for number, slot in slots
        for section in sections
    }


def _build_remaining_phases(
    event: Event, *, stages: int | None = None, sections: Mapping[str, str] | None = None
) -> list[dict[str, Any]] | None:
    """Return the stored phases without those of removed stages and sections; ``sections`` has the new name of
    each that stays."""
    stage_count = len(event.stages) if stages is None else stages
    names = (
        {event_section["name"]: event_section["name"] for event_section in event.sections}
        if sections is None
        else sections
    )
    remaining = [
        replace(phase, place=replace(phase.place, section=names.get(phase.place.section or "")))
        for phase in event.phases
        if (phase.place.stage or 0) < stage_count and (phase.place.section is None or phase.place.section in names)
    ]
    return phases_to_json(remaining) or None


def check_sections(sections: Sequence[Mapping[str, Any]]) -> None:
    """Check that sections have unique names and, if any, tables of their own.

    Refuses: section_name_required, name_too_long, strange_character, section_twice, section_tables,
    tables_out_of_range, sections_overlap.
    """
    for place, section in enumerate(sections):
        field = f"sections.{place}.name"
        if not validate_title(section["name"], field=field):
            raise Refusal("section_name_required", field=field)
        if len(section["name"]) > SECTION_LENGTH:
            raise Refusal("name_too_long", field=field, most=SECTION_LENGTH)
        first_table, last_table = section["first_table"], section["last_table"]
        if (first_table is None) != (last_table is None) or (first_table is not None and first_table > last_table):
            raise Refusal("section_tables", field=f"sections.{place}.last_table")
        if first_table is not None and not 1 <= first_table <= last_table <= MAX_TABLES:
            raise Refusal("tables_out_of_range", field=f"sections.{place}.first_table", most=MAX_TABLES)
    for (_, section_a), (place, section_b) in combinations(enumerate(sections), 2):
        if get_group_key(section_a["name"]) == get_group_key(section_b["name"]):
            raise Refusal("section_twice", field=f"sections.{place}.name", name=section_b["name"])
        if _share_tables(section_a, section_b):
            raise Refusal("sections_overlap", field=f"sections.{place}.first_table", section=section_a["name"])


def check_stages_still_valid(event: Event, phases: Phases) -> None:
    """Check that entries, rounds and rules still fit the stages after an undo, and that no published round
    was played by other ``phases``, those of before.

    Refuses: later_steps_rest_on_it, and what ``check_plan`` refuses.
    """
    check_plan(event.plan, seats=event.terms.ruleset.seats)
    has_pairs = event.entries.filter(player_2__isnull=False).exists()
    is_begun = any(stage >= len(event.stages) for stage in count_begun_rounds(event))
    is_other = event.phases != phases
    is_played = is_other and find_changed_round(phases, event.phases, _get_published_places(event)) is not None
    if is_begun or is_played or (event.entry_size == 1 and has_pairs):
        raise Refusal("later_steps_rest_on_it")


def count_begun_rounds(event: Event) -> dict[int, int]:
    """Return the number of rounds of each stage that has begun, a draft included. Three queries."""
    slots = [
        *Table.objects.filter(round__event=event).values_list("round__number", "slot"),
        *Seating.objects.filter(round__event=event, table=None).values_list("round__number", "slot"),
    ]
    for draft in event.rounds.filter(state=RoundState.DRAFT).defer(*PROOFS):
        lineup = lineup_of(draft)
        slots += [(draft.number, table.slot) for table in lineup.tables]
        slots += [(draft.number, bye.slot) for bye in lineup.byes]
    numbers: dict[int, set[int]] = defaultdict(set)
    for number, slot in slots:
        numbers[get_slot_stage(slot)].add(number)
    return {stage: max(round_numbers) - min(round_numbers) + 1 for stage, round_numbers in numbers.items()}


def _has_renames(new_names: Mapping[str, str] | None) -> bool:
    return any(old != new for old, new in (new_names or {}).items())


def _share_tables(section: Mapping[str, Any], other_section: Mapping[str, Any]) -> bool:
    if section["first_table"] is None or other_section["first_table"] is None:
        return False
    return bool(
        section["first_table"] <= other_section["last_table"] and other_section["first_table"] <= section["last_table"]
    )


def _check_begun_stages(event: Event, new_stages: Sequence[Mapping[str, Any]], plan: Sequence[Stage]) -> None:
    """Check that stages already begun keep what cannot change. Refuses: stage_begun, rounds_drawn."""
    begun_rounds = count_begun_rounds(event)
    last_begun = max(begun_rounds, default=-1)
    current_block = next((block for block in list_blocks(event.plan) if last_begun in block), range(0))
    for index in sorted(begun_rounds.keys() & range(len(event.stages))):
        old_stage, new_stage = event.stages[index], new_stages[index] if index < len(new_stages) else {}
        is_other = _get_fixed_settings(old_stage) != _get_fixed_settings(new_stage)
        if is_other or (index not in current_block and old_stage.get("rounds") != new_stage.get("rounds")):
            field = f"stages.{min(index, len(new_stages) - 1)}.format"
            raise Refusal("stage_begun", field=field, stage=index + 1)
        rounds = plan[index].rounds
        if rounds is not None and rounds < begun_rounds[index]:
            raise Refusal("rounds_drawn", field=f"stages.{index}.rounds", least=begun_rounds[index])


def _get_fixed_settings(stage: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a stage that is fixed once it has begun. Its name, its rounds and the results of
    leavers can change."""
    settings = {name: value for name, value in (stage.get("settings") or {}).items() if name != "leavers"}
    return {name: value for name, value in stage.items() if name not in ("name", "rounds")} | {"settings": settings}
