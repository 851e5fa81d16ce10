"""Entries are typed, pasted, imported from a file or picked from the club's people, and removed."""

from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Person
from errors import Refusal
from rules import TWO_PLAYER
from tests.builders import (
    build_account,
    build_club,
    build_event,
    build_running_night,
    get_refusal,
    get_refusal_code,
    play_round,
    start_next_round,
)
from tournaments.entries.entry_import.values import ListedEntry
from tournaments.entries.queries.known_people import build_offered_person, list_known_people
from tournaments.entries.queries.name_matches import list_namesakes
from tournaments.entries.services.entries import (
    add_entries,
    add_entry,
    add_known_people,
    admit_entry,
    enter_people,
    remove_entry,
)
from tournaments.entries.services.entry_actions import adjust_entry, withdraw_entry
from tournaments.entries.services.entry_import import add_entry_list
from tournaments.entries.services.sign_up import change_sign_up
from tournaments.events.presenters.names import build_full_entry_formatter
from tournaments.events.services.lifecycle import start_event
from tournaments.history.services.undo import undo_action
from tournaments.imports.services.entry_sheets import add_entry_sheet
from tournaments.models import Action, Entry, Event
from web.sheets.decoding import read_sheet_text

pytestmark = pytest.mark.django_db


def list_entries(event: Event) -> list[tuple[int, str]]:
    return [(entry.number, str(entry)) for entry in event.entries.all()]


def paste_entries(event: Event, *lines: str) -> list[Entry]:
    return add_entry_list(event_id=event.pk, text="\n".join(lines)).entries


def list_bad_lines(refusal: Refusal) -> list[tuple[int, str]]:
    """Return the line and code of every refusal in a refused list."""
    return [(each.details["line"], each.code) for each in refusal.details["refusals"]]


def make_word(number: int) -> str:
    """Return a distinct word for every number, because names have no digits."""
    return "".join(chr(ord("a") + int(digit)) for digit in f"{number:03}")


