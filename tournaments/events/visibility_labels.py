"""The visibility of an event in words, and the sentences of its changes."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.visibility import Names, Ranks, RanksRelease, Release, Results

RESULTS: Mapping[Results, str | Promise] = {
    Results.HANDS: _("All hands"),
    Results.TOTALS: _("Table scores"),
    Results.NOTHING: _("No results"),
}
RANKS_RELEASES: Mapping[RanksRelease, str | Promise] = {
    RanksRelease.LIVE: _("As results come in"),
    RanksRelease.FINAL: _("Once final"),
    RanksRelease.NEVER: _("Never"),
}
NAMES: Mapping[Names, str | Promise] = {
    Names.AGREED: _("Each person’s choice"),
    Names.SHORT: _("First name and initial only"),
    Names.NUMBERS: _("Numbers instead of names"),
}


RANKS_SENTENCES: Mapping[Ranks, str | Promise] = {
    Ranks.NOTHING: _("No standings."),
    Ranks.LIVE: _("Standings, as results come in."),
    Ranks.BEFORE_SILENCE: _("Standings, without the hidden rounds."),
    Ranks.FINAL: _("Final standings, as published."),
}
RESULTS_SENTENCES: Mapping[Results, str | Promise] = {
    Results.HANDS: _("All hands at all tables."),
    Results.TOTALS: _("Table scores, without hands."),
    Results.NOTHING: _("No table results."),
}


def describe_silence(number: int) -> str:
    return gettext("Results hidden from round %(number)s until the final standings.") % {"number": number}


def describe_release(release: Release) -> str:
    """Describe when the results and the standings of an event are public."""
    ranks = {RanksRelease.LIVE: Ranks.LIVE, RanksRelease.FINAL: Ranks.FINAL, RanksRelease.NEVER: Ranks.NOTHING}
    sentences = [RESULTS_SENTENCES[release.results], RANKS_SENTENCES[ranks[release.ranked]]]
    if release.silent_from is not None:
        sentences.append(describe_silence(release.silent_from))
    return " ".join(map(str, sentences))
