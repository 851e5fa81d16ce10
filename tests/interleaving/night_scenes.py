"""Scenes of a night, from the first hand to the final standings, with the calls that may happen then."""

from __future__ import annotations

import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.utils import timezone

from clubs.audit.log import Actor
from engine.draws import DrawnTable, EntryId
from engine.phases import PhaseSettings
from engine.ranking import RankingRules
from engine.visibility import Release
from rules import Side
from scoring.models import Mark, Match, TablePhone
from scoring.phone_logs import PhoneLog, PhoneLogAgreement, PhoneLogLine
from scoring.services import agreement, cache_check, cards, log_restore, marks, matches, scorekeeper, sheets, time_calls
from scoring.services.marks import SheetHand
from tests.builders import (
    TWO_GAMES,
    build_account,
    build_event,
    build_played_night,
    build_running_night,
    compute_standings,
    mark,
    matches_of,
    parse_hand,
    play_round,
    win,
)
from tests.interleaving.calls import Call, Scene, iter_client_ids
from tournaments.announcement import Announcement
from tournaments.entries.services import bonds, check_in, entries, entry_actions, teams
from tournaments.events.services import announcements, lifecycle, settings
from tournaments.events.services import cards as table_cards
from tournaments.history.services import undo
from tournaments.interclub.services import team_lineups
from tournaments.messages import services as messages
from tournaments.models import Event
from tournaments.money.services import door_prizes
from tournaments.publishing.services import publishing
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.services import clock, rounds, tables, team_matches
from tournaments.standings import services as standings


def _build_mark_call(match: int, key: UUID, number: int, text: str, **more: Any) -> Call:
    """Build the call that records a hand, from a text for ``tests.builders.parse_hand``."""
    return partial(marks.record_hand, match_id=match, entry_key=key, number=number, hand=parse_hand(text), **more)


def _build_phone_log(begun: Mark, key: UUID) -> PhoneLog:
    """Return a phone's saved log of a match: a mark that the server lacks, and an agreement."""
    line = PhoneLogLine(
        key=key,
        number=2,
        record=parse_hand("B 6 made"),
        supersedes=None,
        saw_only=False,
        created_at=begun.created_at,
        director=None,
        helper="",
        is_own=False,
    )
    agreed = PhoneLogAgreement(game=1, side=Side.A, agreed_to="32-6 A points", created_at=begun.created_at)
    return PhoneLog(
        round_number=1,
        opened_at=begun.match.opened_at,
        names=(),
        lines=(line,),
        agreements=(agreed,),
        first_dealer=2,
        is_sealed=True,
    )


