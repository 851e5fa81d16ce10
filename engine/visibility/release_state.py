"""The present effect of a release."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from engine.phases import PhasePlace, PhaseRelease, Phases, get_settings

from .releases import Names, RanksRelease, Release, Results


class Ranks(StrEnum):
    """The standings that are public."""

    NOTHING = "nothing"
    LIVE = "live"
    BEFORE_SILENCE = "before_silence"
    FINAL = "final"


@dataclass(frozen=True, slots=True, kw_only=True)
class Visibility:
    """The public parts of an event now. ``silent_from`` is the first round whose results are hidden, and
    ``unranked_from`` the first that does not count in the public standings; None if there is none. If phases
    decide, ``last_round`` is the last published one: a hidden round after it may turn out to be public. Two
    are equal while the same ``silence`` was set."""

    is_public: bool
    entries: bool
    draw: bool
    results: Results
    silent_from: int | None = field(compare=False)
    standings: Ranks
    names: Names
    unranked_from: int | None = field(default=None, compare=False)
    last_round: int | None = field(default=None, compare=False)
    silence: tuple[Any, ...] = ()

    def get_results(self, round_number: int) -> Results:
        """Return the public detail of the tables of that round (from 1)."""
        return Results.NOTHING if not self.draw or self.is_silent(round_number) else self.results

    def is_silent(self, round_number: int) -> bool:
        """Return whether the results of that round (from 1) are hidden for now."""
        return self.silent_from is not None and round_number >= self.silent_from

    def is_unranked(self, round_number: int) -> bool:
        """Return whether that round (from 1) does not count in the public standings for now."""
        return self.unranked_from is not None and round_number >= self.unranked_from

    @property
    def announced_silence(self) -> int | None:
        """The first round whose results are surely hidden; None if there is none yet."""
        return self._announce(self.silent_from)

    @property
    def announced_gap(self) -> int | None:
        """The first round that surely does not count in the public standings; None if there is none yet."""
        return self._announce(self.unranked_from)

    def _announce(self, round_number: int | None) -> int | None:
        is_ahead = round_number is not None and self.last_round is not None and round_number > self.last_round
        return None if is_ahead else round_number

    @property
    def first_hidden_round(self) -> int | None:
        """The first round (from 1) whose results, with all later ones, are hidden; None if none are."""
        return self.silent_from if self.get_results(1) is not Results.NOTHING else 1

    def has_draw_reasons(self, round_number: int) -> bool:
        """Return whether the reasons of that round's tables (from 1) are public: reasons tell standings, so
        only if all of the standings that they use are public."""
        return self.has_reasons and (self.unranked_from is None or round_number <= self.unranked_from)

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


def get_visibility(
    release: Release,
    *,
    is_final: bool,
    phases: Phases = (),
    stages_by_round: Mapping[int, Collection[int]] | None = None,
) -> Visibility:
    """Return what is public; ``is_final`` once the final standings are published. ``stages_by_round`` has the
    stages, from 0, of each published round; it is needed only if a phase is released at a time of its own."""
    if not release.is_public:
        return HIDDEN_VISIBILITY
    times = [] if is_final else [(phase.place, phase.since, phase.settings.released) for phase in phases]
    own = {when for _, _, when in times if when is not None}
    silent_from = unranked_from = None if is_final else release.silent_from
    rounds = stages_by_round or {}
    if own:
        ranks_hidden_from = silent_from if release.ranked is RanksRelease.LIVE else 1
        unranked_from = _find_hidden_round(phases, rounds, ranks_hidden_from)
        silent_from = _find_hidden_round(phases, rounds, silent_from)
    return Visibility(
        is_public=True,
        entries=release.entries,
        draw=release.draw,
        results=release.results,
        silent_from=silent_from,
        standings=_get_ranks(release, own, is_final=is_final),
        names=release.names,
        unranked_from=unranked_from,
        last_round=max(rounds, default=0) if own else None,
        silence=() if is_final else (release.silent_from, *(times if own else ())),
    )


def _find_hidden_round(
    phases: Phases, stages_by_round: Mapping[int, Collection[int]], event_hidden_from: int | None
) -> int | None:
    """Return the first published round of a hidden phase, from which on all are hidden; the next one if a phase
    still to come may be; None if none can. A phase without a time of its own is hidden as the event says.
    Stages side by side share their rounds: one that is hidden hides them."""

    def is_hidden(number: int, stage: int) -> bool:
        when = get_settings(phases, PhasePlace(stage=stage), number).released
        return when is PhaseRelease.FINAL or (
            when is None and event_hidden_from is not None and number >= event_hidden_from
        )

    for number in sorted(stages_by_round):
        if any(is_hidden(number, stage) for stage in stages_by_round[number]):
            return number
    may_hide = event_hidden_from is not None or any(phase.settings.released is PhaseRelease.FINAL for phase in phases)
    return max(stages_by_round, default=0) + 1 if may_hide else None


def _get_ranks(release: Release, phase_releases: Collection[PhaseRelease], *, is_final: bool) -> Ranks:
    is_delayed = release.ranked is RanksRelease.FINAL and not is_final
    if release.ranked is RanksRelease.NEVER or (is_delayed and PhaseRelease.LIVE not in phase_releases):
        return Ranks.NOTHING
    if is_final:
        return Ranks.FINAL
    is_whole = release.silent_from is None and not is_delayed and PhaseRelease.FINAL not in phase_releases
    return Ranks.LIVE if is_whole else Ranks.BEFORE_SILENCE
