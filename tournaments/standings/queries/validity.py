"""Checks whether data made from an event's results still follows from them."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from django.db.models import Exists, Subquery
from django.db.models.functions import Coalesce

from clubs.models import ClubAction
from engine.changes import ChangedTable, Changes, RankMove, Sides, compare_draw, compare_standings, redraw_pairings
from engine.draws import EntryId, Partners
from engine.draws.lineups import Lineup
from engine.results import renew_play_off
from tournaments.lifecycle import RoundState
from tournaments.models import Action, Entry, Event, Prize, PublishedStandings, Round, Standings
from tournaments.rounds.queries.drafts import find_draft_changes, lock_held_tables
from tournaments.rounds.queries.event_snapshot import read_event_snapshot
from tournaments.rounds.queries.rounds import lineup_of

IRRELEVANT_ACTIONS = (
    *("draw_round", "enter_draw", "call_matches", "swap_entries", "hold_table"),
    *("give_team_lineup", "seat_team_lineups", "request_postponement", "decline_postponement"),
    *("publish_round", "unpublish_round"),
    *("begin_round", "hold_round", "add_minutes", "mark_present", "mark_family_present"),
    *("send_message", "take_back_message", "call_table", "end_call", "replace_card", "turn_phone_away"),
    *("add_board", "change_board", "remove_board", "show_on_board"),
    *("pay_fee", "pay_family", "record_fee", "change_rates", "change_cash_rules", "change_sign_up"),
    *("add_prize_category", "change_prize_category", "remove_prize_category", "set_prizes_add_up"),
    *("give_prize", "change_prize", "take_back_prize", "draw_door_prize", "clear_door_prize"),
    *("change_release", "announce_event", "rename_event", "put_in_series"),
)
"""Actions that do not affect a draw."""

PEOPLE_ACTIONS = (
    *("change_person", "import_people", "merge_people"),
    *("anonymize_person", "anonymize_people", "undo"),
)
"""Actions on a club's people that may change which families are kept apart."""

CORRECTION_KINDS = (
    "correct_result",
    "adjust_table",
    "forfeit_table",
    "let_cards_count",
    "count_unfinished",
    "undo",
)
"""Actions that change the result of the table that they name."""


def find_changes(subject: Round | PublishedStandings | Prize) -> Changes | None:
    """Return why it is no longer valid, and what it would be now. None if it is valid, or a round that has
    begun.

    Queries: for a round one without later actions, otherwise nine; for others two, one more after changes.
    """
    match subject:
        case Round():
            return _find_round_changes(subject)
        case PublishedStandings():
            return _find_final_changes(subject)
        case Prize():
            return _find_prize_changes(subject)


def get_final_standings(event: Event) -> PublishedStandings | None:
    """Return the published final standings together with the standings as last computed, for comparison. One
    query."""
    final_standings = event.published_standings.filter(number=event.final or 0).select_related("event__standings")
    parts = [f"{prefix}{name}" for prefix in ("", "event__standings__") for name in ("rows", "counted")]
    return final_standings.only("published_at", "event__final", *parts).first()


def get_prize_rank(prize: Prize) -> RankMove | None:
    """Return the rank for which a prize was given, and the rank now. None if the winners are not an entry.
    Two queries for all prizes of an event with loaded entries, otherwise one more for each."""
    winner_ids = {prize.winner_1_id, prize.winner_2_id}
    entries = (entry for entry in prize.event.entries.all() if {entry.player_1_id, entry.player_2_id} == winner_ids)
    places = [(entry.leaves_after is not None, entry.number) for entry in entries if not entry.is_waiting]
    if not places:
        return None
    _, number = min(places)  # people who withdrew and entered again are ranked by the entry that plays
    rows = getattr(prize.event, "standings", Standings()).rows
    current_rank = next((row["rank"] for row in rows if row["entry"] == number), None)
    return RankMove(entry=number, before=prize.rank, after=current_rank)


