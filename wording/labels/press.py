"""The story of an event for newspapers and Facebook, in the reader's language."""

from collections.abc import Iterable, Iterator, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clubs.day_words import Days, day_in_words, days_and_year_in_words, days_in_words, hour_in_words
from clubs.game_words import contract_name
from clubs.wording import join_names
from tournaments.sharing.press import (
    MOST_CHARLEMAGNES,
    MOST_LEVEL,
    Charlemagne,
    Final,
    HighScore,
    NextNight,
    People,
    Podium,
    PressRank,
    PressReport,
    TurningHand,
)

from .chances import percent
from .standings import metric_in_sentence

USUAL_CHARLEMAGNE = "charlemagne"
"""Contract that is not named in a list of Charlemagnes."""

ALONE: Mapping[int, str | Promise] = {2: _("In second place: %(who)s"), 3: _("In third place: %(who)s")}
LEVEL: Mapping[int, str | Promise] = {
    1: _("Tied for first%(figure)s: %(who)s"),
    2: _("Tied for second: %(who)s"),
    3: _("Tied for third: %(who)s"),
}
MANY: Mapping[int, str | Promise] = {
    1: _("%(number)s entries tied for first%(figure)s"),
    2: _("%(number)s entries tied for second"),
    3: _("%(number)s entries tied for third"),
}
"""Sentences about many tied entries, by rank."""


def heading(told: PressReport) -> str:
    """Return the heading: ``Les Joyeux Atouts – Coupe d’automne``."""
    return f"{told.club} – {told.event}"


def paragraph(told: PressReport) -> str:
    """Return the whole story in one paragraph, for a newspaper."""
    sentences = [_opening(told), *_recap(told)]
    if told.next is not None:
        sentences.append(next_time(told.next))
    return _as_sentences(sentences)


def recap(told: PressReport) -> list[str]:
    """Return the recap in paragraphs: the winners, what decided, the highest score, the Charlemagnes."""
    return [_as_sentences([sentence]) for sentence in _recap(told)]


def _recap(told: PressReport) -> Iterator[str]:
    yield from (_podium(one, is_over=told.is_over, most=3) for one in told.podiums)
    if told.final is not None:
        yield _final(told.final)
    if told.clubs:
        yield gettext("First among clubs: %(clubs)s") % {"clubs": join_names(told.clubs)}
    yield from map(_turn, told.turns)
    if told.high is not None:
        yield _high(told.high)
    if told.charlemagnes:
        yield _charlemagnes(told)
    if told.is_outdated:
        yield gettext("Results changed since; ranks and final as published")


def for_the_paper(told: PressReport) -> str:
    """Return the heading and the paragraph for a newspaper."""
    return f"{heading(told)}\n\n{paragraph(told)}"


def for_facebook(told: PressReport, address: str) -> str:
    """Return the heading, the day, the winners, and the link to all results."""
    day = f"{days_in_words(told.days)}{_at(told.place)}"
    won = _as_sentences(_podium(one, is_over=told.is_over, most=1) for one in told.podiums)
    there = gettext("All results: %(address)s") if told.podiums else gettext("More: %(address)s")
    lines = [heading(told), day[:1].upper() + day[1:], won, there % {"address": address}]
    return "\n".join(line for line in lines if line)


def for_sharing(told: PressReport, address: str) -> str:
    """Return the heading, the recap in paragraphs, and the link to all results."""
    there = gettext("All results: %(address)s") % {"address": address}
    return "\n\n".join([heading(told), *recap(told), there])


def _opening(told: PressReport) -> str:
    named = {"event": told.event, "when": _when(told.days), "place": _at(told.place)}
    if not told.people:
        return gettext("“%(event)s” was held %(when)s%(place)s") % named
    people = ngettext("%(number)s person", "%(number)s people", told.people) % {"number": told.people}
    if told.pairs:
        pairs = ngettext("%(number)s pair", "%(number)s pairs", told.pairs) % {"number": told.pairs}
        people = gettext("%(people)s (%(pairs)s)") % {"people": people, "pairs": pairs}
    took_part = ngettext(
        "%(people)s took part in “%(event)s” %(when)s%(place)s",
        "%(people)s took part in “%(event)s” %(when)s%(place)s",
        told.people,
    )
    return took_part % {"people": people, **named}


def _when(days: Days) -> str:
    first, last = days
    said = days_and_year_in_words(days)
    return gettext("on %(day)s") % {"day": said} if first == last else said


