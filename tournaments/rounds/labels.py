"""Draws in words: reasons, notes and criteria, and how formats keep entries apart."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from clubs.name_formats import join_names
from engine.seedings import MEETING_CRITERION
from tournaments.standings.labels import format_halves

DRAW_REASONS: dict[str, str | Promise] = {
    "never_met": _("Never met."),
    "met_before": ngettext_lazy("Met in round %(rounds)s.", "Met in rounds %(rounds)s.", "count"),
    "partnered_before": ngettext_lazy("Partners in round %(rounds)s.", "Partners in rounds %(rounds)s.", "count"),
    "repeats_unavoidable": _("Fewest rematches the rules allow."),
    "fewest_byes": _("Fewest missed rounds so far."),
    "fewest_left_over": _("Fewest byes and one-on-one matches so far."),
    "fewest_of_club": _("Fewest rounds missed in the club with more entries here."),
    "lowest_score": _("Lowest score."),
    "lowest_in_turn": _("Fewest missed rounds, then lowest score."),
    "bye_asked": _("Requested bye."),
    "score_group": _("Equal scores."),
    "floated": _("Unequal scores."),
    "locked": _("Locked by the director."),
    "by_hand": _("Placed by the director."),
    "not_named": _("Not in the manual draw."),
    "by_rank": _("By rank."),
    "two_left": _("Two left: one against one."),
    "forbidden_unavoidable": _("Forbidden meeting, but no draw has fewer."),
    "bond_unavoidable": _("Meeting to avoid, but no draw does better."),
    "bond_shared": _("Meeting to avoid."),
    "seeded_apart": _("Moved within the seeding to keep entries apart."),
    "own_club_unavoidable": _("Same club, but no draw has fewer such tables."),
    "clubs_spread": _("Other clubs met as evenly as possible."),
    "best_in_all": _("Best draw overall."),
    "scheduled": _("By the schedule."),
    "opponent_missing": _("Opponent absent, at another table or in another stage."),
    "yet_to_meet": _("They still had to meet."),
    "no_opponent_left": _("Remaining opponents absent or playing."),
    "in_line": _("First come, first seated."),
    "instead_of_byes": _("Both would have had a bye."),
    "balanced": _("Least frequent partners, then opponents."),
    "bracket": _("By the bracket."),
    "progressed": _("From table %(table)s."),
    "filled_in": _("Fills an empty place."),
    "by_lot": _("Drawn by lot."),
    "waits": _("Waiting for an opponent in the bracket."),
    "unopposed": _("The other team has nobody for board %(board)s: won without play."),
    "substitute": _("Others of the team play the boards."),
    "team_lineup": _("By the captain’s line-up."),
    "fixed_table": _("Always sits at this table."),
}

BOARD_REASONS: dict[str, str | Promise] = {
    "scheduled": _("Team match by the schedule, board %(board)s."),
    "yet_to_meet": _("The teams still had to meet, board %(board)s."),
}
"""Sentences for a ``board`` of a team match."""

CLUB_REASONS: dict[str, str | Promise] = {
    "unopposed": _("%(club)s has nobody for board %(board)s: won without play."),
}
"""Sentences for a reason that names the other ``club``; the club that hosts an event may have no name in it."""

TABLE_REASONS: dict[str, str | Promise] = {
    "by_lot": _("No winner at table %(table)s: a lot decided who moved up."),
}
"""Sentences for a reason that names the previous ``table`` of some players here."""

STAGE_REASONS: dict[str, str | Promise] = {
    "fewest_byes": _("Fewest missed rounds in this stage."),
    "fewest_left_over": _("Fewest byes and one-on-one matches in this stage."),
    "lowest_in_turn": _("Fewest missed rounds in this stage, then lowest score."),
}
"""Sentences in a stage in which byes are counted anew."""

FIRST_REASONS: dict[str, str | Promise] = {"fewest_byes": _("First bye.")}
"""Sentences for a bye of an entry that had none before."""

ACCELERATED_REASONS: dict[str, str | Promise] = {
    "score_group": _("Equal scores, head start included."),
    "floated": _("Unequal scores, head start included."),
    "lowest_score": _("Lowest score, head start included."),
    "lowest_in_turn": _("Fewest missed rounds, then lowest score, head start included."),
}
"""Sentences with accelerated pairing, which gives the upper half of the starting list a head start."""

REPEATED_FLOAT_REASONS = (
    _("unequal wins, %(running)s times in a row"),
    _("Unequal scores; one side faces stronger, or weaker, opponents %(running)s times in a row."),
)
"""Two forms: in a few words for a line, and as a sentence."""

ALTERNATIVE_REASONS: dict[str, str | Promise] = {
    "forbidden": _("Opponent by rank was forbidden."),
    "repeats": _("Opponent by rank was a rematch."),
    "avoid": _("Opponent by rank was to be avoided."),
}
"""Sentences by the most important criterion against the opponent that the ranks would have given."""

BONDS: dict[str, dict[str, str | Promise]] = {
    "forbidden_unavoidable": {
        "apart": _("Should not be paired, but no draw breaks fewer rules."),
        "club": _("Same club, but no draw breaks fewer rules."),
        "family": _("Same family, but no draw breaks fewer rules."),
        "carpool": _("Same car, but no draw breaks fewer rules."),
    },
    "bond_unavoidable": {
        "apart": _("Should not be paired, but no draw does better."),
        "rather_apart": _("Not to be paired if possible, but no draw does better."),
        "club": _("Same club, but no draw does better."),
        "family": _("Same family, but no draw does better."),
        "carpool": _("Same car, but no draw does better."),
        "pool": _("Same pool, but no draw does better."),
    },
    "bond_shared": {
        "apart": _("Should not be paired, but they meet."),
        "rather_apart": _("Not to be paired if possible, but they meet."),
        "club": _("Same club."),
        "family": _("Same family."),
        "carpool": _("Same car."),
        "pool": _("Same pool."),
    },
}
"""Sentences for two entries that share something, by the first kind of it."""

APART_CONFLICTS: dict[str, str | Promise] = {
    "forbidden": _("Keeping them apart would force a forbidden meeting."),
    "own_club": _("Keeping them apart would pair two entries of one club."),
    "byes": _("Keeping them apart would force a bye out of turn."),
    "repeats": _("Keeping them apart would force a rematch."),
    "bye_score": _("Keeping them apart would give a bye to someone with more wins."),
    "scores": _("Keeping them apart would pair less equal scores."),
    "floats": _("Keeping them apart would give someone a stronger, or weaker, opponent again."),
    "avoid": _("Keeping them apart would cause more meetings to avoid."),
    "clubs": _("Keeping them apart would spread the clubs less evenly."),
}
"""Sentences for two entries to be kept apart, by the first criterion against it."""

ALTERNATIVE_BYE_REASONS: dict[str, str | Promise] = {
    "forbidden": _("Someone else’s turn, but that would force a forbidden meeting."),
    "own_club": _("Someone else’s turn, but that would pair two entries of one club."),
    "repeats": _("Someone else’s turn, but that would force a rematch."),
}
"""Sentences by the first criterion against the bye of the entry whose turn it was."""

DEFAULT_REASONS: dict[str, str | Promise] = {
    "instead_of": _("Opponent by rank ruled out by more important rules."),
    "bye_instead_of": _("Someone else’s turn, but the rest of the draw would be worse."),
}

DRAW_METHODS: dict[str, str | Promise] = {
    "lot": _("Drawn by lot: the starting list is not by strength."),
    "lot_despite_ratings": _("Drawn by lot. To use ratings, sort the starting list by rating before the start."),
    "rating": _("By rating, highest first."),
    "list": _("By starting number."),
    "waits_by_lot": _("Drawn by lot to wait for a winner."),
}
"""Ways to draw the first round of a Swiss or a bracket, or a play-off."""


PRICE_NAMES: dict[str, str | Promise] = {
    "forbidden": _("Forbidden meetings"),
    "byes": _("Repeated byes"),
    "repeats": _("Rematches"),
    "bye_score": _("Bye: wins above the lowest"),
    "scores": _("Differences in wins"),
    "half_bye_score": _("Bye: half wins above the lowest"),
    "half_scores": _("Differences in half wins"),
    "floats": _("Repeatedly stronger or weaker opponents"),
    "avoid": _("Meetings to avoid"),
    "own_club": _("Tables within a club"),
    "clubs": _("Uneven meetings of clubs"),
    "distance": _("Pairing by rank"),
    "sides": _("Balanced sides"),
    "apart": _("Requested partners apart"),
    "met": _("Former opponents as partners"),
    "seeds": _("Seeds outside their tier (3–4, 5–8, 9–16…)"),
}

NOTES: dict[str, str | Promise] = {
    "met_before": ngettext_lazy("met in round %(rounds)s", "met in rounds %(rounds)s", "count"),
    "partnered_before": ngettext_lazy("partners in round %(rounds)s", "partners in rounds %(rounds)s", "count"),
    "floated": _("unequal wins"),
    "forbidden_unavoidable": _("forbidden meeting"),
    "bond_unavoidable": _("meeting to avoid"),
    "bond_shared": _("meeting to avoid"),
    "own_club_unavoidable": _("same club"),
    "two_left": _("one against one"),
    "opponent_missing": _("opponent unavailable"),
    "no_opponent_left": _("no opponent left"),
    "by_hand": _("placed by hand"),
}
"""Notes on what is unusual at a table, in a few words for its line."""

BOND_NOTES: dict[str, str | Promise] = {
    "apart": _("do not pair"),
    "rather_apart": _("do not pair if possible"),
    "club": _("same club"),
    "family": _("same family"),
    "carpool": _("same car"),
    "pool": _("same pool"),
}
"""Notes on what two opponents share, by the first kind of it."""

NAMED_REASONS: dict[str, str | Promise] = {
    "met_before": ngettext_lazy("%(names)s met in round %(rounds)s.", "%(names)s met in rounds %(rounds)s.", "count"),
    "partnered_before": ngettext_lazy(
        "%(names)s were partners in round %(rounds)s.",
        "%(names)s were partners in rounds %(rounds)s.",
        "count",
    ),
    "opponent_missing": _("%(names)s: absent, at another table or in another stage."),
    "progressed": _("%(names)s: from table %(table)s."),
    "filled_in": _("%(names)s: fills an empty place."),
    "seeded_apart": _("%(names)s: moved within the seeding to keep entries apart."),
}
"""Sentences about some of the players at a table, if their names are known."""


PRICED_PAIRS: dict[str, str | Promise] = {
    "partner_": _("Partners: %(what)s"),
    "opponent_": _("Opponents: %(what)s"),
}
"""Prefixes of the criteria, for drawing partners and then opponents."""


REASONS_BY_LEVEL = {"instead_of": ALTERNATIVE_REASONS, "bye_instead_of": ALTERNATIVE_BYE_REASONS}

SCORE_REASONS = frozenset({"score_group", "floated", "lowest_score", "lowest_in_turn"})
SCORES_TEMPLATE = _("%(sentence)s: %(figures)s.")
"""Sentence with the scores that its reason is about, in wins."""

SECTION_TEMPLATE = _("In this section: %(sentence)s")
"""Sentence of a section that was drawn separately; the inner one begins with a small letter."""


def describe_draw_reason(reason: Mapping[str, Any]) -> str:
    """Describe why a table was drawn so, from a stored reason; with several criteria, by the most important
    one."""
    return str(_find_reason_sentence(reason) % _build_reason_values(reason))


def _build_reason_values(reason: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a reason's sentence, with rounds and names joined."""
    values = {name: value for name, value in reason.items() if not isinstance(value, list | tuple)}
    rounds = [str(number) for number in reason.get("rounds", ())]
    names = join_names(reason.get("names", ()))
    return values | {"rounds": join_names(rounds), "count": len(rounds), "names": names}


