"""Federations of clubs: codes alone identify people, and anyone can recompute totals from the feeds."""

from __future__ import annotations

import datetime
import doctest
from collections import defaultdict
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine.federations.identities
from engine.federations import (
    Feed,
    FeedMatch,
    FeedNight,
    FeedPerson,
    FeedPlace,
    build_statement,
    compute_federation_standings,
    derive_identity_key,
    format_code,
    group_people,
    read_code,
)
from engine.ladders import Ladder, LadderFigure
from engine.signed_logs import get_public_key
from engine.signed_logs.keys import create_signature, is_signed
from rules import Side

FIRST_DAY = datetime.date(2026, 9, 1)
LAST_DAY = FIRST_DAY + datetime.timedelta(days=6)
MAX_PEOPLE = 5


@st.composite
def feed_lists(draw: st.DrawFn) -> list[Feed]:
    """Generate up to four clubs with nights inside and outside of a week.

    Some of their people have no name, some carry one or more of three codes.
    """
    return [draw(feeds_of_club(f"feed{number}")) for number in range(draw(st.integers(1, 4)))]


@st.composite
def feeds_of_club(draw: st.DrawFn, called: str) -> Feed:
    ids = [f"{number}" for number in range(draw(st.integers(2, MAX_PEOPLE)))]
    people = {
        each: FeedPerson(
            id=each,
            name=draw(st.sampled_from(["Aline R.", "Aline R.", "Paul D.", ""])),
            codes=tuple(draw(st.sets(st.sampled_from("abc"), max_size=2))),
        )
        for each in ids
    }
    return Feed(
        id=called,
        number=1,
        published_at=datetime.datetime(2026, 11, 23, tzinfo=datetime.UTC),
        club=called,
        people=people,
        nights=tuple(draw(feed_nights(ids, number)) for number in range(draw(st.integers(0, 3)))),
        dates=(),
    )


@st.composite
def feed_nights(draw: st.DrawFn, ids: Sequence[str], number: int) -> FeedNight:
    seated = draw(st.permutations(ids))
    ranks = sorted(draw(st.lists(st.integers(1, 4), min_size=len(ids), max_size=len(ids))))
    return FeedNight(
        id=f"night{number}",
        name="Mardi",
        held_on=FIRST_DAY + datetime.timedelta(days=draw(st.integers(-3, 9))),
        page="",
        revision=1,
        log_line=None,
        places=tuple(
            FeedPlace(entry=place, rank=rank, people=(person,), figures={"match_wins": place})
            for place, (person, rank) in enumerate(zip(seated, ranks, strict=True), start=1)
        ),
        matches=(FeedMatch(sides=((seated[0],), (seated[1],)), winner=Side.A),),
    )


def group_by_codes(feeds: Sequence[Feed]) -> set[frozenset[tuple[str, str]]]:
    """Group people by codes in another way: merge the groups that share a code."""
    groups = [({(feed.id, person.id)}, set(person.codes)) for feed in feeds for person in feed.people.values()]
    found: list[tuple[set[tuple[str, str]], set[str]]] = []
    for members, codes in groups:
        touching = [each for each in found if each[1] & codes]
        found = [each for each in found if not each[1] & codes]
        found.append((members.union(*(each[0] for each in touching)), codes.union(*(each[1] for each in touching))))
    return {frozenset(members) for members, _ in found}


@pytest.mark.slow
@given(feed_lists())
def test_people_are_grouped_exactly_where_codes_link_them(feeds: list[Feed]) -> None:
    groups: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
    for member, first in group_people(feeds).items():
        groups[first].add(member)
    assert {frozenset(members) for members in groups.values()} == group_by_codes(feeds)


@pytest.mark.slow
@given(feed_lists(), st.sampled_from([LadderFigure.RANK_POINTS, LadderFigure.MATCH_WINS]))
def test_totals_can_be_recomputed_from_the_feeds(feeds: list[Feed], counts: LadderFigure) -> None:
    points = (10, 6, 3)
    first = group_people(feeds)
    named = {first[feed.id, each.id] for feed in feeds for each in feed.people.values() if each.name}
    expected: dict[tuple[str, str], int] = defaultdict(int)
    for feed in feeds:
        for night in feed.nights:
            gains: dict[tuple[str, str], list[int]] = defaultdict(list)
            for place in night.places if FIRST_DAY <= night.held_on <= LAST_DAY else ():
                gained = place.figures["match_wins"]
                if counts is LadderFigure.RANK_POINTS:
                    gained = points[place.rank - 1] if place.rank <= len(points) else 0
                gains[first[feed.id, place.people[0]]].append(gained)
            for member, of_night in gains.items():
                expected[member] += max(of_night) if counts is LadderFigure.RANK_POINTS else sum(of_night)
    ladder = Ladder(name="ladder", counts=counts, rank_points=points)
    found = compute_federation_standings(feeds, ladder, FIRST_DAY, LAST_DAY)
    assert sorted(line.total for line in found.ladder) == sorted(
        total for member, total in expected.items() if member in named
    )
    for line in found.ladder:
        assert line.total == sum(score.gained for score in line.scores if score.is_counted)


@pytest.mark.slow
@given(feed_lists())
def test_person_without_a_name_appears_in_no_list(feeds: list[Feed]) -> None:
    found = compute_federation_standings(
        feeds, Ladder(name="ladder", counts=LadderFigure.MATCH_WINS), FIRST_DAY, LAST_DAY
    )
    assert all(name for line in found.ladder for name in line.names)
    assert all(line.name for line in found.ratings)


@given(st.binary(min_size=8, max_size=8))
def test_person_code_is_read_however_it_is_typed(chance: bytes) -> None:
    code = format_code(chance)
    letters = code.replace("-", "")
    typed = code.lower().replace("0", "o").replace("1", "l").replace("-", " ")
    assert read_code(code) == read_code(typed) == letters


@pytest.mark.parametrize("typed", ["", "K7QM", "K7QM-4XZT-9PRAA", "K7QM-4XZT-9PR!", "K7QM-4XZT-9PRU"])
def test_invalid_person_code_is_rejected(typed: str) -> None:
    assert read_code(typed) is None


@pytest.mark.slow
def test_signature_of_one_club_does_not_verify_for_another() -> None:
    private = derive_identity_key("K7QM4XZT9PRA")
    stated = create_signature(build_statement(("one", "1")), private)
    assert is_signed(build_statement(("one", "1")), stated, get_public_key(private))
    assert not is_signed(build_statement(("other", "1")), stated, get_public_key(private))
    assert derive_identity_key("K7QM4XZT9PRB") != private


def test_module_doctest_examples_pass() -> None:
    assert doctest.testmod(engine.federations.identities).failed == 0