class TestPastedList:
    @pytest.mark.long
    def test_pasted_list_has_one_pair_per_line(self) -> None:
        event = build_event(pairs=0)
        paste_entries(
            event, "Jeannine Roy et Marcel Dubé", "", "  Ghislaine Cyr / Normand  Ouellet ", "A. Roy & B. Roy"
        )
        assert list_entries(event) == [
            (1, "Jeannine Roy / Marcel Dubé"),
            (2, "Ghislaine Cyr / Normand Ouellet"),
            (3, "A. Roy / B. Roy"),
        ]

    def test_pasted_list_is_appended_to_existing_entries(self) -> None:
        event = build_event(pairs=0)
        paste_entries(event, "Jeannine Roy et Marcel Dubé")
        paste_entries(event, "Ghislaine Cyr et Normand Ouellet")
        assert [entry.number for entry in event.entries.all()] == [1, 2]

    def test_singles_list_has_one_person_per_line(self) -> None:
        event = build_event(pairs=0, ruleset=TWO_PLAYER)
        paste_entries(event, "Jeannine Roy", "Marcel Dubé")
        assert list_entries(event) == [(1, "Jeannine Roy"), (2, "Marcel Dubé")]

    @pytest.mark.long
    def test_pasted_list_recognizes_people_despite_spelling(self) -> None:
        club = build_club()
        paste_entries(build_event(pairs=0, club=club), "Édith Roy et Marcel Dubé")
        paste_entries(build_event(pairs=0, club=club), "edith  ROY et Normand Ouellet")
        assert sorted(Person.objects.values_list("name", flat=True)) == [
            "Marcel Dubé",
            "Normand Ouellet",
            "Édith Roy",
        ]

    def test_empty_pasted_list_is_refused(self) -> None:
        for text in ("", " \n\t\n"):
            assert get_refusal_code(add_entry_list, event_id=build_event(pairs=0).pk, text=text) == "list_empty"

    def test_team_after_a_comma_makes_its_people_guests(self) -> None:
        event = build_event(pairs=0)
        paste_entries(
            event,
            "Jeannine Roy et Marcel Dubé, Matane",
            "Ghislaine Cyr, Normand Ouellet, Club 50+ / Rimouski",
            "Anne Roy & Rita Roy",
            f"Lise Côté / Paul Côté; {event.club.name}",
        )
        teams = ["Matane", "Club 50+ / Rimouski", "", event.club.name]
        assert [entry.team for entry in event.entries.all()] == teams
        assert sorted(event.club.people.filter(is_guest=True).values_list("name", flat=True)) == [
            "Ghislaine Cyr",
            "Jeannine Roy",
            "Marcel Dubé",
            "Normand Ouellet",
        ]

    def test_line_numbers_and_bullets_are_ignored(self) -> None:
        event = build_event(pairs=0)
        listed = ("1. Jeannine Roy et Marcel Dubé", "12) Lise Cyr, Yvon Cyr", "3\tAnne Roy\tRita Roy")
        paste_entries(event, *listed, "- Paul Morin et Guy Morin", "• Luc Hudon et Ève Hudon, Matane")
        assert [str(entry) for entry in event.entries.all()] == [
            *("Jeannine Roy / Marcel Dubé", "Lise Cyr / Yvon Cyr", "Anne Roy / Rita Roy"),
            *("Paul Morin / Guy Morin", "Luc Hudon / Ève Hudon"),
        ]
        assert list_bad_lines(get_refusal(paste_entries, event, "12345 et 678")) == [(1, "strange_character")]

    def test_typographic_hyphens_and_apostrophes_are_normalized(self) -> None:
        event = build_event(pairs=0)
        paste_entries(event, "Jean\u2011Paul Roy – Guy O\u2019Neill")
        assert str(event.entries.get()) == "Jean-Paul Roy / Guy O'Neill"
        refusal = get_refusal(paste_entries, event, "Anne Cyr et Jean\u2013Paul Roy")
        assert list_bad_lines(refusal) == [(1, "entered_twice")]

    def test_singles_list_distinguishes_a_team_from_inverted_names(self) -> None:
        event = build_event(pairs=0, ruleset=TWO_PLAYER)
        paste_entries(event, "Jeannine Roy, Matane")
        assert (str(event.entries.get()), event.entries.get().team) == ("Jeannine Roy", "Matane")
        (turned, of_a_club) = paste_entries(event, "DE GRÂCE, Luc", "Dubé, Marcel, Matane")
        assert (str(turned), turned.team) == ("Luc De Grâce", "")
        assert (str(of_a_club), of_a_club.team) == ("Marcel Dubé", "Matane")

    def test_one_bad_line_does_not_block_the_others(self) -> None:
        event = build_event(pairs=0)
        lines = [f"Anne {make_word(number)} et Paul {make_word(number)}" for number in range(25)]
        lines[12] = "Lise Côté"
        added = add_entry_list(event_id=event.pk, text="\n".join(lines))
        assert (len(added.entries), set(added.refused_lines)) == (24, {13})
        assert event.entries.count() == 24
        assert not Person.objects.filter(name="Lise Côté").exists()

    def test_resent_list_reports_the_same_bad_lines_and_adds_once(self) -> None:
        event, by = build_event(pairs=0), Actor(key=uuid4())
        text = "Jeannine Roy et Marcel Dubé\nLise Côté"
        first, again = (add_entry_list(event_id=event.pk, text=text, by=by) for _ in range(2))
        assert first == again
        assert event.entries.count() == 1

    def test_list_of_bad_lines_reports_every_line_and_adds_nothing(self) -> None:
        event = build_event(pairs=0)
        paste_entries(event, "Jeannine Roy et Marcel Dubé")
        refusal = get_refusal(
            paste_entries,
            event,
            "",
            "Ghislaine Cyr",
            "",
            "Lise Côté / Paul Côté / Anne Côté",
            "Rita 🎉 Albert et Yvon Albert",
            "Jeannine ROY et Omer Paradis",
            f"{'x' * 81} et Marie Roy",
            f"Lise Côté et Paul Côté, {'x' * 81}",
        )
        assert refusal.code == "list_refused"
        assert list_bad_lines(refusal) == [
            (2, "one_name_missing"),
            (4, "too_many_names"),
            (5, "strange_character"),
            (6, "entered_twice"),
            (7, "name_too_long"),
            (8, "team_too_long"),
        ]
        assert Entry.objects.count() == 1
        assert Person.objects.count() == 2

    def test_pasted_list_refuses_a_person_already_entered(self) -> None:
        event = build_event(pairs=0)
        paste_entries(event, "Jeannine Roy et Marcel Dubé")
        refusal = get_refusal(paste_entries, event, "Lise Côté et marcel dube")
        assert list_bad_lines(refusal) == [(1, "entered_twice")]
        assert event.entries.count() == 1

    @pytest.mark.parametrize("line", ["Lise Côté et Lise Côté", "Lise Côté et lise  cote"])
    def test_pasted_list_refuses_a_person_as_own_partner(self, line: str) -> None:
        assert list_bad_lines(get_refusal(paste_entries, build_event(pairs=0), line)) == [(1, "same_name_twice")]

    def test_invisible_characters_are_ignored(self) -> None:
        event = build_event(pairs=0)
        paste_entries(event, "\ufeffLise\u00a0Côté et Paul\u200b Côté\x00")
        assert list_entries(event) == [(1, "Lise Côté / Paul Côté")]

    @pytest.mark.long
    def test_long_list_refuses_only_its_bad_lines(self) -> None:
        event = build_event(pairs=0)
        lines = [f"Anne {make_word(number)} et Paul {make_word(number)}" for number in range(150)]
        lines[20] = ""
        lines[40] = lines[39]
        lines[60] = "😀"
        lines[80] = "Anne"
        added = add_entry_list(event_id=event.pk, text="\n".join(lines))
        assert (len(added.entries), set(added.refused_lines)) == (146, {41, 61, 81})
        assert Person.objects.count() == 2 * 146

    @pytest.mark.slow
    def test_list_of_300_names_is_added_completely(self) -> None:
        event = build_event(pairs=0)
        paste_entries(event, *(f"Anne {make_word(number)} et Paul {make_word(number)}" for number in range(150)))
        assert event.entries.count() == 150
        assert Person.objects.count() == 300

    def test_overlong_list_is_refused(self) -> None:
        refusal = get_refusal(paste_entries, build_event(pairs=0), *["Lise Côté et Paul Côté"] * 5_001)
        assert [each.code for each in refusal.details["refusals"]] == ["list_too_long"]

    def test_name_that_expands_beyond_its_column_is_accepted(self) -> None:
        event = build_event(pairs=0)
        paste_entries(event, f"{'ﷺ' * 80} et Paul Côté")
        assert event.entries.count() == 1