def _podium(podium: Podium, *, is_over: bool, most: int) -> str:
    """Describe the first ``most`` ranks of a section, or of all."""
    ranks = [_rank(placed, podium.metric, is_over=is_over) for placed in podium.placed[:most]]
    if podium.decided_by and most > 1:
        tiebreak = gettext("Tiebreak for first place: %(metric)s")
        ranks.append(tiebreak % {"metric": metric_in_sentence(podium.decided_by)})
    told = _as_sentences(ranks)
    if not podium.section:
        return told
    return gettext("“%(section)s”: %(told)s") % {"section": podium.section, "told": told}


def _rank(placed: PressRank, metric: str, *, is_over: bool) -> str:
    figure = _figure(metric, placed.figure)
    if len(placed.who) > MOST_LEVEL:
        return str(MANY[placed.rank]) % {"number": len(placed.who), "figure": figure}
    who = _all(placed.who)
    if len(placed.who) > 1:
        return str(LEVEL[placed.rank]) % {"who": who, "figure": figure}
    if placed.rank > 1:
        return str(ALONE[placed.rank]) % {"who": who}
    people = len(placed.who[0])
    if is_over:
        won = ngettext("%(who)s wins%(figure)s", "%(who)s win%(figure)s", people)
    else:
        won = ngettext("%(who)s is in the lead%(figure)s", "%(who)s are in the lead%(figure)s", people)
    return won % {"who": who, "figure": figure}


def _figure(metric: str, figure: int | None) -> str:
    """Return the figure of a rank, `` with 5 matches won``; "" if there is none to tell."""
    if not figure or figure < 0:
        return ""
    if metric == "match_wins":
        told = ngettext(" with %(number)s match won", " with %(number)s matches won", figure)
    else:
        told = ngettext(" with %(number)s point", " with %(number)s points", figure)
    return told % {"number": figure}


def _final(final: Final) -> str:
    return gettext("In the final: %(winner)s, %(points)s against %(loser)s") % {
        "winner": join_names(final.winner),
        "loser": join_names(final.loser),
        "points": "{}–{}".format(*final.score),
    }


def _turn(turn: TurningHand) -> str:
    """Describe a turning hand, and how it changed the chances of the winners."""
    said = gettext("%(contract)s made") if turn.is_made else gettext("%(contract)s failed by the other side")
    before, after = map(percent, turn.chances)
    return gettext(
        "Turning hand, round %(round)s: hand %(hand)s (%(contract)s) raises the chances of winning "
        "from %(before)s to %(after)s for %(who)s"
    ) % {
        "round": turn.round,
        "hand": turn.hand,
        "contract": said % {"contract": contract_name(turn.contract)},
        "before": before,
        "after": after,
        "who": join_names(turn.who),
    }


def _high(high: HighScore) -> str:
    points = ngettext("%(number)s point", "%(number)s points", high.points) % {"number": high.points}
    if len(high.who) > MOST_LEVEL:
        many = gettext("Highest score in a match: %(points)s, by %(number)s sides")
        return many % {"points": points, "number": len(high.who)}
    return gettext("Highest score in a match: %(points)s, by %(who)s") % {
        "points": points,
        "who": _all(high.who),
    }


def _charlemagnes(report: PressReport) -> str:
    made = report.charlemagnes
    if report.charlemagnes_made > MOST_CHARLEMAGNES:
        return gettext("Charlemagnes made: %(number)s") % {"number": report.charlemagnes_made}
    told = ngettext("Charlemagne made: %(who)s", "Charlemagnes made: %(who)s", len(made))
    return told % {"who": gettext("; ").join(map(_charlemagne, made))}


def _charlemagne(made: Charlemagne) -> str:
    """Describe a Charlemagne: ``Jeannine R. and Marcel D. (round 2, 8:14 p.m.)``."""
    details = [] if made.contract == USUAL_CHARLEMAGNE else [contract_name(made.contract)]
    details.append(gettext("round %(number)s") % {"number": made.round})
    if made.at is not None:
        details.append(hour_in_words(made.at))
    return f"{join_names(made.who)} ({', '.join(details)})"


def next_time(night: NextNight) -> str:
    """Announce the next night: ``Next time: Tuesday night, Tuesday, January 5 at 7:00 PM (church hall)``."""
    told = {"name": night.name, "day": day_in_words(night.day), "place": _at(night.place)}
    if night.at is None:
        return gettext("Next time: %(name)s, %(day)s%(place)s") % told
    told["hour"] = hour_in_words(night.at)
    return gettext("Next time: %(name)s, %(day)s at %(hour)s%(place)s") % told


def _at(place: str) -> str:
    return f" ({place})" if place else ""


def _all(who: Iterable[People]) -> str:
    return gettext("; ").join(map(join_names, who))


def _as_sentences(texts: Iterable[str]) -> str:
    """Join texts to sentences; one that already ends with a full stop, such as an initial, gets no second
    one."""
    return " ".join(text if text.endswith((".", "!", "?", "…")) else f"{text}." for text in texts)
