"""The story of an event for newspapers and Facebook, in the reader's language."""

from collections.abc import Iterable, Iterator, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clubs.date_formats import Days, day_in_words, days_and_year_in_words, days_in_words, format_date, hour_in_words
from clubs.game_words import contract_name
from clubs.name_formats import join_names
from tournaments.rounds.labels import percent
from tournaments.sharing.press.values import (
    MAX_CHARLEMAGNES,
    MAX_TIED,
    Charlemagne,
    ComebackStory,
    Final,
    HighScore,
    NextNight,
    People,
    Podium,
    PressRank,
    PressReport,
    TurningHand,
)
from tournaments.standings.labels import get_metric_in_sentence

USUAL_CHARLEMAGNE = "charlemagne"
"""Contract that is not named in a list of Charlemagnes."""

SOLE_RANKS: Mapping[int, str | Promise] = {2: _("In second place: %(who)s"), 3: _("In third place: %(who)s")}
TIED_RANKS: Mapping[int, str | Promise] = {
    1: _("Tied for first%(figure)s: %(who)s"),
    2: _("Tied for second: %(who)s"),
    3: _("Tied for third: %(who)s"),
}
MANY_TIED: Mapping[int, str | Promise] = {
    1: _("%(number)s entries tied for first%(figure)s"),
    2: _("%(number)s entries tied for second"),
    3: _("%(number)s entries tied for third"),
}
"""Sentences about many tied entries, by rank."""


def get_heading(report: PressReport) -> str:
    """Return the heading: ``Les Joyeux Atouts – Coupe d’automne``."""
    return f"{report.club} – {report.event}"


def build_paragraph(report: PressReport) -> str:
    """Return the whole story in one paragraph, for a newspaper."""
    sentences = [_describe_opening(report), *_list_recap_sentences(report)]
    if report.next is not None:
        sentences.append(next_time(report.next))
    return _join_sentences(sentences)


def recap(report: PressReport) -> list[str]:
    """Return the recap in paragraphs: the winners, what decided, the highest score, the Charlemagnes."""
    return [_join_sentences([sentence]) for sentence in _list_recap_sentences(report)]


def _list_recap_sentences(report: PressReport) -> Iterator[str]:
    yield from (_describe_podium(one, is_over=report.is_over, max_ranks=3) for one in report.podiums)
    if report.final is not None:
        yield _describe_final(report.final)
    if report.clubs:
        yield gettext("First among teams: %(clubs)s") % {"clubs": join_names(report.clubs)}
    yield from map(_describe_turning_hand, report.turning_hands)
    if report.comeback is not None:
        yield _describe_comeback(report.comeback)
    if report.high_score is not None:
        yield _describe_high_score(report.high_score)
    if report.charlemagnes:
        yield _describe_charlemagnes(report)
    if report.is_outdated:
        yield gettext("Results changed since; ranks and final as published")


def for_the_paper(report: PressReport) -> str:
    """Return the heading and the paragraph for a newspaper."""
    return f"{get_heading(report)}\n\n{build_paragraph(report)}"


def for_facebook(report: PressReport, address: str) -> str:
    """Return the heading, the day, the winners, and the link to all results."""
    day = report.place if _is_day_in_name(report) else f"{days_in_words(report.days)}{_format_place(report.place)}"
    podium_text = _join_sentences(_describe_podium(one, is_over=report.is_over, max_ranks=1) for one in report.podiums)
    link_text = gettext("All results: %(address)s") if report.podiums else gettext("More: %(address)s")
    lines = [get_heading(report), day[:1].upper() + day[1:], podium_text, link_text % {"address": address}]
    return "\n".join(line for line in lines if line)


def for_sharing(report: PressReport, address: str) -> str:
    """Return the heading, the recap in paragraphs, and the link to all results."""
    link_text = gettext("All results: %(address)s") % {"address": address}
    return "\n\n".join([get_heading(report), *recap(report), link_text])


def _describe_opening(report: PressReport) -> str:
    params = {"event": report.event, "when": _format_when(report.days), "place": _format_place(report.place)}
    if not report.people:
        return gettext("“%(event)s” was held %(when)s%(place)s") % params
    people = ngettext("%(number)s person", "%(number)s people", report.people) % {"number": report.people}
    if report.pairs:
        pairs = ngettext("%(number)s pair", "%(number)s pairs", report.pairs) % {"number": report.pairs}
        people = gettext("%(people)s (%(pairs)s)") % {"people": people, "pairs": pairs}
    if _is_day_in_name(report):
        took_part = ngettext(
            "%(people)s took part in “%(event)s”%(place)s",
            "%(people)s took part in “%(event)s”%(place)s",
            report.people,
        )
    else:
        took_part = ngettext(
            "%(people)s took part in “%(event)s” %(when)s%(place)s",
            "%(people)s took part in “%(event)s” %(when)s%(place)s",
            report.people,
        )
    return took_part % {"people": people, **params}


def _is_day_in_name(report: PressReport) -> bool:
    """Return whether the event's name says its day, as the usual name of a night does."""
    return format_date(report.days[0]) in report.event


def _format_when(days: Days) -> str:
    first, last = days
    text = days_and_year_in_words(days)
    return gettext("on %(day)s") % {"day": text} if first == last else text


