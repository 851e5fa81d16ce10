"""Names, descriptions and formats of the ranking metrics."""

from decimal import Decimal
from typing import Protocol

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from engine.ranking import METRICS, NO_PLACE, STILL_PLAYING_PLACE, WHOLE, Unit

METRIC_NAMES: dict[str, str | Promise] = {
    "disqualified": _("Disqualified"),
    "stage": _("Stage reached"),
    "bracket": _("Bracket place"),
    "pool_place": _("Place in pool"),
    "left_pool": _("Early departure"),
    "match_wins": _("Matches won"),
    "half_wins": _("Wins and half wins"),
    "averaged_wins": _("Wins with averages"),
    "match_points": _("Match points"),
    "games_won": _("Games won"),
    "games_lost": _("Games lost"),
    "difference": _("Difference"),
    "capped_difference": _("Capped difference"),
    "victory_points": _("Victory points"),
    "points_for": _("Points for"),
    "points_against": _("Points against"),
    "contracts_made": _("Contracts made"),
    "charlemagnes": _("Charlemagnes made"),
    "progressive": _("Progressive score"),
    "head_to_head": _("Head to head"),
    "buchholz": _("Buchholz"),
    "buchholz_cut_1": _("Buchholz, cut 1"),
    "buchholz_median": _("Buchholz, median"),
    "sonneborn_berger": _("Sonneborn-Berger"),
    "opponents_win_rate": _("Opponents’ win rate"),
    "play_off": _("Play-off"),
    "lots": _("Lot"),
    "win_rate": _("Win rate"),
    "mean_match_points": _("Match points per match"),
    "mean_games_won": _("Games won per match"),
    "mean_games_lost": _("Games lost per match"),
    "mean_difference": _("Difference per match"),
    "mean_capped_difference": _("Capped difference per match"),
    "mean_victory_points": _("Victory points per match"),
    "mean_points_for": _("Points for per match"),
    "mean_points_against": _("Points against per match"),
    "mean_contracts_made": _("Contracts made per match"),
    "mean_charlemagnes": _("Charlemagnes made per match"),
}

PROPER_NAME_METRICS = frozenset(
    {
        "charlemagnes",
        "mean_charlemagnes",
        "buchholz",
        "buchholz_cut_1",
        "buchholz_median",
        "sonneborn_berger",
    }
)
"""Metrics that begin with a capital letter even within a sentence."""

_SHORT_TOTALS: dict[str, str | Promise] = {
    "disqualified": _("Disq."),
    "stage": _("Stage"),
    "bracket": pgettext_lazy("in a bracket", "Place"),
    "pool_place": _("In pool"),
    "left_pool": _("Early departure"),
    "match_wins": _("Matches"),
    "half_wins": _("Wins ½"),
    "averaged_wins": _("Wins avg."),
    "match_points": _("M. pts"),
    "games_won": _("Games"),
    "games_lost": _("Lost"),
    "difference": _("Diff."),
    "capped_difference": _("Cap. diff."),
    "victory_points": _("V. pts"),
    "points_for": _("Points"),
    "points_against": _("Against"),
    "contracts_made": _("Contracts"),
    "charlemagnes": _("Charl."),
    "progressive": _("Progr."),
    "head_to_head": _("Direct"),
    "buchholz": _("Buch."),
    "buchholz_cut_1": _("Buch. 1"),
    "buchholz_median": _("Buch. med."),
    "sonneborn_berger": _("S.-B."),
    "opponents_win_rate": _("Opp. %"),
    "play_off": _("P.-off"),
    "lots": _("Lot"),
    "win_rate": _("Win %"),
}
METRIC_SHORT: dict[str, str | Promise] = _SHORT_TOTALS | {
    key: format_lazy("{}/m.", _SHORT_TOTALS[key.removeprefix("mean_")]) for key in METRICS if key.startswith("mean_")
}

_PER_MATCH = _("Average per match. Byes of the pool do not count.")