def build_running_round_scene() -> Scene:
    """Build a round of five pairs: table 1 has finished, table 2 has recorded a hand, one bye."""
    event, director = build_running_night(pairs=5), build_account()
    over, open_ = (match.pk for match in matches_of(event))
    first, last = win(Match.objects.get(pk=over))
    begun = mark(Match.objects.get(pk=open_), "A 6 made")
    agreement.call_desk(match_id=open_)
    at: dict[str, Any] = {"event_id": event.pk}
    published = event.actions.latest("pk").pk
    messages.send_message(**at, text="Coffee is ready")
    messages.call_table(**at, table=1)
    phone = TablePhone.objects.create(card=begun.match.card, device="phone", heard_at=timezone.now())
    key = iter_client_ids()
    mark_values: dict[str, Any] = {"number": 2, "hand": parse_hand("B 7 made")}
    return [
        partial(marks.record_hand, match_id=open_, entry_key=next(key), **mark_values),
        _build_mark_call(open_, next(key), 2, "B 8 made"),
        _build_mark_call(open_, next(key), 1, "undone", supersedes=begun.pk),
        _build_mark_call(open_, next(key), 2, "B gros_charlemagne made"),
        _build_mark_call(over, next(key), 2, "undone", supersedes=last.pk),
        _build_mark_call(
            over, next(key), 1, "B 7 made", supersedes=first.pk, account=director, reason="The table asked."
        ),
        partial(marks.record_hands, match_id=open_, hands=_build_sheet(next(key))),
        partial(log_restore.restore_log, match_id=open_, phone_log=_build_phone_log(begun, next(key))),
        partial(sheets.record_sheet, match_id=open_, entry_key=next(key), number=2, hand=parse_hand("totals 34 12")),
        partial(agreement.record_agreement, match_id=over, side=Side.A, game=1),
        partial(agreement.record_agreement, match_id=over, side=Side.B, game=1),
        partial(agreement.call_desk, match_id=over),
        partial(agreement.withdraw_call, match_id=open_),
        partial(agreement.open_call, match_id=open_),
        partial(agreement.settle_call, match_id=open_, account=director, ruling="Play on."),
        partial(matches.name_first_dealer, match_id=open_, seat=2),
        partial(scorekeeper.request_scorekeeper_role, match_id=open_, device="other phone"),
        partial(scorekeeper.answer_scorekeeper_request, match_id=open_, device="phone", gives=True),
        partial(matches.close_matches, match_ids=[over, open_]),
        partial(matches.reopen_matches, match_ids=[over, open_]),
        partial(cards.close_cards, topic=event.topic),
        partial(cards.reopen_cards, topic=event.topic),
        partial(cache_check.rebuild_match, match_id=open_),
        partial(rounds.close_round, **at, number=1),
        partial(clock.begin_round, **at, number=1),
        partial(clock.pause_clock, **at, number=1),
        partial(clock.add_minutes, **at, number=1),
        partial(clock.call_last_hand, **at, number=1),
        partial(rounds.hold_round, **at, number=1),
        partial(rounds.unpublish_round, **at, number=1),
        partial(tables.forfeit_table, **at, number=1, table=2, winner=Side.A),
        partial(tables.adjust_table, **at, number=1, table=2, games=(1, 0), points=(32, 5)),
        partial(tables.let_cards_count, **at, number=1, table=1),
        partial(tables.count_unfinished, **at, number=1),
        partial(time_calls.call_time, match_ids=[over, open_]),
        partial(time_calls.withdraw_time_call, match_ids=[over, open_]),
        partial(tables.swap_entries, **at, number=1, one=1, other=5),
        partial(entry_actions.withdraw_entry, **at, number=1),
        partial(entry_actions.substitute_player, **at, number=2, place=1, name="Zoé Zed"),
        partial(entry_actions.describe_entry, **at, number=3, team="Matane"),
        partial(
            entry_actions.adjust_entry,
            **at,
            number=4,
            metric="points_for",
            amount=-3,
            by=Actor(account=director, reason="Late"),
        ),
        partial(entries.add_entry, **at, players=["Zelda Zed", "Zach Zed"]),
        partial(check_in.change_attendance, **at, number=5, round_number=2, attendance="bye"),
        partial(settings.change_ranking, **at, rules=RankingRules(order=("points_for",))),
        partial(settings.rename_event, **at, name="Soirée du jeudi", held_on=event.held_on),
        partial(publishing.change_release, **at, release=Release(silent_from=1)),
        partial(standings.refresh_standings, **at),
        partial(undo.undo_action, **at, action_id=published),
        partial(messages.send_message, **at, text="We eat at eight", minutes=30),
        partial(messages.take_back_message, **at, number=1),
        partial(messages.call_table, **at, table=2),
        partial(messages.end_call, **at, table=1),
        partial(table_cards.turn_table_phone_away, **at, table=2, phone_id=phone.pk),
        partial(announcements.call_off_event, **at, reason="Storm"),
        partial(announcements.reinstate_event, **at),
        partial(announcements.announce_event, **at, announcement=Announcement(bring="Your own cards")),
    ]