def import_entries(event: Event, text: str) -> list[Entry]:
    return add_entry_sheet(event_id=event.pk, text=text, file="list.csv").entries


def list_bad_cells(refusal: Refusal) -> list[tuple[int, str | None, str]]:
    """Return the line, column and code of every refusal in a refused file."""
    return [(each.details["line"], each.field, each.code) for each in refusal.details["refusals"]]


def add_sections(event: Event, *names: str) -> Event:
    event.sections = [{"name": name, "first_table": None, "last_table": None} for name in names]
    event.save()
    return event


class TestEntrySheet:
    def test_sheet_columns_come_in_any_order(self) -> None:
        event = add_sections(build_event(pairs=0), "Débutants", "Mixte")
        import_entries(
            event,
            "rating,player_2,player_1,section,team\n1500,Marcel Dubé,Jeannine Roy,debutants,Matane\n"
            ",Normand Ouellet,Ghislaine Cyr,,\n",
        )
        rows = list(event.entries.values_list("number", "section", "team", "rating"))
        assert rows == [(1, "Débutants", "Matane", 1500), (2, "", "", None)]
        assert list_entries(event)[0] == (1, "Jeannine Roy / Marcel Dubé")

    @pytest.mark.parametrize("between", [",", ";", "\t"], ids=["comma", "semicolon", "tab"])
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
    def test_sheet_is_read_in_any_separator_and_encoding(self, between: str, encoding: str) -> None:
        event = build_event(pairs=0)
        lines = [("Joueur 1", "Joueuse 2", "Équipe"), ("Édith Roy", "Zoé Dubé", "L’Isle-Verte")]
        content = "\r\n".join(between.join(line) for line in lines).encode(encoding)
        import_entries(event, read_sheet_text(content, file="list.csv"))
        assert list_entries(event) == [(1, "Édith Roy / Zoé Dubé")]
        assert event.entries.get().team == "L’Isle-Verte"

    def test_singles_sheet_has_one_person_per_line(self) -> None:
        event = build_event(pairs=0, ruleset=TWO_PLAYER)
        import_entries(event, "nom\nJeannine Roy\n\nMarcel Dubé\n")
        assert list_entries(event) == [(1, "Jeannine Roy"), (2, "Marcel Dubé")]

    def test_bad_sheet_lines_do_not_block_the_others(self) -> None:
        event = build_event(pairs=0)
        text = "player_1,player_2,team\nJeannine Roy,Marcel Dubé,Matane\nGhislaine Cyr,,\nAnne,Paul,\n"
        added = add_entry_sheet(event_id=event.pk, text=text, file="list.csv")
        assert added.refused_lines == {3}
        assert list_entries(event) == [(1, "Jeannine Roy / Marcel Dubé"), (2, "Anne / Paul")]
        guests = event.club.people.filter(is_guest=True)
        assert set(guests.values_list("name", flat=True)) == {"Jeannine Roy", "Marcel Dubé"}

    def test_sheet_of_bad_lines_reports_lines_and_columns(self) -> None:
        event = add_sections(build_event(pairs=0), "Mixte")
        paste_entries(event, "Jeannine Roy et Marcel Dubé")
        refusal = get_refusal(
            import_entries,
            event,
            "player_1,player_2,section,rating\n\n"
            "Ghislaine Cyr,,,\n"
            "Rita 🎉,Yvon Albert,,\n"
            "Lise Côté,Jeannine ROY,,\n"
            "Anne Côté,Paul Côté,Clubs,\n"
            f"Anne Cyr,Paul {'x' * 81},,\n"
            "Anne Dubé,Paul Dubé,,fort\n",
        )
        assert list_bad_cells(refusal) == [
            (3, "player_2", "name_required"),
            (4, "player_1", "strange_character"),
            (5, "player_2", "entered_twice"),
            (6, "section", "no_such_section"),
            (7, "player_2", "name_too_long"),
            (8, "rating", "rating_out_of_range"),
        ]
        assert Entry.objects.count() == 1

    @pytest.mark.parametrize(
        ("text", "bad"),
        [
            ("", (1, "player_1", "column_missing")),
            ("player_1\nAnne", (1, "player_2", "column_missing")),
            ("nom,partenaire,name\nA,B,C", (1, "name", "column_twice")),
            ('player_1,player_2\n"Anne,Paul', (2, None, "malformed_csv")),
            ("player_1,player_2,section\nAnne,Paul,Mixte", (2, "section", "no_sections")),
            (f"player_1,player_2,team\nAnne,Paul,{'x' * 81}", (2, "team", "team_too_long")),
            pytest.param(
                "player_1,player_2\n" + "Anne,Paul\n" * 5_001, (5_002, None, "list_too_long"), marks=pytest.mark.long
            ),
        ],
        ids=lambda value: value[2] if isinstance(value, tuple) else "",
    )
    def test_unreadable_sheet_is_refused_at_its_cell(self, text: str, bad: tuple[int, str | None, str]) -> None:
        assert bad in list_bad_cells(get_refusal(import_entries, build_event(pairs=0), text))

    def test_singles_sheet_refuses_a_second_name(self) -> None:
        refusal = get_refusal(import_entries, build_event(pairs=0, ruleset=TWO_PLAYER), "nom,partenaire\nAnne,Paul\n")
        assert list_bad_cells(refusal) == [(2, "player_2", "too_many_names")]

    def test_sheet_without_lines_is_refused(self) -> None:
        assert get_refusal_code(import_entries, build_event(pairs=0), "player_1,player_2\n") == "sheet_empty"

    def test_unknown_encoding_is_refused_at_its_line(self) -> None:
        refusal = get_refusal(read_sheet_text, b"player_1\nAnne \x81\n", file="list.csv")
        assert (refusal.code, refusal.details["line"]) == ("not_utf8", 2)


