"""Winners of prizes: ties, empty contests, fewer members than places, one prize each or several."""

from hypothesis import given
from hypothesis import strategies as st

from engine.awards import Contest, awards, equal_shares, percent_shares


def contest(*amounts: int, ranked: str = "", level: str = "") -> Contest:
    """Ranked by letters, best first; those in ``level`` are level with who stands before them."""
    ranks: list[tuple[str, int]] = []
    for place, one in enumerate(ranked, start=1):
        ranks.append((one, ranks[-1][1] if ranks and one in level else place))
    return Contest(amounts=amounts, ranked=tuple(ranks))


def won(*contests: Contest, one_each: bool = True) -> list[tuple[int, int, int, object, int]]:
    found = awards(contests, one_each=one_each)
    return [(each.contest, each.first, each.last, each.winner, each.amount) for each in found]


class TestOnePrizeEach:
    def test_the_winner_of_a_main_prize_leaves_that_of_the_category_to_the_next(self) -> None:
        main, women = contest(100, 60, ranked="abcd"), contest(50, ranked="bd")
        assert won(main, women) == [(0, 1, 1, "a", 100), (0, 2, 2, "b", 60), (1, 1, 1, "d", 50)]

    def test_it_is_the_larger_one_wherever_it_stands(self) -> None:
        main, women = contest(100, 60, 10, ranked="abcd"), contest(50, ranked="cd")
        assert won(main, women) == [
            *[(0, 1, 1, "a", 100), (0, 2, 2, "b", 60), (0, 3, 3, "d", 10)],
            (1, 1, 1, "c", 50),
        ]

    def test_where_a_prize_has_no_amount_it_is_the_first_one(self) -> None:
        trophy, women = contest(0, ranked="ab"), contest(50, ranked="ab")
        assert won(trophy, women) == [(0, 1, 1, "a", 0), (1, 1, 1, "b", 50)]

    def test_or_several_where_they_add_up_but_never_two_of_one_contest(self) -> None:
        main, women = contest(100, 60, ranked="ab"), contest(50, ranked="a")
        assert won(main, women, one_each=False) == [
            *[(0, 1, 1, "a", 100), (0, 2, 2, "b", 60)],
            (1, 1, 1, "a", 50),
        ]


class TestWhoIsLevel:
    def test_shares_the_places_that_they_cover_cent_by_cent(self) -> None:
        assert won(contest(100, 51, 20, ranked="abc", level="b")) == [
            *[(0, 1, 2, "a", 76), (0, 1, 2, "b", 75)],
            (0, 3, 3, "c", 20),
        ]

    def test_shares_the_last_place_with_more_than_it_was_meant_for(self) -> None:
        assert won(contest(100, 60, ranked="abcd", level="cd")) == [
            (0, 1, 1, "a", 100),
            *[(0, 2, 2, one, 20) for one in "bcd"],
        ]

    def test_of_those_one_who_has_a_larger_prize_shares_nothing(self) -> None:
        main, women = contest(30, 20, ranked="ab", level="b"), contest(80, ranked="b")
        assert won(main, women) == [(0, 1, 1, "a", 30), (1, 1, 1, "b", 80)]


def test_a_category_without_anybody_leaves_its_prizes_and_one_with_few_the_last_ones() -> None:
    assert won(contest(50, 30), contest(20, 10, 5, ranked="ab")) == [(1, 1, 1, "a", 20), (1, 2, 2, "b", 10)]


CONTESTS = st.builds(
    contest,
    *[st.integers(1, 90)] * 3,
    ranked=st.permutations("abcdefg").map("".join),
    level=st.sets(st.sampled_from("abcdefg")).map("".join),
).map(lambda found: Contest(amounts=tuple(sorted(found.amounts, reverse=True)), ranked=found.ranked))


@given(contests=st.lists(CONTESTS, max_size=3), one_each=st.booleans())
def test_no_contest_pays_more_than_its_prizes_nor_one_winner_twice(
    contests: list[Contest], one_each: bool
) -> None:
    found = awards(contests, one_each=one_each)
    for index, each in enumerate(contests):
        here = [award for award in found if award.contest == index]
        assert sum(award.amount for award in here) <= sum(each.amounts)
        assert len({award.winner for award in here}) == len(here)
    if one_each:
        assert len({award.winner for award in found}) == len(found)


AMOUNTS, STEPS = st.integers(0, 1_000_000), st.sampled_from([1, 5, 25, 100, 500])


@given(amount=AMOUNTS, sharing=st.integers(1, 60), step=STEPS)
def test_shares_add_up_to_the_prize_and_differ_by_at_most_a_step(
    amount: int, sharing: int, step: int
) -> None:
    shares = equal_shares(amount, sharing, step)
    assert len(shares) == sharing
    assert sum(shares) == amount
    assert list(shares) == sorted(shares, reverse=True)
    assert shares[0] - shares[-1] <= step
    assert sum(share % step > 0 for share in shares) == (amount % step > 0), "only one has smaller change"


@given(contests=st.lists(CONTESTS, max_size=3), one_each=st.booleans(), step=STEPS)
def test_what_is_won_is_the_same_in_every_rounding_step(
    contests: list[Contest], one_each: bool, step: int
) -> None:
    def paid(step: int) -> dict[tuple[int, int], int]:
        found: dict[tuple[int, int], int] = {}
        for award in awards(contests, one_each=one_each, step=step):
            place = award.contest, award.first
            found[place] = found.get(place, 0) + award.amount
        return found

    assert paid(step) == paid(1)
    for award in awards(contests, one_each=one_each, step=step):
        covered = contests[award.contest].amounts[award.first - 1 : award.last]
        assert paid(step)[award.contest, award.first] == sum(covered)


@given(fund=AMOUNTS, percents=st.lists(st.integers(1, 100), min_size=1, max_size=8), step=STEPS)
def test_percentages_of_a_fund_add_up_to_their_part_of_it_in_whole_steps(
    fund: int, percents: list[int], step: int
) -> None:
    fund -= fund % step
    shares = percent_shares(fund, sorted(percents, reverse=True), step)
    assert all(share % step == 0 for share in shares)
    assert 0 <= fund * sum(percents) / 100 - sum(shares) < step
    assert list(shares) == sorted(shares, reverse=True)
    assert sum(percents) != 100 or sum(shares) == fund
