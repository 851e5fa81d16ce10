"""Entry lists as clubs have them, from any program and with any way of writing names."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests.long_runs import choose_count
from tournaments.entries.entry_import.couples import Couple
from tournaments.entries.entry_import.text_list import read_entry_list
from tournaments.entries.entry_import.values import EntryList, unify_spellings
from tournaments.imports.entry_sheets import read_entry_sheet
from web.sheets.columns import Layout
from web.sheets.decoding import read_sheet_text

PAIR = ("Luc Roy", "Anne Dubé")
ROYS = ("Luc Roy", "Anne Roy")


def read(text: str, size: int = 2, layout: Layout | None = None) -> EntryList:
    return read_entry_sheet(text, file="list.csv", size=size, layout=layout)


def list_players(text: str, size: int = 2, layout: Layout | None = None) -> list[tuple[str, ...]]:
    listed = read(text, size, layout)
    assert listed.refusals == ()
    return [entry.players for entry in listed.entries]


@pytest.mark.parametrize(
    "text",
    [
        "Nom;Prénom;Nom;Prénom\nROY;Luc;DUBÉ;Anne\n",
        "Prénom 1;Nom 1;Prénom 2;Nom 2\nLuc;Roy;Anne;Dubé\n",
        "First name,Last name,First name,Last name\nLuc,Roy,Anne,Dubé\n",
        'Joueur 1;Joueur 2\n"ROY, Luc";"DUBÉ, Anne"\n',
        "Joueur 1;Joueur 2\nROY, Luc;DUBÉ, Anne\n",
        "Paire\nLuc Roy et Anne Dubé\n",
        "Paire;Cote\nROY, Luc et DUBÉ, Anne;1450\n",
        "Pair,Rating\nLuc Roy and Anne Dubé,1450\n",
        "Joueurs\tCote\nLuc Roy & Anne Dubé\t1450\n",
        "Joueur\nLuc Roy / Anne Dubé\n",
        "Joueur 1;Joueur 2\nLuc Roy et Anne Dubé;\n",
        "Luc Roy et Anne Dubé\n",
        "ROY, Luc et DUBÉ, Anne\n",
        "Luc Roy;Anne Dubé\n",
        '"ROY, Luc";"DUBÉ, Anne"\n',
        "1\tLuc Roy\tAnne Dubé\t1450\n",
        "Nom du joueur 1;Prénom du joueur 1;Nom du joueur 2;Prénom du joueur 2\nRoy;Luc;Dubé;Anne\n",
        "Prénom et nom du joueur;Prénom et nom du partenaire\nLuc Roy;Anne Dubé\n",
        "Partenaire 1;Partenaire 2\nLuc Roy;Anne Dubé\n",
        "Capitaine;Coéquipière\nLuc Roy;Anne Dubé\n",
        "First Name,Last Name,Partner First Name,Partner Last Name\nLuc,Roy,Anne,Dubé\n",
        "Noms et prénoms des joueurs\nLuc Roy et Anne Dubé\n",
        "Luc Roy et/ou Anne Dubé\n",
        "Luc Roy w/ Anne Dubé\n",
        "Joueur 1;Joueur 2\nLuc Roy;Anne Dubé\nJoueur 1;Joueur 2\n",
        "Player 1;Player 2;Note\nJoueur 1;Joueur 2;\nLuc Roy;Anne Dubé;\n",
        "Nom;Prénom;Nom;Prénom;Note\nNom;Prénom;Nom;Prénom;Note\nROY;Luc;DUBÉ;Anne;\n",
    ],
)
def test_pair_is_read_from_one_two_or_four_columns(text: str) -> None:
    assert list_players(text) == [PAIR]


@pytest.mark.parametrize(
    "text",
    [
        "Nom;Prénom\nROY;Luc\n",
        "Prénom,Nom\nLuc,Roy\n",
        "Nom,,\nLuc Roy,,\n",
        "Nom\nROY, Luc\n",
        "ROY, Luc\n",
        '"ROY, Luc";\n',
    ],
)
def test_player_is_read_from_one_or_two_columns(text: str) -> None:
    assert list_players(text, size=1) == [("Luc Roy",)]


@pytest.mark.parametrize(
    ("line", "team"),
    [
        ("ROY, Luc et DUBÉ, Anne", ""),
        ("ROY, Luc / DUBÉ, Anne, Matane", "Matane"),
        ("ROY, Luc, DUBÉ, Anne", ""),
        ("Luc Roy, Anne Dubé, Matane", "Matane"),
        ("1 Luc Roy, Anne Dubé", ""),
        ("#12\u00a0Luc Roy et Anne Dubé", ""),
        ("N° 3 Luc Roy et Anne Dubé", ""),
        ("Paire 4 : Luc Roy et Anne Dubé", ""),
        ("2° Luc Roy et Anne Dubé", ""),
        ("Nom\tPartenaire\tClub\nLuc Roy\tAnne Dubé\tMatane", "Matane"),
    ],
)
def test_typed_line_may_start_with_the_surname_or_a_number(line: str, team: str) -> None:
    (entry,) = read_entry_list(line, size=2).entries
    assert (entry.players, entry.team) == (PAIR, team)


@pytest.mark.parametrize(
    ("line", "player", "team"),
    [
        ("Roy, Luc", "Luc Roy", ""),
        ("Le Blanc, Luc", "Luc Le Blanc", ""),
        ("De la Tour, Anne, Matane", "Anne De la Tour", "Matane"),
        ("Luc Roy, Matane", "Luc Roy", "Matane"),
    ],
)
def test_surname_of_several_words_is_told_from_a_team(line: str, player: str, team: str) -> None:
    (entry,) = read_entry_list(line, size=1).entries
    assert (entry.players, entry.team) == ((player,), team)


@pytest.mark.parametrize(
    ("written", "rating"),
    [
        ("1512,5", 1513),
        ("1512.49", 1512),
        ("1 450", 1450),
        ("1\u00a0450", 1450),
        ("1\u202f450,0", 1450),
        ("1,450", 1450),
        ("1.450", 1450),
        ("1'450", 1450),
        ("0", 0),
        ("-", None),
        ("\u2014", None),
        ("N/A", None),
        ("n/d", None),
        ("Nil", None),
    ],
)
def test_rating_is_read_in_any_number_format(written: str, rating: int | None) -> None:
    (entry,) = read(f"Joueur 1\tJoueur 2\tCote\nLuc Roy\tAnne Dubé\t{written}\n").entries
    assert entry.rating == rating


@pytest.mark.parametrize(
    "partner",
    [
        *(
            "à venir",
            "À CONFIRMER",
            "T.B.D.",
            "?",
            "—",
            "N/A",
            "n/d",
            "xxx",
            "partenaire",
            "sans partenaire",
            "sa femme",
        ),
        *("(inconnue)", "to be announced"),
    ],
)
def test_unknown_partner_never_becomes_a_person(partner: str) -> None:
    headings = "Joueur 1;Joueur 2"
    for text in (f"Luc Roy et {partner}", f"Luc Roy, {partner}", f"Luc & {partner}", f"{headings}\nLuc Roy;{partner}"):
        listed = read(text)
        assert (listed.entries, len(listed.refusals)) == ((), 1), text
    (alone,) = read(f"{headings};État\nLuc Roy;{partner};Cherche partenaire\n").entries
    assert (alone.players, alone.is_waiting) == (("Luc Roy",), True)


@pytest.mark.parametrize("partner", ["Le Na", "Na Le", "Ami Le", "Anne Seul"])
def test_short_names_are_people(partner: str) -> None:
    (entry,) = read(f"Luc Roy et {partner}").entries
    assert entry.players == ("Luc Roy", partner)


@pytest.mark.parametrize("written", ["-5", "1e3", "12 34", "10000", "1,2,3", "²", "fort"])
def test_invalid_rating_is_refused_at_its_column(written: str) -> None:
    (refusal,) = read(f"Joueur 1\tJoueur 2\tCote\nLuc Roy\tAnne Dubé\t{written}\n").refusals
    assert (refusal.code, refusal.details["heading"]) == ("rating_out_of_range", "Cote")


@pytest.mark.parametrize(
    ("text", "code", "field"),
    [
        ("Paire\nLuc Roy et Anne Dubé\nGuy Roy\n", "one_name_missing", "players"),
        ("Paire\nLuc Roy et Anne Dubé et Guy Roy\n", "too_many_names", "players"),
        ("Joueur 1;Joueur 2;Table fixe\nLuc Roy;Anne Dubé;x\n", "no_table_of_that_number", "table"),
        ("Joueur 1;Joueur 2;Absence aux rondes\nLuc Roy;Anne Dubé;100\n", "round_out_of_range", "absent"),
        ("ROY;Luc;DUBÉ;Anne\n", "column_missing", "player_1"),
        ("Membre;Partenaire de jeu\nLuc Roy;Anne Dubé\n", "column_missing", "player_1"),
        ("Nom complet des joueurs;Nom des partenaires au club\nLuc Roy;Anne Dubé\n", "column_missing", "player_1"),
    ],
)
def test_unreadable_cell_is_refused_at_its_column(text: str, code: str, field: str) -> None:
    (refusal,) = read(text).refusals
    assert (refusal.code, refusal.field) == (code, field)


@pytest.mark.parametrize("hyphen", "\u2010\u2011\u2012\u2013\u2212")
def test_typographic_hyphens_and_apostrophes_become_plain(hyphen: str) -> None:
    text = f"Joueur 1;Joueur 2\nJean{hyphen}Paul Roy;Luc O\u2019Neil\n"
    assert list_players(text) == [("Jean-Paul Roy", "Luc O'Neil")]
    assert list_players(f"Jean{hyphen}Paul Roy {hyphen} Luc O\u00b4Neil") == [("Jean-Paul Roy", "Luc O'Neil")]


def test_spellings_of_one_club_are_unified_in_the_preview() -> None:
    clubs = ("Luc A;Ève A;Baie-Comeau", "Luc B;Ève B;BAIE\u2011COMEAU", "Luc C;Ève C;baie comeau")
    text = "\n".join(["Joueur 1;Joueur 2;Club", *clubs])
    listed = unify_spellings(read(text), ())
    assert {entry.team for entry in listed.entries} == {"Baie-Comeau"}
    assert [spelling for spelling, _ in listed.merged] == ["BAIE\u2011COMEAU", "baie comeau"]


def test_assigned_columns_are_read_as_chosen() -> None:
    text = "Membre;Ville;Partenaire de jeu;Force\nROY, Luc;Matane;Anne Dubé;1 450\n"
    layout = Layout(fields=("player_1", "team", "player_2", "rating"))
    (entry,) = read(text, layout=layout).entries
    assert (entry.players, entry.team, entry.rating) == (PAIR, "Matane", 1450)
    without = Layout(fields=("last_1", "first_1", "last_2", "first_2"), has_headings=False)
    assert list_players("ROY;Luc;DUBÉ;Anne\n", layout=without) == [PAIR]


name_parts = st.text("abéèçôRÉœ'-", min_size=2, max_size=6).filter(lambda word: any(map(str.isalpha, word)))
full_names = st.tuples(name_parts, name_parts).map(" ".join)


@pytest.mark.slow
@hypothesis_settings(max_examples=choose_count(25, long=750))
@given(
    pairs=st.lists(
        st.tuples(full_names, full_names),
        min_size=1,
        max_size=5,
        unique_by=(lambda one: one[0], lambda one: one[1]),
    ),
    delimiter=st.sampled_from(",;\t"),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le", "utf-16-be"]),
    are_quoted=st.booleans(),
    newline=st.sampled_from(["\n", "\r\n"]),
)
def test_list_reads_the_same_in_any_encoding_and_delimiter(
    pairs: list[tuple[str, str]], delimiter: str, encoding: str, are_quoted: bool, newline: str
) -> None:
    file = io.StringIO()
    writer = csv.writer(
        file,
        delimiter=delimiter,
        quoting=csv.QUOTE_ALL if are_quoted else csv.QUOTE_MINIMAL,
        lineterminator=newline,
    )
    writer.writerows([("Joueur 1", "Joueur 2"), *pairs])
    content = file.getvalue().encode(encoding)
    expected = read("\n".join(["Joueur 1;Joueur 2", *(";".join(pair) for pair in pairs)]))
    found = read(read_sheet_text(content, file="list.csv"))
    assert [one.players for one in found.entries] == [one.players for one in expected.entries]
    assert [one.code for one in found.refusals] == [one.code for one in expected.refusals]


@pytest.mark.parametrize(
    ("text", "typed", "shared"),
    [
        ("Luc et Anne Roy", ("Luc", "Anne Roy"), ROYS),
        ("Luc & Anne Roy, Matane", ("Luc", "Anne Roy"), ROYS),
        ("Anne and Luc Roy", ("Anne", "Luc Roy"), ROYS[::-1]),
        ("Luc Roy et Anne", ("Luc Roy", "Anne"), ROYS),
        ("Paire;Cote\nLuc et Anne Roy;1450", ("Luc", "Anne Roy"), ROYS),
        ("Luc (père) et Anne Roy", ("Luc (père)", "Anne Roy"), ("Luc Roy (père)", "Anne Roy")),
        ("Luc et Anne de la Tour", ("Luc", "Anne de la Tour"), ("Luc de la Tour", "Anne de la Tour")),
        ("ROY, Luc et Anne", ("Luc Roy", "Anne"), ROYS),
        ("Roy, Luc / Anne", ("Luc Roy", "Anne"), ROYS),
        ("12. ROY, Luc et Anne, Matane", ("Luc Roy", "Anne"), ROYS),
        ("La Tour, Luc et Anne", ("Luc La Tour", "Anne"), ("Luc La Tour", "Anne La Tour")),
        ("ROY Luc et Anne", ("Luc Roy", "Anne"), ROYS),
        ("Paire\nROY, Luc et Anne", ("Luc Roy", "Anne"), ROYS),
        ("Nom;Prénom\nRoy;Luc et Anne", ("Luc", "Anne Roy"), ROYS),
        ("Nom de famille;Prénom\nROY;Luc & Anne", ("Luc", "Anne Roy"), ROYS),
        ("Luc et Marie Anne Roy père", ("Luc", "Marie Anne Roy père"), ("Luc Roy", "Marie Anne Roy père")),
    ],
)
def test_couple_may_share_the_only_surname(text: str, typed: tuple[str, ...], shared: tuple[str, ...]) -> None:
    (as_typed,) = read(text).entries
    assert (as_typed.players, as_typed.couple) == (typed, Couple(line=as_typed.line, typed=typed, shared=shared))
    (entry,) = read_entry_sheet(text, file="list.csv", size=2, as_typed=()).entries
    assert (entry.players, entry.couple) == (shared, as_typed.couple)


@pytest.mark.parametrize(
    "text",
    [
        *("Luc Roy et Anne Dubé", "Luc et Anne", "Roy et Anne Roy", "Joueur 1;Joueur 2\nLuc Roy;Anne Roy"),
        *("Luc et Jean père", "Jean père et Anne Roy", f"Maximilien et Eve {71 * 'A'}"),
    ],
)
def test_no_surname_is_added_to_two_full_names_or_none(text: str) -> None:
    (entry,) = read_entry_sheet(text, file="list.csv", size=2, as_typed=()).entries
    assert entry.couple is None


@pytest.mark.parametrize(
    ("pair", "name", "code"), [("Guy;Ève 2", "Ève 2", "strange_character"), ("Luc Roy;?", "?", "nobody_named")]
)
def test_couple_without_a_name_or_surname_is_refused_as_typed(pair: str, name: str, code: str) -> None:
    entries = read_entry_sheet(f"Joueur 1;Joueur 2\n{pair}\n", file="list.csv", size=2, as_typed=())
    assert [(each.code, each.details["name"]) for each in entries.refusals] == [(code, name)]


def test_couples_with_the_same_given_name_are_two_pairs() -> None:
    entries = read_entry_sheet("Luc et Anne Roy\nLuc et Lise Cyr\n", file="list.csv", size=2, as_typed=())
    assert [entry.players for entry in entries.entries] == [ROYS, ("Luc Cyr", "Lise Cyr")]
    assert entries.refusals == ()
