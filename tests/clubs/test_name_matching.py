"""Names that may be those of one person, however they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.name_matching import (
    KnownNames,
    Likeness,
    NameMatch,
    longest_word,
    matches,
    spelling,
)
from web.names import fold_name, given_name_first

words = st.text("abcdeéèôçÉÀ", min_size=1, max_size=6)
full_names = st.lists(words, min_size=2, max_size=4).map(" ".join)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Édith Roy", "edith  ROY"),
        ("Roy, Jeannine", "Jeannine Roy"),
        ("Marie-Ève St-Pierre", "Marie Eve Saint-Pierre"),
        ("Lise Ste-Croix", "Lise Sainte Croix"),
        ("Paul St. Onge", "Paul Saint-Onge"),
        ("Luc D’Amours", "Luc D'Amours"),
    ],
)
def test_one_name_written_in_two_ways_is_one_spelling(one: str, other: str) -> None:
    assert spelling(one) == spelling(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Martin Roy", "Roy Martin"), ("Lise St-Onge", "Lise Ste-Onge"), ("Jean Roy", "Jeanne Roy")],
)
def test_two_names_are_two_spellings(one: str, other: str) -> None:
    assert spelling(one) != spelling(other)


@given(full_names)
def test_a_name_is_known_again_whatever_the_case_the_spaces_and_the_hyphens(name: str) -> None:
    for written in (name.upper(), name.replace(" ", "  "), name.replace(" ", "-"), f" {name} "):
        assert spelling(written) == spelling(name)


@given(full_names, words)
def test_a_name_with_the_surname_first_is_put_in_order(first: str, last: str) -> None:
    assert given_name_first(f"{last}, {first}") == f"{first} {last}"
    assert given_name_first(given_name_first(f"{last}, {first}")) == f"{first} {last}"


@given(st.lists(words | st.sampled_from(["St", "Ste.", "Sainte", "Saint"]), min_size=1, max_size=4), words)
def test_the_longest_word_of_a_name_stands_in_every_name_that_is_spelled_like_it(
    first: list[str], last: str
) -> None:
    name = f"{' '.join(first)} {last}"
    for written in (
        name.upper(),
        name.replace(" ", "-"),
        f"{last}, {' '.join(first)}",
        name.replace("St ", "Saint "),
    ):
        assert spelling(written) != spelling(name) or longest_word(name) in fold_name(written)


@given(st.text(max_size=80))
def test_any_text_whatever_has_a_spelling(text: str) -> None:
    assert isinstance(spelling(text), tuple)


@pytest.mark.slow
@given(st.lists(full_names, max_size=12), st.lists(full_names, max_size=12))
def test_of_a_list_each_spelling_is_new_once_and_only_if_nobody_has_it(
    known: list[str], listed: list[str]
) -> None:
    lines = list(enumerate(listed, start=1))
    found = matches(lines, KnownNames(enumerate(known)))
    assert list(found) == [line for line, _ in lines]
    new = [spelling(name) for line, name in lines if found[line].likeness == Likeness.NEW]
    assert len(set(new)) == len(new)
    assert not {spelling(name) for name in known} & set(new)


@given(st.lists(full_names, max_size=12))
def test_of_a_list_that_came_in_before_nobody_is_new(listed: list[str]) -> None:
    lines = list(enumerate(listed, start=1))
    found = matches(lines, KnownNames(lines))
    assert all(match.likeness != Likeness.NEW for match in found.values())


def test_who_is_like_somebody_is_told_whom() -> None:
    known = KnownNames([(7, "Jeannine Roy"), (8, "Paul Roy"), (9, "paul roy"), (10, "Martin Roy")])
    listed = ["Roy, Jeannine", "Paul Roy", "Roy Martin", "Lise Cyr", "LISE CYR", "Cyr Lise", "Anne Cyr"]
    assert matches(enumerate(listed, start=2), known) == {
        2: NameMatch(likeness=Likeness.THERE, known=(7,)),
        3: NameMatch(likeness=Likeness.PERHAPS, known=(8, 9)),
        4: NameMatch(likeness=Likeness.PERHAPS, known=(10,)),
        5: NameMatch(likeness=Likeness.NEW),
        6: NameMatch(likeness=Likeness.TWICE, earlier=5),
        7: NameMatch(likeness=Likeness.PERHAPS, earlier=5),
        8: NameMatch(likeness=Likeness.NEW),
    }


def test_pairs_are_those_of_the_same_words() -> None:
    known = KnownNames([(1, "Jeannine Roy"), (2, "Roy Jeannine"), (3, "Paul Roy")])
    assert list(known.pairs()) == [(1, 2)]
