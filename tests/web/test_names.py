"""Comparison, cleaning and shortening of names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web import names

NBSP = "\u00a0"


@pytest.mark.parametrize(
    "written",
    ["Édith Roy", "edith roy", "ÉDITH  ROY", " E\u0301dith Roy", "édith\u00a0roy"],
)
def test_spellings_of_one_name_fold_equally(written: str) -> None:
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
def test_ligature_folds_to_its_two_letters(joined: str, apart: str) -> None:
    assert names.fold_name(joined) == names.fold_name(apart) == apart


@pytest.mark.parametrize("sign", names.ASCII_PUNCTUATION)
def test_typographic_hyphens_and_apostrophes_are_normalized(sign: str) -> None:
    written, ascii_name = f"Jean{sign}Paul Roy", f"Jean{names.ASCII_PUNCTUATION[sign]}Paul Roy"
    assert names.find_invalid_character(written) is None
    assert names.clean_name(written) == ascii_name
    assert names.fold_name(written) == names.fold_name(ascii_name)


def test_club_spellings_are_unified() -> None:
    written = ["Les Joyeux-Aînés", "LES JOYEUX AINES", "les  joyeux\u2011aînés "]
    assert names.unify_spellings(written) == {"les joyeux aines": "Les Joyeux-Aînés"}
    assert names.get_group_key("-") == "-"


@given(st.text(max_size=names.NAME_LENGTH))
def test_folded_name_fits_its_column(name: str) -> None:
    assert len(names.fold_name(name)) <= names.FOLDED_LENGTH


@given(st.text())
def test_cleaning_a_name_is_idempotent(name: str) -> None:
    cleaned = names.clean_text(name)
    assert names.clean_text(cleaned) == cleaned
    assert cleaned.encode().decode() == cleaned
    assert "\x00" not in cleaned


@pytest.mark.parametrize(
    ("name", "surname"),
    [
        ("Luc Le Blanc", "Le Blanc"),
        ("Anne De La Tour père", "De La Tour"),
        ("Le Na", "Na"),
        ("Guy Roy (de Metis)", "Roy"),
    ],
)
def test_surname_has_its_particles(name: str, surname: str) -> None:
    assert names.get_surname(name) == surname
    assert names.format_initial_surname(name) == f"{name[0]}.{NBSP}{surname}"


@given(st.text())
def test_any_name_can_be_shortened(name: str) -> None:
    cleaned_name = names.clean_text(name)
    assert isinstance(names.format_first_name_initial(cleaned_name), str)
    assert len(names.shorten_names([cleaned_name, cleaned_name])) == 2


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
def test_invalid_character_in_a_name_is_found(name: str, strange: str | None) -> None:
    assert names.find_invalid_character(name) == strange


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
def test_pictogram_in_a_title_is_found(name: str, picture: str | None) -> None:
    assert names.find_pictogram(names.clean_title(name)) == picture


def test_card_suits_lose_their_emoji_variant() -> None:
    assert names.validate_title("Cœurs ♥\ufe0f", field="name") == "Cœurs ♥"


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
        ("Luc Le Blanc", f"Luc{NBSP}L."),
        ("Ami Le", f"Ami{NBSP}L."),
        ("Cher", "Cher"),
        ("Cher (Matane)", "Cher"),
        ("Anonyme 12", "Anonyme 12"),
    ],
)
def test_public_name_is_first_name_and_initial(name: str, shown: str) -> None:
    assert names.format_first_name_initial(name) == shown


@pytest.mark.parametrize(
    ("pair", "shown"),
    [
        (("Jeannine Roy", "Marcel Dubé"), ["Roy", "Dubé"]),
        (("Jeannine Roy", "Marcel Roy"), [f"J.{NBSP}Roy", f"M.{NBSP}Roy"]),
        (("Anne Roy", "Marie-Anne Roy"), [f"A.{NBSP}Roy", f"M.\u2011A.{NBSP}Roy"]),
        (("Jean-Guy Roy", "Jean-Yves Roy"), [f"J.\u2011G.{NBSP}Roy", f"J.\u2011Y.{NBSP}Roy"]),
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
def test_shortened_pair_names_stay_distinct(pair: tuple[str, str], shown: list[str]) -> None:
    assert names.shorten_names(pair) == shown


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
def test_leading_surname_moves_behind_the_given_name(written: str, turned: str) -> None:
    assert names.put_given_name_first(written) == turned