def build_finished_round_scene() -> Scene:
    """Build a round of four pairs that have played and are checked in; the round is not closed."""
    event, director = build_running_night(pairs=4), build_account()
    one, other = (match.pk for match in matches_of(event))
    first, last = win(Match.objects.get(pk=one))
    win(Match.objects.get(pk=other), "B")
    for number in range(1, 5):
        check_in.mark_present(event_id=event.pk, number=number, is_present=True)
    compute_standings(event)
    at: dict[str, Any] = {"event_id": event.pk}
    key = iter_client_ids()
    by_the_desk: dict[str, Any] = {"account": director, "reason": "The table asked."}
    return [
        _build_mark_call(one, next(key), 2, "undone", supersedes=last.pk),
        _build_mark_call(one, next(key), 1, "B 5 made", supersedes=first.pk),
        _build_mark_call(one, next(key), 1, "A 6 made", supersedes=first.pk, **by_the_desk),
        partial(agreement.record_agreement, match_id=one, side=Side.A, game=1),
        partial(agreement.call_desk, match_id=one),
        partial(matches.close_matches, match_ids=[one, other]),
        partial(rounds.close_round, **at, number=1),
        partial(rounds.unpublish_round, **at, number=1),
        partial(tables.forfeit_table, **at, number=1, table=1, winner=Side.B),
        partial(tables.adjust_table, **at, number=1, table=2, games=(1, 0), points=(32, 5)),
        partial(tables.swap_entries, **at, number=1, one=1, other=_find_entry_elsewhere(event)),
        partial(entry_actions.withdraw_entry, **at, number=1),
        partial(entry_actions.substitute_player, **at, number=2, place=1, name="Zoé Zed"),
        partial(door_prizes.draw_door_prize, **at, prize="Ham"),
        partial(door_prizes.clear_door_prize, **at),
        partial(publishing.publish_final, **at),
        partial(lifecycle.end_event, **at),
        partial(standings.refresh_standings, **at),
        partial(undo.undo_action, **at, action_id=event.actions.latest("pk").pk),
    ]


def build_finished_event_scene() -> Scene:
    """Build an event that has ended after one round, with published final standings."""
    event = build_played_night(pairs=4)
    lifecycle.end_event(event_id=event.pk)
    compute_standings(event)
    publishing.publish_final(event_id=event.pk)
    at: dict[str, Any] = {"event_id": event.pk}
    match = matches_of(event)[0].pk
    return [
        partial(publishing.unpublish_final, **at),
        partial(publishing.publish_final, **at),
        partial(publishing.change_release, **at, release=Release(silent_from=1)),
        partial(lifecycle.resume_event, **at),
        partial(lifecycle.put_away_event, **at),
        partial(lifecycle.bring_back_event, **at),
        partial(tables.forfeit_table, **at, number=1, table=1, winner=Side.B),
        partial(agreement.record_agreement, match_id=match, side=Side.A, game=1),
        partial(standings.refresh_standings, **at),
        partial(settings.change_ranking, **at, rules=RankingRules(order=("points_for",))),
        partial(settings.rename_event, **at, name="Soirée du jeudi", held_on=event.held_on),
    ]


