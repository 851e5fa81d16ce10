"""Names of the exported tables and of their columns; and words for the codes in their cells."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubs.game_words import record_name, ruleset_name
from clubs.models import Role
from clubs.name_formats import format_yes_no
from tournaments.events.labels import format_name
from tournaments.records.labels import feat_name
from tournaments.rounds.place_labels import place_name
from tournaments.rounds.rulings import RulingKind
from tournaments.standings.labels import METRIC_NAMES
from web.sheets.tables import Sheet, SheetColumn
from wording.labels.history import describe_line, ruling_name

TABLES: Mapping[str, str | Promise] = {
    "attendance": _("Attendance"),
    "attendance_by_night": _("Attendance by night"),
    "bids": _("Own bids"),
    "calendar": _("Calendar"),
    "check_in": _("Check-in"),
    "clubs": _("Clubs"),
    "contracts": _("Contracts"),
    "dues": _("Dues"),
    "entries": _("Participants"),
    "fees": _("Fees"),
    "hands": _("Hands"),
    "history": _("History"),
    "ladder": _("Season standings"),
    "matches_by_year": _("Matches by year"),
    "met": _("Matchups"),
    "nights_of_line": _("Nights"),
    "opponents": _("Opponents"),
    "partners": _("Partners"),
    "people": _("People"),
    "points_of_month": _("Points of the month"),
    "prizes": _("Prizes"),
    "ratings": _("Ratings"),
    "ratings_by_night": _("Rating night by night"),
    "records": _("Club records"),
    "round": _("Tables"),
    "seasons": _("Seasons"),
    "standings": _("Standings"),
    "standings_by_club": _("Standings by club"),
    "team": _("Team"),
    "usual_nights": _("Night templates"),
}
"""Names by the key of a table."""

HEADINGS: Mapping[str, str | Promise] = {
    **METRIC_NAMES,
    "absent_in": _("Absent in rounds"),
    "always_at_table": _("Always at table"),
    "always_on_side": _("Always on side"),
    "amount": pgettext_lazy("in dollars", "Amount"),
    "apart": pgettext_lazy("a column of a file", "Keep apart from"),
    "asked": _("Charged"),
    "bonus": _("Attendance points"),
    "byes_in": _("Bye requested in rounds"),
    "came": _("People"),
    "car": _("Car"),
    "category": _("Category"),
    "club": _("Club"),
    "club_difference": _("Club difference"),
    "club_game_points": _("Club game points"),
    "club_match_points": _("Club match points"),
    "contact": _("Contact"),
    "contract": _("Contract"),
    "counted": pgettext_lazy("points of a hand", "Counted"),
    "counts": _("Counts"),
    "day": _("Day"),
    "decided_by": _("Decided by"),
    "disqualification": _("Reason for disqualification"),
    "done_by": _("Done by"),
    "draw": _("Draw"),
    "drawn": pgettext_lazy("matches", "Drawn"),
    "dues_of": _("Dues"),
    "ends": _("Last day"),
    "ends_at": _("End time"),
    "last_day": _("Last day"),
    "entry": _("Number"),
    "entry_a": _("Number, blue side"),
    "entry_b": _("Number, orange side"),
    "entry_id": _("Id"),
    "entry_id_a": _("Id, blue side"),
    "entry_id_b": _("Id, orange side"),
    "family": _("Family"),
    "gained": _("Gained"),
    "game": _("Game"),
    "games_a": _("Games, blue side"),
    "games_b": _("Games, orange side"),
    "group": _("Group"),
    "guest": _("Guest"),
    "guest_fee": _("Guest fee"),
    "guests": _("Guests"),
    "hand": _("Hand"),
    "holders": _("Held by"),
    "house": _("House player"),
    "hour": _("Time"),
    "how_many": _("How many"),
    "labels": _("Groups"),
    "last_night": _("Last night"),
    "left_after": _("Withdrew after round"),
    "lost": pgettext_lazy("matches", "Lost"),
    "margin": _("Rating ±"),
    "match_wins_of_entry": _("Entry’s match wins"),
    "match": _("Match"),
    "matches": _("Matches"),
    "member_fee": _("Member fee"),
    "members": _("Members"),
    "name": _("Name"),
    "new": _("New faces"),
    "night": _("Night"),
    "nights": _("Nights"),
    "of_so_many": _("Out of"),
    "on_the_web": _("Web page"),
    "one": _("Side 1"),
    "origin": _("Origin"),
    "other": _("Side 2"),
    "other_day": _("Postponed from or to"),
    "over": _("Overtricks"),
    "overall": _("Overall rank"),
    "owed": _("Unpaid"),
    "paid": pgettext_lazy("in dollars", "Paid"),
    "pair": _("Pair"),
    "place": pgettext_lazy("where one meets", "Place"),
    "places": _("Places"),
    "player_1": _("Player 1"),
    "player_2": _("Player 2"),
    "plays_from": _("Plays from"),
    "points_a": _("Points, blue side"),
    "points_b": _("Points, orange side"),
    "points_of_entry": _("Entry’s points"),
    "pool": _("Pool"),
    "present": _("Present"),
    "prize": _("Prize"),
    "public": _("On the public page"),
    "rank": _("Rank"),
    "rating": _("Rating"),
    "reason": _("Reason"),
    "record": pgettext_lazy("of a club", "Record"),
    "result": _("Result, side 1"),
    "role": _("Role"),
    "round": _("Round"),
    "rules_name": _("House rules"),
    "ruling": _("Director’s ruling"),
    "ruleset": _("Rules"),
    "score_one": _("Score, side 1"),
    "score_other": _("Score, side 2"),
    "season": _("Season"),
    "season_id": _("Id"),
    "section": _("Section"),
    "next_section": _("Section next season"),
    "side": _("Side"),
    "side_a": _("Blue side"),
    "side_b": _("Orange side"),
    "since": _("Since"),
    "six_digits": _("Authenticator app"),
    "slug": _("Address name"),
    "stage_of_event": _("Stage"),
    "starts": _("First day"),
    "starts_at": _("Start time"),
    "state": _("State"),
    "table": _("Table"),
    "tables": _("Tables"),
    "times_bid": pgettext_lazy("contracts", "Bid"),
    "times_made": pgettext_lazy("contracts", "Made"),
    "total": _("Total"),
    "tricks": _("Tricks"),
    "undone": pgettext_lazy("what was done", "Undone"),
    "what": _("Description"),
    "winner": _("Won by"),
    "winners": _("Won by"),
    "excused_in": _("Excused in rounds"),
    "withdrawn_in": _("Withdrawn in rounds"),
    "won": pgettext_lazy("matches", "Won"),
    "year": _("Year"),
}
"""Headings by the key of a column, or by its ``heading_key``."""


OUTCOMES: Mapping[str, str | Promise] = {"made": _("made"), "failed": _("failed")}

SIDES: Mapping[str, str | Promise] = {"A": _("blue side"), "B": _("orange side")}

RESULTS: Mapping[str, str | Promise] = {
    "won": pgettext_lazy("result of a match", "won"),
    "drawn": pgettext_lazy("result of a match", "drawn"),
    "lost": pgettext_lazy("result of a match", "lost"),
    "lost_by_both": _("lost by both"),
    "to_play": _("to play"),
}

ENTRY_STATES: Mapping[str, str | Promise] = {
    "in": _("takes part"),
    "waiting": _("waiting list"),
    "looking": _("looking for a partner"),
    "withdrawn": _("has withdrawn"),
    "disqualified": _("disqualified"),
}

NIGHT_STATES: Mapping[str, str | Promise] = {
    "held": _("as planned"),
    "cancelled": _("cancelled"),
    "put_off": _("postponed"),
}


def _format_tricks(value: int | str) -> int | str:
    """Return the number of tricks, or the outcome in words if only that is known."""
    return str(OUTCOMES[value]) if isinstance(value, str) else value


CELL_FORMATTERS: Mapping[str, Callable[[Any], Any]] = {
    "arrival": lambda arrival: gettext("arrival") if arrival == "on_arrival" else arrival,
    "contract": record_name,
    "draw_format": format_name,
    "action": describe_line,
    "entry_state": lambda state: str(ENTRY_STATES[state]),
    "feat": feat_name,
    "night_state": lambda state: str(NIGHT_STATES[state]),
    "place": place_name,
    "result": lambda result: str(RESULTS[result]),
    "role": lambda role: str(Role(role).label),
    "ruling": lambda ruling: ruling_name(RulingKind(ruling)),
    "ruleset": ruleset_name,
    "side": lambda side: str(SIDES[side]),
    "tricks": _format_tricks,
    "yes_or_no": format_yes_no,
}

_BASIC_TYPES = (str, int, Decimal, date)
"""Types of values that API clients get unchanged."""


def sheet_in_words(table: Sheet, *, is_for_people: bool) -> Sheet:
    """Return the table with its name and headings, and with words instead of codes."""
    columns = tuple(replace(column, heading=_get_heading(column)) for column in table.columns)
    formatters = {place: CELL_FORMATTERS[column.formatter] for place, column in enumerate(columns) if column.formatter}
    rows = [_describe_row(row, formatters, is_for_people=is_for_people) for row in table.rows]
    return replace(table, name=str(TABLES[table.key]), columns=columns, rows=rows)


def _get_heading(column: SheetColumn) -> str:
    return str(HEADINGS[column.heading_key or column.key])


def _describe_row(
    row: Sequence[Any], formatters: Mapping[int, Callable[[Any], Any]], *, is_for_people: bool
) -> list[Any]:
    """Return the row in words, with ordinary spaces.

    Nonbreaking spaces, which keep a name together on screens, would make it unfindable in a file.
    """
    cells = [value.replace("\u00a0", " ") if isinstance(value, str) else value for value in row]
    for place, formatter in formatters.items():
        if cells[place] is not None and (is_for_people or not isinstance(cells[place], _BASIC_TYPES)):
            cells[place] = formatter(cells[place])
    return cells
