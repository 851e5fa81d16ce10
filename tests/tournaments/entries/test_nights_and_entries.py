"""A new night and its entries: refused at the field, in full, and kept in the form; or written once."""

import datetime

import pytest

from clubs.calendar import today_in
from clubs.models import Person
from rules import RULESETS, MatchFormat
from scoring.models import TableCard
from tests.builders import an_event, next_round, play_round, player_names
from tests.support.hall import post
from tests.support.office import Office
from tournaments.entries.services.entries import add_entries
from tournaments.entries.services.entry_import import add_entry_list
from tournaments.events.services.lifecycle import start_event
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event, Round
from tournaments.rounds.services.rounds import draw_round

pytestmark = pytest.mark.django_db


class TestANewNight:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_keeps_how_it_is_drawn_where_something_else_is_refused(self) -> None:
        for draw_format in ("random", "swiss"):
            page = Office().new_night(table_count="", draw_format=draw_format)
            assert page.status == 422
            assert page.chosen("draw_format") == [draw_format]

    def test_is_offered_with_the_clubs_usual_rules(self) -> None:
        office = Office()
        office.club.usual_ruleset = "bas-saint-laurent"
        office.club.save()
        page = office.browser.open(f"/club/{office.club.slug}/new")
        assert page.chosen("ruleset") == ["bas-saint-laurent"]
        assert page.field("games_to_win").value == "2"

    @pytest.mark.snapshot
    def test_shows_the_chosen_rules_and_opens_the_others_where_they_are_refused(self) -> None:
        office = Office()
        page = office.browser.open(f"/club/{office.club.slug}/new")
        assert ["open" in one.attrs for one in page.every("details")] == [False, False, False, False]
        page = office.new_night(ruleset="own-0", details=["trump"])
        assert ["open" in one.attrs for one in page.every("details")] == [True, False, True, False]

    def test_asks_when_by_which_rules_and_how_long_and_takes_the_rest_from_the_last_night(self) -> None:
        office = Office(pairs=4, ruleset=RULESETS["maine"], match_format=MatchFormat(hands=12), tables=5)
        office.event.stages = [{"format": "swiss"}]
        office.event.held_on = today_in(office.club) - datetime.timedelta(days=7)
        office.event.state = EventState.ENDED
        office.event.save()
        page = office.browser.open(f"/club/{office.club.slug}/new")
        assert (page.chosen("ruleset"), page.chosen("length")) == (["maine"], ["hands"])
        assert page.field("hands").value == "12"
        (more,) = [one for one in page.every("details") if "More options" in one.text]
        assert "open" not in more.attrs
        assert {field.attrs["name"] for field in more.every("input")} == {
            *("name", "draw_format", "table_count", "details")
        }
        assert page.chosen("draw_format") == ["swiss"]
        assert page.field("table_count").value == "5"

    def test_without_a_name_is_called_after_its_day(self) -> None:
        page = Office().new_night(name="", held_on="2026-12-01")
        assert page.path == "/e/card-night-of-december-1-2026/desk/entries"

    def test_leads_to_its_entries(self) -> None:
        page = Office().new_night(name="Tuesday", table_count="6", details=["trump"])
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
    def test_refused_keeps_what_was_typed(self, field: str, typed: str, sentence: str) -> None:
        office = Office()
        said = {"name": "Tuesday", "table_count": "6", "ruleset": "maine", "details": ["trump"]}
        page = office.new_night(**said | {field: typed})
        assert page.status == 422
        assert page.said_at(field).startswith(sentence)
        assert page.field(field).value == typed
        assert page.chosen("ruleset") == ["maine"]
        assert page.chosen("details") == ["trump"]
        assert Event.objects.get() == office.event

    @pytest.mark.parametrize(
        ("typed", "sentence"),
        [
            ({"length": "hands", "hands": "abc"}, "“abc” is not a whole number. Use digits."),
            ({"length": "hands", "hands": ""}, "Choose the match length: games to win, hands or minutes."),
            ({"table_count": "six"}, "“six” is not a whole number. Use digits."),
        ],
    )
    def test_refuses_a_slip_once_and_at_its_field(self, typed: dict[str, str], sentence: str) -> None:
        office = Office()
        page = office.new_night(name="Tuesday", **typed)
        assert page.said_at(list(typed)[-1]) == sentence
        assert len(list(page.every("p", class_="error"))) == 1

    @pytest.mark.long("cheaper tests reach each of its lines")
    @pytest.mark.parametrize("length", ["hands", "minutes"])
    def test_may_end_by_hands_or_by_the_clock(self, length: str) -> None:
        office = Office()
        assert office.new_night(name="Tuesday", length=length, **{length: "12"}).status == 200
        assert Event.objects.get(short="tuesday").terms.format_data[length] == 12
        assert office.new_night(length=length, **{length: "0"}).said_at(length) == "Enter 1 or more."

    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_may_be_drawn_by_results_and_the_draft_says_why(self) -> None:
        office = Office()
        page = office.new_night(name="Tuesday", draw_format="swiss", table_count="3")
        event = Event.objects.get(short="tuesday")
        assert (page.status, event.stages) == (200, [{"format": "swiss"}])
        add_entries(event_id=event.pk, entries=player_names(6))
        start_event(event_id=event.pk)
        next_round(event)
        play_round(event)
        draw_round(event_id=event.pk, seed=4182)
        text = office.browser.open("/e/tuesday/desk").text
        assert "By results (Swiss), draw 4182" in text
        assert text.count("Equal scores: ") == 2
        assert text.count("Unequal scores: 1 and 0.") == 1

    def test_of_a_name_that_is_taken_gets_an_address_of_its_own(self) -> None:
        office = Office()
        pages = [office.new_night(name="Soirée ♥️") for _ in range(2)]
        assert [page.path for page in pages] == ["/e/soiree/desk/entries", "/e/soiree-2/desk/entries"]

    def test_sent_twice_is_one_night(self) -> None:
        office = Office()
        form = office.browser.open(f"/club/{office.club.slug}/new")
        pages = [office.browser.send(form, form.form(having="table_count"), name="Bingo") for _ in range(2)]
        assert {page.path for page in pages} == {"/e/bingo/desk/entries"}
        assert Event.objects.filter(name="Bingo").count() == 1


