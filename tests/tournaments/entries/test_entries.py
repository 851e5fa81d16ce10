"""Entries: typed, pasted, from a file, from the club's people; admitted and removed."""

from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Person
from errors import Refusal
from rules import TWO_PLAYER
from tests.builders import (
    a_club,
    a_running_night,
    an_account,
    an_event,
    code_of,
    next_round,
    play_round,
    refusal_of,
)
from tournaments.entries.entry_import import ListedEntry
from tournaments.entries.queries.known_people import known_people, offered_person
from tournaments.entries.queries.name_matches import namesakes_of
from tournaments.entries.services.entries import (
    add_entries,
    add_entry,
    add_known_people,
    admit_entry,
    enter_people,
    remove_entry,
)
from tournaments.entries.services.entry_actions import adjust_entry, withdraw_entry
from tournaments.entries.services.entry_import import add_entry_list, add_entry_sheet
from tournaments.entries.services.sign_up import change_sign_up
from tournaments.events.presenters.names import entries_named_in_full
from tournaments.events.services.lifecycle import start_event
from tournaments.history.services.undo import undo_action
from tournaments.models import Action, Entry, Event
from web.sheets import text_of_sheet

pytestmark = pytest.mark.django_db


def listed(event: Event) -> list[tuple[int, str]]:
    return [(entry.number, str(entry)) for entry in event.entries.all()]


def pasted(event: Event, *lines: str) -> list[Entry]:
    return add_entry_list(event_id=event.pk, text="\n".join(lines)).entries


def bad_lines(refusal: Refusal) -> list[tuple[int, str]]:
    """Line and code of every refusal in a refused list."""
    return [(each.details["line"], each.code) for each in refusal.details["refusals"]]


def letters(number: int) -> str:
    """A different word for every number: names have no digits."""
    return "".join(chr(ord("a") + int(digit)) for digit in f"{number:03}")