def _find_reason_sentence(reason: Mapping[str, Any]) -> str | Promise:
    sentence = _find_sentence(reason)
    if reason["code"] in SCORE_REASONS and not reason.get("running") and (scores := _format_scores(reason)):
        sentence = str(SCORES_TEMPLATE) % {"sentence": str(sentence).removesuffix("."), "figures": scores}
    if not reason.get("of_section"):
        return sentence
    text = str(sentence)
    return str(SECTION_TEMPLATE) % {"sentence": text[0].lower() + text[1:]}


def _find_sentence(reason: Mapping[str, Any]) -> str | Promise:
    code = reason["code"]
    if "names" in reason and code in NAMED_REASONS:
        return NAMED_REASONS[code]
    if code in BONDS:
        return _find_bond_sentence(reason)
    if code in REASONS_BY_LEVEL:
        level_sentences = (sentence for key, sentence in REASONS_BY_LEVEL[code].items() if key in reason["levels"])
        return next(level_sentences, DEFAULT_REASONS[code])
    if reason.get("running"):
        return REPEATED_FLOAT_REASONS[1]
    if reason.get("accelerated"):
        return ACCELERATED_REASONS[code]
    sentences = STAGE_REASONS if reason.get("of_stage") else TABLE_REASONS if "table" in reason else {}
    sentences = BOARD_REASONS if "board" in reason else sentences
    sentences = {**sentences, **CLUB_REASONS} if reason.get("club") else sentences
    is_first = reason.get("rounds") in ([], ()) and not {"of_stage", "of_section"} & reason.keys()
    sentences = FIRST_REASONS if is_first else sentences
    return sentences.get(code, DRAW_REASONS[code])


