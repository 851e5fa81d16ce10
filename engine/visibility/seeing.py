"""What a release amounts to now."""

from dataclasses import dataclass
from enum import StrEnum

from .releases import Names, RanksRelease, Release, Results


class Ranks(StrEnum):
    """Which standings everybody sees."""

    NOTHING = "nothing"
    LIVE = "live"
    BEFORE_SILENCE = "before_silence"
    FINAL = "final"


@dataclass(frozen=True, slots=True, kw_only=True)
class Visible:
    """What everybody sees of an event now. ``silent_from`` is the first round whose results are kept back;
    None where none is."""

    is_public: bool
    entries: bool
    draw: bool
    results: Results
    silent_from: int | None
    standings: Ranks
    names: Names

    def results_in(self, round_number: int) -> Results:
        """What is seen of the tables of that round (from 1)."""
        return Results.NOTHING if not self.draw or self.is_silent(round_number) else self.results

    def is_silent(self, round_number: int) -> bool:
        """Whether the results of that round (from 1) are kept back for now."""
        return self.silent_from is not None and round_number >= self.silent_from

    @property
    def hidden_from(self) -> int | None:
        """The first round (from 1) whose results nobody sees, and all after it; None where none is kept
        back."""
        return self.silent_from if self.results_in(1) is not Results.NOTHING else 1

    def tells_why_drawn(self, round_number: int) -> bool:
        """Whether it is told why the tables of that round (from 1) were drawn so: reasons speak of standings,
        so only where all of the standings that they went by are seen."""
        return self.has_reasons and (self.silent_from is None or round_number <= self.silent_from)

    @property
    def has_reasons(self) -> bool:
        """Whether a rank opens into what it is made of, match by match, and brackets are drawn."""
        return self.draw and self.standings is not Ranks.NOTHING and self.results is not Results.NOTHING

    @property
    def counts(self) -> bool:
        """Whether seasons, ratings and records of the club, which name people, may tell of it."""
        named = self.names is not Names.NUMBERS
        return self.is_public and self.has_reasons and self.has_whole_standings and named

    @property
    def has_whole_standings(self) -> bool:
        """Whether the standings of all that was played are seen."""
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
"""Of an event that is not public."""


def visible(release: Release, *, is_final: bool) -> Visible:
    """What everybody sees; ``is_final`` once the final standings are published."""
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
