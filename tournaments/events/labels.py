"""Events in words: formats, presets, stages, rules, the length of a match, the ranking."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clubs.game_words import ruleset_name
from engine.draws.stages import Stage, StagePlan
from engine.ranking import AcrossPools, Average, Bye, DisqualificationRule, RankingRules, UnplayedOpponent
from rules import MatchFormat, Ruleset, TieRule
from tournaments.standings.labels import get_metric_in_sentence

DETAIL_NAMES: dict[str, str | Promise] = {
    "declarer": _("Declarer’s name"),
    "trump": _("Trump"),
    "mode": _("Alone or not"),
    "result_only": _("Made or failed only, no tricks"),
}


FORMATS: Mapping[str, tuple[str | Promise, str | Promise]] = {
    "swiss": (
        _("By results (Swiss)"),
        _("Everyone plays every round, against opponents with as many wins."),
    ),
    "random": (_("Random opponents"), _("No rematches as long as possible.")),
    "round_robin": (_("Round robin"), _("Everyone plays everyone.")),
    "pools": (_("Pools"), _("Everyone plays everyone in small groups.")),
    "knockout": (_("Knockout"), _("One loss and you are out.")),
    "double_elimination": (_("Double elimination"), _("Two losses and you are out.")),
    "consolation": (_("Knockout with consolation"), _("First-match losers move to group B.")),
    "progressive": (_("Progressive"), _("Winners move up a table, losers down.")),
    "mitchell": (_("Half stays, half moves"), _("After each round, half the hall moves one table.")),
    "interclub": (
        _("Interclub"),
        _("Club against club over several tables. Enter each entry’s club."),
    ),
    "interclub_all": (
        _("Interclub, everybody plays"),
        _("Everybody meets other clubs each round. Clubs may be of any size."),
    ),
    "teams": (
        _("Team matches"),
        _("Teams meet over two or more boards. Enter each entry’s team; captains choose who plays."),
    ),
    "swiss_individual": (
        _("Individual Swiss"),
        _("New partner each round, among players with as many wins."),
    ),
    "rotation": (
        _("Rotation"),
        _("New partner and opponents each round, as evenly as possible."),
    ),
    "by_rank": (_("By rank"), _("Each round, first and fourth play second and third.")),
    "progressive_individual": (
        _("Individual progressive"),
        _("Winners move up a table, losers down; partners separate."),
    ),
    "open_tables": (_("Open tables"), _("Free players sit down and play.")),
    "manual": (_("Manual"), _("The director assigns the tables.")),
    "stages": (_("Several groups"), _("Groups that play at the same time.")),
}
"""Name of a format, and a sentence about it, by key."""

PRESETS: Mapping[str, tuple[str | Promise, str | Promise]] = {
    "swiss": (_("Swiss"), _("Everyone plays every round, against opponents with as many wins.")),
    "swiss_final": (_("Swiss, then a final for the top 4"), _("The others are done and can watch.")),
    "swiss_final_all": (
        _("Swiss, then a final while the others play on"),
        _("Top-4 semi-finals and final; everyone plays to the end."),
    ),
    "pools_knockout": (
        _("Pools, then knockout"),
        _("Pools of four to six; the top two of each advance."),
    ),
    "round_robin": FORMATS["round_robin"],
    "double_elimination": FORMATS["double_elimination"],
    "consolation": (
        _("Knockout with consolation"),
        _("First-match losers continue in group B: everyone plays at least twice."),
    ),
    "progressive": FORMATS["progressive"],
    "interclub": (_("Interclub"), _("Club against club over several tables.")),
    "interclub_all": (
        _("Interclub, everybody plays"),
        _("Everybody meets other clubs each round. Clubs may be of any size."),
    ),
    "teams": (_("Team matches"), _("Teams meet over two or more boards; captains choose who plays.")),
    "swiss_individual": (
        _("Individual: a new partner each round"),
        _("Among players with as many wins."),
    ),
    "individual_final": (
        _("Individual, then a final table"),
        _("The top 4 play the last three rounds together; others continue."),
    ),
    "rotation": (
        _("Everyone partners everyone"),
        _("New partner and opponents each round, as evenly as possible."),
    ),
    "progressive_individual": FORMATS["progressive_individual"],
}
"""Name of a preset, and a sentence about it, by key."""

BYES: Mapping[str, str | Promise] = {
    Bye.WIN: _("A match won"),
    Bye.DRAW: _("Half a win"),
    Bye.NOTHING: _("Nothing"),
    Bye.AVERAGE: _("The average of its own matches"),
}

UNPLAYED_LABELS: Mapping[str, str | Promise] = {
    "bye": _("A bye counts as"),
    "scheduled_bye": _("A bye in a round robin or pool counts as"),
    "forfeit": _("A forfeit win counts as"),
    "requested_bye": _("A requested bye counts as"),
    "late": _("A round before a late arrival counts as"),
    "absent": _("An absence counts as"),
    "excused": _("An excused absence counts as"),
}
"""Rounds that an entry did not play, without those after it left."""

DISQUALIFICATION_LABELS: Mapping[str, tuple[str | Promise, str | Promise]] = {
    DisqualificationRule.LAST: (
        _("Last, no prize, no season points"),
        _("Disqualified entries rank last, win no prize and get no season points."),
    ),
    DisqualificationRule.LAST_COUNTED: (
        _("Last, no prize, season points count"),
        _("Disqualified entries rank last and win no prize. Their season points count."),
    ),
    DisqualificationRule.RANKED: (
        _("As if not disqualified"),
        _("Disqualified entries keep their rank, prizes and season points."),
    ),
}
"""Treatment of a disqualified entry: the label of the choice, and a sentence."""

UNPLAYED_POINTS: Mapping[str, str | Promise] = {
    "number": _("A number of points"),
    Average.OWN: _("The average of its own rounds"),
    Average.WINNERS: _("The average of the round’s winners"),
}

ACROSS_POOLS: Mapping[str, str | Promise] = {
    AcrossPools.TOTALS: _("Total results, whatever the pool"),
    AcrossPools.RATES: _("Place in the pool, then results per match"),
    AcrossPools.WITHOUT_LAST: _("Place in the pool, then without the last of larger pools"),
}
"""Comparisons of entries of several pools."""

_SETTING_LABELS: Mapping[tuple[str, str, Any], str | Promise] = {
    ("round_robin", "legs", 2): _("twice"),
    ("pools", "legs", 2): _("twice"),
    ("teams", "legs", 2): _("twice"),
    ("teams", "home", True): _("home and away"),
    ("round_robin", "leavers", "annul"): _("early leavers’ results annulled"),
    ("pools", "leavers", "annul"): _("early leavers’ results annulled"),
    ("knockout", "places", "third"): _("with a match for third place"),
    ("knockout", "places", "all"): _("all places played"),
    ("double_elimination", "second_final", False): _("one final"),
}
"""Additions to the name of a format by a setting that is not the default."""


def preset_name(key: str) -> str:
    return str(PRESETS[key][0])


def preset_meaning(key: str) -> str:
    """Describe a preset in one sentence."""
    return str(PRESETS[key][1])


def format_name(key: str) -> str:
    return str(FORMATS[key][0])


def format_meaning(key: str) -> str:
    """Describe a format in one sentence; "" for none."""
    return str(FORMATS[key][1]) if key in FORMATS else ""


def bye_name(key: str) -> str:
    return str(BYES[key])


def unplayed_name(key: str) -> str:
    return str(UNPLAYED_LABELS[key])


def disqualified_name(key: str) -> str:
    return str(DISQUALIFICATION_LABELS[key][0])


def disqualified_meaning(key: str) -> str:
    """Describe the treatment of a disqualified entry in a sentence."""
    return str(DISQUALIFICATION_LABELS[key][1])


def unplayed_points_name(key: str) -> str:
    return str(UNPLAYED_POINTS[key])


TIES: Mapping[TieRule, str | Promise] = {
    TieRule.EXTRA_HAND: _("Extra hand"),
    TieRule.LAST_LEADER: _("Last side ahead"),
    TieRule.HIGHER_SEED: _("Higher seed"),
    TieRule.LOT: _("Drawn by lot"),
}
"""What decides a level match that needs a winner."""


def stages_in_words(plan: StagePlan) -> list[str]:
    """Describe each stage in a sentence: ``By results (Swiss), 5 rounds.`` ``The best 4: knockout.``"""
    return [_describe_stage(stage, is_first=not index) for index, stage in enumerate(plan)]


def match_in_words(match_format: MatchFormat, ruleset: Ruleset | None) -> str:
    """Describe the length of a match; "" while it is not known.

    ``A match: 2 games won, to 32.``; ``A match: 8 hands or 50 minutes.``, whichever ends it first.
    """
    target = "" if ruleset is None else gettext(", to %(target)s") % {"target": ruleset.target}
    lengths: tuple[tuple[int | None, Callable[[int], str]], ...] = (
        (match_format.games_to_win, lambda n: ngettext("%(n)s game", "%(n)s games won", n)),
        (match_format.hands, lambda n: ngettext("%(n)s hand", "%(n)s hands", n)),
        (match_format.minutes, lambda n: ngettext("%(n)s minute", "%(n)s minutes", n)),
    )
    lengths_text = gettext(" or ").join(
        template(number) % {"n": number} for number, template in lengths if number is not None
    )
    sentence_text = gettext("A match: %(length)s.") % {"length": lengths_text + target} if lengths_text else ""
    return sentence_text if match_format.tie is None else f"{sentence_text} {describe_tie_rule(match_format.tie)}"


def describe_tie_rule(tie: TieRule) -> str:
    """Describe who wins a level match: ``Tied: an extra hand.``"""
    return gettext("Tied: %(rule)s.") % {"rule": str(TIES[tie]).lower()}


def details_in_words(details: Sequence[str]) -> str:
    """Describe the details to record: ``Table screen: who bid, the trump.``"""
    names = ", ".join(str(DETAIL_NAMES[each]).lower() for each in details)
    return gettext("Table screen: %(names)s.") % {"names": names}


def ranking_in_words(rules: RankingRules) -> list[str]:
    """Describe the ranking, ``Ranking: matches won. Ties: difference.``, and everything that is not the
    default."""
    sentences = [describe_order(rules.order)]
    sentences += [unplayed_text for name in UNPLAYED_LABELS if (unplayed_text := _describe_unplayed(rules, name))]
    if rules.dropped:
        dropped_text = ngettext(
            "Each entry’s worst round is dropped.",
            "Each entry’s %(dropped)s worst rounds are dropped.",
            rules.dropped,
        )
        sentences.append(dropped_text % {"dropped": rules.dropped})
    if rules.most_byes_asked is not None:
        sentences.append(gettext("Requested byes: at most %(most)s.") % {"most": rules.most_byes_asked})
    if rules.last_without_bye:
        last = gettext("No requested byes in the last %(last)s rounds.")
        sentences.append(last % {"last": rules.last_without_bye})
    if rules.unplayed_opponent is UnplayedOpponent.CAPPED:
        sentences.append(gettext("Buchholz and Sonneborn-Berger: FIDE’s rules of 2026."))
    if rules.disqualified is not RankingRules().disqualified:
        sentences.append(disqualified_meaning(rules.disqualified))
    return sentences


def describe_order(order: Iterable[str]) -> str:
    """Describe the metrics of a ranking: ``Ranking: matches won. Ties: difference, points for.``"""
    first, *others = map(get_metric_in_sentence, order)
    sentences = [gettext("Ranking: %(names)s.") % {"names": first}]
    if others:
        sentences.append(gettext("Ties: %(names)s.") % {"names": ", ".join(others)})
    return " ".join(sentences)


def _describe_unplayed(rules: RankingRules, name: str) -> str:
    """Describe the worth of an unplayed round: ``A bye counts as half a win; the average of its own
    rounds.``

    "" for the default; a scheduled bye also has the default if it counts nothing, or like any other bye.
    """
    worth, points = rules.get_unplayed_value(name)
    usual: set[tuple[Bye, int | Average]] = {(getattr(RankingRules(), name), 0)}
    if name == "scheduled_bye":
        usual = {(Bye.NOTHING, 0), (rules.bye, rules.bye_points)}
    if (worth, points) in usual:
        return ""
    return describe_unplayed_value(name, worth, points)


def describe_unplayed_value(name: str, worth: Bye | None, points: int | Average | None) -> str:
    """Describe the worth of an unplayed round; None is left out."""
    parts = [bye_name(worth).lower()] if worth else []
    if isinstance(points, Average):
        average = unplayed_points_name(points).lower()
        parts.append(gettext("points: %(average)s") % {"average": average} if parts else average)
    elif points or not parts:
        number = points or 0
        parts.append(ngettext("%(number)s point", "%(number)s points", number) % {"number": number})
    return gettext("%(what)s %(worth)s.") % {"what": unplayed_name(name), "worth": "; ".join(parts)}


def _describe_stage(stage: Stage, *, is_first: bool) -> str:
    parts = [format_name(stage.format)]
    if stage.rounds is not None:
        parts.append(ngettext("%(n)s round", "%(n)s rounds", stage.rounds) % {"n": stage.rounds})
    settings = {(stage.format, name): value for name, value in stage.settings.items()}
    parts += [str(label) for (*key, value), label in _SETTING_LABELS.items() if settings.get((key[0], key[1])) == value]
    text = ", ".join(parts)
    if not is_first:
        text = gettext("%(who)s: %(what)s") % {"who": _describe_who(stage), "what": text[:1].lower() + text[1:]}
    if stage.name:
        text = gettext("%(who)s: %(what)s") % {"who": stage.name, "what": text[:1].lower() + text[1:]}
    return f"{text}."


def _describe_who(stage: Stage) -> str:
    if stage.is_play_off:
        return gettext("Play-off of the %(count)s tied for first") % {"count": stage.count}
    takers = _describe_takers(stage)
    return gettext("%(who)s, at the same time") % {"who": takers} if stage.beside else takers


def _describe_takers(stage: Stage) -> str:
    values = {"count": stage.count, "first": stage.first, "last": stage.last}
    if stage.takes == "top":
        return ngettext("The top one", "The top %(count)s", stage.count) % values
    if stage.takes == "pool_top" and stage.first == 1:
        return ngettext("The first of each pool", "The first %(count)s of each pool", stage.count) % values
    if stage.takes == "pool_top":
        return gettext("%(count)s from each pool, from rank %(first)s") % values
    if stage.takes == "ranked" and stage.last is None:
        return gettext("From rank %(first)s on") % values
    if stage.takes == "ranked":
        return gettext("Ranks %(first)s to %(last)s") % values
    return gettext("Everybody")


class MatchTerms(Protocol):
    """Terms of a match, of an event, of a phase, or of event settings."""

    @property
    def ruleset(self) -> Ruleset: ...
    @property
    def rules_name(self) -> Any: ...
    @property
    def match_format(self) -> MatchFormat: ...


def get_rules_name(terms: MatchTerms) -> str:
    """Name the rules: ``Canadian``; ``Our Tuesdays (Canadian)`` for house rules."""
    built_in = ruleset_name(terms.ruleset.key)
    return f"{terms.rules_name} ({built_in})" if terms.rules_name else built_in


def summarize_rules(terms: MatchTerms) -> str:
    """Name the rules with their target: ``Canadian, to 32``; unchanged if the name has it, as in ``Maine, to
    21``."""
    name, target = get_rules_name(terms), terms.ruleset.target
    if name.endswith(f" {target}"):
        return name
    return gettext("%(rules)s, to %(target)s") % {"rules": name, "target": target}


def describe_terms(terms: MatchTerms) -> str:
    """Describe the rules and when a match ends: ``Canadian, to 32 · A match: 5 hands.``"""
    return f"{summarize_rules(terms)} · {match_in_words(terms.match_format, None)}"
