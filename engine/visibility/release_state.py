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
class Visible:
    """The public parts of an event now. ``silent_from`` is the first round whose results are hidden; None if
    none are."""

    is_public: bool
    entries: bool
    draw: bool
    results: Results
    silent_from: int | None
    standings: Ranks
    names: Names

    def results_in(self, round_number: int) -> Results:
        """Return the public detail of the tables of that round (from 1)."""
        return Results.NOTHING if not self.draw or self.is_silent(round_number) else self.results

    def is_silent(self, round_number: int) -> bool:
        """Return whether the results of that round (from 1) are hidden for now."""
        return self.silent_from is not None and round_number >= self.silent_from

    @property
    def hidden_from(self) -> int | None:
        """The first round (from 1) whose results, with all later ones, are hidden; None if none are."""
        return self.silent_from if self.results_in(1) is not Results.NOTHING else 1

    def tells_why_drawn(self, round_number: int) -> bool:
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


NOT_THERE = Visible(
    is_public=False,
    entries=False,
    draw=False,
    results=Results.NOTHING,
    silent_from=None,
    standings=Ranks.NOTHING,
    names=Names.NUMBERS,
)
"""The visibility of an event that is not public."""


def visible(release: Release, *, is_final: bool) -> Visible:
    """Return what is public; ``is_final`` once the final standings are published."""
    if not release.is_public:
        return NOT_THERE
    return Visible(
        is_public=True,
        entries=release.entries,
        draw=release.draw,
        results=release.results,
        silent_from=None if is_final else release.silent_from,
        standings=_ranks(release, is_final=is_final),
        names=release.names,
    )


def _ranks(release: Release, *, is_final: bool) -> Ranks:
    if release.ranked is RanksRelease.NEVER or (release.ranked is RanksRelease.FINAL and not is_final):
        return Ranks.NOTHING
    if is_final:
        return Ranks.FINAL
    return Ranks.LIVE if release.silent_from is None else Ranks.BEFORE_SILENCE
