"""Who takes part: typed, pasted, removed."""

import pytest

from clubs.models import Person
from rules import TWO_PLAYER, Refusal
from tests.builders import a_club, a_running_night, an_event, code_of, refusal_of
from tournaments.models import Entry, Event
from tournaments.services import add_entries, add_entry_list, remove_entry

pytestmark = pytest.mark.django_db


def listed(event: Event) -> list[tuple[int, str]]:
    return [(entry.number, str(entry)) for entry in event.entries.all()]


def pasted(event: Event, *lines: str) -> list[Entry]:
    return add_entry_list(event_id=event.pk, text="\n".join(lines))


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

    def test_with_bad_lines_says_all_of_them_at_once_and_adds_nothing(self) -> None:
        event = an_event(pairs=0)
        refusal = refusal_of(
            pasted,
            event,
            "Jeannine Roy et Marcel Dubé",
            "Ghislaine Cyr",
            "",
            "Lise Côté / Paul Côté / Anne Côté",
            "Rita 🎉 Albert et Yvon Albert",
            "Jeannine ROY et Omer Paradis",
            f"{'x' * 81} et Marie Roy",
        )
        assert refusal.code == "list_refused"
        assert bad_lines(refusal) == [
            (2, "one_name_missing"),
            (4, "too_many_names"),
            (5, "strange_character"),
            (6, "entered_twice"),
            (7, "name_too_long"),
        ]
        assert not Entry.objects.exists()
        assert not Person.objects.exists()

    def test_with_somebody_who_takes_part_already_is_refused(self) -> None:
        event = an_event(pairs=0)
        pasted(event, "Jeannine Roy et Marcel Dubé")
        refusal = refusal_of(pasted, event, "Lise Côté et marcel dube")
        assert bad_lines(refusal) == [(1, "entered_twice")]
        assert event.entries.count() == 1

    @pytest.mark.parametrize("line", ["Lise Côté et Lise Côté", "Lise Côté et lise  cote"])
    def test_with_somebody_who_is_their_own_partner_is_refused(self, line: str) -> None:
        assert bad_lines(refusal_of(pasted, an_event(pairs=0), line)) == [(1, "entered_twice")]

    def test_with_a_dash_for_a_partner_is_refused(self) -> None:
        assert bad_lines(refusal_of(pasted, an_event(pairs=0), "Lise Côté / -")) == [(1, "strange_character")]

    def test_with_invisible_characters_is_read_without_them(self) -> None:
        event = an_event(pairs=0)
        pasted(event, "\ufeffLise\u00a0Côté et Paul\u200b Côté\x00")
        assert listed(event) == [(1, "Lise Côté / Paul Côté")]

    def test_of_300_names_with_empty_lines_duplicates_and_emoji_is_refused_line_by_line(self) -> None:
        event = an_event(pairs=0)
        lines = [f"Anne {letters(number)} et Paul {letters(number)}" for number in range(150)]
        lines[20] = ""
        lines[40] = lines[39]
        lines[60] = "😀"
        lines[80] = "Anne"
        refusal = refusal_of(pasted, event, *lines)
        assert bad_lines(refusal) == [
            (41, "entered_twice"),
            (61, "strange_character"),
            (81, "one_name_missing"),
        ]
        assert not Person.objects.exists()

    def test_of_300_names_is_added_whole(self) -> None:
        event = an_event(pairs=0)
        pasted(event, *(f"Anne {letters(number)} et Paul {letters(number)}" for number in range(150)))
        assert event.entries.count() == 150
        assert Person.objects.count() == 300

    def test_without_end_is_refused(self) -> None:
        refusal = refusal_of(pasted, an_event(pairs=0), *["Lise Côté et Paul Côté"] * 2_001)
        assert [each.code for each in refusal.details["refusals"]] == ["list_too_long"]

    def test_that_unfolds_to_more_letters_than_are_kept_is_taken(self) -> None:
        event = an_event(pairs=0)
        pasted(event, f"{'ﷺ' * 80} et Paul Côté")
        assert event.entries.count() == 1


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
