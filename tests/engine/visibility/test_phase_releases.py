"""Releases of phases: the rounds that the public sees, by the stages that play them."""

from itertools import product

import pytest

from engine.phases import Phase, PhasePlace, PhaseRelease, PhaseSettings, phases_from_json, phases_to_json
from engine.visibility import Ranks, RanksRelease, Release, Results, Visibility, get_visibility
from tests.builders import get_refusal

LIVE, FINAL = PhaseRelease.LIVE, PhaseRelease.FINAL
POOLS_THEN_FINALS = {1: {0}, 2: {0}, 3: {1, 2}}
HIDDEN_FINALS = (
    Phase(place=PhasePlace(stage=1), settings=PhaseSettings(released=FINAL)),
    Phase(place=PhasePlace(stage=2), settings=PhaseSettings(released=FINAL)),
)


def see(
    release: Release, *phases: Phase, rounds: dict[int, set[int]] | None = None, is_final: bool = False
) -> Visibility:
    return get_visibility(
        release, is_final=is_final, phases=phases, stages_by_round=POOLS_THEN_FINALS if rounds is None else rounds
    )


def test_hidden_final_shows_the_pools_alone() -> None:
    seen = see(Release(), *HIDDEN_FINALS)
    assert [seen.get_results(number) for number in (2, 3, 4)] == [Results.HANDS, Results.NOTHING, Results.NOTHING]
    assert (seen.standings, seen.unranked_from, seen.announced_silence) == (Ranks.BEFORE_SILENCE, 3, 3)
    assert seen.has_draw_reasons(3)
    assert not seen.has_draw_reasons(4)
    assert not seen.counts


def test_hidden_final_still_to_come_hides_no_published_round() -> None:
    seen = see(Release(), *HIDDEN_FINALS, rounds={1: {0}, 2: {0}})
    assert [seen.is_silent(number) for number in (2, 3)] == [False, True]
    assert (seen.announced_silence, seen.announced_gap) == (None, None)


def test_hidden_stage_hides_the_round_that_it_shares() -> None:
    assert see(Release(), HIDDEN_FINALS[1]).silent_from == 3


def test_live_pools_are_public_in_a_hidden_event() -> None:
    pools = Phase(place=PhasePlace(stage=0), settings=PhaseSettings(released=LIVE))
    seen = see(Release(silent_from=1, ranked=RanksRelease.FINAL), pools)
    assert (seen.standings, seen.silent_from, seen.unranked_from) == (Ranks.BEFORE_SILENCE, 3, 3)
    seen = see(Release(ranked=RanksRelease.FINAL), pools)
    assert (seen.silent_from, seen.unranked_from) == (None, 3)
    assert seen.get_results(3) is Results.HANDS
    assert see(Release(ranked=RanksRelease.NEVER), pools).standings is Ranks.NOTHING


def test_later_phase_of_a_stage_ends_its_silence_only_for_rounds_before() -> None:
    usual = Phase(place=PhasePlace(stage=0), since=2)
    hidden = Phase(place=PhasePlace(stage=0), settings=PhaseSettings(released=FINAL))
    assert see(Release(), hidden, usual).silent_from == 1
    late = Phase(place=PhasePlace(), since=2, settings=PhaseSettings(released=FINAL))
    assert see(Release(), late).silent_from == 2


def test_final_standings_show_every_phase() -> None:
    seen = see(Release(), *HIDDEN_FINALS, is_final=True)
    assert seen == get_visibility(Release(), is_final=True)
    assert (seen.silent_from, seen.unranked_from) == (None, None)


@pytest.mark.parametrize("ranked", RanksRelease)
def test_hidden_phase_never_shows_more_than_the_event(ranked: RanksRelease) -> None:
    for silent_from, settings in product((None, 1, 2, 3), product((None, FINAL), repeat=3)):
        release = Release(silent_from=silent_from, ranked=ranked)
        phases = [
            Phase(place=PhasePlace(stage=stage), settings=PhaseSettings(released=when))
            for stage, when in enumerate(settings)
        ]
        seen, usual = see(release, *phases), see(release)
        for number in (1, 2, 3):
            assert seen.is_silent(number) or not usual.is_silent(number)
            assert seen.is_unranked(number) or not seen.is_silent(number)
        assert usual.standings is not Ranks.NOTHING or seen.standings is Ranks.NOTHING
        assert usual.counts or not seen.counts


def test_release_of_a_phase_is_stored_with_it() -> None:
    assert phases_from_json(phases_to_json(HIDDEN_FINALS)) == HIDDEN_FINALS
    assert phases_to_json(HIDDEN_FINALS)[0] == {"stage": 1, "released": "final"}


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"stage": 0, "released": "soon"}, "no_such_choice"),
        ({"section": "Or", "released": "final"}, "release_of_section"),
    ],
)
def test_invalid_release_of_a_phase_is_refused(data: dict[str, object], code: str) -> None:
    refusal = get_refusal(phases_from_json, [data])
    assert (refusal.code, refusal.field) == (code, "released")
