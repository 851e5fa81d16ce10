"""Properties of ``visible``, over every release."""

from collections.abc import Iterator
from itertools import product

import pytest

from engine.visibility import NOT_THERE, USUAL, Names, Ranks, RanksRelease, Release, Results, Visible, visible


def every_release() -> Iterator[Release]:
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


EVERY = [(release, is_final) for release in every_release() for is_final in (False, True)]
LESS = [Results.NOTHING, Results.TOTALS, Results.HANDS]


def amount(seen: Visible, number: int) -> int:
    return LESS.index(seen.results_in(number))


def test_usually_everything_is_seen_at_once() -> None:
    seen = visible(USUAL, is_final=False)
    assert seen.entries
    assert seen.draw
    assert seen.has_reasons
    assert seen.counts
    assert seen.standings is Ranks.LIVE
    assert seen.results_in(1) is Results.HANDS


def test_of_an_event_that_is_not_public_nothing_is_seen_whatever_else_was_said() -> None:
    hidden = [visible(release, is_final=is_final) for release, is_final in EVERY if not release.is_public]
    assert hidden
    assert set(hidden) == {NOT_THERE}
    assert not NOT_THERE.counts
    assert not NOT_THERE.has_reasons


def test_publishing_final_standings_hides_nothing_that_was_seen() -> None:
    for release in every_release():
        before, after = visible(release, is_final=False), visible(release, is_final=True)
        assert all(amount(before, number) <= amount(after, number) for number in (1, 2, 3, 4))
        assert before.standings is Ranks.NOTHING or after.standings is Ranks.FINAL
        assert not before.counts or after.counts


def test_a_round_that_is_kept_back_shows_nothing_until_the_standings_are_final() -> None:
    for release, is_final in EVERY:
        seen = visible(release, is_final=is_final)
        if release.silent_from is not None and not is_final:
            assert seen.results_in(release.silent_from) is Results.NOTHING
            assert seen.standings in (Ranks.NOTHING, Ranks.BEFORE_SILENCE)
            assert not seen.counts


def test_who_hides_the_draw_hides_the_results_which_would_tell_it() -> None:
    for release, is_final in EVERY:
        seen = visible(release, is_final=is_final)
        if not release.draw:
            assert seen.results_in(1) is Results.NOTHING
            assert not seen.has_reasons


@pytest.mark.parametrize("ranked", [RanksRelease.FINAL, RanksRelease.NEVER])
def test_standings_that_wait_are_not_seen_before_they_are_final(ranked: RanksRelease) -> None:
    assert visible(Release(ranked=ranked), is_final=False).standings is Ranks.NOTHING
    shown = visible(Release(ranked=ranked), is_final=True).standings
    assert shown is (Ranks.FINAL if ranked is RanksRelease.FINAL else Ranks.NOTHING)


def test_why_a_table_was_drawn_is_told_only_where_all_that_it_went_by_is_seen() -> None:
    for release, is_final in EVERY:
        seen = visible(release, is_final=is_final)
        for number in (1, 2, 3, 4):
            if seen.tells_why_drawn(number):
                assert seen.has_reasons
                assert not any(seen.is_silent(before) for before in range(1, number))
    assert visible(USUAL, is_final=False).tells_why_drawn(4)