@pytest.mark.slow
@pytest.mark.postgresql("comparisons of names")
class TestNamesakes:
    @pytest.mark.long
    def test_identity_choice_overrides_the_typed_name(self) -> None:
        club = build_club()
        (before,) = paste_entries(build_event(pairs=0, club=club), "Jeannine Roy et Marcel Dubé")
        event = build_event(pairs=0, club=club)
        add_entry_list(
            event_id=event.pk,
            text="Roy Jeannine et Marcel Dubé, Matane",
            identities={"roy jeannine": before.player_1_id, "marcel dube": None},
        )
        entry = event.entries.get()
        assert entry.player_1 == before.player_1
        assert entry.player_2 is not None
        assert entry.player_2 != before.player_2
        assert entry.player_2.is_guest
        assert not before.player_1.is_guest

    @pytest.mark.long
    def test_same_person_cannot_be_chosen_twice(self) -> None:
        event = build_event(pairs=0)
        (before,) = paste_entries(event, "Jeannine Roy et Marcel Dubé")
        again = {"roy jeannine": before.player_1_id}
        text = "Roy Jeannine et Anne Cyr"
        assert get_refusal_code(add_entry_list, event_id=event.pk, text=text, identities=again) == "entered_twice"
        person = Person.objects.create(club=event.club, name="Lise Côté", folded_name="lise cote")
        both = {"lise": person.pk, "lise c": person.pk}
        players = ["Lise", "Lise C"]
        assert get_refusal_code(add_entry, event_id=event.pk, players=players, identities=both) == "entered_twice"

    @pytest.mark.slow
    def test_chosen_person_must_belong_to_the_club(self) -> None:
        stranger = build_event(pairs=1).entries.get().player_1
        event = build_event(pairs=0)
        for pk in (stranger.pk, 0):
            code = get_refusal_code(
                add_entry,
                event_id=event.pk,
                players=["Lise Côté", "Paul Côté"],
                identities={"lise cote": pk},
            )
            assert code == "no_such_person"
        assert not event.entries.exists()

    @pytest.mark.long
    def test_known_or_similar_names_are_asked_about(self) -> None:
        club = build_club()
        paste_entries(
            build_event(pairs=0, club=club),
            "Jeannine Roy et Marcel Dubé",
            "Marie-Ève St-Onge et Paul Cyr",
            "Rita Roy et Omer Cyr",
        )
        Person.objects.filter(name="Rita Roy").update(is_guest=True)
        Person.objects.create(club=club, name="Paul CYR", folded_name="paul cyr")
        lines = [
            ListedEntry(players=("jeannine ROY", "Dubé Marcel")),
            ListedEntry(players=("Marie Eve Saint-Onge", "Anne Neuve")),
            ListedEntry(players=("Paul Cyr", "Rita Roy"), team="Matane"),
            ListedEntry(players=("Omer Cyr",), team="Matane"),
        ]
        found = list_namesakes(build_event(pairs=0, club=club), lines)
        namesakes = [(each.name, each.is_sure, len(each.candidates), each.suggested is None) for each in found]
        assert namesakes == [
            ("jeannine ROY", True, 1, False),
            ("Dubé Marcel", False, 1, False),
            ("Marie Eve Saint-Onge", False, 1, False),
            ("Paul Cyr", False, 2, True),
            ("Rita Roy", True, 1, False),
            ("Omer Cyr", False, 1, True),
        ]
        assert str(found[1].candidates[0].last) == "Jeannine Roy / Marcel Dubé"

    @pytest.mark.long
    def test_bracketed_name_suffix_distinguishes_namesakes(self) -> None:
        """A suffix such as "(Matane)" tells two namesakes of the club apart in the desk's list."""
        club = build_club()
        both = [Person.objects.create(club=club, name="Jean Tremblay", folded_name="jean tremblay") for _ in "ab"]
        event = build_event(pairs=0, club=club)
        lines = [ListedEntry(players=("Jean Tremblay (Matane)", "Anne Neuve (Rimouski)"))]
        (found,) = list_namesakes(event, lines)
        assert [each.person for each in found.candidates] == both
        assert (found.key, found.suggested) == ("jean tremblay (matane)", None)
        meant = {found.key: both[1].pk}
        (entry,) = add_entry_list(
            event_id=event.pk, text="Jean Tremblay (Matane) et Anne Neuve", identities=meant
        ).entries
        assert entry.player_1 == both[1]
        lines = [ListedEntry(players=("Jean Tremblay (Gaspé)", "Anne Neuve (Rimouski)"))]
        (found,) = list_namesakes(event, lines)  # a person who already has an entry is no longer a candidate
        assert [each.person for each in found.candidates] == both[:1]
        meant = {"jean tremblay (gaspe)": both[0].pk}
        add_entry_list(event_id=event.pk, text="Jean Tremblay (Gaspé) et Paul Cyr", identities=meant)
        assert list_namesakes(event, lines) == ()