def _describe_podium(podium: Podium, *, is_over: bool, max_ranks: int) -> str:
    """Describe the first ``max_ranks`` ranks of a section, or of all."""
    ranks = [_describe_rank(press_rank, podium.metric, is_over=is_over) for press_rank in podium.ranks[:max_ranks]]
    if podium.decided_by and max_ranks > 1:
        tiebreak = gettext("Tiebreak for first place: %(metric)s")
        ranks.append(tiebreak % {"metric": get_metric_in_sentence(podium.decided_by)})
    podium_text = _join_sentences(ranks)
    if not podium.section:
        return podium_text
    return gettext("“%(section)s”: %(told)s") % {"section": podium.section, "told": podium_text}


def _describe_rank(press_rank: PressRank, metric: str, *, is_over: bool) -> str:
    figure = _format_figure(metric, press_rank.figure)
    if len(press_rank.who) > MAX_TIED:
        return str(MANY_TIED[press_rank.rank]) % {"number": len(press_rank.who), "figure": figure}
    who = _join_all(press_rank.who)
    if len(press_rank.who) > 1:
        return str(TIED_RANKS[press_rank.rank]) % {"who": who, "figure": figure}
    if press_rank.rank > 1:
        return str(SOLE_RANKS[press_rank.rank]) % {"who": who}
    people = len(press_rank.who[0])
    if is_over:
        template = ngettext("%(who)s comes first%(figure)s", "%(who)s come first%(figure)s", people)
    else:
        template = ngettext("%(who)s is in the lead%(figure)s", "%(who)s are in the lead%(figure)s", people)
    return template % {"who": who, "figure": figure}


def _format_figure(metric: str, figure: int | None) -> str:
    """Return the figure of a rank, `` with 5 matches won``; "" if there is none to tell."""
    if not figure or figure < 0:
        return ""
    if metric == "match_wins":
        template = ngettext(" with %(number)s win", " with %(number)s wins", figure)
    else:
        template = ngettext(" with %(number)s point", " with %(number)s points", figure)
    return template % {"number": figure}


def _describe_final(final: Final) -> str:
    return gettext("In the final: %(winner)s, %(points)s against %(loser)s") % {
        "winner": join_names(final.winner),
        "loser": join_names(final.loser),
        "points": "{}–{}".format(*final.score),
    }


def _describe_turning_hand(turn: TurningHand) -> str:
    """Describe a turning hand, and how it changed the chances of the winners."""
    text = gettext("%(contract)s made") if turn.is_made else gettext("%(contract)s failed by the other side")
    before, after = map(percent, turn.chances)
    return gettext(
        "Turning point, round %(round)s: hand %(hand)s (%(contract)s) raises the chances of winning "
        "from %(before)s to %(after)s for %(who)s"
    ) % {
        "round": turn.round,
        "hand": turn.hand,
        "contract": text % {"contract": contract_name(turn.contract)},
        "before": before,
        "after": after,
        "who": join_names(turn.who),
    }


def _describe_comeback(comeback: ComebackStory) -> str:
    return gettext(
        "Greatest comeback, round %(round)s: %(who)s won with a chance of only %(chance)s after hand %(hand)s"
    ) % {
        "round": comeback.round,
        "who": join_names(comeback.who),
        "chance": percent(comeback.chance),
        "hand": comeback.hand,
    }


def _describe_high_score(high: HighScore) -> str:
    points = ngettext("%(number)s point", "%(number)s points", high.points) % {"number": high.points}
    if len(high.who) > MAX_TIED:
        template = gettext("Highest score in a match: %(points)s, %(number)s times")
        return template % {"points": points, "number": len(high.who)}
    return gettext("Highest score in a match: %(points)s, by %(who)s") % {
        "points": points,
        "who": _join_all(high.who),
    }


def _describe_charlemagnes(report: PressReport) -> str:
    charlemagnes = report.charlemagnes
    if report.charlemagne_count > MAX_CHARLEMAGNES:
        return gettext("Charlemagnes made: %(number)s") % {"number": report.charlemagne_count}
    template = ngettext("Charlemagne made: %(who)s", "Charlemagnes made: %(who)s", len(charlemagnes))
    return template % {"who": gettext("; ").join(map(_describe_charlemagne, charlemagnes))}


def _describe_charlemagne(charlemagne: Charlemagne) -> str:
    """Describe a Charlemagne: ``Jeannine R. and Marcel D. (round 2, 8:14 p.m.)``."""
    details = [] if charlemagne.contract == USUAL_CHARLEMAGNE else [contract_name(charlemagne.contract)]
    details.append(gettext("round %(number)s") % {"number": charlemagne.round})
    if charlemagne.at is not None:
        details.append(hour_in_words(charlemagne.at))
    return f"{join_names(charlemagne.who)} ({', '.join(details)})"


def next_time(night: NextNight) -> str:
    """Announce the next night: ``Next time: Tuesday night, Tuesday, January 5 at 7:00 PM (church hall)``."""
    params = {"name": night.name, "day": day_in_words(night.day), "place": _format_place(night.place)}
    if night.at is None:
        return gettext("Next time: %(name)s, %(day)s%(place)s") % params
    params["hour"] = hour_in_words(night.at)
    return gettext("Next time: %(name)s, %(day)s at %(hour)s%(place)s") % params


def _format_place(place: str) -> str:
    return f" ({place})" if place else ""


def _join_all(groups: Iterable[People]) -> str:
    return gettext("; ").join(map(join_names, groups))


def _join_sentences(texts: Iterable[str]) -> str:
    """Join texts to sentences; one that already ends with a full stop, such as an initial, gets no second
    one."""
    return " ".join(text if text.endswith((".", "!", "?", "…")) else f"{text}." for text in texts)
