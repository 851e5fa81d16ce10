"""A new night and its entries: invalid input is refused at its field and kept; valid input is saved once."""

import datetime

import pytest

from clubs.calendar import get_club_today
from clubs.models import Person
from rules import RULESETS, MatchFormat
from scoring.models import TableCard
from tests.builders import build_event, build_player_names, play_round, start_next_round
from tests.support.hall import post_form
from tests.support.office import Office
from tournaments.entries.services.entries import add_entries
from tournaments.entries.services.entry_import import add_entry_list
from tournaments.events.services.lifecycle import start_event
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event, Round
from tournaments.rounds.services.rounds import draw_round

pytestmark = pytest.mark.django_db


class TestNewNightForm:
    @pytest.mark.long
    @pytest.mark.snapshot
    def test_refused_form_keeps_the_draw_format(self) -> None:
        for draw_format in ("random", "swiss"):
            page = Office().create_night(table_count="", draw_format=draw_format)
            assert page.status == 422
            assert page.list_checked_values("draw_format") == [draw_format]

    def test_new_night_form_preselects_the_club_rules(self) -> None:
        office = Office()
        office.club.usual_ruleset = "bas-saint-laurent"
        office.club.save()
        page = office.browser.open(f"/club/{office.club.slug}/new")
        assert page.list_checked_values("ruleset") == ["bas-saint-laurent"]
        assert page.find_field("games_to_win").value == "2"

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_refused_rule_details_open_their_section(self) -> None:
        office = Office()
        page = office.browser.open(f"/club/{office.club.slug}/new")
        assert ["open" in one.attrs for one in page.find_all("details")] == [False, False, False, False]
        page = office.create_night(ruleset="own-0", details=["trump"])
        assert ["open" in one.attrs for one in page.find_all("details")] == [True, False, True, False]

    @pytest.mark.long
    def test_new_night_form_copies_defaults_from_the_last_night(self) -> None:
        office = Office(pairs=4, ruleset=RULESETS["maine"], match_format=MatchFormat(hands=12), tables=5)
        office.event.stages = [{"format": "swiss"}]
        office.event.held_on = get_club_today(office.club) - datetime.timedelta(days=7)
        office.event.state = EventState.ENDED
        office.event.save()
        page = office.browser.open(f"/club/{office.club.slug}/new")
        assert (page.list_checked_values("ruleset"), page.list_checked_values("length")) == (["maine"], ["hands"])
        assert page.find_field("hands").value == "12"
        (more,) = [one for one in page.find_all("details") if "More options" in one.text]
        assert "open" not in more.attrs
        assert {field.attrs["name"] for field in more.find_all("input")} == {
            *("name", "draw_format", "table_count", "details")
        }
        assert page.list_checked_values("draw_format") == ["swiss"]
        assert page.find_field("table_count").value == "5"

    @pytest.mark.slow
    def test_unnamed_night_is_named_after_its_date(self) -> None:
        page = Office().create_night(name="", held_on="2026-12-01")
        assert page.path == "/e/card-night-of-december-1-2026/desk/entries"

    def test_new_night_opens_its_entries_page(self) -> None:
        page = Office().create_night(name="Tuesday", table_count="6", details=["trump"])
        assert page.path == "/e/tuesday/desk/entries"
        event = Event.objects.get(short="tuesday")
        assert (event.table_count, event.terms.details) == (6, ["trump"])

    @pytest.mark.parametrize(
        ("field", "typed", "sentence"),
        [
            ("table_count", "", "Enter 1 to 1000 tables."),
            ("table_count", "0", "Enter 1 to 1000 tables."),
            ("table_count", "-3", "Enter 1 to 1000 tables."),
            ("table_count", "9" * 30, "“999999999999999999999999999999” is not a whole number."),
            ("table_count", "six", "“six” is not a whole number."),
            ("games_to_win", "0", "Enter 1 or more."),
            ("games_to_win", "two", "“two” is not a whole number."),
            ("games_to_win", "", "Choose the match length: games to win, hands or minutes."),
            ("held_on", "", "Choose a day."),
            ("held_on", "Tuesday", "“Tuesday” is not a date."),
            ("held_on", "2026-02-30", "“2026-02-30” is not a date."),
            ("held_on", "1700-11-17", "Choose a date from 1900 to 2199."),
        ],
    )
    def test_refused_night_form_keeps_the_typed_values(self, field: str, typed: str, sentence: str) -> None:
        office = Office()
        form_values = {"name": "Tuesday", "table_count": "6", "ruleset": "maine", "details": ["trump"]}
        page = office.create_night(**form_values | {field: typed})
        assert page.status == 422
        assert page.get_field_error(field).startswith(sentence)
        assert page.find_field(field).value == typed
        assert page.list_checked_values("ruleset") == ["maine"]
        assert page.list_checked_values("details") == ["trump"]
        assert Event.objects.get() == office.event

    @pytest.mark.parametrize(
        ("typed", "sentence"),
        [
            ({"length": "hands", "hands": "abc"}, "“abc” is not a whole number. Use digits."),
            ({"length": "hands", "hands": ""}, "Choose the match length: games to win, hands or minutes."),
            ({"table_count": "six"}, "“six” is not a whole number. Use digits."),
        ],
    )
    def test_invalid_night_field_shows_one_error(self, typed: dict[str, str], sentence: str) -> None:
        office = Office()
        page = office.create_night(name="Tuesday", **typed)
        assert page.get_field_error(list(typed)[-1]) == sentence
        assert len(list(page.find_all("p", class_="error"))) == 1

    @pytest.mark.long
    @pytest.mark.parametrize("length", ["hands", "minutes"])
    def test_night_length_is_set_in_hands_or_minutes(self, length: str) -> None:
        office = Office()
        assert office.create_night(name="Tuesday", length=length, **{length: "12"}).status == 200
        assert Event.objects.get(short="tuesday").terms.format_data[length] == 12
        assert office.create_night(length=length, **{length: "0"}).get_field_error(length) == "Enter 1 or more."

    @pytest.mark.long
    def test_swiss_night_explains_its_draft(self) -> None:
        office = Office()
        page = office.create_night(name="Tuesday", draw_format="swiss", table_count="3")
        event = Event.objects.get(short="tuesday")
        assert (page.status, event.stages) == (200, [{"format": "swiss"}])
        add_entries(event_id=event.pk, entries=build_player_names(6))
        start_event(event_id=event.pk)
        start_next_round(event)
        play_round(event)
        draw_round(event_id=event.pk, seed=4182)
        text = office.browser.open("/e/tuesday/desk").text
        assert "By results (Swiss), draw 4182" in text
        assert text.count("Equal scores: ") == 2
        assert text.count("Unequal scores: 1 and 0.") == 1

    @pytest.mark.long
    def test_night_with_a_taken_name_gets_another_address(self) -> None:
        office = Office()
        pages = [office.create_night(name="Soirée ♥️") for _ in range(2)]
        assert [page.path for page in pages] == ["/e/soiree/desk/entries", "/e/soiree-2/desk/entries"]

    @pytest.mark.long
    def test_resent_night_form_creates_one_night(self) -> None:
        office = Office()
        form = office.browser.open(f"/club/{office.club.slug}/new")
        pages = [office.browser.send(form, form.find_form(control_name="table_count"), name="Bingo") for _ in range(2)]
        assert {page.path for page in pages} == {"/e/bingo/desk/entries"}
        assert Event.objects.filter(name="Bingo").count() == 1