METRIC_SENTENCES: dict[str, str | Promise] = {
    "disqualified": _("Disqualified entries rank last."),
    "stage": _("Later stages rank first, and group A before B."),
    "bracket": _("Further in the bracket, higher in rank."),
    "pool_place": _("Place in the entry’s own pool: all winners first, then all second places."),
    "left_pool": _("Entries that left early rank after those tied with them."),
    "match_wins": _("Byes count as set for the event."),
    "half_wins": _("Matches won, plus half for a draw or half-win round."),
    "averaged_wins": _("Matches won, plus half for a draw and the entry’s own average for a round that counts it."),
    "match_points": _("Points for wins and draws, usually 2 and 1."),
    "games_won": _("A bye or forfeit win counts no more games than the round’s best win."),
    "games_lost": _("Fewer is better."),
    "difference": _("Points scored minus points against."),
    "capped_difference": _("Points difference, with a cap per round."),
    "victory_points": _("Each match shares 20 by its margin: from 10–10 to 20–0."),
    "points_for": _("Total points scored."),
    "points_against": _("Fewer is better."),
    "contracts_made": _("From recorded hands."),
    "charlemagnes": _("From recorded hands."),
    "progressive": _("Running totals of match points: early wins count more."),
    "head_to_head": _(
        "Head-to-head order among tied entries that have all met. Pools are compared "
        "separately; their leaders stay tied."
    ),
    "buchholz": _("Opponents’ total match points: stronger opponents help."),
    "buchholz_cut_1": _("Opponents’ match points, without the weakest."),
    "buchholz_median": _("Opponents’ match points, without the weakest and strongest."),
    "sonneborn_berger": _("Match points of beaten opponents, plus half for draws."),
    "opponents_win_rate": _("Average share of matches that opponents won."),
    "play_off": _("Place in a play-off between entries tied for first on the criteria above."),
    "lots": _("Drawn by lot once, between entries still tied."),
    "win_rate": _("Share of matches won; a draw is half a win."),
    **{key: _PER_MATCH for key in METRICS if key.startswith("mean_")},
}


_DECIMALS = {1: 0, 2: 1, 100: 2, 10_000: 2}
"""Number of decimals by scale."""


def get_metric_in_sentence(key: str) -> str:
    """Name a metric within a sentence: ``matches won``, and ``Buchholz``."""
    name = str(METRIC_NAMES[key])
    return name if key in PROPER_NAME_METRICS else name[:1].lower() + name[1:]


def format_halves(value: int) -> str:
    """Format a number of halves: ``3``, ``2½``, ``½``."""
    whole, half = divmod(value, 2)
    return f"{whole or ''}½" if half else str(whole)


def wins_name(wins: int) -> str:
    """Format wins in hundredths of a percent: ``3``, ``2½``, and ``1.67`` with an average."""
    halves, rest = divmod(2 * wins, WHOLE)
    return metric_value("averaged_wins", wins) if rest else format_halves(halves)


def metric_value(key: str, value: int | None) -> str:
    """Format a value of a metric: ``12``, ``+19``, ``−14``, ``52.38 %``, in the reader's language; a dash for
    None."""
    metric = METRICS[key]
    if value is None:
        return "–"
    if metric.unit is Unit.HALVES:
        return format_halves(value)
    if metric.unit is Unit.PLACE:
        return gettext("still in") if value == STILL_PLAYING_PLACE else "–" if value == NO_PLACE else str(value)
    if metric.unit is Unit.LOT:
        return str(value // metric.scale)
    decimals = _DECIMALS[metric.scale]
    rounded = round(Decimal(value) / metric.scale, decimals)
    text = number_format(rounded, decimal_pos=decimals).replace("-", "−")
    if metric.unit is Unit.SIGNED and value > 0:
        return f"+{text}"
    return gettext("%(rate)s %%") % {"rate": text} if metric.unit is Unit.PERCENT else text


class RankedEntry(Protocol):
    """A line of the standings."""

    @property
    def left_after(self) -> int | None: ...
    @property
    def is_disqualified(self) -> bool: ...


def departure_in_words(row: RankedEntry) -> str:
    """Describe how an entry left: ``disqualified``; ``withdrew after round 2``; ``withdrew`` before any; ""
    if it has not."""
    if row.is_disqualified:
        return gettext("disqualified")
    if row.left_after is None:
        return ""
    if not row.left_after:
        return gettext("withdrew")
    return gettext("withdrew after round %(number)s") % {"number": row.left_after}


def format_signed(number: int) -> str:
    """Format a number with its sign, a true minus sign: ``+19``, ``−14``, ``0``."""
    return f"+{number}" if number > 0 else str(number).replace("-", "−")
