"""What was done to an event, in a sentence for each kind of change."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _

from clubs.audit.history import ClubChangeLine
from clubs.wording import join_names, join_stored_names
from rules import Side
from tournaments.history.presenters.history import ENTRY_DETAILS, ChangeSentence, HistoryLine
from tournaments.models import NO_RESULT
from tournaments.rounds.rulings import RulingKind

from .boards import BOARD_DEEDS, SCENES
from .interclub import INTERCLUB_EVENT_DEEDS
from .messages import MESSAGE_DEEDS
from .money import FEE_DEEDS, money_told
from .people import club_deed, details_undone, undo_sentence
from .publishing import PUBLISHING_DEEDS
from .standings import METRIC_NAMES

DEEDS: dict[str, str | Promise] = {
    **INTERCLUB_EVENT_DEEDS,
    "make_event": _("Made like “%(like)s”"),
    "bring_in_event": _("Brought in from a file of “%(club)s”"),
    "add_entries": _("Entered: %(entries)s"),
    "add_entry": _("Came in: %(entries)s"),
    "sign_up": _("Signed up: %(entries)s"),
    "remove_entry": _("Taken off the list: %(names)s"),
    "recognize_players": _("Sign-ups recognized: %(entries)s"),
    "sign_off": _("Took themselves off the list: %(names)s"),
    "pair_entries": _("Made a pair: %(entries)s"),
    "let_in": _("Let in from the waiting list: %(entry)s"),
    "change_sign_up": _("The public sign-up was changed"),
    "order_entries": _("The starting list was ordered anew"),
    "mark_present": _("Check-in: %(entry)s"),
    "mark_family_present": _("Check-in, %(family)s: %(entries)s"),
    "draw_door_prize": _("Door prize: %(name)s, by lot %(seed)s among %(among)s"),
    "clear_door_prize": _("Door prize of %(name)s taken off the wall screen"),
    "leave_out_absent": _("Left out of the draws until they come: %(entries)s"),
    "leave_out_entry": _("%(entry)s: %(attendance)s"),
    "change_attendance": _("%(entry)s, round %(round)s: %(attendance)s"),
    "withdraw_entry": _("%(entry)s: withdrawn after round %(after)s"),
    "return_entry": _("%(entry)s: plays again from round %(round)s"),
    "substitute_player": _("%(entry)s: %(after)s plays instead of %(before)s"),
    "describe_entry": _("%(entry)s: what is noted of it changed"),
    "set_team": _("Team “%(team)s”: %(entries)s"),
    "keep_apart": _("Kept apart: %(entries)s"),
    "let_meet": _("Kept apart no more: %(entries)s"),
    "adjust_entry": _("%(entry)s: adjusted by %(amount)s (%(what)s)"),
    "remove_adjustment": _("%(entry)s: %(what)s, adjustment of %(amount)s taken back"),
    "rename_event": _("Another name or day"),
    "announce_event": _("What the poster says was changed"),
    "call_off_event": _("Called off: %(reason)s"),
    "reinstate_event": _("Held after all"),
    "change_rules": _("Other rules of play"),
    "change_match_length": _("Another length of a match"),
    "change_stages": _("Other stages"),
    "change_ranking": _("Something else ranks"),
    "change_sections": _("Other sections"),
    "plan_tables": _("Another number of tables"),
    "plan_hall": _("Another plan of the hall"),
    "start_event": _("The event was started"),
    "end_event": _("The event was ended"),
    "resume_event": _("The event goes on"),
    "put_away_event": _("The event was put away"),
    "bring_back_event": _("The event was brought back"),
    "draw_round": _("Round %(round)s drawn, lot %(seed)s"),
    "enter_draw": _("Round %(round)s entered by hand"),
    "discard_draft": _("Draft of round %(round)s forgotten"),
    "publish_round": _("Round %(round)s published"),
    "unpublish_round": _("Round %(round)s taken back"),
    "begin_round": _("Round %(round)s began"),
    "pause_clock": _("Clock of round %(round)s stopped"),
    "resume_clock": _("Clock of round %(round)s goes on"),
    "add_minutes": _("Round %(round)s: %(minutes)s minutes more"),
    "call_last_hand": _("Round %(round)s: last hand called"),
    "take_back_last_hand": _("Round %(round)s: not the last hand"),
    "follow_clock": _("Round %(round)s: the computer’s clock was set, that of the round goes on as it was"),
    "hold_round": _("Clock of round %(round)s taken back"),
    "close_round": _("Round %(round)s closed"),
    "reopen_round": _("Round %(round)s reopened"),
    "swap_entries": _("Round %(round)s: %(one)s and %(other)s swapped"),
    "hold_table": _("Round %(round)s: table %(table)s held"),
    "free_table": _("Round %(round)s: table %(table)s free again"),
    "seat_more": _("Round %(round)s: %(one)s and %(other)s seated at table %(table)s"),
    "forfeit_table": _("Round %(round)s: forfeit at table %(table)s, %(forfeited)s"),
    "adjust_table": _(
        "Round %(round)s: score of table %(table)s given, %(sides)s: %(points)s points, games %(games_won)s"
    ),
    "let_cards_count": _("Round %(round)s: the cards of table %(table)s count again, %(sides)s"),
    "correct_result": _("Round %(round)s, table %(table)s corrected, %(sides)s: %(before)s is now %(after)s"),
    **BOARD_DEEDS,
    **MESSAGE_DEEDS,
    **FEE_DEEDS,
    **PUBLISHING_DEEDS,
    "undo": _("Undone: %(deed)s"),
}
"""By ``Action.kind``; what is in a sentence are its ``details``, entries by name."""

ATTENDANCES: dict[str, str | Promise] = {
    "absent": _("is absent"),
    "bye": _("sits out, as asked"),
    "plays": _("plays after all"),
    "late": _("will be late, in no draw until then"),
    "stays_away": _("does not come"),
}
WORDS: Mapping[str, Mapping[Any, str | Promise]] = {"attendance": ATTENDANCES, "scene": SCENES}
"""Details that are one of several words of the program."""

RULINGS: dict[RulingKind, str | Promise] = {
    RulingKind.FORFEIT: _("Forfeit"),
    RulingKind.FORFEIT_OF_BOTH: _("Forfeit of both sides"),
    RulingKind.ADJUSTED: _("Score given by the director"),
}


def ruling_name(kind: RulingKind) -> str:
    """How the director decided a table."""
    return str(RULINGS[kind])


def deed(kind: str, details: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """The sentence of a line of the history. A kind without one is a bug: KeyError."""
    told = dict(details)
    for name in ENTRY_DETAILS:
        if name in told:
            told[name] = names.get(told[name], told[name])
    if "names" in told:
        told["names"] = join_stored_names(told["names"])
    told |= {name: words[told[name]] for name, words in WORDS.items() if name in told}
    if "sides" in told:
        told |= _at_a_table(details, names)
    if kind == "correct_result":
        told |= {
            name: pgettext("a table", "no result") for name in ("before", "after") if told[name] == NO_RESULT
        }
    if kind in FEE_DEEDS:
        told |= money_told(details)
    if "metric" in told:
        told |= _describe_adjustment(details)
    if "entries" in told:
        told["entries"] = _several([names.get(number, str(number)) for number in told["entries"]])
    if kind == "undo":
        told["deed"] = deed(details["of"], details_undone(details), names)
        return undo_sentence(details) % told
    return str(DEEDS[kind]) % told


def line_deed(line: ChangeSentence | ClubChangeLine | HistoryLine) -> str:
    """The sentence of a line of either history; that of an event has the names of its entries."""
    if isinstance(line, ClubChangeLine):
        return club_deed(line.kind, line.details)
    return deed(line.kind, line.details, line.names)


def _at_a_table(details: Mapping[str, Any], names: Mapping[int, str]) -> dict[str, str]:
    """Who sat on its two sides, which of them forfeited, and what they were given."""
    sides = [join_names([names.get(number, str(number)) for number in side]) for side in details["sides"]]
    forfeited = [side for side, known in zip(sides, Side, strict=True) if known.name != details.get("winner")]
    given = {name: "–".join(map(str, details[name])) for name in ("points", "games_won") if name in details}
    return {"sides": " – ".join(sides), "forfeited": get_text_list(forfeited, gettext("and")), **given}


def _describe_adjustment(details: Mapping[str, Any]) -> dict[str, str]:
    """What of the results, and by how much."""
    what = str(METRIC_NAMES[details["metric"]])
    if details["round"] is not None:
        what = gettext("%(metric)s of round %(round)s") % {"metric": what, "round": details["round"]}
    return {"what": what, "amount": f"{details['amount']:+}".replace("-", "−")}


def _several(entries: list[str]) -> str:
    few = 2
    if len(entries) <= few:
        return get_text_list(entries, gettext("and"))
    return ngettext("%(count)s entry", "%(count)s entries", len(entries)) % {"count": len(entries)}
