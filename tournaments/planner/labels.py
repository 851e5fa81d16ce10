"""The planner in words: kinds of plan, the length of a match, and the reasons for a plan."""

from datetime import time

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _

from clubs.date_formats import hour_in_words
from engine.planning import Choice, Exclusion, Forecast, PlanQuestion, PoolFinals, Proposal, ProposalReason
from rules import MatchFormat, get_ruleset
from tournaments.events.labels import FORMATS, PRESETS

PLANS: dict[str, tuple[str | Promise, str | Promise]] = {
    "swiss": PRESETS["swiss"],
    "round_robin": FORMATS["round_robin"],
    "round_robin_twice": (_("Double round robin"), _("Everyone meets everyone twice.")),
    "swiss_finals": (
        _("Swiss, then finals"),
        _("The best play a knockout; the others keep playing."),
    ),
    "pools_knockout": (
        _("Pools, then knockout"),
        _("Round robin in pools of four; the top two advance to a knockout."),
    ),
    "pools_finals": (
        _("Pools, then finals A and B"),
        _("Round robin in pools; the best of each play final A, the others final B, both by knockout."),
    ),
    "pools_groups": (
        _("Pools, then pools by rank"),
        _("Round robin in pools; then those with the same ranks meet in a final of their own, from zero."),
    ),
    "double_elimination": FORMATS["double_elimination"],
    "consolation": (_("Groups A and B"), _("First-match losers move to group B.")),
    "progressive": FORMATS["progressive"],
    "random": FORMATS["random"],
    "swiss_individual": FORMATS["swiss_individual"],
    "rotation": FORMATS["rotation"],
    "swiss_final_four": (
        _("Individual Swiss, then a final table"),
        _("The top four finish at one table for three rounds; the others keep playing."),
    ),
    "progressive_individual": FORMATS["progressive_individual"],
    "by_rank": FORMATS["by_rank"],
}
"""Name of a kind of plan, and a sentence about it, by key."""

DECIDES: dict[str, str | Promise] = {
    "swiss": _("A full ranking"),
    "round_robin": _("A full ranking; everyone has met"),
    "round_robin_twice": _("A full ranking; everyone has met"),
    "swiss_finals": _("A final, and a ranking"),
    "pools_knockout": _("A final; the others by pool"),
    "pools_finals": _("One winner per final"),
    "pools_groups": _("A full ranking, final by final"),
    "double_elimination": _("A winner; out after two losses"),
    "consolation": _("One winner per group"),
    "progressive": _("A ranking, with some luck"),
    "random": _("A ranking, with some luck"),
    "swiss_individual": _("An individual ranking"),
    "rotation": _("An individual ranking"),
    "swiss_final_four": _("A final table, and an individual ranking"),
    "progressive_individual": _("An individual ranking, with some luck"),
    "by_rank": _("An individual ranking"),
}
"""Facts known at the end of such a plan, by key."""

MATTERS: dict[str, str | Promise] = {
    "everybody_plays": _("Everyone plays to the end"),
    "strongest_wins": _("The strongest win"),
    "meet_many": _("Meeting many people"),
}

ORDERS: dict[str, str | Promise] = {
    "everybody_plays": _("Sorted by ending on time, then by rounds played."),
    "strongest_wins": _("Sorted by ending on time, then by how often the strongest wins."),
    "meet_many": _("Sorted by ending on time, then by opponents met."),
}
"""Why proposals are in this order, by what matters to the club."""

REASONS: dict[str, str | Promise] = {
    "all_play_all": _("Everyone plays every round."),
    "least_played": _("Some may play only %(matches)s of %(rounds)s rounds."),
    "strongest_wins": _("The strongest wins about %(percent)s times in 100."),
    "opponents_met": _("About %(opponents)s different opponents each."),
}


EXCLUSIONS: dict[str, str | Promise] = {
    "too_few": _("%(name)s: at least %(least)s entries. You have %(entries)s."),
    "too_many": _("%(name)s: %(most)s entries at most. You have %(entries)s."),
    "no_groups": _("%(name)s: %(entries)s entries cannot be split into pools and finals of %(least)s to %(most)s."),
    "not_compared": _("%(name)s: fits, but only %(most)s formats are simulated."),
}
"""Reasons for leaving out a kind of plan, but for its rounds and minutes."""


def describe_exclusion(exclusion: Exclusion, question: PlanQuestion) -> str:
    """Describe why a kind is left out: ``Pools, then knockout: at least 7 rounds, 3 h 40 min. You have 3 h.``"""
    details = {"name": plan_name(exclusion.key), "entries": question.entries, **exclusion.details}
    if exclusion.reason != "too_long":
        return str(EXCLUSIONS[exclusion.reason]) % details
    template = ngettext(
        "%(name)s: at least %(rounds)s round, %(duration)s. You have %(available)s.",
        "%(name)s: at least %(rounds)s rounds, %(duration)s. You have %(available)s.",
        exclusion.details["rounds"],
    )
    durations = {
        "duration": _format_duration(exclusion.details["minutes"]),
        "available": _format_duration(question.minutes),
    }
    return template % {**details, **durations}


