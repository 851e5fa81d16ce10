"""Matching of names that may belong to one person despite different spellings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.name_matching import MatchKind, NameIndex, NameMatch, find_longest_word, match_names, normalize_spelling
from web.names import fold_name, put_given_name_first

name_parts = st.text("abcdeéèôçÉÀ", min_size=1, max_size=6)
full_names = st.lists(name_parts, min_size=2, max_size=4).map(" ".join)


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
def test_spellings_of_one_name_are_equal(one: str, other: str) -> None:
    assert normalize_spelling(one) == normalize_spelling(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Martin Roy", "Roy Martin"), ("Lise St-Onge", "Lise Ste-Onge"), ("Jean Roy", "Jeanne Roy")],
)
def test_different_names_have_different_spellings(one: str, other: str) -> None:
    assert normalize_spelling(one) != normalize_spelling(other)


@given(full_names)
def test_spelling_ignores_case_spaces_and_hyphens(name: str) -> None:
    for written in (name.upper(), name.replace(" ", "  "), name.replace(" ", "-"), f" {name} "):
        assert normalize_spelling(written) == normalize_spelling(name)


@given(full_names, name_parts)
def test_surname_first_name_is_put_in_order(first: str, last: str) -> None:
    assert put_given_name_first(f"{last}, {first}") == f"{first} {last}"
    assert put_given_name_first(put_given_name_first(f"{last}, {first}")) == f"{first} {last}"


@given(st.lists(name_parts | st.sampled_from(["St", "Ste.", "Sainte", "Saint"]), min_size=1, max_size=4), name_parts)
def test_longest_word_is_found_in_every_equal_spelling(first: list[str], last: str) -> None:
    name = f"{' '.join(first)} {last}"
    for written in (
        name.upper(),
        name.replace(" ", "-"),
        f"{last}, {' '.join(first)}",
        name.replace("St ", "Saint "),
    ):
        assert normalize_spelling(written) != normalize_spelling(name) or find_longest_word(name) in fold_name(written)


@pytest.mark.slow
@given(st.text(max_size=80))
def test_any_text_has_a_spelling(text: str) -> None:
    assert isinstance(normalize_spelling(text), tuple)


@pytest.mark.long
@given(st.lists(full_names, max_size=12), st.lists(full_names, max_size=12))
def test_list_marks_each_unknown_spelling_as_new_once(known_names: list[str], listed: list[str]) -> None:
    lines = list(enumerate(listed, start=1))
    found = match_names(lines, NameIndex(enumerate(known_names)))
    assert list(found) == [line for line, _ in lines]
    new = [normalize_spelling(name) for line, name in lines if found[line].likeness == MatchKind.NEW]
    assert len(set(new)) == len(new)
    assert not {normalize_spelling(name) for name in known_names} & set(new)


@pytest.mark.long
@given(st.lists(full_names, max_size=12))
def test_repeated_list_has_no_new_names(listed: list[str]) -> None:
    lines = list(enumerate(listed, start=1))
    found = match_names(lines, NameIndex(lines))
    assert all(match.likeness != MatchKind.NEW for match in found.values())


def test_similar_names_report_whom_they_match() -> None:
    index = NameIndex([(7, "Jeannine Roy"), (8, "Paul Roy"), (9, "paul roy"), (10, "Martin Roy")])
    listed = ["Roy, Jeannine", "Paul Roy", "Roy Martin", "Lise Cyr", "LISE CYR", "Cyr Lise", "Anne Cyr"]
    assert match_names(enumerate(listed, start=2), index) == {
        2: NameMatch(likeness=MatchKind.KNOWN, person_ids=(7,)),
        3: NameMatch(likeness=MatchKind.UNCERTAIN, person_ids=(8, 9)),
        4: NameMatch(likeness=MatchKind.UNCERTAIN, person_ids=(10,)),
        5: NameMatch(likeness=MatchKind.NEW),
        6: NameMatch(likeness=MatchKind.DUPLICATE, earlier=5),
        7: NameMatch(likeness=MatchKind.UNCERTAIN, earlier=5),
        8: NameMatch(likeness=MatchKind.NEW),
    }


def test_index_pairs_names_of_the_same_words() -> None:
    index = NameIndex([(1, "Jeannine Roy"), (2, "Roy Jeannine"), (3, "Paul Roy")])
    assert list(index.pairs()) == [(1, 2)]