class TestEntriesForm:
    @pytest.mark.long
    def test_entries_page_names_added_entries_and_folds_the_form(self) -> None:
        office = Office()
        first = office.browser.open(office.entries)
        assert not list(first.find_all("details", id="adding"))
        assert not list(first.find_all(id="added"))
        assert "in total" not in first.text  # no entries yet
        office.paste_entries("Jeannine Roy et Marcel Dubé")
        page = office.paste_entries("Ghislaine Cyr et Normand Ouellet\nLise Roy et Paul Roy")
        notice = "2 entries added: Ghislaine Cyr and Normand Ouellet, Lise Roy and Paul Roy"
        assert page.find_one(id="added").text == notice
        assert "open" not in page.find_one("details", id="adding").attrs
        refused = office.paste_entries("Alone")
        assert "open" in refused.find_one("details", id="adding").attrs
        assert not list(refused.find_all(id="added"))

    @pytest.mark.long
    def test_entries_page_names_six_added_entries_and_counts_the_rest(self) -> None:
        office = Office()
        names = ("Ab", "Bo", "Cy", "Di", "Ed", "Fa", "Gu", "Hu")
        page = office.paste_entries("\n".join(f"Zoé {name} et Yves {name}" for name in names))
        notice = page.find_one(id="added").text
        assert notice.startswith("8 entries added: Zoé Ab and Yves Ab, ")
        assert notice.endswith("Zoé Fa and Yves Fa, …")

    @pytest.mark.long
    def test_invalid_added_parameter_is_ignored(self) -> None:
        office = Office()
        office.paste_entries("Jeannine Roy et Marcel Dubé")
        for nasty in ("x", "-", "9-1", "1-99999999999999999999"):
            assert not list(office.browser.open(f"{office.entries}?added={nasty}").find_all(id="added"))

    @pytest.mark.slow
    def test_entries_are_pasted_one_per_line(self) -> None:
        office = Office()
        page = office.paste_entries("Jeannine Roy et Marcel Dubé\r\n\r\n  Ghislaine Cyr / Normand  Ouellet\r\n")
        assert page.status == 200
        assert [str(entry) for entry in Entry.objects.all()] == [
            "Jeannine Roy / Marcel Dubé",
            "Ghislaine Cyr / Normand Ouellet",
        ]
        assert page.find_field("entries").value == ""

    @pytest.mark.long
    def test_bad_pasted_lines_stay_in_the_field(self) -> None:
        office = Office()
        lines = [f"Anne {make_name(number)} and Paul {make_name(number)}" for number in range(300)]
        lines[10], lines[20], lines[30], lines[40] = "", "Anne 🎉 and Paul X", lines[5], "Alone Again"
        page = office.paste_entries("\n".join(lines))
        assert page.status == 422
        assert page.find_field("entries").value == "\n".join(lines[place] for place in (20, 30, 40))
        error_text = page.get_field_error("entries")
        assert error_text.startswith("Entries added: 296. Correct the lines below.")
        assert "Line 1: “Anne 🎉” cannot contain “🎉”. Remove it." in error_text
        assert "Line 2: Anne Aaf is already entered." in error_text
        assert "Line 3: “Alone Again”: a name is missing." in error_text
        assert "296 entries added:" in page.find_one(id="added").text
        form = page.find_form("/entries", control_name="entries")
        page = office.browser.send(page, form, entries="Alone Again and Paul X")
        assert page.status == 200
        assert Entry.objects.count() == 297

    @pytest.mark.slow
    def test_possible_namesakes_are_asked_about_before_saving(self) -> None:
        office = Office()
        before = build_event(pairs=0, club=office.club)
        add_entry_list(event_id=before.pk, text="Jeannine Roy et Marcel Dubé")
        jeannine = before.entries.get().player_1
        text = "Roy Jeannine et Anne Neuve\nMarcel Dubé et Paul Neuf, Matane\nAlone"
        page = office.paste_entries(text)
        assert "Same person or new?" in page.text
        assert "Last played" in page.text
        assert page.list_checked_values("who roy jeannine") == [str(jeannine.pk)]
        assert page.list_checked_values("who marcel dube") == ["new"]
        assert office.event.entries.count() == 0
        assert Person.objects.count() == 2
        form = page.find_form(control_name="asked")
        again = office.browser.send(page, form, ("again", "1"))
        assert (again.status, again.find_field("entries").value) == (200, text)
        for _ in range(2):
            done = office.browser.send(page, form, ("asked", "1"))
            assert done.find_field("entries").value == "Alone"
        first, second = office.event.entries.all()
        assert first.player_1 == jeannine
        assert second.player_1.name == "Marcel Dubé"
        assert second.player_1.is_guest
        assert Person.objects.count() == 5

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_people_with_known_names_are_confirmed_with_one_tap(self) -> None:
        office = Office()
        add_entry_list(event_id=build_event(pairs=0, club=office.club).pk, text="Jeannine Roy et Marcel Dubé")
        page = office.paste_entries("Jeannine Roy et Marcel Dubé")
        assert "2 people already known" in page.text
        office.browser.send(page, page.find_form(control_name="asked"), ("asked", "1"))
        assert office.event.entries.count() == 1
        assert Person.objects.count() == 2

    @pytest.mark.long("three hundred entries; other tests take a few")
    def test_form_accepts_three_hundred_entries(self) -> None:
        office = Office()
        page = office.paste_entries("\n".join(f"Anne {make_name(n)} and Paul {make_name(n)}" for n in range(300)))
        assert "300 entries" in page.text

    @pytest.mark.long
    def test_entries_pasted_again_are_refused(self) -> None:
        office = Office()
        office.paste_entries("Jeannine Roy et Marcel Dubé")
        page = office.paste_entries("Jeannine Roy et Marcel Dubé")
        assert page.status == 422
        assert "Line 1: Jeannine Roy is already entered." in page.get_field_error("entries")
        assert Entry.objects.count() == 1

    @pytest.mark.long
    @pytest.mark.parametrize("text", ["", " \n \n"])
    def test_invalid_entries_are_refused_with_an_example(self, text: str) -> None:
        page = Office().paste_entries(text)
        assert page.status == 422
        assert page.get_field_error("entries").startswith("Enter one entry per line, like")

    @pytest.mark.long
    def test_entry_can_be_removed_before_the_start(self) -> None:
        office = Office(pairs=3)
        page = office.browser.open(office.entries)
        page = office.browser.send(page, page.find_form(control_name="remove"), ("remove", "1"))
        assert [entry.number for entry in Entry.objects.all()] == [2, 3]

    @pytest.mark.parametrize("number", ["0", "-1", "x", "", "99", "9" * 5000, "²", "١"])
    def test_removing_an_unknown_entry_changes_nothing(self, number: str) -> None:
        office = Office(pairs=2)
        assert post_form(office.browser, office.entries, {"remove": number}).status in (200, 422)
        assert Entry.objects.count() == 2

    @pytest.mark.long
    def test_entries_refused_after_the_start_stay_in_the_field(self) -> None:
        office = Office(pairs=2)
        page = office.browser.open(office.entries)
        start = page.find_form("/start")
        office.browser.send(page, start)
        late = office.browser.send(
            page, page.find_form("/entries", control_name="entries"), entries="Late Anne and Late Paul"
        )
        assert late.status == 409
        assert late.get_field_error("entries") == "The event has started: entries can no longer change."
        assert late.find_field("entries").value == "Late Anne and Late Paul"
        assert Entry.objects.count() == 2


