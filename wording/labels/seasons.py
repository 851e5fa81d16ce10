"""Seasons in words: what season standings count, for whom; and the sentences of their changes."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from engine.ladders import Counts, Ladder, LadderUnit, Who

SEASON_DEEDS: dict[str, str | Promise] = {
    "open_season": _("Season opened: %(name)s"),
    "change_season": _("Season changed: %(name)s"),
    "count_nights": _("Season nights chosen: %(name)s"),
    "close_season": _("Season closed: %(name)s"),
    "reopen_season": _("Season reopened: %(name)s"),
}

COUNTS: Mapping[str, str | Promise] = {
    Counts.POINTS_FOR: _("Points"),
    Counts.MATCH_WINS: _("Matches won"),
    Counts.HALF_WINS: _("Wins and draws"),
    Counts.GAMES_WON: _("Games won"),
    Counts.DIFFERENCE: _("Points difference"),
    Counts.RANK_POINTS: _("Points by rank"),
}
COUNTS_TOLD: Mapping[str, str | Promise] = {
    Counts.POINTS_FOR: _("Points from each night."),
    Counts.MATCH_WINS: _("Matches won each night."),
    Counts.HALF_WINS: _("Each night, 2 for a win, 1 for a draw or half win."),
    Counts.GAMES_WON: _("Games won each night."),
    Counts.DIFFERENCE: _("Points scored minus points against, each night."),
    Counts.RANK_POINTS: _("Points by rank each night."),
}
UNITS: Mapping[str, str | Promise] = {
    LadderUnit.PERSON: _("Each person, with any partner"),
    LadderUnit.PAIR: _("Each pair"),
}
UNITS_OF_SERIES: Mapping[str, str | Promise] = {LadderUnit.CLUB: _("Each club"), **UNITS}
WHO: Mapping[str, str | Promise] = {
    Who.ALL: _("Everybody"),
    Who.MEMBERS: _("Members"),
    Who.GUESTS: _("Guests"),
}


def ladder_in_words(ladder: Ladder) -> list[str]:
    """Describe season standings: what is counted, for whom, and which nights, a sentence each."""
    return [
        str(COUNTS_TOLD[ladder.counts]),
        *_best(ladder),
        *_presence(ladder),
        *_least(ladder),
        *(_clubs() if ladder.unit is LadderUnit.CLUB else _who(ladder)),
        gettext("Tiebreaks: nights won, then best night."),
    ]


def _best(ladder: Ladder) -> list[str]:
    if ladder.best is None:
        return [gettext("All nights count.")]
    told = ngettext("Only the best night counts.", "The %(number)s best nights count.", ladder.best)
    return [told % {"number": ladder.best}]


def _presence(ladder: Ladder) -> list[str]:
    if not ladder.presence:
        return []
    told = ngettext(
        "Each night attended adds %(number)s point.",
        "Each night attended adds %(number)s points.",
        ladder.presence,
    )
    return [told % {"number": ladder.presence}]


def _least(ladder: Ladder) -> list[str]:
    if ladder.least_nights < 2:
        return []
    return [gettext("At least %(number)s nights to be ranked.") % {"number": ladder.least_nights}]


def _clubs() -> list[str]:
    return [gettext("Each club gets the total of its entries.")]


def _who(ladder: Ladder) -> list[str]:
    told: list[str] = {
        Who.ALL: [],
        Who.MEMBERS: [gettext("Club members only.")],
        Who.GUESTS: [gettext("Guests only.")],
    }[ladder.who]
    if ladder.label:
        told.append(gettext("Group “%(label)s” only.") % {"label": ladder.label})
    return told