def _format_duration(minutes: int) -> str:
    """Return ``3 h 40 min``, ``3 h``, ``40 min``."""
    hours, rest = divmod(minutes, 60)
    parts = [gettext("%(hours)s h") % {"hours": hours}] * bool(hours)
    return " ".join([*parts, *[gettext("%(minutes)s min") % {"minutes": rest}] * bool(rest or not hours)])


def plan_name(key: str) -> str:
    return str(PLANS[key][0])


def plan_meaning(key: str) -> str:
    """Describe a kind of plan in one sentence."""
    return str(PLANS[key][1])


def describe_matches(forecast: Forecast) -> str:
    """Describe how many matches an entry plays: ``5``; ``2 to 6``, from the fewest of any entry to the most."""
    most = forecast.most_matches or forecast.rounds
    if forecast.fewest_matches == most:
        return str(most)
    return gettext("%(fewest)s to %(most)s") % {"fewest": forecast.fewest_matches, "most": most}


def describe_phases(choice: Choice, question: PlanQuestion) -> list[str]:
    """Describe the phases of a plan of pools and finals, each in a sentence; none of any other plan."""
    plan, proposal = choice.pool_finals, choice.proposal
    if plan is None:
        return []
    pools = gettext("Pools: %(count)s, of %(size)s each. A match: %(length)s.") % {
        "count": len(plan.pools),
        "size": gettext(" or ").join(str(size) for size in sorted(set(plan.pools))),
        "length": match_length(proposal.match_format, question),
    }
    finals = gettext("In the finals, a match: %(length)s.") % {"length": match_length(proposal.get_length(1), question)}
    return [pools, *(_describe_final(plan, place) for place in range(len(plan.finals))), finals]


def _describe_final(plan: PoolFinals, place: int) -> str:
    """Describe the entries of a final, from 0: ``Final A: ranks 1 and 2 of each pool (8).``"""
    first = 1 + place * plan.qualifiers
    details = {
        "letter": chr(ord("A") + place),
        "first": first,
        "last": first + plan.qualifiers - 1,
        "count": plan.finals[place],
    }
    if place == len(plan.finals) - 1:
        return gettext("Final %(letter)s: the others (%(count)s).") % details
    template = ngettext(
        "Final %(letter)s: rank %(first)s of each pool (%(count)s).",
        "Final %(letter)s: ranks %(first)s and %(last)s of each pool (%(count)s).",
        plan.qualifiers,
    )
    return template % details


def describe_lengths(proposal: Proposal, question: PlanQuestion) -> str:
    """Describe the length of the matches: ``12 hands``; ``12 hands; finals: 2 games won to 32``."""
    length = match_length(proposal.match_format, question)
    if not proposal.phases:
        return length
    finals = match_length(proposal.get_length(1), question)
    return gettext("%(length)s; finals: %(finals)s") % {"length": length, "finals": finals}


def format_rounded_mean(value: float) -> str:
    """Round a mean to the nearest whole number."""
    return str(round(value))


def matter_name(key: str) -> str:
    return str(MATTERS[key])


def describe_plan_reason(reason: ProposalReason) -> str:
    """Describe a reason for a plan, by what matters to the club."""
    return str(REASONS[reason.key]) % reason.details


def plan_question(question: PlanQuestion) -> str:
    """Describe the question that the proposals answer: ``32 people, 8 tables, from 7:00 p.m. to 10:30
    p.m.``"""
    template = ngettext(
        "%(people)s people, %(tables)s table, from %(begins)s to %(ends)s",
        "%(people)s people, %(tables)s tables, from %(begins)s to %(ends)s",
        question.tables,
    )
    hours = {"begins": clock(0, question), "ends": clock(question.minutes, question)}
    return template % {"people": question.people, "tables": question.tables, **hours}


def match_length(match_format: MatchFormat, question: PlanQuestion) -> str:
    """Describe the length of a match: ``2 games of 21``, ``12 hands``, ``30 minutes``."""
    if match_format.games_to_win is not None:
        games, target = match_format.games_to_win, get_ruleset(question.ruleset).target
        template = ngettext("%(games)s game to %(target)s", "%(games)s games won to %(target)s", games)
        return template % {"games": games, "target": target}
    if match_format.hands is not None:
        return ngettext("%(hands)s hand", "%(hands)s hands", match_format.hands) % {"hands": match_format.hands}
    assert match_format.minutes is not None
    template = ngettext("%(minutes)s minute", "%(minutes)s minutes", match_format.minutes)
    return template % {"minutes": match_format.minutes}


def clock(minutes: int, question: PlanQuestion) -> str:
    """Return the time of day so many minutes after the beginning: ``21 h 10``."""
    hour, minute = divmod((question.begins + minutes) % (24 * 60), 60)
    return hour_in_words(time(hour, minute))


def describe_byes(forecast: Forecast) -> str:
    """Describe how many byes an entry has: ``none``, ``1``, ``0 to 2``."""
    if forecast.most_byes == 0:
        return pgettext("byes", "none")
    if forecast.fewest_byes == forecast.most_byes:
        return str(forecast.most_byes)
    return gettext("%(fewest)s to %(most)s") % {"fewest": forecast.fewest_byes, "most": forecast.most_byes}
