"""A tournament in words: formats, presets, stages, the length of a match, what ranks; and its refusals."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from engine.draws.stages import Stage, StagePlan
from engine.ranking import Average, Bye, RankingRules
from rules import MatchFormat, Ruleset

from .standings import metric_in_sentence

DETAIL_NAMES: dict[str, str | Promise] = {
    "declarer": _("Who bid"),
    "trump": _("The trump"),
    "mode": _("Alone or not"),
}


FORMATS: Mapping[str, tuple[str | Promise, str | Promise]] = {
    "swiss": (
        _("By results (Swiss)"),
        _("Everybody plays every round, against somebody with as many matches won."),
    ),
    "random": (_("By lot"), _("Nobody meets the same opponents twice while that is possible.")),
    "round_robin": (_("Round robin"), _("Everybody meets everybody.")),
    "pools": (_("Pools"), _("Everybody meets everybody in a small group.")),
    "knockout": (_("Knockout"), _("Who loses is out.")),
    "double_elimination": (_("Double elimination"), _("Who loses twice is out.")),
    "consolation": (_("Knockout with consolation"), _("Who loses the first match goes on in group B.")),
    "progressive": (_("Progressive"), _("Winners move up a table, losers move down.")),
    "mitchell": (_("Half stays, half moves"), _("After each round half of the hall moves on by one table.")),
    "interclub": (
        _("Interclub"),
        _("Club against club over several tables: say with each entry which club it is of."),
    ),
    "swiss_individual": (
        _("Individual Swiss"),
        _("In each round a new partner, at a table of people with as many matches won."),
    ),
    "rotation": (
        _("Rotation"),
        _("In each round a new partner and new opponents, as evenly as can be."),
    ),
    "by_rank": (_("By rank"), _("In each round the first and fourth play against the second and third.")),
    "progressive_individual": (
        _("Individual progressive"),
        _("Winners move up a table, losers move down, and partners part."),
    ),
    "open_tables": (_("Open tables"), _("Whoever is free sits down and plays.")),
    "manual": (_("By hand"), _("The director makes the tables.")),
    "stages": (_("Several groups"), _("Groups that play at the same time.")),
}
"""By key: the name of a way to draw rounds, and what it is in one sentence."""

PRESETS: Mapping[str, tuple[str | Promise, str | Promise]] = {
    "swiss": (_("Swiss"), _("Everybody plays every round, against somebody with as many matches won.")),
    "swiss_final": (_("Swiss, then a final of the best 4"), _("The others are through, and can look on.")),
    "swiss_final_all": (
        _("Swiss, then a final while the others play on"),
        _("The best 4 play semi-finals and a final; everybody plays to the end."),
    ),
    "pools_knockout": (
        _("Pools, then knockout"),
        _("Everybody meets everybody in a pool of four to six; the best two of each go on."),
    ),
    "round_robin": FORMATS["round_robin"],
    "double_elimination": FORMATS["double_elimination"],
    "consolation": (
        _("Knockout with consolation"),
        _("Who loses the first match goes on in group B: everybody plays twice at least."),
    ),
    "progressive": FORMATS["progressive"],
    "interclub": (_("Interclub"), _("Club against club over several tables.")),
    "swiss_individual": (
        _("Individual: a new partner each round"),
        _("At a table of people with as many matches won."),
    ),
    "individual_final": (
        _("Individual, then a final table"),
        _("The best 4 play the last three rounds at one table; the others play on beside it."),
    ),
    "rotation": (
        _("Everybody partners everybody"),
        _("In each round a new partner and new opponents, as evenly as can be."),
    ),
    "progressive_individual": FORMATS["progressive_individual"],
}
"""By key: the name of a preset, and what it is in one sentence."""

BYES: Mapping[str, str | Promise] = {
    Bye.WIN: _("A match won"),
    Bye.DRAW: _("Half a win"),
    Bye.NOTHING: _("Nothing"),
}

UNPLAYED: Mapping[str, str | Promise] = {
    "bye": _("A bye counts as"),
    "forfeit": _("A forfeit counts, for the side that was there, as"),
    "missed": _("A round missed, late or by request, counts as"),
}
"""The rounds that an entry did not play; not those after it has left."""

UNPLAYED_POINTS: Mapping[str, str | Promise] = {
    "number": _("A number of points"),
    Average.OWN: _("The average of its own rounds"),
    Average.WINNERS: _("The average of the round’s winners"),
}

_SAID: Mapping[tuple[str, str, Any], str | Promise] = {
    ("round_robin", "legs", 2): _("twice"),
    ("pools", "legs", 2): _("twice"),
    ("knockout", "places", "third"): _("with a match for third place"),
    ("knockout", "places", "all"): _("every place played out"),
    ("double_elimination", "second_final", False): _("one final"),
}
"""What a setting adds to the name of its format, if it is not as usual."""


def preset_name(key: str) -> str:
    return str(PRESETS[key][0])


def preset_meaning(key: str) -> str:
    """What a preset is, in one sentence."""
    return str(PRESETS[key][1])


def format_name(key: str) -> str:
    return str(FORMATS[key][0])


def format_meaning(key: str) -> str:
    """What a way to draw rounds is, in one sentence; nothing for none."""
    return str(FORMATS[key][1]) if key in FORMATS else ""


def bye_name(key: str) -> str:
    return str(BYES[key])


def unplayed_name(key: str) -> str:
    return str(UNPLAYED[key])


def unplayed_points_name(key: str) -> str:
    return str(UNPLAYED_POINTS[key])


def stages_in_words(plan: StagePlan) -> list[str]:
    """``By results (Swiss), 5 rounds.`` ``The best 4: knockout.``: a sentence for each stage."""
    return [_stage_in_words(stage, is_first=not index) for index, stage in enumerate(plan)]


def match_in_words(match_format: MatchFormat, ruleset: Ruleset | None) -> str:
    """``A match: 2 games won, to 32.``; ``A match: 8 hands or 50 minutes.``, whichever ends it first; nothing
    while the length is not known."""
    target = "" if ruleset is None else gettext(", to %(target)s") % {"target": ruleset.target}
    lengths: tuple[tuple[int | None, Callable[[int], str]], ...] = (
        (match_format.games_to_win, lambda n: ngettext("%(n)s game won", "%(n)s games won", n)),
        (match_format.hands, lambda n: ngettext("%(n)s hand", "%(n)s hands", n)),
        (match_format.minutes, lambda n: ngettext("%(n)s minute", "%(n)s minutes", n)),
    )
    said = gettext(" or ").join(
        words(number) % {"n": number} for number, words in lengths if number is not None
    )
    return gettext("A match: %(length)s.") % {"length": said + target} if said else ""


def details_in_words(details: Sequence[str]) -> str:
    """``Asked also: who bid, the trump.``"""
    names = ", ".join(str(DETAIL_NAMES[each]).lower() for each in details)
    return gettext("Asked also: %(names)s.") % {"names": names}


def ranking_in_words(rules: RankingRules) -> list[str]:
    """``Ranking: matches won, then difference.``, and what else is not as usual."""
    names = gettext(", then ").join(map(metric_in_sentence, rules.order))
    said = [gettext("Ranking: %(names)s.") % {"names": names}]
    said += [told for name in UNPLAYED if (told := _unplayed_in_words(rules, name))]
    if rules.dropped:
        dropped = ngettext(
            "The worst round of each does not count.",
            "The %(dropped)s worst rounds of each do not count.",
            rules.dropped,
        )
        said.append(dropped % {"dropped": rules.dropped})
    if rules.most_byes_asked is not None:
        said.append(gettext("Asked byes: %(most)s at most.") % {"most": rules.most_byes_asked})
    if rules.last_without_bye:
        last = gettext("Nobody may ask to sit out one of the last %(last)s rounds.")
        said.append(last % {"last": rules.last_without_bye})
    return said


def _unplayed_in_words(rules: RankingRules, name: str) -> str:
    """``A bye counts as: half a win; the average of its own rounds.``; "" where it is as usual."""
    worth, points = getattr(rules, name), getattr(rules, f"{name}_points")
    usual = RankingRules()
    if (worth, points) == (getattr(usual, name), 0):
        return ""
    told = [bye_name(worth).lower()]
    if isinstance(points, Average):
        told.append(unplayed_points_name(points).lower())
    elif points:
        told.append(ngettext("%(number)s point", "%(number)s points", points) % {"number": points})
    return gettext("%(what)s: %(worth)s.") % {"what": unplayed_name(name), "worth": "; ".join(told)}


def _stage_in_words(stage: Stage, *, is_first: bool) -> str:
    what = [format_name(stage.format)]
    if stage.rounds is not None:
        what.append(ngettext("%(n)s round", "%(n)s rounds", stage.rounds) % {"n": stage.rounds})
    settings = {(stage.format, name): value for name, value in stage.settings.items()}
    what += [str(said) for (*key, value), said in _SAID.items() if settings.get((key[0], key[1])) == value]
    told = ", ".join(what)
    if not is_first:
        told = gettext("%(who)s: %(what)s") % {"who": _who(stage), "what": told[:1].lower() + told[1:]}
    return f"{told}."


def _who(stage: Stage) -> str:
    who = _describe_takers(stage)
    return gettext("%(who)s, at the same time") % {"who": who} if stage.beside else who


def _describe_takers(stage: Stage) -> str:
    values = {"count": stage.count, "first": stage.first, "last": stage.last}
    if stage.takes == "top":
        return ngettext("The best one", "The best %(count)s", stage.count) % values
    if stage.takes == "pool_top" and stage.first == 1:
        return ngettext("The first of each pool", "The first %(count)s of each pool", stage.count) % values
    if stage.takes == "pool_top":
        return gettext("%(count)s of each pool, from rank %(first)s") % values
    if stage.takes == "ranked" and stage.last is None:
        return gettext("From rank %(first)s on") % values
    if stage.takes == "ranked":
        return gettext("Ranks %(first)s to %(last)s") % values
    return gettext("Everybody")
