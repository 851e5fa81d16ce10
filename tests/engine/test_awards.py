"""Winners of prizes: ties, empty contests, fewer members than places, one prize each or several."""

from hypothesis import given
from hypothesis import strategies as st

from engine.awards import Contest, compute_awards, split_by_percentages, split_equally


def build_contest(*amounts: int, ranked: str = "", level: str = "") -> Contest:
    """Build a contest ranked by letters, best first; those in ``level`` tie with the one before them."""
    ranks: list[tuple[str, int]] = []
    for place, one in enumerate(ranked, start=1):
        ranks.append((one, ranks[-1][1] if ranks and one in level else place))
    return Contest(amounts=amounts, ranking=tuple(ranks))


def list_awards(*contests: Contest, one_each: bool = True) -> list[tuple[int, int, int, object, int]]:
    found = compute_awards(contests, one_prize_each=one_each)
    return [(each.contest, each.first_place, each.last_place, each.winner, each.amount) for each in found]


class TestOnePrizeEach:
    def test_main_prize_winner_passes_the_category_prize_on(self) -> None:
        main, women = build_contest(100, 60, ranked="abcd"), build_contest(50, ranked="bd")
        assert list_awards(main, women) == [(0, 1, 1, "a", 100), (0, 2, 2, "b", 60), (1, 1, 1, "d", 50)]

    def test_winner_keeps_the_largest_prize_of_any_contest(self) -> None:
        main, women = build_contest(100, 60, 10, ranked="abcd"), build_contest(50, ranked="cd")
        assert list_awards(main, women) == [
            *[(0, 1, 1, "a", 100), (0, 2, 2, "b", 60), (0, 3, 3, "d", 10)],
            (1, 1, 1, "c", 50),
        ]

    def test_prize_without_an_amount_keeps_the_contest_order(self) -> None:
        trophy, women = build_contest(0, ranked="ab"), build_contest(50, ranked="ab")
        assert list_awards(trophy, women) == [(0, 1, 1, "a", 0), (1, 1, 1, "b", 50)]

    def test_several_prizes_add_up_but_one_per_contest(self) -> None:
        main, women = build_contest(100, 60, ranked="ab"), build_contest(50, ranked="a")
        assert list_awards(main, women, one_each=False) == [
            *[(0, 1, 1, "a", 100), (0, 2, 2, "b", 60)],
            (1, 1, 1, "a", 50),
        ]


class TestTiedWinners:
    def test_tied_winners_share_their_places_to_the_cent(self) -> None:
        assert list_awards(build_contest(100, 51, 20, ranked="abc", level="b")) == [
            *[(0, 1, 2, "a", 76), (0, 1, 2, "b", 75)],
            (0, 3, 3, "c", 20),
        ]

    def test_tied_winners_share_the_last_place(self) -> None:
        assert list_awards(build_contest(100, 60, ranked="abcd", level="cd")) == [
            (0, 1, 1, "a", 100),
            *[(0, 2, 2, one, 20) for one in "bcd"],
        ]

    def test_tied_winner_with_a_larger_prize_takes_no_share(self) -> None:
        main, women = build_contest(30, 20, ranked="ab", level="b"), build_contest(80, ranked="b")
        assert list_awards(main, women) == [(0, 1, 1, "a", 30), (1, 1, 1, "b", 80)]

    def test_tied_winner_prefers_a_prize_above_the_share(self) -> None:
        main, women = build_contest(100, ranked="abcde", level="bcde"), build_contest(50, ranked="ac")
        assert list_awards(main, women) == [*[(0, 1, 1, one, 25) for one in "bcde"], (1, 1, 1, "a", 50)]


def test_empty_category_awards_nothing_and_a_small_one_its_first_prizes() -> None:
    assert list_awards(build_contest(50, 30), build_contest(20, 10, 5, ranked="ab")) == [
        (1, 1, 1, "a", 20),
        (1, 2, 2, "b", 10),
    ]


CONTESTS = st.builds(
    build_contest,
    *[st.integers(1, 90)] * 3,
    ranked=st.permutations("abcdefg").map("".join),
    level=st.sets(st.sampled_from("abcdefg")).map("".join),
).map(lambda found: Contest(amounts=tuple(sorted(found.amounts, reverse=True)), ranking=found.ranking))


@given(contests=st.lists(CONTESTS, max_size=3), one_each=st.booleans())
def test_contest_never_pays_more_than_its_prizes(contests: list[Contest], one_each: bool) -> None:
    found = compute_awards(contests, one_prize_each=one_each)
    for index, each in enumerate(contests):
        here = [award for award in found if award.contest == index]
        assert sum(award.amount for award in here) <= sum(each.amounts)
        assert len({award.winner for award in here}) == len(here)
    if one_each:
        assert len({award.winner for award in found}) == len(found)


AMOUNTS, STEPS = st.integers(0, 1_000_000), st.sampled_from([1, 5, 25, 100, 500])


@given(amount=AMOUNTS, sharing=st.integers(1, 60), step=STEPS)
def test_shares_sum_to_the_prize_and_differ_by_one_step(amount: int, sharing: int, step: int) -> None:
    shares = split_equally(amount, sharing, step)
    assert len(shares) == sharing
    assert sum(shares) == amount
    assert list(shares) == sorted(shares, reverse=True)
    assert shares[0] - shares[-1] <= step
    assert sum(share % step > 0 for share in shares) == (amount % step > 0), "only one has smaller change"


@given(contests=st.lists(CONTESTS, max_size=3), one_each=st.booleans(), step=STEPS)
def test_prize_total_does_not_depend_on_the_rounding_step(contests: list[Contest], one_each: bool, step: int) -> None:
    def list_payments(step: int) -> dict[tuple[int, int], int]:
        found: dict[tuple[int, int], int] = {}
        for award in compute_awards(contests, one_prize_each=one_each, step=step):
            place = award.contest, award.first_place
            found[place] = found.get(place, 0) + award.amount
        return found

    assert list_payments(step) == list_payments(1)
    for award in compute_awards(contests, one_prize_each=one_each, step=step):
        covered = contests[award.contest].amounts[award.first_place - 1 : award.last_place]
        assert list_payments(step)[award.contest, award.first_place] == sum(covered)


@given(fund=AMOUNTS, percents=st.lists(st.integers(1, 100), min_size=1, max_size=8), step=STEPS)
def test_fund_percentages_give_whole_steps_that_add_up(fund: int, percents: list[int], step: int) -> None:
    fund -= fund % step
    shares = split_by_percentages(fund, sorted(percents, reverse=True), step)
    assert all(share % step == 0 for share in shares)
    assert 0 <= fund * sum(percents) / 100 - sum(shares) < step
    assert list(shares) == sorted(shares, reverse=True)
    assert sum(percents) != 100 or sum(shares) == fund