class TestAList:
    def test_has_one_pair_a_line(self) -> None:
        event = an_event(pairs=0)
        pasted(
            event, "Jeannine Roy et Marcel Dubé", "", "  Ghislaine Cyr / Normand  Ouellet ", "A. Roy & B. Roy"
        )
        assert listed(event) == [
            (1, "Jeannine Roy / Marcel Dubé"),
            (2, "Ghislaine Cyr / Normand Ouellet"),
            (3, "A. Roy / B. Roy"),
        ]

    def test_is_added_to_what_is_there(self) -> None:
        event = an_event(pairs=0)
        pasted(event, "Jeannine Roy et Marcel Dubé")
        pasted(event, "Ghislaine Cyr et Normand Ouellet")
        assert [entry.number for entry in event.entries.all()] == [1, 2]

    def test_has_one_person_a_line_where_two_people_play(self) -> None:
        event = an_event(pairs=0, ruleset=TWO_PLAYER)
        pasted(event, "Jeannine Roy", "Marcel Dubé")
        assert listed(event) == [(1, "Jeannine Roy"), (2, "Marcel Dubé")]

    def test_knows_the_clubs_people_again(self) -> None:
        club = a_club()
        pasted(an_event(pairs=0, club=club), "Édith Roy et Marcel Dubé")
        pasted(an_event(pairs=0, club=club), "edith  ROY et Normand Ouellet")
        assert sorted(Person.objects.values_list("name", flat=True)) == [
            "Marcel Dubé",
            "Normand Ouellet",
            "Édith Roy",
        ]

    def test_with_nobody_in_it_is_refused(self) -> None:
        for text in ("", " \n\t\n"):
            assert code_of(add_entry_list, event_id=an_event(pairs=0).pk, text=text) == "list_empty"

    def test_says_the_club_or_team_after_a_comma_and_such_people_are_guests(self) -> None:
        event = an_event(pairs=0)
        pasted(
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

    def test_with_numbers_or_dashes_before_its_lines_is_read_without_them(self) -> None:
        event = an_event(pairs=0)
        listed = ("1. Jeannine Roy et Marcel Dubé", "12) Lise Cyr, Yvon Cyr", "3\tAnne Roy\tRita Roy")
        pasted(event, *listed, "- Paul Morin et Guy Morin", "• Luc Hudon et Ève Hudon, Matane")
        assert [str(entry) for entry in event.entries.all()] == [
            *("Jeannine Roy / Marcel Dubé", "Lise Cyr / Yvon Cyr", "Anne Roy / Rita Roy"),
            *("Paul Morin / Guy Morin", "Luc Hudon / Ève Hudon"),
        ]
        assert bad_lines(refusal_of(pasted, event, "12345 et 678")) == [(1, "strange_character")]

    def test_that_word_or_a_pdf_wrote_has_plain_hyphens_and_apostrophes(self) -> None:
        event = an_event(pairs=0)
        pasted(event, "Jean\u2011Paul Roy – Guy O\u2019Neill")
        assert str(event.entries.get()) == "Jean-Paul Roy / Guy O'Neill"
        refusal = refusal_of(pasted, event, "Anne Cyr et Jean\u2013Paul Roy")
        assert bad_lines(refusal) == [(1, "entered_twice")]

    def test_of_single_people_tells_a_club_from_a_name_in_another_order(self) -> None:
        event = an_event(pairs=0, ruleset=TWO_PLAYER)
        pasted(event, "Jeannine Roy, Matane")
        assert (str(event.entries.get()), event.entries.get().team) == ("Jeannine Roy", "Matane")
        (turned, of_a_club) = pasted(event, "DE GRÂCE, Luc", "Dubé, Marcel, Matane")
        assert (str(turned), turned.team) == ("Luc De Grâce", "")
        assert (str(of_a_club), of_a_club.team) == ("Marcel Dubé", "Matane")

    def test_with_one_bad_line_of_25_adds_the_other_24(self) -> None:
        event = an_event(pairs=0)
        lines = [f"Anne {letters(number)} et Paul {letters(number)}" for number in range(25)]
        lines[12] = "Lise Côté"
        added = add_entry_list(event_id=event.pk, text="\n".join(lines))
        assert (len(added.entries), set(added.held_back)) == (24, {13})
        assert event.entries.count() == 24
        assert not Person.objects.filter(name="Lise Côté").exists()

    def test_with_a_bad_line_sent_twice_is_added_once_and_holds_back_the_same_line(self) -> None:
        event, by = an_event(pairs=0), Actor(key=uuid4())
        text = "Jeannine Roy et Marcel Dubé\nLise Côté"
        first, again = (add_entry_list(event_id=event.pk, text=text, by=by) for _ in range(2))
        assert first == again
        assert event.entries.count() == 1

    def test_whose_lines_are_all_bad_says_all_of_them_at_once_and_adds_nothing(self) -> None:
        event = an_event(pairs=0)
        pasted(event, "Jeannine Roy et Marcel Dubé")
        refusal = refusal_of(
            pasted,
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
        assert bad_lines(refusal) == [
            (2, "one_name_missing"),
            (4, "too_many_names"),
            (5, "strange_character"),
            (6, "entered_twice"),
            (7, "name_too_long"),
            (8, "team_too_long"),
        ]
        assert Entry.objects.count() == 1
        assert Person.objects.count() == 2

    def test_with_somebody_who_takes_part_already_is_refused(self) -> None:
        event = an_event(pairs=0)
        pasted(event, "Jeannine Roy et Marcel Dubé")
        refusal = refusal_of(pasted, event, "Lise Côté et marcel dube")
        assert bad_lines(refusal) == [(1, "entered_twice")]
        assert event.entries.count() == 1

    @pytest.mark.parametrize("line", ["Lise Côté et Lise Côté", "Lise Côté et lise  cote"])
    def test_with_somebody_who_is_their_own_partner_is_refused(self, line: str) -> None:
        assert bad_lines(refusal_of(pasted, an_event(pairs=0), line)) == [(1, "same_name_twice")]

    def test_with_a_dash_for_a_partner_is_refused(self) -> None:
        assert bad_lines(refusal_of(pasted, an_event(pairs=0), "Lise Côté / -")) == [(1, "strange_character")]

    def test_with_invisible_characters_is_read_without_them(self) -> None:
        event = an_event(pairs=0)
        pasted(event, "\ufeffLise\u00a0Côté et Paul\u200b Côté\x00")
        assert listed(event) == [(1, "Lise Côté / Paul Côté")]

    def test_of_300_names_with_empty_lines_duplicates_and_emoji_is_held_back_line_by_line(self) -> None:
        event = an_event(pairs=0)
        lines = [f"Anne {letters(number)} et Paul {letters(number)}" for number in range(150)]
        lines[20] = ""
        lines[40] = lines[39]
        lines[60] = "😀"
        lines[80] = "Anne"
        added = add_entry_list(event_id=event.pk, text="\n".join(lines))
        assert (len(added.entries), set(added.held_back)) == (146, {41, 61, 81})
        assert Person.objects.count() == 2 * 146

    def test_of_300_names_is_added_whole(self) -> None:
        event = an_event(pairs=0)
        pasted(event, *(f"Anne {letters(number)} et Paul {letters(number)}" for number in range(150)))
        assert event.entries.count() == 150
        assert Person.objects.count() == 300

    def test_without_end_is_refused(self) -> None:
        refusal = refusal_of(pasted, an_event(pairs=0), *["Lise Côté et Paul Côté"] * 5_001)
        assert [each.code for each in refusal.details["refusals"]] == ["list_too_long"]

    def test_that_unfolds_to_more_letters_than_are_kept_is_taken(self) -> None:
        event = an_event(pairs=0)
        pasted(event, f"{'ﷺ' * 80} et Paul Côté")
        assert event.entries.count() == 1


def filed(event: Event, text: str) -> list[Entry]:
    return add_entry_sheet(event_id=event.pk, text=text, file="list.csv").entries


def bad_cells(refusal: Refusal) -> list[tuple[int, str | None, str]]:
    """Line, column and code of every refusal in a refused file."""
    return [(each.details["line"], each.field, each.code) for each in refusal.details["refusals"]]


def with_sections(event: Event, *names: str) -> Event:
    event.sections = [{"name": name, "first_table": None, "last_table": None} for name in names]
    event.save()
    return event


class TestAFile:
    def test_has_its_columns_in_any_order_and_says_more_than_names(self) -> None:
        event = with_sections(an_event(pairs=0), "Débutants", "Mixte")
        filed(
            event,
            "rating,player_2,player_1,section,team\n1500,Marcel Dubé,Jeannine Roy,debutants,Matane\n"
            ",Normand Ouellet,Ghislaine Cyr,,\n",
        )
        kept = list(event.entries.values_list("number", "section", "team", "rating"))
        assert kept == [(1, "Débutants", "Matane", 1500), (2, "", "", None)]
        assert listed(event)[0] == (1, "Jeannine Roy / Marcel Dubé")

    @pytest.mark.parametrize("between", [",", ";", "\t"], ids=["comma", "semicolon", "tab"])
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
    def test_is_read_as_spreadsheets_save_it(self, between: str, encoding: str) -> None:
        event = an_event(pairs=0)
        lines = [("Joueur 1", "Joueuse 2", "Équipe"), ("Édith Roy", "Zoé Dubé", "L’Isle-Verte")]
        content = "\r\n".join(between.join(line) for line in lines).encode(encoding)
        filed(event, text_of_sheet(content, file="list.csv"))
        assert listed(event) == [(1, "Édith Roy / Zoé Dubé")]
        assert event.entries.get().team == "L’Isle-Verte"

    def test_has_one_person_a_line_where_two_people_play(self) -> None:
        event = an_event(pairs=0, ruleset=TWO_PLAYER)
        filed(event, "nom\nJeannine Roy\n\nMarcel Dubé\n")
        assert listed(event) == [(1, "Jeannine Roy"), (2, "Marcel Dubé")]

    def test_with_bad_lines_adds_the_others(self) -> None:
        event = an_event(pairs=0)
        text = "player_1,player_2,team\nJeannine Roy,Marcel Dubé,Matane\nGhislaine Cyr,,\nAnne,Paul,\n"
        added = add_entry_sheet(event_id=event.pk, text=text, file="list.csv")
        assert added.held_back == {3}
        assert listed(event) == [(1, "Jeannine Roy / Marcel Dubé"), (2, "Anne / Paul")]
        guests = event.club.people.filter(is_guest=True)
        assert set(guests.values_list("name", flat=True)) == {"Jeannine Roy", "Marcel Dubé"}

    def test_whose_lines_are_all_bad_says_line_and_column_and_adds_nothing(self) -> None:
        event = with_sections(an_event(pairs=0), "Mixte")
        pasted(event, "Jeannine Roy et Marcel Dubé")
        refusal = refusal_of(
            filed,
            event,
            "player_1,player_2,section,rating\n\n"
            "Ghislaine Cyr,,,\n"
            "Rita 🎉,Yvon Albert,,\n"
            "Lise Côté,Jeannine ROY,,\n"
            "Anne Côté,Paul Côté,Clubs,\n"
            f"Anne Cyr,Paul {'x' * 81},,\n"
            "Anne Dubé,Paul Dubé,,fort\n",
        )
        assert bad_cells(refusal) == [
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
            ("player_1,player_2\n" + "Anne,Paul\n" * 5_001, (5_002, None, "list_too_long")),
        ],
        ids=lambda value: value[2] if isinstance(value, tuple) else "",
    )
    def test_that_cannot_be_read_is_refused_at_the_place(
        self, text: str, bad: tuple[int, str | None, str]
    ) -> None:
        assert bad in bad_cells(refusal_of(filed, an_event(pairs=0), text))

    def test_with_two_names_a_line_is_refused_where_two_people_play(self) -> None:
        refusal = refusal_of(filed, an_event(pairs=0, ruleset=TWO_PLAYER), "nom,partenaire\nAnne,Paul\n")
        assert bad_cells(refusal) == [(2, "player_2", "too_many_names")]

    def test_without_a_line_is_refused(self) -> None:
        assert code_of(filed, an_event(pairs=0), "player_1,player_2\n") == "sheet_empty"

    def test_in_no_known_writing_is_refused_at_its_line(self) -> None:
        refusal = refusal_of(text_of_sheet, b"player_1\nAnne \x81\n", file="list.csv")
        assert (refusal.code, refusal.details["line"]) == ("not_utf8", 2)


@pytest.mark.postgresql("names are compared by the database")
class TestWhoIsMeant:
    def test_may_be_said_whatever_the_name(self) -> None:
        club = a_club()
        (before,) = pasted(an_event(pairs=0, club=club), "Jeannine Roy et Marcel Dubé")
        event = an_event(pairs=0, club=club)
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

    def test_is_nobody_twice(self) -> None:
        event = an_event(pairs=0)
        (before,) = pasted(event, "Jeannine Roy et Marcel Dubé")
        again = {"roy jeannine": before.player_1_id}
        text = "Roy Jeannine et Anne Cyr"
        assert code_of(add_entry_list, event_id=event.pk, text=text, identities=again) == "entered_twice"
        known = Person.objects.create(club=event.club, name="Lise Côté", folded_name="lise cote")
        both = {"lise": known.pk, "lise c": known.pk}
        players = ["Lise", "Lise C"]
        assert code_of(add_entry, event_id=event.pk, players=players, identities=both) == "entered_twice"

    def test_is_somebody_of_this_club(self) -> None:
        stranger = an_event(pairs=1).entries.get().player_1
        event = an_event(pairs=0)
        for pk in (stranger.pk, 0):
            code = code_of(
                add_entry,
                event_id=event.pk,
                players=["Lise Côté", "Paul Côté"],
                identities={"lise cote": pk},
            )
            assert code == "no_such_person"
        assert not event.entries.exists()

    def test_is_asked_of_names_that_are_known_or_like_known_ones(self) -> None:
        club = a_club()
        pasted(
            an_event(pairs=0, club=club),
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
        found = namesakes_of(an_event(pairs=0, club=club), lines)
        told = [(each.name, each.is_sure, len(each.candidates), each.suggested is None) for each in found]
        assert told == [
            ("jeannine ROY", True, 1, False),
            ("Dubé Marcel", False, 1, False),
            ("Marie Eve Saint-Onge", False, 1, False),
            ("Paul Cyr", False, 2, True),
            ("Rita Roy", True, 1, False),
            ("Omer Cyr", False, 1, True),
        ]
        assert str(found[1].candidates[0].last) == "Jeannine Roy / Marcel Dubé"

    def test_is_asked_of_whoever_is_told_apart_in_brackets(self) -> None:
        """The club may know two of one name; "(Matane)" is what tells the desk's list which one it is."""
        club = a_club()
        both = [
            Person.objects.create(club=club, name="Jean Tremblay", folded_name="jean tremblay") for _ in "ab"
        ]
        event = an_event(pairs=0, club=club)
        lines = [ListedEntry(players=("Jean Tremblay (Matane)", "Anne Neuve (Rimouski)"))]
        (found,) = namesakes_of(event, lines)
        assert [each.person for each in found.candidates] == both
        assert (found.key, found.suggested) == ("jean tremblay (matane)", None)
        meant = {found.key: both[1].pk}
        (entry,) = add_entry_list(
            event_id=event.pk, text="Jean Tremblay (Matane) et Anne Neuve", identities=meant
        ).entries
        assert entry.player_1 == both[1]
        lines = [ListedEntry(players=("Jean Tremblay (Gaspé)", "Anne Neuve (Rimouski)"))]
        (found,) = namesakes_of(event, lines)  # who takes part is not meant again
        assert [each.person for each in found.candidates] == both[:1]
        meant = {"jean tremblay (gaspe)": both[0].pk}
        add_entry_list(event_id=event.pk, text="Jean Tremblay (Gaspé) et Paul Cyr", identities=meant)
        assert namesakes_of(event, lines) == ()


@pytest.mark.postgresql("names are found by any part, and sorted by what was last")
class TestPeopleOfTheClub:
    def test_who_came_to_the_last_events_stand_first(self) -> None:
        club = a_club()
        pasted(an_event(pairs=0, club=club), "Anne A et Paul A")
        pasted(an_event(pairs=0, club=club), "Lise L et Yvon L", "Rita R et Omer R")
        known = known_people(an_event(pairs=0, club=club))
        assert [each.person.name for each in known.people] == [
            "Lise L",
            "Yvon L",
            "Rita R",
            "Omer R",
            "Anne A",
            "Paul A",
        ]
        assert [str(person) for person in known.pairs[0]] == ["Lise L", "Yvon L"]

    def test_are_offered_until_they_take_part_and_only_to_their_club(self) -> None:
        club = a_club()
        pasted(an_event(pairs=0, club=club), "Anne A et Paul A", "Lise L et Yvon L")
        pasted(an_event(pairs=0, club=a_club()), "Rita R et Omer R")
        event = an_event(pairs=0, club=club)
        pasted(event, "Anne A et Omer O")
        known = known_people(event)
        assert [each.person.name for each in known.people] == ["Paul A", "Lise L", "Yvon L"]
        assert [str(one) for pair in known.pairs for one in pair] == ["Lise L", "Yvon L"]

    def test_are_found_by_any_part_of_a_name(self) -> None:
        club = a_club()
        pasted(an_event(pairs=0, club=club), "Édith Lévesque et Paul A")
        known = known_people(an_event(pairs=0, club=club), "LEVES")
        assert [each.person.name for each in known.people] == ["Édith Lévesque"]

    def test_are_entered_as_themselves_and_never_twice(self) -> None:
        club = a_club()
        (before,) = pasted(an_event(pairs=0, club=club), "Anne A et Paul A")
        event = an_event(pairs=0, club=club)
        pair = [[before.player_1_id, before.player_2_id or 0]]
        (added,) = add_known_people(event_id=event.pk, people=pair)
        assert (added.player_1, added.player_2) == (before.player_1, before.player_2)
        assert code_of(add_known_people, event_id=event.pk, people=pair) == "entered_twice"
        same = [[before.player_1_id] * 2]
        assert code_of(add_known_people, event_id=event.pk, people=same) == "entered_twice"

    def test_of_one_name_are_offered_with_when_each_was_last_here(self) -> None:
        club = a_club()
        both = [
            Person.objects.create(club=club, name="Jean Tremblay", folded_name="jean tremblay") for _ in "ab"
        ]
        lise = Person.objects.create(club=club, name="Lise Roy", folded_name="lise roy")
        (before,) = enter_people(event_id=an_event(pairs=0, club=club).pk, people=[both[1].pk, lise.pk])
        event = an_event(pairs=0, club=club)
        offered = known_people(event).people
        assert {each.person: (each.has_namesake, each.last) for each in offered} == {
            both[0]: (True, None),
            both[1]: (True, before),
            lise: (False, None),
        }
        for each in offered:
            assert offered_person(event, each.person) == each

    def test_are_entered_beside_others_of_their_name(self) -> None:
        club = a_club()
        pks = [
            Person.objects.create(club=club, name="Jean Tremblay", folded_name="jean tremblay").pk
            for _ in range(4)
        ]
        event = an_event(pairs=0, club=club)
        add_known_people(event_id=event.pk, people=[pks[:2]])
        enter_people(event_id=event.pk, people=pks[2:])
        named = entries_named_in_full(event.entries.all())
        assert [named(entry) for entry in event.entries.all()] == [
            "Jean Tremblay and Jean Tremblay (no. 1)",
            "Jean Tremblay and Jean Tremblay (no. 2)",
        ]

    def test_are_refused_unless_they_make_entries_of_this_club(self) -> None:
        event = an_event(pairs=0)
        (stranger,) = pasted(an_event(pairs=0, club=a_club()), "Anne A et Paul A")
        strangers = [stranger.player_1_id, stranger.player_2_id or 0]
        for people, code in (([], "nobody_chosen"), ([[1]], "tick_two"), ([strangers], "no_such_person")):
            assert code_of(add_known_people, event_id=event.pk, people=people) == code


@pytest.mark.postgresql("rows are told by when they came")
class TestSomebodyWhoComesLate:
    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_plays_from_the_next_round_and_is_drawn_in_none_before(self) -> None:
        event = a_running_night(pairs=4, tables=3)
        (late,) = add_entry(event_id=event.pk, players=["Lise Côté", "Paul Côté"])
        assert (late.number, late.arrives) == (5, 2)
        play_round(event)
        assert late.pk in {seat.entry_id for seat in next_round(event).seatings.all()}
        assert not late.seatings.filter(round__number=1).exists()

    def test_comes_in_time_before_the_first_draw(self) -> None:
        event = start_event(event_id=an_event(pairs=4).pk)
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
    def test_has_names_as_everybody(self, players: list[str], field: str, code: str) -> None:
        refusal = refusal_of(add_entry, event_id=an_event().pk, players=players)
        assert (refusal.field, refusal.code) == (field, code)

    def test_does_not_take_part_twice_and_returns_after_a_withdrawal(self) -> None:
        event = a_running_night(pairs=4)
        gone = event.entries.get(number=1)
        names = [person.name for person in gone.players]
        assert code_of(add_entry, event_id=event.pk, players=names) == "entered_twice"
        withdraw_entry(event_id=event.pk, number=1)
        assert code_of(add_entry, event_id=event.pk, players=names) == "has_withdrawn"

    def test_sent_twice_is_one(self) -> None:
        event, by = a_running_night(), Actor(key=uuid4())
        for _ in range(2):
            (added,) = add_entry(event_id=event.pk, players=["Lise Côté", "Paul Côté"], by=by)
            assert added.number == 5
        assert event.entries.count() == 5


class TestAnEntry:
    def test_that_is_removed_leaves_the_others_their_numbers(self) -> None:
        event = an_event(pairs=4)
        remove_entry(event_id=event.pk, number=2)
        assert [entry.number for entry in event.entries.all()] == [1, 3, 4]

    def test_removed_by_a_double_click_is_one(self) -> None:
        event = an_event(pairs=4)
        remove_entry(event_id=event.pk, number=2)
        remove_entry(event_id=event.pk, number=2)
        assert event.entries.count() == 3

    def test_that_is_removed_leaves_its_people_to_the_club(self) -> None:
        event = an_event(pairs=4)
        remove_entry(event_id=event.pk, number=2)
        assert Person.objects.count() == 8

    def test_added_after_a_removal_comes_last(self) -> None:
        event = an_event(pairs=3)
        remove_entry(event_id=event.pk, number=1)
        assert [entry.number for entry in pasted(event, "Lise Côté et Paul Côté")] == [4]

    def test_removed_with_its_bonus_comes_back_with_it(self) -> None:
        event = an_event(pairs=2)
        by = Actor(account=an_account(), reason="Handicap")
        adjust_entry(event_id=event.pk, number=1, metric="points_for", amount=5, by=by)
        remove_entry(event_id=event.pk, number=1)
        assert not event.adjustments.exists()
        undo_action(event_id=event.pk, action_id=Action.objects.latest("pk").pk)
        assert event.adjustments.get().entry.number == 1


@pytest.mark.postgresql("who waits is counted under a lock")
class TestTheWaitingList:
    def test_is_joined_by_whoever_comes_once_all_places_are_taken(self) -> None:
        event = an_event(pairs=3)
        change_sign_up(event_id=event.pk, is_open=False, most_entries=4)
        pasted(event, "Anne A et Paul A", "Lise L et Yvon L", "Rita R et Omer R")
        assert list(event.entries.filter(is_waiting=True).values_list("number", flat=True)) == [5, 6]

    def test_gives_the_place_that_gets_free_to_the_first_and_says_so_in_the_history(self) -> None:
        event = an_event(pairs=3)
        change_sign_up(event_id=event.pk, is_open=False, most_entries=3)
        pasted(event, "Anne A et Paul A", "Lise L et Yvon L")
        remove_entry(event_id=event.pk, number=2)
        assert list(event.entries.filter(is_waiting=False).values_list("number", flat=True)) == [1, 3, 4]
        action = Action.objects.latest("pk")
        assert (action.kind, action.details["let_in"]) == ("remove_entry", [4])
        undo_action(event_id=event.pk, action_id=action.pk)
        assert list(event.entries.filter(is_waiting=True).values_list("number", flat=True)) == [4, 5]

    def test_is_passed_by_whoever_the_director_lets_in_even_after_the_start(self) -> None:
        event = an_event(pairs=4)
        change_sign_up(event_id=event.pk, is_open=False, most_entries=4)
        pasted(event, "Anne A et Paul A", "Lise L et Yvon L")
        assert admit_entry(event_id=event.pk, number=6).arrives == 1
        start_event(event_id=event.pk)
        next_round(event)
        late = admit_entry(event_id=event.pk, number=5)
        assert (late.is_waiting, late.arrives) == (False, 2)
        assert admit_entry(event_id=event.pk, number=5).arrives == 2
        assert Action.objects.filter(kind="let_in").count() == 2

    def test_does_not_move_by_itself_once_the_evening_has_begun(self) -> None:
        event = an_event(pairs=4)
        change_sign_up(event_id=event.pk, is_open=False, most_entries=4)
        pasted(event, "Anne A et Paul A", "Lise L et Yvon L")
        start_event(event_id=event.pk)
        withdraw_entry(event_id=event.pk, number=1)
        remove_entry(event_id=event.pk, number=5)
        assert event.entries.get(number=6).is_waiting


def test_two_of_one_name_are_two_people() -> None:
    event = an_event(pairs=0)
    add_entries(event_id=event.pk, entries={1: ("Paul Roy", "Anne Roy"), 2: ("Paul Roy", "Lise Roy")})
    assert Person.objects.filter(name="Paul Roy").count() == 2


def test_entries_change_no_more_once_the_evening_has_begun() -> None:
    event = a_running_night()
    assert code_of(add_entry_list, event_id=event.pk, text="Lise Côté et Paul Côté") == "event_started"
    assert code_of(add_entries, event_id=event.pk, entries={9: ("Lise", "Paul")}) == "event_started"
    assert code_of(remove_entry, event_id=event.pk, number=1) == "event_started"
    assert event.entries.count() == 4


def test_entries_of_an_event_that_does_not_exist_are_refused() -> None:
    assert code_of(add_entry_list, event_id=0, text="Lise Côté et Paul Côté") == "no_such_event"
