"""Property tests of ``get_visibility``, with every release."""

from collections.abc import Iterator
from itertools import product

import pytest

from engine.visibility import (
    HIDDEN_VISIBILITY,
    USUAL,
    Names,
    Ranks,
    RanksRelease,
    Release,
    Results,
    Visibility,
    get_visibility,
)


def iter_releases() -> Iterator[Release]:
    yes_or_no = (True, False)
    for is_public, entries, draw, results, silent_from, ranked, names in product(
        yes_or_no, yes_or_no, yes_or_no, Results, (None, 1, 3), RanksRelease, Names
    ):
        yield Release(
            is_public=is_public,
            entries=entries,
            draw=draw,
            results=results,
            silent_from=silent_from,
            ranked=ranked,
            names=names,
        )


ALL_RELEASES = [(release, is_final) for release in iter_releases() for is_final in (False, True)]
RESULTS_ORDER = [Results.NOTHING, Results.TOTALS, Results.HANDS]


def get_amount(seen: Visibility, number: int) -> int:
    return RESULTS_ORDER.index(seen.get_results(number))


def test_everything_is_visible_by_default() -> None:
    seen = get_visibility(USUAL, is_final=False)
    assert seen.entries
    assert seen.draw
    assert seen.has_reasons
    assert seen.counts
    assert seen.standings is Ranks.LIVE
    assert seen.get_results(1) is Results.HANDS


def test_private_event_shows_nothing() -> None:
    hidden = [get_visibility(release, is_final=is_final) for release, is_final in ALL_RELEASES if not release.is_public]
    assert hidden
    assert set(hidden) == {HIDDEN_VISIBILITY}
    assert not HIDDEN_VISIBILITY.counts
    assert not HIDDEN_VISIBILITY.has_reasons


def test_final_standings_hide_nothing_shown_before() -> None:
    for release in iter_releases():
        before, after = get_visibility(release, is_final=False), get_visibility(release, is_final=True)
        assert all(get_amount(before, number) <= get_amount(after, number) for number in (1, 2, 3, 4))
        assert before.standings is Ranks.NOTHING or after.standings is Ranks.FINAL
        assert not before.counts or after.counts


def test_silent_round_shows_nothing_until_standings_are_final() -> None:
    for release, is_final in ALL_RELEASES:
        seen = get_visibility(release, is_final=is_final)
        if release.silent_from is not None and not is_final:
            assert seen.get_results(release.silent_from) is Results.NOTHING
            assert seen.standings in (Ranks.NOTHING, Ranks.BEFORE_SILENCE)
            assert not seen.counts


def test_hidden_draw_also_hides_results() -> None:
    for release, is_final in ALL_RELEASES:
        seen = get_visibility(release, is_final=is_final)
        if not release.draw:
            assert seen.get_results(1) is Results.NOTHING
            assert not seen.has_reasons


@pytest.mark.parametrize("ranked", [RanksRelease.FINAL, RanksRelease.NEVER])
def test_delayed_standings_stay_hidden_until_final(ranked: RanksRelease) -> None:
    assert get_visibility(Release(ranked=ranked), is_final=False).standings is Ranks.NOTHING
    shown = get_visibility(Release(ranked=ranked), is_final=True).standings
    assert shown is (Ranks.FINAL if ranked is RanksRelease.FINAL else Ranks.NOTHING)


def test_draw_reasons_are_shown_only_if_all_their_inputs_are() -> None:
    for release, is_final in ALL_RELEASES:
        seen = get_visibility(release, is_final=is_final)
        for number in (1, 2, 3, 4):
            if seen.has_draw_reasons(number):
                assert seen.has_reasons
                assert not any(seen.is_silent(before) for before in range(1, number))
    assert get_visibility(USUAL, is_final=False).has_draw_reasons(4)