def _format_scores(reason: Mapping[str, Any]) -> str:
    """Return the scores of a reason: ``3 and 2½``; "" for an imported reason without any."""
    scores = [reason["score"]] if "score" in reason else reason.get("scores", ())
    return join_names([format_halves(score) for score in scores])


def _find_bond_sentence(reason: Mapping[str, Any]) -> str | Promise:
    code, kinds = reason["code"], reason.get("kinds", ())
    levels = reason.get("levels") or {}
    conflicts = (APART_CONFLICTS[key] for key in levels if key in APART_CONFLICTS)
    kind_sentences = (BONDS[code][kind] for kind in kinds if kind in BONDS[code])
    return next(conflicts, None) or next(kind_sentences, DRAW_REASONS[code])


def get_note(reason: Mapping[str, Any]) -> str:
    """Return the note on what is unusual, from a stored reason."""
    kind_notes = (BOND_NOTES[kind] for kind in reason.get("kinds", ()) if kind in BOND_NOTES)
    note = REPEATED_FLOAT_REASONS[0] if reason.get("running") else next(kind_notes, NOTES[reason["code"]])
    return str(note % _build_reason_values(reason))


APART_SENTENCES: dict[str, str | Promise] = {
    "each_round": _("“%(format)s” keeps these entries apart in every round."),
    "seeding": _("“%(format)s” keeps these entries apart as long as the bracket allows."),
    "first_round": _("“%(format)s” keeps these entries apart in the first round; then results decide."),
    "groups": _("“%(format)s” puts these entries in different groups if possible; within a group, everyone meets."),
    "never": _("“%(format)s” cannot keep these entries apart: the schedule or ranks decide."),
}
"""Cases in which a format can keep two entries apart."""

SHARED_LABELS: dict[str, str | Promise] = {
    "club": _("Club: %(label)s"),
    "family": _("Family: %(label)s"),
    "carpool": _("Car: %(label)s"),
}


def shared_name(kind: str, label: str) -> str:
    return str(SHARED_LABELS[kind]) % {"label": label}


def price_name(criterion: str) -> str:
    if criterion.startswith(MEETING_CRITERION):
        number = criterion.removeprefix(MEETING_CRITERION)
        return gettext("Not to be paired, may meet in round %(number)s") % {"number": number}
    for start, template in PRICED_PAIRS.items():
        if criterion.startswith(start):
            return str(template) % {"what": PRICE_NAMES[criterion.removeprefix(start)]}
    return str(PRICE_NAMES[criterion])


def percent(number: int) -> str:
    """Return a percentage: ``62%``, in French ``62 %``."""
    return gettext("%(number)s%%") % {"number": number}