class TestEntries:
    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_just_added_are_named_above_the_list_and_the_box_for_more_is_folded(self) -> None:
        office = Office()
        first = office.browser.open(office.entries)
        assert not list(first.every("details", id="adding"))
        assert not list(first.every(id="added"))
        assert "in total" not in first.text  # nobody
        office.paste("Jeannine Roy et Marcel Dubé")
        page = office.paste("Ghislaine Cyr et Normand Ouellet\nLise Roy et Paul Roy")
        said = "2 entries added: Ghislaine Cyr and Normand Ouellet, Lise Roy and Paul Roy"
        assert page.one(id="added").text == said
        assert "open" not in page.one("details", id="adding").attrs
        refused = office.paste("Alone")
        assert "open" in refused.one("details", id="adding").attrs
        assert not list(refused.every(id="added"))

    def test_just_added_are_named_up_to_six_and_the_rest_is_counted(self) -> None:
        office = Office()
        names = ("Ab", "Bo", "Cy", "Di", "Ed", "Fa", "Gu", "Hu")
        page = office.paste("\n".join(f"Zoé {name} et Yves {name}" for name in names))
        said = page.one(id="added").text
        assert said.startswith("8 entries added: Zoé Ab and Yves Ab, ")
        assert said.endswith("Zoé Fa and Yves Fa, …")

    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_are_listed_whatever_the_address_says_was_added(self) -> None:
        office = Office()
        office.paste("Jeannine Roy et Marcel Dubé")
        for nasty in ("x", "-", "9-1", "1-99999999999999999999"):
            assert not list(office.browser.open(f"{office.entries}?added={nasty}").every(id="added"))

    def test_are_pasted_one_a_line(self) -> None:
        office = Office()
        page = office.paste("Jeannine Roy et Marcel Dubé\r\n\r\n  Ghislaine Cyr / Normand  Ouellet\r\n")
        assert page.status == 200
        assert [str(entry) for entry in Entry.objects.all()] == [
            "Jeannine Roy / Marcel Dubé",
            "Ghislaine Cyr / Normand Ouellet",
        ]
        assert page.field("entries").value == ""

    @pytest.mark.slow
    def test_of_which_some_are_bad_are_taken_but_for_those_which_stay_in_the_field(self) -> None:
        office = Office()
        lines = [f"Anne {letters(number)} and Paul {letters(number)}" for number in range(300)]
        lines[10], lines[20], lines[30], lines[40] = "", "Anne 🎉 and Paul X", lines[5], "Alone Again"
        page = office.paste("\n".join(lines))
        assert page.status == 422
        assert page.field("entries").value == "\n".join(lines[place] for place in (20, 30, 40))
        said = page.said_at("entries")
        assert said.startswith("Entries added: 296. Correct these lines, which were not added.")
        assert "Line 1: “Anne 🎉” cannot contain “🎉”. Remove it." in said
        assert "Line 2: Anne Aaf is already entered." in said
        assert "Line 3: “Alone Again”: a name is missing." in said
        assert "296 entries added:" in page.one(id="added").text
        form = page.form("/entries", having="entries")
        page = office.browser.send(page, form, entries="Alone Again and Paul X")
        assert page.status == 200
        assert Entry.objects.count() == 297

    @pytest.mark.slow
    def test_of_whom_the_club_may_know_some_are_asked_about_before_anything_is_written(self) -> None:
        office = Office()
        before = an_event(pairs=0, club=office.club)
        add_entry_list(event_id=before.pk, text="Jeannine Roy et Marcel Dubé")
        jeannine = before.entries.get().player_1
        text = "Roy Jeannine et Anne Neuve\nMarcel Dubé et Paul Neuf, Matane\nAlone"
        page = office.paste(text)
        assert "Same person or new?" in page.text
        assert "Last played" in page.text
        assert page.chosen("who roy jeannine") == [str(jeannine.pk)]
        assert page.chosen("who marcel dube") == ["new"]
        assert office.event.entries.count() == 0
        assert Person.objects.count() == 2
        form = page.form(having="asked")
        again = office.browser.send(page, form, ("again", "1"))
        assert (again.status, again.field("entries").value) == (200, text)
        for _ in range(2):
            done = office.browser.send(page, form, ("asked", "1"))
            assert done.field("entries").value == "Alone"
        first, second = office.event.entries.all()
        assert first.player_1 == jeannine
        assert second.player_1.name == "Marcel Dubé"
        assert second.player_1.is_guest
        assert Person.objects.count() == 5

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_whom_the_club_knows_by_just_that_name_are_shown_and_added_with_one_tap(self) -> None:
        office = Office()
        add_entry_list(event_id=an_event(pairs=0, club=office.club).pk, text="Jeannine Roy et Marcel Dubé")
        page = office.paste("Jeannine Roy et Marcel Dubé")
        assert "2 people already known" in page.text
        office.browser.send(page, page.form(having="asked"), ("asked", "1"))
        assert office.event.entries.count() == 1
        assert Person.objects.count() == 2

    @pytest.mark.long("three hundred entries, as a few are taken")
    def test_are_taken_three_hundred_at_once(self) -> None:
        office = Office()
        page = office.paste("\n".join(f"Anne {letters(n)} and Paul {letters(n)}" for n in range(300)))
        assert "300 entries" in page.text

    @pytest.mark.slow
    def test_pasted_twice_are_entered_once(self) -> None:
        office = Office()
        office.paste("Jeannine Roy et Marcel Dubé")
        page = office.paste("Jeannine Roy et Marcel Dubé")
        assert page.status == 422
        assert "Line 1: Jeannine Roy is already entered." in page.said_at("entries")
        assert Entry.objects.count() == 1

    @pytest.mark.parametrize("text", ["", " \n \n"])
    def test_that_are_none_are_refused_with_an_example(self, text: str) -> None:
        page = Office().paste(text)
        assert page.status == 422
        assert page.said_at("entries").startswith("Enter one entry per line, like")

    def test_can_be_taken_off_until_the_start(self) -> None:
        office = Office(pairs=3)
        page = office.browser.open(office.entries)
        page = office.browser.send(page, page.form(having="remove"), ("remove", "1"))
        assert [entry.number for entry in Entry.objects.all()] == [2, 3]

    @pytest.mark.parametrize("number", ["0", "-1", "x", "", "99", "9" * 5000, "²", "١"])
    def test_that_are_not_there_are_not_taken_off(self, number: str) -> None:
        office = Office(pairs=2)
        assert post(office.browser, office.entries, {"remove": number}).status in (200, 422)
        assert Entry.objects.count() == 2

    @pytest.mark.slow
    def test_after_the_start_are_refused_and_what_was_typed_is_still_there(self) -> None:
        office = Office(pairs=2)
        page = office.browser.open(office.entries)
        start = page.form("/start")
        office.browser.send(page, start)
        late = office.browser.send(
            page, page.form("/entries", having="entries"), entries="Late Anne and Late Paul"
        )
        assert late.status == 409
        assert late.said_at("entries") == "The event has started: entries can no longer change."
        assert late.field("entries").value == "Late Anne and Late Paul"
        assert Entry.objects.count() == 2


