"""Names compared, cleaned and shortened."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web import names

NBSP = "\u00a0"


@pytest.mark.parametrize(
    "written",
    ["Édith Roy", "edith roy", "ÉDITH  ROY", " E\u0301dith Roy", "édith\u00a0roy"],
)
def test_one_name_written_in_many_ways_is_one_name(written: str) -> None:
    assert names.fold_name(written) == "edith roy"


@pytest.mark.parametrize(
    ("joined", "apart"),
    [
        ("Sœur CŒUR", "soeur coeur"),
        ("Lætitia Ægidia", "laetitia aegidia"),
        ("Ǽlfric", "aelfric"),
        ("Weiß", "weiss"),
    ],
)
def test_a_ligature_is_the_two_letters_that_stand_in_it(joined: str, apart: str) -> None:
    assert names.fold_name(joined) == names.fold_name(apart) == apart


@pytest.mark.parametrize("sign", names.SIGNS)
def test_the_hyphens_and_apostrophes_of_word_and_pdf_are_the_plain_ones(sign: str) -> None:
    written, plain = f"Jean{sign}Paul Roy", f"Jean{names.SIGNS[sign]}Paul Roy"
    assert names.strange_character(written) is None
    assert names.clean_name(written) == plain
    assert names.fold_name(written) == names.fold_name(plain)


def test_a_club_is_one_whatever_its_case_spaces_accents_and_hyphens() -> None:
    written = ["Les Joyeux-Aînés", "LES JOYEUX AINES", "les  joyeux\u2011aînés "]
    assert names.one_spelling(written) == {"les joyeux aines": "Les Joyeux-Aînés"}
    assert names.group_key("-") == "-"


@given(st.text(max_size=names.NAME_LENGTH))
def test_a_name_is_compared_by_as_many_letters_as_are_kept(name: str) -> None:
    assert len(names.fold_name(name)) <= names.FOLDED_LENGTH


@given(st.text())
def test_a_cleaned_name_stays_as_it_is(name: str) -> None:
    cleaned = names.clean_text(name)
    assert names.clean_text(cleaned) == cleaned
    assert cleaned.encode().decode() == cleaned
    assert "\x00" not in cleaned


@given(st.text())
def test_any_name_whatever_can_be_shortened(name: str) -> None:
    kept = names.clean_text(name)
    assert isinstance(names.first_name_and_initial(kept), str)
    assert len(names.short_names([kept, kept])) == 2


@pytest.mark.parametrize(
    ("name", "strange"),
    [
        ("Jean-Guy St-Pierre", None),
        ("Anne O'Neill", None),
        ("Anne O’Neill", None),
        ("Jean Roy (père)", None),
        ("J. Roy", None),
        ("李雷", None),
        ("Lise 2", "2"),
        ("Lise 🎉", "🎉"),
        ("Lise?", "?"),
        ("-", "-"),
        ("...", "."),
    ],
)
def test_a_name_has_letters_and_little_else(name: str, strange: str | None) -> None:
    assert names.strange_character(name) == strange


@pytest.mark.parametrize(
    ("name", "picture"),
    [
        ("Tournoi n° 3 ♥ & amis", None),
        ("Les As ★ 500™", None),
        ("ᐃᓄᒃ 中 Ж", None),
        ("Soirée 🎉", "🎉"),
        ("Club ⚽", "⚽"),
        ("👩‍🦰 Femmes", "👩"),
        ("🇨🇦", "🇨"),
        ("3️⃣", "⃣"),
        ("mojibake \ufffd", "\ufffd"),
    ],
)
def test_names_of_anything_have_no_emoji(name: str, picture: str | None) -> None:
    assert names.pictogram(names.clean_title(name)) == picture


def test_suits_typed_on_a_phone_are_plain() -> None:
    assert names.checked_title("Cœurs ♥\ufe0f", field="name") == "Cœurs ♥"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Jeannine Roy", f"Jeannine{NBSP}R."),
        ("Jean-Guy St-Pierre", f"Jean-Guy{NBSP}S."),
        ("Marie Anne Roy", f"Marie{NBSP}R."),
        ("Jean Roy (père)", f"Jean{NBSP}R."),
        ("Jean Roy père", f"Jean{NBSP}R."),
        ("Jean Roy Jr.", f"Jean{NBSP}R."),
        ("Lise d'Amours", f"Lise{NBSP}D."),
        ("Lise d’Amours", f"Lise{NBSP}D."),
        ("Cher", "Cher"),
        ("Cher (Matane)", "Cher"),
        ("Anonyme 12", "Anonyme 12"),
    ],
)
def test_the_public_sees_a_first_name_and_an_initial(name: str, shown: str) -> None:
    assert names.first_name_and_initial(name) == shown


@pytest.mark.parametrize(
    ("pair", "shown"),
    [
        (("Jeannine Roy", "Marcel Dubé"), ["Roy", "Dubé"]),
        (("Jeannine Roy", "Marcel Roy"), [f"J.{NBSP}Roy", f"M.{NBSP}Roy"]),
        (("Anne Roy", "Marie-Anne Roy"), [f"A.{NBSP}Roy", f"M.-A.{NBSP}Roy"]),
        (("Jean-Guy Roy", "Jean-Yves Roy"), [f"J.-G.{NBSP}Roy", f"J.-Y.{NBSP}Roy"]),
        (("Jean Roy", "Jeanne Roy"), ["Jean Roy", "Jeanne Roy"]),
        (("Jean Roy (père)", "Jean Roy (fils)"), ["Jean Roy (père)", "Jean Roy (fils)"]),
        (("Jean Roy père", "Jean Roy fils"), ["Jean Roy père", "Jean Roy fils"]),
        (("Jean Roy fils", "Lise Côté"), ["Roy", "Côté"]),
        (("Anne Émond", "Paul EMOND"), [f"A.{NBSP}Émond", f"P.{NBSP}EMOND"]),
        (("Cher", "Sonny Bono"), ["Cher", "Bono"]),
        (("Anonyme 1", "Jeannine Roy"), ["Anonyme 1", "Roy"]),
        (("Anonyme 1", "Anonyme 2"), ["Anonyme 1", "Anonyme 2"]),
    ],
)
def test_a_pair_is_told_apart_by_as_little_as_it_takes(pair: tuple[str, str], shown: list[str]) -> None:
    assert names.short_names(pair) == shown


@pytest.mark.parametrize(
    ("written", "turned"),
    [
        ("MARTIN Luc", "Luc MARTIN"),
        ("LE BLANC Marie-Ève", "Marie-Ève LE BLANC"),
        ("D'AMOURS Lise", "Lise D'AMOURS"),
        ("ROY Luc (Matane)", "Luc ROY (Matane)"),
        ("Roy, Luc", "Luc Roy"),
        ("Roy, Luc (père)", "Luc Roy (père)"),
        ("JP Roy", "JP Roy"),
        ("J. Roy", "J. Roy"),
        ("LUC ROY", "LUC ROY"),
    ],
)
def test_a_surname_at_the_beginning_goes_behind_the_given_name(written: str, turned: str) -> None:
    assert names.given_name_first(written) == turned
