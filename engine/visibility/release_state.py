"""The present effect of a release."""

from dataclasses import dataclass
from enum import StrEnum

from .releases import Names, RanksRelease, Release, Results


class Ranks(StrEnum):
    """The standings that are public."""

    NOTHING = "nothing"
    LIVE = "live"
    BEFORE_SILENCE = "before_silence"
    FINAL = "final"


@dataclass(frozen=True, slots=True, kw_only=True)
class Visibility:
    """The public parts of an event now. ``silent_from`` is the first round whose results are hidden; None if
    none are."""

    is_public: bool
    entries: bool
    draw: bool
    results: Results
    silent_from: int | None
    standings: Ranks
    names: Names

    def get_results(self, round_number: int) -> Results:
        """Return the public detail of the tables of that round (from 1)."""
        return Results.NOTHING if not self.draw or self.is_silent(round_number) else self.results

    def is_silent(self, round_number: int) -> bool:
        """Return whether the results of that round (from 1) are hidden for now."""
        return self.silent_from is not None and round_number >= self.silent_from

    @property
    def first_hidden_round(self) -> int | None:
        """The first round (from 1) whose results, with all later ones, are hidden; None if none are."""
        return self.silent_from if self.get_results(1) is not Results.NOTHING else 1

    def has_draw_reasons(self, round_number: int) -> bool:
        """Return whether the reasons of that round's tables (from 1) are public: reasons tell standings, so
        only if all of the standings that they use are public."""
        return self.has_reasons and (self.silent_from is None or round_number <= self.silent_from)

    @property
    def has_reasons(self) -> bool:
        """Whether the matches behind each rank are public, and brackets are shown."""
        return self.draw and self.standings is not Ranks.NOTHING and self.results is not Results.NOTHING

    @property
    def counts(self) -> bool:
        """Whether the club's seasons, ratings and records, which name people, may include it."""
        named = self.names is not Names.NUMBERS
        return self.is_public and self.has_reasons and self.has_whole_standings and named

    @property
    def has_whole_standings(self) -> bool:
        """Whether the standings of all results are public."""
        return self.standings in (Ranks.LIVE, Ranks.FINAL)


HIDDEN_VISIBILITY = Visibility(
    is_public=False,
    entries=False,
    draw=False,
    results=Results.NOTHING,
    silent_from=None,
    standings=Ranks.NOTHING,
    names=Names.NUMBERS,
)
"""The visibility of an event that is not public."""


def get_visibility(release: Release, *, is_final: bool) -> Visibility:
    """Return what is public; ``is_final`` once the final standings are published."""
    if not release.is_public:
        return HIDDEN_VISIBILITY
    return Visibility(
        is_public=True,
        entries=release.entries,
        draw=release.draw,
        results=release.results,
        silent_from=None if is_final else release.silent_from,
        standings=_get_ranks(release, is_final=is_final),
        names=release.names,
    )


def _get_ranks(release: Release, *, is_final: bool) -> Ranks:
    if release.ranked is RanksRelease.NEVER or (release.ranked is RanksRelease.FINAL and not is_final):
        return Ranks.NOTHING
    if is_final:
        return Ranks.FINAL
    return Ranks.LIVE if release.silent_from is None else Ranks.BEFORE_SILENCE
