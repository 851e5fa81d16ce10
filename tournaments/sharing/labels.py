"""Live reports of a night for readers at home, in the reader's language."""

from django.utils.translation import gettext, ngettext

from clubs.date_formats import hour_in_words
from clubs.name_formats import join_names
from tournaments.sharing.press.values import Charlemagne, LatestResult, Progress

WORD_JOINER = "\N{WORD JOINER}"
"""Word joiner after the dash of a score, which keeps the score on one line."""


def progress_in_words(progress: Progress) -> str:
    """Describe the progress: ``Round 3 of 5 is being played, at 12 tables: 7 have a result.``"""
    number = gettext("Round %(number)s of %(rounds)s") if progress.rounds else gettext("Round %(number)s")
    round_text = number % {"number": progress.round, "rounds": progress.rounds}
    if not progress.is_playing:
        return gettext("%(round)s is over.") % {"round": round_text}
    tables = ngettext("%(number)s table", "%(number)s tables", progress.tables) % {"number": progress.tables}
    params = {"round": round_text, "tables": tables, "number": progress.results}
    if progress.results is None:
        return gettext("%(round)s in progress at %(tables)s; results are hidden.") % params
    if not progress.results:
        return gettext("%(round)s in progress at %(tables)s.") % params
    template = ngettext(
        "%(round)s in progress at %(tables)s: %(number)s finished.",
        "%(round)s in progress at %(tables)s: %(number)s finished.",
        progress.results,
    )
    return template % params


def last_charlemagne(charlemagne: Charlemagne) -> str:
    """Describe the latest Charlemagne: ``Last Charlemagne at 8:14 p.m.: Jeannine R. and Marcel D., in round
    2.``"""
    params = {"who": join_names(charlemagne.who), "number": charlemagne.round}
    if charlemagne.at is None:
        return gettext("Last Charlemagne: %(who)s, round %(number)s.") % params
    template = gettext("Last Charlemagne at %(hour)s: %(who)s, round %(number)s.")
    return template % (params | {"hour": hour_in_words(charlemagne.at)})


def result_in_words(result: LatestResult) -> str:
    """Describe a result: ``Jeannine R. and Marcel D. win 32–12 against Agathe A. and Bruno B.``"""
    one, other = map(join_names, result.sides)
    params = {"one": one, "other": other, "result": f"{result.score[0]}–{WORD_JOINER}{result.score[1]}"}
    if result.is_drawn:
        return gettext("Drawn, %(result)s: %(one)s against %(other)s") % params
    template = ngettext(
        "%(one)s wins %(result)s against %(other)s",
        "%(one)s win %(result)s against %(other)s",
        len(result.sides[0]),
    )
    return template % params