@pytest.mark.postgresql("LIKE, and order by a subquery")
class TestKnownPeople:
    @pytest.mark.long
    def test_players_of_the_last_events_come_first(self) -> None:
        club = build_club()
        paste_entries(build_event(pairs=0, club=club), "Anne A et Paul A")
        paste_entries(build_event(pairs=0, club=club), "Lise L et Yvon L", "Rita R et Omer R")
        known_people = list_known_people(build_event(pairs=0, club=club))
        assert [each.person.name for each in known_people.people] == [
            "Lise L",
            "Yvon L",
            "Rita R",
            "Omer R",
            "Anne A",
            "Paul A",
        ]
        assert [str(person) for person in known_people.pairs[0]] == ["Lise L", "Yvon L"]

    @pytest.mark.long
    def test_people_are_offered_until_entered_in_their_own_club(self) -> None:
        club = build_club()
        paste_entries(build_event(pairs=0, club=club), "Anne A et Paul A", "Lise L et Yvon L")
        paste_entries(build_event(pairs=0, club=build_club()), "Rita R et Omer R")
        event = build_event(pairs=0, club=club)
        paste_entries(event, "Anne A et Omer O")
        known_people = list_known_people(event)
        assert [each.person.name for each in known_people.people] == ["Paul A", "Lise L", "Yvon L"]
        assert [str(one) for pair in known_people.pairs for one in pair] == ["Lise L", "Yvon L"]

    @pytest.mark.long
    def test_people_search_matches_any_part_of_a_name(self) -> None:
        club = build_club()
        paste_entries(build_event(pairs=0, club=club), "Édith Lévesque et Paul A")
        known_people = list_known_people(build_event(pairs=0, club=club), "LEVES")
        assert [each.person.name for each in known_people.people] == ["Édith Lévesque"]

    @pytest.mark.long
    def test_known_pair_is_entered_once_as_itself(self) -> None:
        club = build_club()
        (before,) = paste_entries(build_event(pairs=0, club=club), "Anne A et Paul A")
        event = build_event(pairs=0, club=club)
        pair = [[before.player_1_id, before.player_2_id or 0]]
        (added,) = add_known_people(event_id=event.pk, people=pair)
        assert (added.player_1, added.player_2) == (before.player_1, before.player_2)
        assert get_refusal_code(add_known_people, event_id=event.pk, people=pair) == "entered_twice"
        same = [[before.player_1_id] * 2]
        assert get_refusal_code(add_known_people, event_id=event.pk, people=same) == "entered_twice"

    @pytest.mark.long
    def test_namesakes_are_offered_with_their_last_event(self) -> None:
        club = build_club()
        both = [Person.objects.create(club=club, name="Jean Tremblay", folded_name="jean tremblay") for _ in "ab"]
        lise = Person.objects.create(club=club, name="Lise Roy", folded_name="lise roy")
        (before,) = enter_people(event_id=build_event(pairs=0, club=club).pk, people=[both[1].pk, lise.pk])
        event = build_event(pairs=0, club=club)
        offered = list_known_people(event).people
        assert {each.person: (each.has_namesake, each.last) for each in offered} == {
            both[0]: (True, None),
            both[1]: (True, before),
            lise: (False, None),
        }
        for each in offered:
            assert build_offered_person(event, each.person) == each

    def test_namesakes_can_be_entered_together(self) -> None:
        club = build_club()
        pks = [Person.objects.create(club=club, name="Jean Tremblay", folded_name="jean tremblay").pk for _ in range(4)]
        event = build_event(pairs=0, club=club)
        add_known_people(event_id=event.pk, people=[pks[:2]])
        enter_people(event_id=event.pk, people=pks[2:])
        named = build_full_entry_formatter(event.entries.all())
        assert [named(entry) for entry in event.entries.all()] == [
            "Jean Tremblay and Jean Tremblay (no. 1)",
            "Jean Tremblay and Jean Tremblay (no. 2)",
        ]

    def test_invalid_choice_of_known_people_is_refused(self) -> None:
        event = build_event(pairs=0)
        (stranger,) = paste_entries(build_event(pairs=0, club=build_club()), "Anne A et Paul A")
        strangers = [stranger.player_1_id, stranger.player_2_id or 0]
        for people, code in (([], "nobody_chosen"), ([[1]], "tick_two"), ([strangers], "no_such_person")):
            assert get_refusal_code(add_known_people, event_id=event.pk, people=people) == code