def _find_round_changes(round_row: Round) -> Changes | None:
    is_ahead = round_row.state in (RoundState.DRAFT, RoundState.PUBLISHED)
    if not is_ahead or not _has_later_actions(round_row):
        return None
    event, lineup = round_row.event, lineup_of(round_row)
    absent_entries, missing_entries = find_draft_changes(round_row, event.entries.all())
    changes = Changes(away=_list_numbers(absent_entries), left_out=_list_numbers(missing_entries))
    if round_row.drawn_from is None:
        return changes if absent_entries or missing_entries else None
    current_snapshot = read_event_snapshot(event, locked_tables=lock_held_tables(round_row, absent_entries)).truncate(
        round_row.number - 1
    )
    draw_changes = compare_draw(round_row.drawn_from, current_snapshot, seed=round_row.seed)
    if draw_changes is None and not (absent_entries or missing_entries):
        return None
    pairings = redraw_pairings(
        renew_play_off(current_snapshot), round_row.seed, _list_sides(lineup, current_snapshot.numbers)
    )
    return replace(draw_changes or changes, away=changes.away, left_out=changes.left_out, pairings=pairings)


def _list_sides(lineup: Lineup, numbers: Mapping[EntryId, int]) -> list[Sides]:
    """List the numbers of the entries at each table, and with a bye."""

    def number_side(side: Partners) -> tuple[int, ...]:
        return tuple(numbers.get(entry, 0) for entry in side)

    tables = [(number_side(table.a), number_side(table.b)) for table in lineup.tables]
    return [*tables, *((number_side((bye.entry,)), ()) for bye in lineup.byes)]


def _list_numbers(entries: list[Entry]) -> tuple[int, ...]:
    return tuple(entry.number for entry in entries)


def _has_later_actions(round_row: Round) -> bool:
    """Check whether the event or its club's people had later actions that may affect the draw. One query."""
    actions, people = round_row.event.actions.all(), ClubAction.objects.filter(club=round_row.event.club_id)
    draws = actions.filter(kind__in=("draw_round", "enter_draw", "call_matches"), details__round=round_row.number)
    last_draw = {name: Subquery(draws.order_by("-pk").values(name)[:1]) for name in ("pk", "created_at")}
    later = actions.filter(pk__gt=Coalesce(last_draw["pk"], 0)).exclude(kind__in=IRRELEVANT_ACTIONS)
    others = people.filter(kind__in=PEOPLE_ACTIONS, created_at__gt=last_draw["created_at"])
    return Event.objects.filter(Exists(later) | Exists(others), pk=round_row.event_id).exists()


def _find_final_changes(final: PublishedStandings) -> Changes | None:
    current_standings = getattr(final.event, "standings", None)
    if current_standings is None:
        return None
    rank_changes = compare_standings(final.rows, current_standings.rows, final.counted, current_standings.counted)
    return rank_changes and replace(rank_changes, tables=_list_corrected_tables(final.event_id, final.published_at))


def _find_prize_changes(prize: Prize) -> Changes | None:
    rank = None if prize.rank is None else get_prize_rank(prize)
    if rank is None or rank.before == rank.after:
        return None
    prize_action = prize.event.actions.filter(kind="give_prize", details__prize_id=prize.pk).order_by("-pk").first()
    tables = () if prize_action is None else _list_corrected_tables(prize.event_id, prize_action.created_at)
    return Changes(order=True, tables=tables, ranks=(rank,))


def _list_corrected_tables(event_id: int, corrected_after: datetime) -> tuple[ChangedTable, ...]:
    """List the tables whose result was changed since. One query."""
    later = Action.objects.filter(event=event_id, created_at__gt=corrected_after, kind__in=CORRECTION_KINDS)
    table_actions = later.filter(details__has_keys=["round", "table"])
    return tuple(
        sorted(ChangedTable(*table) for table in set(table_actions.values_list("details__round", "details__table")))
    )
