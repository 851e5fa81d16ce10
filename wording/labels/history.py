"""The history of an event: a sentence for each kind of change."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _

from clubs.audit.history import ClubChangeLine
from clubs.date_formats import format_date
from clubs.name_formats import join_names, join_stored_names
from engine.draws.stages import plan_from_json
from engine.phases import phases_from_json
from rules import Side
from tournaments.board.labels import BOARD_ACTIONS, SCENES
from tournaments.events.phase_labels import describe_phase
from tournaments.history.labels import EVENT_ACTIONS
from tournaments.history.presenters.history import ENTRY_DETAILS, ChangeSentence, HistoryLine
from tournaments.interclub.labels import CAPTAIN_ACTIONS, INVITATION_ACTIONS
from tournaments.messages.labels import MESSAGE_ACTIONS
from tournaments.models import NO_RESULT
from tournaments.money.labels import DOOR_PRIZE_ACTIONS, FEE_ACTIONS, format_money_details
from tournaments.publishing.labels import RELEASE_ACTIONS
from tournaments.rounds.rulings import RulingKind
from tournaments.standings.labels import METRIC_NAMES
from wording.labels.club_history import describe_club_action, get_undo_template, get_undone_details

EVENT_SENTENCES: dict[str, str | Promise] = {
    **{kind: sentence for sentences in EVENT_ACTIONS.values() for kind, sentence in sentences.items()},
    **BOARD_ACTIONS,
    **CAPTAIN_ACTIONS,
    **DOOR_PRIZE_ACTIONS,
    **FEE_ACTIONS,
    **INVITATION_ACTIONS,
    **MESSAGE_ACTIONS,
    **RELEASE_ACTIONS,
    "undo": _("Undid: %(action)s"),
}
"""Sentences by ``Action.kind``, also of features that are not loaded."""

UNDO_QUESTIONS: dict[str, str | Promise] = {
    "start_event": _("Undo the event start?"),
    "end_event": _("Undo the event end?"),
    "draw_round": _("Undo the draw of round %(round)s?"),
    "call_matches": _("Undo calling the matches of round %(round)s?"),
    "publish_round": _("Undo publishing round %(round)s?"),
    "begin_round": _("Undo starting round %(round)s?"),
    "call_last_hand": _("Undo the last hand of round %(round)s?"),
    "count_unfinished": _("Undo counting unfinished games of round %(round)s?"),
    "close_round": _("Undo closing round %(round)s?"),
    "reopen_round": _("Undo reopening round %(round)s?"),
    "forfeit_table": _("Undo the forfeit (round %(round)s, table %(table)s)?"),
    "adjust_table": _("Undo the director’s score (round %(round)s, table %(table)s)?"),
}
"""Questions before an undo, by ``Action.kind``; others quote the line of the change."""

ATTENDANCES: dict[str, str | Promise] = {
    "absent": _("absent"),
    "excused": _("excused"),
    "bye": _("requested bye"),
    "plays": _("plays after all"),
    "late": _("late, not drawn until then"),
    "stays_away": _("does not come"),
}
DETAIL_LABELS: Mapping[str, Mapping[Any, str | Promise]] = {"attendance": ATTENDANCES, "scene": SCENES}
"""Details that are codes with words of their own."""

RULINGS: dict[RulingKind, str | Promise] = {
    RulingKind.FORFEIT: _("Forfeit"),
    RulingKind.FORFEIT_OF_BOTH: _("Double forfeit"),
    RulingKind.ADJUSTED: _("Score given by the director"),
    RulingKind.AWARDED: _("Awarded by the director"),
    RulingKind.TIME_CALLED: _("Time called"),
    RulingKind.POSTPONED: _("Postponed"),
}


def ruling_name(kind: RulingKind) -> str:
    """Name a ruling of the director."""
    return str(RULINGS[kind])


TABLE_ACTIONS: dict[str, str | Promise] = {
    "withdraw_entry": _("%(entry)s: withdrawn after round %(after)s, table %(table)s forfeited"),
    "disqualify_entry": _("%(entry)s: disqualified (%(why)s), table %(table)s forfeited"),
}
"""Sentences of changes that concern a table, and so say more."""

EARLY_WITHDRAWAL = _("%(entry)s: withdrawn before round 1")


def describe_action(kind: str, details: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """Return the sentence of a line of the history. A kind without one is a bug: KeyError."""
    params = dict(details)
    for name in ENTRY_DETAILS:
        if name in params:
            params[name] = names.get(params[name], params[name])
    if "names" in params:
        params["names"] = join_stored_names(params["names"])
    params |= {name: labels[params[name]] for name, labels in DETAIL_LABELS.items() if name in params}
    if "sides" in params:
        params |= _describe_table(details, names)
    if kind == "correct_result":
        params |= {name: pgettext("a table", "no result") for name in ("before", "after") if params[name] == NO_RESULT}
    if kind in FEE_ACTIONS:
        params |= format_money_details(details)
    for name in _DETAIL_DESCRIBERS.keys() & params.keys():
        params |= _DETAIL_DESCRIBERS[name](details)
    if "entries" in params:
        params["entries"] = _join_or_count([names.get(number, str(number)) for number in params["entries"]])
    if kind == "undo":
        params["action"] = describe_action(details["of"], get_undone_details(details), names)
        return get_undo_template(details) % params
    return str(_find_sentence(kind, details)) % params


def _find_sentence(kind: str, details: Mapping[str, Any]) -> str | Promise:
    if kind == "withdraw_entry" and not details["after"]:
        return EARLY_WITHDRAWAL
    table_actions = TABLE_ACTIONS if "table" in details else {}
    return table_actions.get(kind) or EVENT_SENTENCES[kind]


def describe_line(line: ChangeSentence | ClubChangeLine | HistoryLine) -> str:
    """Return the sentence of a line of a club's or an event's history; that of an event names its entries."""
    if isinstance(line, ClubChangeLine):
        return describe_club_action(line.kind, line.details)
    return describe_action(line.kind, line.details, line.names)


def undo_question(line: HistoryLine) -> str:
    """Return the question before the line is undone or, if it is an undo itself, restored."""
    if line.has_taken_back:
        undone_action = describe_action(line.details["of"], get_undone_details(line.details), line.names)
        return gettext("Restore “%(action)s”?") % {"action": undone_action}
    question = UNDO_QUESTIONS.get(line.kind, _("Undo “%(action)s”?"))
    return str(question) % {**line.details, "action": describe_line(line)}


def _describe_table(details: Mapping[str, Any], names: Mapping[int, str]) -> dict[str, str]:
    """Return the two sides at the table, the side that forfeited, and the result given."""
    sides = [join_names([names.get(number, str(number)) for number in side]) for side in details["sides"]]
    forfeited_sides = [
        side for side, table_side in zip(sides, Side, strict=True) if table_side.name != details.get("winner")
    ]
    results = {name: "–".join(map(str, details[name])) for name in ("points", "games_won") if name in details}
    return {"sides": " – ".join(sides), "forfeited": get_text_list(forfeited_sides, gettext("and")), **results}


def _describe_adjustment(details: Mapping[str, Any]) -> dict[str, str]:
    """Return the metric that was adjusted, and by how much."""
    metric_text = str(METRIC_NAMES[details["metric"]])
    if details["round"] is not None:
        metric_text = gettext("%(metric)s of round %(round)s") % {"metric": metric_text, "round": details["round"]}
    return {"what": metric_text, "amount": f"{details['amount']:+}".replace("-", "−")}


def _describe_phase(details: Mapping[str, Any]) -> dict[str, str]:
    (phase,) = phases_from_json([details["phase"]])
    return {"what": describe_phase(plan_from_json(details["stages"]), phase)}


def _describe_day(details: Mapping[str, Any]) -> dict[str, str]:
    """Return the day asked for or given; "" if it is not known yet."""
    return {"day": details["day"] and format_date(date.fromisoformat(details["day"]))}


_DETAIL_DESCRIBERS = {"metric": _describe_adjustment, "phase": _describe_phase, "day": _describe_day}


def _join_or_count(entries: list[str]) -> str:
    max_names = 2
    if len(entries) <= max_names:
        return get_text_list(entries, gettext("and"))
    return ngettext("%(count)s entry", "%(count)s entries", len(entries)) % {"count": len(entries)}