class TestTheStart:
    @pytest.mark.parametrize("pairs", [0, 1])
    def test_without_entries_is_refused(self, pairs: int) -> None:
        office = Office(pairs=pairs)
        page = office.browser.open(office.entries)
        page = office.browser.send(page, page.form("/start"))
        assert page.status == 422
        assert page.said_at("entries") == "At least 2 entries are needed. Add entries first."
        assert not Round.objects.exists()
        assert Event.objects.get().state == "preparing"

    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_with_too_few_tables_says_how_many_are_needed(self) -> None:
        office = Office(pairs=6, tables=2)
        page = office.browser.open(office.entries)
        page = office.browser.send(page, page.form("/start"))
        assert page.status == 422
        assert page.said_at("table_count") == "3 tables needed, 2 available. Add tables."
        assert not Round.objects.exists()
        page = office.browser.send(page, page.form(having="table_count"), table_count="3")
        assert page.field("table_count").value == "3"
        page = office.browser.send(page, page.form("/start"))
        assert "Round 1: 3 tables" in page.text
        assert TableCard.objects.count() == 3

    @pytest.mark.parametrize(
        ("typed", "sentence"),
        [
            ("0", "Enter 1 to 1000 tables."),
            ("1001", "Enter 1 to 1000 tables."),
            ("six", "“six” is not a whole number. Use digits."),
        ],
    )
    def test_with_no_number_of_tables_keeps_what_was_typed(self, typed: str, sentence: str) -> None:
        office = Office(pairs=6, tables=2)
        page = office.browser.open(office.entries)
        page = office.browser.send(page, page.form(having="table_count"), table_count=typed)
        assert page.status == 422
        assert (page.said_at("table_count"), page.field("table_count").value) == (sentence, typed)
        assert Event.objects.get().table_count == 2

    @pytest.mark.slow
    def test_twice_draws_one_first_round(self) -> None:
        office = Office(pairs=4)
        page = office.browser.open(office.entries)
        for _ in range(2):
            assert office.browser.send(page, page.form("/start")).path.endswith("/desk")
        assert Round.objects.count() == 1


def letters(number: int) -> str:
    """A different name for every number."""
    return "".join(chr(ord("a") + digit) for digit in (number // 100, number // 10 % 10, number % 10)).title()
