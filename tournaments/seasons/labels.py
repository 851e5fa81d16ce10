"""Seasons in words: what season standings count, for whom; and the sentences of their changes."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from engine.ladders import Eligibility, Ladder, LadderFigure, LadderUnit

SEASON_ACTIONS: dict[str, str | Promise] = {
    "turn_ratings_on": _("Ratings turned on"),
    "turn_ratings_off": _("Ratings turned off"),
    "open_season": _("Season opened: %(name)s"),
    "change_season": _("Season changed: %(name)s"),
    "count_nights": _("Season nights chosen: %(name)s"),
    "close_season": _("Season closed: %(name)s"),
    "reopen_season": _("Season reopened: %(name)s"),
}

COUNTS: Mapping[str, str | Promise] = {
    LadderFigure.POINTS_FOR: _("Points"),
    LadderFigure.MATCH_WINS: _("Matches won"),
    LadderFigure.HALF_WINS: _("Wins and draws"),
    LadderFigure.GAMES_WON: _("Games won"),
    LadderFigure.DIFFERENCE: _("Points difference"),
    LadderFigure.RANK_POINTS: _("Points by rank"),
}
COUNT_SENTENCES: Mapping[str, str | Promise] = {
    LadderFigure.POINTS_FOR: _("Points from each night."),
    LadderFigure.MATCH_WINS: _("Matches won each night."),
    LadderFigure.HALF_WINS: _("Each night, 2 for a win, 1 for a draw or half win."),
    LadderFigure.GAMES_WON: _("Games won each night."),
    LadderFigure.DIFFERENCE: _("Points scored minus points against, each night."),
    LadderFigure.RANK_POINTS: _("Points by rank each night."),
}
UNITS: Mapping[str, str | Promise] = {
    LadderUnit.PERSON: _("Each person, with any partner"),
    LadderUnit.PAIR: _("Each pair"),
}
SERIES_UNITS: Mapping[str, str | Promise] = {LadderUnit.CLUB: _("Each club"), **UNITS}
WHO_LABELS: Mapping[str, str | Promise] = {
    Eligibility.ALL: _("Everybody"),
    Eligibility.MEMBERS: _("Members"),
    Eligibility.GUESTS: _("Guests"),
}


def ladder_in_words(ladder: Ladder) -> list[str]:
    """Describe season standings: what is counted, for whom, and which nights, a sentence each."""
    return [
        str(COUNT_SENTENCES[ladder.counts]),
        *_describe_best_nights(ladder),
        *_describe_presence(ladder),
        *_describe_least_nights(ladder),
        *(_describe_clubs() if ladder.unit is LadderUnit.CLUB else _describe_who(ladder)),
        gettext("Tiebreaks: nights won, then best night."),
    ]


def _describe_best_nights(ladder: Ladder) -> list[str]:
    if ladder.best is None:
        return [gettext("All nights count.")]
    template = ngettext("Only the best night counts.", "The %(number)s best nights count.", ladder.best)
    return [template % {"number": ladder.best}]


def _describe_presence(ladder: Ladder) -> list[str]:
    if not ladder.presence:
        return []
    template = ngettext(
        "Each night attended adds %(number)s point.",
        "Each night attended adds %(number)s points.",
        ladder.presence,
    )
    return [template % {"number": ladder.presence}]


def _describe_least_nights(ladder: Ladder) -> list[str]:
    if ladder.least_nights < 2:
        return []
    return [gettext("At least %(number)s nights to be ranked.") % {"number": ladder.least_nights}]


def _describe_clubs() -> list[str]:
    return [gettext("Each club gets the total of its entries.")]


def _describe_who(ladder: Ladder) -> list[str]:
    sentences: list[str] = {
        Eligibility.ALL: [],
        Eligibility.MEMBERS: [gettext("Club members only.")],
        Eligibility.GUESTS: [gettext("Guests only.")],
    }[ladder.who]
    if ladder.label:
        sentences.append(gettext("Group “%(label)s” only.") % {"label": ladder.label})
    return sentences