@pytest.mark.postgresql("order by time of creation")
class TestLateEntries:
    @pytest.mark.long
    def test_late_entry_is_drawn_from_the_next_round(self) -> None:
        event = build_running_night(pairs=4, tables=3)
        (late,) = add_entry(event_id=event.pk, players=["Lise Côté", "Paul Côté"])
        assert (late.number, late.arrives) == (5, 2)
        play_round(event)
        assert late.pk in {seat.entry_id for seat in start_next_round(event).seatings.all()}
        assert not late.seatings.filter(round__number=1).exists()

    def test_entry_before_the_first_draw_is_not_late(self) -> None:
        event = start_event(event_id=build_event(pairs=4).pk)
        assert add_entry(event_id=event.pk, players=["Lise Côté", "Paul Côté"])[0].arrives == 1

    @pytest.mark.parametrize(
        ("players", "field", "code"),
        [
            (["", "Paul Côté"], "player_1", "name_required"),
            (["Lise Côté", " "], "player_2", "name_required"),
            (["Lise Côté"], "player_2", "name_required"),
            (["Lise 3", "Paul Côté"], "player_1", "strange_character"),
            (["Lise Côté", "lise  COTE"], "player_2", "same_name_twice"),
            (["Lise Côté", "x" * 81], "player_2", "name_too_long"),
        ],
    )
    def test_late_entry_needs_valid_names(self, players: list[str], field: str, code: str) -> None:
        refusal = get_refusal(add_entry, event_id=build_event().pk, players=players)
        assert (refusal.field, refusal.code) == (field, code)

    def test_entered_or_withdrawn_people_cannot_enter_again(self) -> None:
        event = build_running_night(pairs=4)
        gone = event.entries.get(number=1)
        names = [person.name for person in gone.players]
        assert get_refusal_code(add_entry, event_id=event.pk, players=names) == "entered_twice"
        withdraw_entry(event_id=event.pk, number=1)
        assert get_refusal_code(add_entry, event_id=event.pk, players=names) == "has_withdrawn"

    def test_resent_late_entry_is_added_once(self) -> None:
        event, by = build_running_night(), Actor(key=uuid4())
        for _ in range(2):
            (added,) = add_entry(event_id=event.pk, players=["Lise Côté", "Paul Côté"], by=by)
            assert added.number == 5
        assert event.entries.count() == 5