def build_draft_scene() -> Scene:
    """Build an event with round 1 closed and round 2 drafted; entry 2 has withdrawn, entry 3 has an adjustment."""
    event, director = build_running_night(pairs=8), build_account()
    play_round(event)
    entry_actions.withdraw_entry(event_id=event.pk, number=2)
    by = Actor(account=director, reason="Late")
    entry_actions.adjust_entry(event_id=event.pk, number=3, metric="points_for", amount=-3, by=by)
    (kept_apart,) = bonds.keep_apart(event_id=event.pk, text="7, 8", always=False)
    drawn = rounds.draw_round(event_id=event.pk, seed=1)
    (sits_out,) = lineup_of(drawn).byes
    compute_standings(event)
    at: dict[str, Any] = {"event_id": event.pk}
    first, second = (EntryId(pk) for pk in event.entries.order_by("number").values_list("pk", flat=True)[4:6])
    (adjustment,) = event.entries.get(number=3).adjustments.all()
    return [
        partial(rounds.draw_round, **at, seed=2),
        partial(rounds.discard_draft, **at, number=2),
        partial(rounds.publish_round, **at, number=2),
        partial(rounds.call_matches, **at),
        partial(team_lineups.give_team_lineup, **at, team="Matane", numbers=[5, 6]),
        partial(rounds.reopen_round, **at, number=1),
        partial(tables.hold_table, **at, number=2, table=1, is_held=True),
        partial(tables.swap_entries, **at, number=2, one=1, other=4),
        partial(tables.seat_more, **at, number=2, one=2, other=event.entries.get(pk=sits_out.entry).number),
        partial(tables.forfeit_table, **at, number=1, table=1, winner=Side.B),
        partial(entry_actions.return_entry, **at, number=2),
        partial(entry_actions.withdraw_entry, **at, number=4),
        partial(entry_actions.disqualify_entry, **at, number=6, disqualification="Insults"),
        partial(entry_actions.remove_adjustment, **at, number=3, adjustment_id=adjustment.pk),
        partial(teams.set_team, **at, numbers=[5, 6], team="Matane"),
        partial(entry_actions.correct_player_name, **at, number=5, place=1, name="Anne-Marie Albert"),
        partial(bonds.keep_apart, **at, text="5, 6", always=True),
        partial(bonds.let_meet, **at, key=kept_apart.key),
        partial(rounds.enter_draw, **at, tables=[DrawnTable(number=1, a=(first,), b=(second,))]),
        partial(entries.add_entry, **at, players=["Zelda Zed", "Zach Zed"]),
        partial(check_in.change_attendance, **at, number=5, round_number=2, attendance="absent"),
        partial(settings.change_stages, **at, stages=[{"format": "swiss"}]),
        partial(settings.change_phase, **at, since=9, settings=PhaseSettings(match_format=TWO_GAMES)),
        partial(settings.change_sections, **at, sections=[{"name": "Women", "first_table": 1, "last_table": 2}]),
        partial(standings.refresh_standings, **at),
        partial(lifecycle.end_event, **at),
        partial(undo.undo_action, **at, action_id=event.actions.latest("pk").pk),
    ]


def build_league_scene() -> Scene:
    """Build a league of two teams with round 1 published and its match postponed."""
    event = build_event(4, stages=[{"format": "teams"}])
    teams.set_team(event_id=event.pk, numbers=[1, 2], team="Matane")
    teams.set_team(event_id=event.pk, numbers=[3, 4], team="Amqui")
    lifecycle.start_event(event_id=event.pk)
    rounds.draw_round(event_id=event.pk, seed=1)
    rounds.publish_round(event_id=event.pk, number=1)
    at: dict[str, Any] = {"event_id": event.pk}
    match: dict[str, Any] = {**at, "number": 1, "table": 1}
    team_matches.postpone_match(**match)
    return [
        partial(team_matches.postpone_match, **match, day=datetime.date(2026, 12, 4)),
        partial(team_matches.reinstate_match, **match),
        partial(team_lineups.request_postponement, **at, team="Amqui", day=datetime.date(2026, 12, 5)),
        partial(team_lineups.decline_postponement, **at, team="Amqui", answer="No hall is free."),
        partial(tables.forfeit_table, **match, winner=Side.B),
        partial(rounds.close_round, **at, number=1),
        partial(rounds.unpublish_round, **at, number=1),
        partial(teams.move_teams, **at, sections={"Matane": "Division 2"}),
        partial(teams.set_team, **at, numbers=[1, 2], team="Rimouski"),
        partial(undo.undo_action, **at, action_id=event.actions.latest("pk").pk),
    ]


def _find_entry_elsewhere(event: Event) -> int:
    """Return the lowest entry number at a table where entry 1 does not play."""
    numbers = dict(event.entries.values_list("pk", "number"))
    at_tables = [{numbers[one] for one in (*t.a, *t.b)} for t in lineup_of(event.rounds.get(number=1)).tables]
    return min(min(table) for table in at_tables if 1 not in table)


def _build_sheet(key: UUID) -> list[SheetHand]:
    """Return the second hand of a paper score sheet."""
    record_data = {"kind": "hand", "side": "B", "contract": "7", "outcome": "made"}
    return [SheetHand(number=2, entry_key=key, record_data=record_data)]