class TestEventStart:
    @pytest.mark.parametrize("pairs", [0, 1])
    def test_start_without_entries_is_refused(self, pairs: int) -> None:
        office = Office(pairs=pairs)
        page = office.browser.open(office.entries)
        page = office.browser.send(page, page.find_form("/start"))
        assert page.status == 422
        assert page.get_field_error("entries") == "At least 2 entries are needed. Add entries first."
        assert not Round.objects.exists()
        assert Event.objects.get().state == "preparing"

    @pytest.mark.long
    def test_start_with_too_few_tables_shows_the_required_number(self) -> None:
        office = Office(pairs=6, tables=2)
        page = office.browser.open(office.entries)
        page = office.browser.send(page, page.find_form("/start"))
        assert page.status == 422
        assert page.get_field_error("table_count") == "3 tables needed, 2 available. Add tables."
        assert not Round.objects.exists()
        page = office.browser.send(page, page.find_form(control_name="table_count"), table_count="3")
        assert page.find_field("table_count").value == "3"
        page = office.browser.send(page, page.find_form("/start"))
        assert "Round 1: 3 tables" in page.text
        assert TableCard.objects.count() == 3

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("typed", "sentence"),
        [
            ("0", "Enter 1 to 1000 tables."),
            ("1001", "Enter 1 to 1000 tables."),
            ("six", "“six” is not a whole number. Use digits."),
        ],
    )
    def test_invalid_table_count_keeps_the_typed_value(self, typed: str, sentence: str) -> None:
        office = Office(pairs=6, tables=2)
        page = office.browser.open(office.entries)
        page = office.browser.send(page, page.find_form(control_name="table_count"), table_count=typed)
        assert page.status == 422
        assert (page.get_field_error("table_count"), page.find_field("table_count").value) == (sentence, typed)
        assert Event.objects.get().table_count == 2

    @pytest.mark.long
    def test_double_start_draws_one_first_round(self) -> None:
        office = Office(pairs=4)
        page = office.browser.open(office.entries)
        for _ in range(2):
            assert office.browser.send(page, page.find_form("/start")).path.endswith("/desk")
        assert Round.objects.count() == 1


def make_name(number: int) -> str:
    return "".join(chr(ord("a") + digit) for digit in (number // 100, number // 10 % 10, number % 10)).title()
