"""Checks whether data made from an event's results still follows from them."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from django.db.models import Exists, Subquery
from django.db.models.functions import Coalesce

from clubs.models import ClubAction
from engine.changes import (
    ChangedTable,
    Changes,
    RankMove,
    Sides,
    changes_of_draw,
    changes_of_standings,
    redraw_pairings,
)
from engine.draws import EntryId, Partners
from engine.draws.lineups import Lineup
from tournaments.lifecycle import RoundState
from tournaments.models import Action, Entry, Event, Prize, PublishedStandings, Round, Standings
from tournaments.rounds.queries.drafts import changed_since
from tournaments.rounds.queries.event_snapshot import event_snapshot
from tournaments.rounds.queries.seatings import lineup_of

IRRELEVANT_ACTIONS = (
    *("draw_round", "enter_draw", "swap_entries", "hold_table", "publish_round", "unpublish_round"),
    *("begin_round", "hold_round", "add_minutes", "mark_present", "mark_family_present"),
    *("send_message", "take_back_message", "call_table", "end_call", "replace_card", "turn_phone_away"),
    *("add_board", "change_board", "remove_board", "show_on_board"),
    *("pay_fee", "pay_family", "record_fee", "change_rates", "change_cash_rules", "change_sign_up"),
    *("add_prize_category", "change_prize_category", "remove_prize_category", "set_prizes_add_up"),
    *("give_prize", "change_prize", "take_back_prize", "draw_door_prize", "clear_door_prize"),
    *("change_release", "announce_event", "rename_event", "put_in_series"),
)
"""Actions that do not affect a draw."""

OF_PEOPLE = ("change_person", "import_people", "undo")
"""Actions on a club's people that may change which families are kept apart."""

CORRECTIONS = (
    "correct_result",
    "adjust_table",
    "forfeit_table",
    "let_cards_count",
    "count_unfinished",
    "undo",
)
"""Actions that change the result of the table that they name."""


def changes_since(made: Round | PublishedStandings | Prize) -> Changes | None:
    """Return why it is no longer valid, and what it would be now. None if it is valid, or a round that has
    begun.

    Queries: for a round one without later actions, otherwise nine; for others two, one more after changes.
    """
    match made:
        case Round():
            return _changes_of_round(made)
        case PublishedStandings():
            return _changes_of_final(made)
        case Prize():
            return _changes_of_prize(made)


def final_of(event: Event) -> PublishedStandings | None:
    """Return the published final standings together with the standings as last computed, for comparison. One
    query."""
    published = event.published_standings.filter(number=event.final or 0).select_related("event__standings")
    parts = [f"{way}{name}" for way in ("", "event__standings__") for name in ("rows", "counted")]
    return published.only("published_at", "event__final", *parts).first()


def rank_of(prize: Prize) -> RankMove | None:
    """Return the rank for which a prize was given, and the rank now. None if the winners are not an entry.
    Two queries for all prizes of an event with loaded entries, otherwise one more for each."""
    won = {prize.winner_1_id, prize.winner_2_id}
    entries = (each for each in prize.event.entries.all() if {each.player_1_id, each.player_2_id} == won)
    number = next((each.number for each in entries if not each.is_waiting), None)
    if number is None:
        return None
    rows = getattr(prize.event, "standings", Standings()).rows
    now = next((row["rank"] for row in rows if row["entry"] == number), None)
    return RankMove(entry=number, before=prize.rank, after=now)


def _changes_of_round(drawn: Round) -> Changes | None:
    is_ahead = drawn.state in (RoundState.DRAFT, RoundState.PUBLISHED)
    if not is_ahead or not _has_later_actions(drawn):
        return None
    event, lineup = drawn.event, lineup_of(drawn)
    away, left_out = changed_since(drawn, event.entries.all())
    changes = Changes(away=_numbers(away), left_out=_numbers(left_out))
    if drawn.drawn_from is None:
        return changes if away or left_out else None
    now = event_snapshot(event, held=lineup.lock_tables(drawn.held)).until(drawn.number - 1)
    found = changes_of_draw(drawn.drawn_from, now, seed=drawn.seed)
    if found is None and not (away or left_out):
        return None
    pairings = redraw_pairings(now, drawn.seed, _sides_of(lineup, now.numbers))
    return replace(found or changes, away=changes.away, left_out=changes.left_out, pairings=pairings)


def _sides_of(lineup: Lineup, numbers: Mapping[EntryId, int]) -> list[Sides]:
    """List the numbers of the entries at each table, and with a bye."""

    def by_number(side: Partners) -> tuple[int, ...]:
        return tuple(numbers.get(entry, 0) for entry in side)

    tables = [(by_number(table.a), by_number(table.b)) for table in lineup.tables]
    return [*tables, *((by_number((bye.entry,)), ()) for bye in lineup.byes)]


def _numbers(entries: list[Entry]) -> tuple[int, ...]:
    return tuple(entry.number for entry in entries)


def _has_later_actions(drawn: Round) -> bool:
    """Check whether the event or its club's people had later actions that may affect the draw. One query."""
    actions, people = drawn.event.actions.all(), ClubAction.objects.filter(club=drawn.event.club_id)
    draws = actions.filter(kind__in=("draw_round", "enter_draw"), details__round=drawn.number)
    last = {name: Subquery(draws.order_by("-pk").values(name)[:1]) for name in ("pk", "created_at")}
    later = actions.filter(pk__gt=Coalesce(last["pk"], 0)).exclude(kind__in=IRRELEVANT_ACTIONS)
    others = people.filter(kind__in=OF_PEOPLE, created_at__gt=last["created_at"])
    return Event.objects.filter(Exists(later) | Exists(others), pk=drawn.event_id).exists()


def _changes_of_final(final: PublishedStandings) -> Changes | None:
    now = getattr(final.event, "standings", None)
    if now is None:
        return None
    found = changes_of_standings(final.rows, now.rows, final.counted, now.counted)
    return found and replace(found, tables=_corrected_tables(final.event_id, final.published_at))


def _changes_of_prize(prize: Prize) -> Changes | None:
    rank = None if prize.rank is None else rank_of(prize)
    if rank is None or rank.before == rank.after:
        return None
    given = prize.event.actions.filter(kind="give_prize", details__prize_id=prize.pk).order_by("-pk").first()
    tables = () if given is None else _corrected_tables(prize.event_id, given.created_at)
    return Changes(order=True, tables=tables, ranks=(rank,))


def _corrected_tables(event_id: int, since: datetime) -> tuple[ChangedTable, ...]:
    """List the tables whose result was changed since. One query."""
    later = Action.objects.filter(event=event_id, created_at__gt=since, kind__in=CORRECTIONS)
    named = later.filter(details__has_keys=["round", "table"])
    return tuple(
        sorted(ChangedTable(*one) for one in set(named.values_list("details__round", "details__table")))
    )