class TestRemovedEntry:
    def test_removal_keeps_the_other_entry_numbers(self) -> None:
        event = build_event(pairs=4)
        remove_entry(event_id=event.pk, number=2)
        assert [entry.number for entry in event.entries.all()] == [1, 3, 4]

    def test_double_click_removes_one_entry(self) -> None:
        event = build_event(pairs=4)
        remove_entry(event_id=event.pk, number=2)
        remove_entry(event_id=event.pk, number=2)
        assert event.entries.count() == 3

    def test_removed_entry_leaves_its_people_in_the_club(self) -> None:
        event = build_event(pairs=4)
        remove_entry(event_id=event.pk, number=2)
        assert Person.objects.count() == 8

    def test_new_entry_after_a_removal_gets_the_next_number(self) -> None:
        event = build_event(pairs=3)
        remove_entry(event_id=event.pk, number=1)
        assert [entry.number for entry in paste_entries(event, "Lise Côté et Paul Côté")] == [4]

    @pytest.mark.slow
    def test_undo_restores_a_removed_entry_with_its_bonus(self) -> None:
        event = build_event(pairs=2)
        by = Actor(account=build_account(), reason="Handicap")
        adjust_entry(event_id=event.pk, number=1, metric="points_for", amount=5, by=by)
        remove_entry(event_id=event.pk, number=1)
        assert not event.adjustments.exists()
        undo_action(event_id=event.pk, action_id=Action.objects.latest("pk").pk)
        assert event.adjustments.get().entry.number == 1


