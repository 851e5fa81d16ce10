"""Whether a draw still fits who plays, and what it was drawn from."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Subquery
from django.db.models.functions import Coalesce

from engine.draws import FORMATS, EntryId
from engine.results import draw_input_of, snapshot_to_json
from rules import Refusal
from tournaments.lifecycle import RoundState
from tournaments.models import Entry, Event, Round

from .event_snapshot import event_snapshot
from .seatings import lineup_of

LEAVES_OUT = frozenset(key for key, known in FORMATS.items() if known.leaves_out)
"""Formats in which somebody may be there and have no place in a round, not even a bye."""


def draft_of(event: Event) -> Round | None:
    """The round that is drawn and not published, with no more of its proofs than the order in which its
    entries were drawn. One query."""
    drafts = event.rounds.filter(state=RoundState.DRAFT)
    return drafts.defer("certificate", "drawn_from", "price").first()


def changed_since(draft: Round, entries: Iterable[Entry]) -> tuple[list[Entry], list[Entry]]:
    """Of these entries those who are drawn and no longer play the round, and those who play it by now and are
    not drawn. Who is out of a bracket, in no stage that is played, left over, or in a section that is through
    was known when it was drawn."""
    drawn = lineup_of(draft).entries
    known = drawn
    if draft.event.tells_how_far or draft.event.sections or draft.draw_format in LEAVES_OUT:
        known = drawn.union(draft.order or (entry.pk for entry in entries))
    playing = [(entry, entry.plays_in(draft.number)) for entry in entries]
    return (
        [entry for entry, plays in playing if entry.pk in drawn and not plays],
        [entry for entry, plays in playing if entry.pk not in known and plays],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class UnfitDraft:
    """Who is drawn in this round and plays it no more, or the reverse. Without a draft, nobody in round 0."""

    round: int = 0
    entries: frozenset[EntryId] = frozenset()


def unfit_draft(event: Event) -> UnfitDraft:
    """For whom the draft of an event does not fit. One query without a draft, two with one."""
    draft = draft_of(event)
    if draft is None:
        return UnfitDraft()
    away, left_out = changed_since(draft, event.entries.all())
    return UnfitDraft(round=draft.number, entries=frozenset(EntryId(each.pk) for each in (*away, *left_out)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedBasis:
    """What has changed since a round was drawn: results at ``tables``, as (round, table) with table 0 for a
    bye; the ``order`` of the standings; ``settings`` of the event or an entry that rounds are drawn by."""

    tables: tuple[tuple[int, int], ...]
    order: bool
    settings: bool


SETTINGS = ("stages", "ranking", "is_seeded", "games_to_win", "sections")
ENTRANT_DETAILS = ("section", "table", "side", "team")
IRRELEVANT_ACTIONS = (
    *("draw_round", "enter_draw", "swap_entries", "hold_table", "publish_round", "unpublish_round"),
    *("begin_round", "hold_round", "add_minutes", "mark_present", "mark_family_present"),
    *("send_message", "take_back_message", "call_table", "end_call", "replace_card", "turn_phone_away"),
    *("add_board", "change_board", "remove_board", "show_on_board"),
    *("pay_fee", "pay_family", "record_fee", "change_rates", "change_sign_up"),
    *("add_prize_category", "change_prize_category", "remove_prize_category", "set_prizes_add_up"),
    *("give_prize", "change_prize", "take_back_prize", "draw_door_prize", "clear_door_prize"),
    *("change_release", "announce_event", "rename_event", "put_in_series"),
)
"""Actions that change nothing a round is drawn from."""


def changed_basis(drawn: Round) -> ChangedBasis | None:
    """What the round was drawn from that has changed since; None if nothing has, or if it was made by hand.
    One query without a later action, else five or six."""
    if not _has_later_actions(drawn) or drawn.drawn_from is None:
        return None
    event, then = drawn.event, drawn.drawn_from
    known = event_snapshot(event).until(drawn.number - 1)
    try:
        order = [each.id for each in draw_input_of(known, seed=drawn.seed).entrants]
    except Refusal:  # nobody is left to be drawn: the draft names who is away
        order = list(drawn.order)
    now = json.loads(json.dumps(snapshot_to_json(known, order)))
    drawn_then, drawn_now = set(then["order"]), set(now["order"])
    changed = ChangedBasis(
        tables=_tables_changed(then["earlier"], now["earlier"]),
        order=[each for each in then["order"] if each in drawn_now]
        != [each for each in now["order"] if each in drawn_then],
        settings=any(then[name] != now[name] for name in SETTINGS)
        or _draw_details(then, drawn_then & drawn_now) != _draw_details(now, drawn_then & drawn_now),
    )
    return changed if changed.tables or changed.order or changed.settings else None


def _has_later_actions(drawn: Round) -> bool:
    actions = drawn.event.actions
    draws = actions.filter(kind__in=("draw_round", "enter_draw"), details__round=drawn.number)
    last = Coalesce(Subquery(draws.order_by("-pk").values("pk")[:1]), 0)
    return actions.filter(pk__gt=last).exclude(kind__in=IRRELEVANT_ACTIONS).exists()


def _tables_changed(then: list[Any], now: list[Any]) -> tuple[tuple[int, int], ...]:
    """The tables, as (round, table), that differ between two lists of rounds."""
    before, after = (
        {(number, json.dumps(sat)) for number, those in enumerate(rounds, start=1) for sat in those}
        for rounds in (then, now)
    )
    return tuple(sorted({(number, json.loads(sat)[0]) for number, sat in before ^ after}))


def _draw_details(plain: Mapping[str, Any], numbers: set[int]) -> dict[int, list[Any]]:
    """The details that these entrants are drawn by, by number."""
    return {
        each["number"]: details
        for each in plain["entrants"]
        if each["number"] in numbers and any(details := [each.get(name) for name in ENTRANT_DETAILS])
    }