@pytest.mark.postgresql("counts under a lock")
class TestWaitingList:
    def test_entry_joins_the_waiting_list_of_a_full_event(self) -> None:
        event = build_event(pairs=3)
        change_sign_up(event_id=event.pk, is_open=False, most_entries=4)
        paste_entries(event, "Anne A et Paul A", "Lise L et Yvon L", "Rita R et Omer R")
        assert list(event.entries.filter(is_waiting=True).values_list("number", flat=True)) == [5, 6]

    @pytest.mark.long
    def test_freed_place_goes_to_the_first_waiting_entry(self) -> None:
        event = build_event(pairs=3)
        change_sign_up(event_id=event.pk, is_open=False, most_entries=3)
        paste_entries(event, "Anne A et Paul A", "Lise L et Yvon L")
        remove_entry(event_id=event.pk, number=2)
        assert list(event.entries.filter(is_waiting=False).values_list("number", flat=True)) == [1, 3, 4]
        action = Action.objects.latest("pk")
        assert (action.kind, action.details["let_in"]) == ("remove_entry", [4])
        undo_action(event_id=event.pk, action_id=action.pk)
        assert list(event.entries.filter(is_waiting=True).values_list("number", flat=True)) == [4, 5]

    @pytest.mark.slow
    def test_director_admits_a_waiting_entry_even_after_the_start(self) -> None:
        event = build_event(pairs=4)
        change_sign_up(event_id=event.pk, is_open=False, most_entries=4)
        paste_entries(event, "Anne A et Paul A", "Lise L et Yvon L")
        assert admit_entry(event_id=event.pk, number=6).arrives == 1
        start_event(event_id=event.pk)
        start_next_round(event)
        late = admit_entry(event_id=event.pk, number=5)
        assert (late.is_waiting, late.arrives) == (False, 2)
        assert admit_entry(event_id=event.pk, number=5).arrives == 2
        assert Action.objects.filter(kind="let_in").count() == 2

    @pytest.mark.long
    def test_started_event_does_not_advance_the_waiting_list(self) -> None:
        event = build_event(pairs=4)
        change_sign_up(event_id=event.pk, is_open=False, most_entries=4)
        paste_entries(event, "Anne A et Paul A", "Lise L et Yvon L")
        start_event(event_id=event.pk)
        withdraw_entry(event_id=event.pk, number=1)
        remove_entry(event_id=event.pk, number=5)
        assert event.entries.get(number=6).is_waiting


def test_namesakes_in_one_event_are_two_people() -> None:
    event = build_event(pairs=0)
    add_entries(event_id=event.pk, entries={1: ("Paul Roy", "Anne Roy"), 2: ("Paul Roy", "Lise Roy")})
    assert Person.objects.filter(name="Paul Roy").count() == 2


def test_started_event_refuses_entry_changes() -> None:
    event = build_running_night()
    assert get_refusal_code(add_entry_list, event_id=event.pk, text="Lise Côté et Paul Côté") == "event_started"
    assert get_refusal_code(add_entries, event_id=event.pk, entries={9: ("Lise", "Paul")}) == "event_started"
    assert get_refusal_code(remove_entry, event_id=event.pk, number=1) == "event_started"
    assert event.entries.count() == 4


def test_unknown_event_refuses_entries() -> None:
    assert get_refusal_code(add_entry_list, event_id=0, text="Lise Côté et Paul Côté") == "no_such_event"
