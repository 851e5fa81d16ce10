"""The history of a club and of an event: looked through, opened into before and after, taken as a file."""

import csv
import io
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest

from clubs.audit.filters import PAGE
from clubs.audit.log import Actor
from clubs.models import ClubAction, Membership, Role
from clubs.services import (
    PersonDetails,
    add_person,
    change_person,
    change_role,
    import_people,
    undo_club_action,
)
from tests.builders import a_club, an_account, an_event, mark, play_round
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tournaments.entries.services.entries import remove_entry
from tournaments.events.presenters.names import full_names
from tournaments.history.services.undo import undo_action
from tournaments.models import Action
from tournaments.rounds.services.tables import swap_entries

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("what a change wrote is searched as text")]


class Desk(Hall):
    """A club in which two people did something to two others."""

    def __init__(self) -> None:
        super().__init__(pairs=4)
        self.director = an_account()
        Membership.objects.create(club=self.event.club, account=self.director, role=Role.DIRECTOR)
        club, owner, director = self.event.club, Actor(account=self.owner), Actor(account=self.director)
        self.edith = add_person(
            club_id=club.pk, details=PersonDetails(name="Édith Roy", contact="418 555-0123"), by=owner
        )
        add_person(club_id=club.pk, details=PersonDetails(name="Marcel Dubé"), by=director)
        change_person(
            club_id=club.pk, person_id=self.edith.pk, details=PersonDetails(name="Édith Roy"), by=director
        )

    @property
    def club_history(self) -> str:
        return f"/club/{self.event.club.slug}/history"

    @property
    def event_history(self) -> str:
        return f"/e/{self.event.short}/desk/history"


@pytest.fixture
def desk() -> Desk:
    return Desk()


def lines(page: Page) -> list[str]:
    """The sentences of the lines that a page shows."""
    return [one.one("b").text for one in page.document.one("ol").every("li")] if page.every("ol") else []


class TestLookedThrough:
    def test_all_of_it_the_last_first(self, desk: Desk) -> None:
        page = desk.desk.open(desk.club_history)
        assert lines(page) == ["Changed: Édith Roy", "Added: Marcel Dubé", "Added: Édith Roy"]
        assert "3 lines" in page.text

    @pytest.mark.parametrize("search", ["edith", "ROY", "édith  roy", "roy edi"])
    def test_by_the_name_of_whom_it_is_about(self, desk: Desk, search: str) -> None:
        page = desk.desk.open(f"{desk.club_history}?search={search}")
        assert lines(page) == ["Changed: Édith Roy", "Added: Édith Roy"]

    def test_by_a_name_that_somebody_had_then_or_has_now(self, desk: Desk) -> None:
        change_person(
            club_id=desk.event.club_id, person_id=desk.edith.pk, details=PersonDetails(name="Édith Caron")
        )
        now = lines(desk.desk.open(f"{desk.club_history}?search=caron"))
        assert now == ["Changed: Édith Caron", "Changed: Édith Roy", "Added: Édith Roy"]
        then = lines(desk.desk.open(f"{desk.club_history}?search=edith roy"))
        assert then == ["Changed: Édith Roy", "Added: Édith Roy"]

    def test_also_in_a_list_that_does_not_say_the_name(self, desk: Desk) -> None:
        import_people(club_id=desk.event.club_id, text="Zoé Zed\nYves Yale")
        assert lines(desk.desk.open(f"{desk.club_history}?search=zoe")) == ["People imported from a list: 2"]

    def test_by_who_did_it(self, desk: Desk) -> None:
        page = desk.desk.open(f"{desk.club_history}?who={desk.director.pk}")
        assert lines(page) == ["Changed: Édith Roy", "Added: Marcel Dubé"]
        change_person(club_id=desk.event.club_id, person_id=desk.edith.pk, details=PersonDetails(name="É R"))
        assert lines(desk.desk.open(f"{desk.club_history}?who=nobody")) == ["Changed: É R"]

    @pytest.mark.snapshot
    def test_by_what_it_was_and_an_undo_is_with_what_it_has_undone(self, desk: Desk) -> None:
        membership = Membership.objects.get(account=desk.director)
        change_role(club_id=desk.event.club_id, membership_id=membership.pk, role="desk")
        undo_club_action(club_id=desk.event.club_id, action_id=ClubAction.objects.get(kind="change_role").pk)
        page = desk.desk.open(f"{desk.club_history}?group=team")
        name = desk.director.name
        assert lines(page) == [
            f"Undid: {name}: now desk helper, was director",
            f"{name}: now desk helper, was director",
        ]
        assert len(lines(desk.desk.open(f"{desk.club_history}?group=people"))) == 3

    def test_by_the_days_of_the_clubs_own_time_zone(self, desk: Desk) -> None:
        late = datetime(2026, 3, 2, 2, 30, tzinfo=UTC)  # the evening of the first in Quebec
        ClubAction.objects.filter(kind="change_person").update(created_at=late)
        ClubAction.objects.filter(kind="add_person").update(created_at=late + timedelta(days=1))
        found = {
            asked: lines(desk.desk.open(f"{desk.club_history}?{asked}"))
            for asked in ("until=2026-03-01", "since=2026-03-01&until=2026-03-01", "since=2026-03-02")
        }
        assert found["until=2026-03-01"] == ["Changed: Édith Roy"]
        assert found["since=2026-03-01&until=2026-03-01"] == ["Changed: Édith Roy"]
        assert found["since=2026-03-02"] == ["Added: Marcel Dubé", "Added: Édith Roy"]

    def test_by_whether_it_was_undone(self, desk: Desk) -> None:
        changed = ClubAction.objects.get(kind="change_person")
        undo_club_action(club_id=desk.event.club_id, action_id=changed.pk)
        assert lines(desk.desk.open(f"{desk.club_history}?state=undone")) == ["Changed: Édith Roy"]
        standing = lines(desk.desk.open(f"{desk.club_history}?state=standing"))
        assert standing[0] == "Undid: Changed: Édith Roy"
        assert len(standing) == 3

    @pytest.mark.slow
    def test_what_an_undone_undo_puts_back_is_told_so_and_is_itself_undone(self, desk: Desk) -> None:
        club, event = desk.event.club_id, desk.event
        swap_entries(event_id=event.pk, number=1, one=1, other=3)
        deed = ClubAction.objects.get(kind="change_person").pk, event.actions.latest("pk").pk
        for told in ("Undid: ", "Restored: ", "Undid: "):
            deed = (
                undo_club_action(club_id=club, action_id=deed[0]).pk,
                undo_action(event_id=event.pk, action_id=deed[1]).pk,
            )
            way_on = "Restore" if told == "Undid: " else "Undo"
            for history in (desk.club_history, desk.event_history):
                page = desk.desk.open(history)
                last = next(iter(page.document.one("ol").every("li")))
                assert re.match(f"{told}(Changed|Round 1)", last.one("b").text)
                assert last.one("button").text.startswith(way_on + " ")

    def test_the_form_makes_the_address_and_keeps_what_was_asked(self, desk: Desk) -> None:
        form = desk.desk.open(desk.club_history).form(having="group")
        names = [one.attrs["name"] for one in form.every("input", "select")]
        assert (form.attrs["method"], form.attrs["action"]) == ("get", desk.club_history)
        typed = dict.fromkeys(names, "") | {"search": "Édith", "group": "people"}
        page = desk.desk.open(f"{desk.club_history}?{urlencode(typed)}")
        assert page.field("search").value == "Édith"
        assert "selected" in page.one("option", value="people").attrs
        assert lines(page) == ["Changed: Édith Roy", "Added: Édith Roy"]

    @pytest.mark.parametrize(
        ("typed", "field", "said"),
        [
            ("since=2026-02-31", "since", "is not a date"),
            ("since=2026-03-02&until=2026-03-01", "until", "The last day is before the first."),
        ],
    )
    def test_a_day_that_is_none_is_refused_at_its_field_and_the_rest_is_shown(
        self, desk: Desk, typed: str, field: str, said: str
    ) -> None:
        page = desk.desk.open(f"{desk.club_history}?{typed}&search=edith")
        assert page.status == 422
        assert said in page.said_at(field)
        assert page.field("search").value == "edith"
        assert len(lines(page)) == 2

    @pytest.mark.parametrize(
        "nonsense",
        ["who=x", "group=zz", "state=x", "page=-1", "page=99", f"who={'9' * 20}", "search=%00"],
    )
    def test_nonsense_in_the_address_is_as_if_it_were_not_there(self, desk: Desk, nonsense: str) -> None:
        page = desk.desk.open(f"{desk.club_history}?{nonsense}")
        assert (page.status, len(lines(page))) == (200, 3)

    @pytest.mark.snapshot
    def test_where_nothing_is_found_it_is_said(self, desk: Desk) -> None:
        page = desk.desk.open(f"{desk.club_history}?search=nobody at all")
        assert "Nothing found" in page.text
        assert len(lines(desk.desk.open(page.link("Show everything")))) == 3

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_a_page_at_a_time_with_what_was_asked(self, desk: Desk) -> None:
        for number in range(PAGE):
            add_person(
                club_id=desk.event.club_id,
                details=PersonDetails(name="Rita " + chr(97 + number % 26) * (2 + number // 26)),
            )
        page = desk.desk.open(f"{desk.club_history}?group=people")
        assert f"1 to {PAGE} of {PAGE + 3} lines" in page.text
        page = desk.desk.open(page.link("Older"))
        assert len(lines(page)) == 3
        assert "selected" in page.one("option", value="people").attrs


class TestBeforeAndAfter:
    def test_a_line_opens_into_a_page_of_its_own(self, desk: Desk) -> None:
        action = ClubAction.objects.get(kind="change_person")
        page = desk.desk.open(f"{desk.club_history}/{action.pk}")
        assert "Phone or e-mail: 418 555-0123" in page.text
        assert page.one("dd").one("b").text == "none"

    def test_in_french(self, desk: Desk) -> None:
        action = ClubAction.objects.get(kind="change_person")
        page = Browser(language="fr", account=desk.owner).open(f"{desk.club_history}/{action.pk}")
        assert page.one("dl").text == "Téléphone ou courriel : 418 555-0123 → est devenu rien"

    @pytest.mark.snapshot
    def test_or_into_the_open_line(self, desk: Desk) -> None:
        action = ClubAction.objects.get(kind="change_person")
        page = desk.desk.open(f"{desk.club_history}/{action.pk}", **{"HX-Request": "true"})
        assert not page.every("main")
        assert "Phone or e-mail: 418 555-0123" in page.text

    def test_it_can_be_undone_from_there(self, desk: Desk) -> None:
        action = ClubAction.objects.get(kind="change_person")
        page = desk.desk.open(f"{desk.club_history}/{action.pk}")
        desk.desk.send(page, page.form("/undo"))
        desk.edith.refresh_from_db()
        assert desk.edith.contact == "418 555-0123"

    def test_of_an_event(self, desk: Desk) -> None:
        drawn = desk.event.actions.get(kind="publish_round")
        page = desk.desk.open(f"{desk.event_history}/{drawn.pk}")
        assert "Status: draft → became published" in page.text

    @pytest.mark.slow
    def test_a_line_of_another_club_is_not_there(self, desk: Desk) -> None:
        other = Desk()
        for mine, theirs in (
            (other.club_history, desk.event.club.actions.latest("pk").pk),
            (other.event_history, desk.event.actions.latest("pk").pk),
        ):
            assert other.desk.open(f"{mine}/{theirs}").status == 404

    def test_nor_is_one_of_a_number_that_no_database_has(self, desk: Desk) -> None:
        for history in (desk.club_history, desk.event_history):
            assert desk.desk.open(f"{history}/{'9' * 20}").status == 404

    @pytest.mark.snapshot
    def test_a_change_of_roles_says_that_an_owner_undoes_it(self, desk: Desk) -> None:
        helper = Membership.objects.create(club=desk.event.club, account=an_account(), role=Role.DESK)
        change_role(club_id=desk.event.club_id, membership_id=helper.pk, role="director")
        director = Browser(account=desk.director)
        page = director.open(f"{desk.club_history}?group=team")
        assert "A club owner can undo this." in page.text
        assert not [one for one in page.every("form") if one.attrs["action"].endswith("/undo")]


class TestOfAnEvent:
    def test_by_an_entry_whatever_the_line_calls_it(self, desk: Desk) -> None:
        one, other = desk.event.entries.get(number=1), desk.event.entries.get(number=4)
        swap_entries(event_id=desk.event.pk, number=1, one=1, other=4)
        name = one.player_1.name.replace("é", "e").lower()
        found = lines(desk.desk.open(f"{desk.event_history}?search={name}"))
        assert found == [
            f"Round 1: {full_names(one)} and {full_names(other)} swapped",
            "Entries added: 4 entries",
        ]

    def test_names_a_pair_that_is_gone_as_this_reader_does_whatever_language_wrote_the_line(self) -> None:
        owner = an_account()
        event = an_event(2, club=a_club(owner=owner))
        first, second = event.entries.get(number=2).players
        remove_entry(event_id=event.pk, number=2)
        path = f"/e/{event.short}/desk/history"
        for language, word in (("en", "and"), ("fr", "et")):
            page = Browser(account=owner, language=language).open(path)
            assert f"{first.name} {word} {second.name}" in page.text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_by_a_group_and_undone(self, desk: Desk) -> None:
        swap_entries(event_id=desk.event.pk, number=1, one=1, other=4)
        undo_action(event_id=desk.event.pk, action_id=desk.event.actions.latest("pk").pk)
        found = lines(desk.desk.open(f"{desk.event_history}?group=rounds&state=undone"))
        assert [one.startswith("Round 1: ") for one in found] == [True]


class TestHands:
    @pytest.mark.snapshot
    def test_every_mark_is_there_with_what_it_took_the_place_of(self, desk: Desk) -> None:
        first = mark(desk.match, "A 6 7", device="abcdefgh")
        mark(desk.match, "A 7 7", replacing=first, director=desk.owner)
        page = desk.desk.open(desk.desk.open(desk.event_history).link("Hands recorded at the tables"))
        assert "2 lines" in page.text
        assert re.search(r"Hand 1: [^:]+, 7 made instead of [^:]+, 6 made", page.text)
        assert "phone abcd · replaced" in page.text
        assert page.text.count(" · replaced") == 1, "the other one stands"
        assert "Hand" in desk.desk.open(page.link("Round 1, table 1")).text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_those_of_somebody(self, desk: Desk) -> None:
        play_round(desk.event)
        everything = desk.desk.open(f"{desk.event_history}/hands")
        name = desk.event.entries.get(number=1).player_1.name
        found = desk.desk.open(f"{desk.event_history}/hands?search={name}")
        assert 0 < len(lines(found)) < len(lines(everything))
        assert "Nothing found" in desk.desk.open(f"{desk.event_history}/hands?search=zzz").text


class TestAsASheet:
    def rows(self, browser: Browser, address: str, *, parted_by: str = ",") -> list[list[str]]:
        response: Any = browser.client.get(address)
        assert response.headers["Content-Type"].startswith("text/csv")
        assert "attachment" in response.headers["Content-Disposition"]
        return list(csv.reader(io.StringIO(response.content.decode("utf-8-sig")), delimiter=parted_by))

    def test_what_was_asked_for_is_in_it(self, desk: Desk) -> None:
        page = desk.desk.open(f"{desk.club_history}?search=edith")
        head, *rows = self.rows(desk.desk, page.link("CSV"))
        assert head == ["Day", "Time", "Description", "Done by", "Origin", "Reason", "Undone"]
        assert [(row[2], row[3], row[6]) for row in rows] == [
            ("Changed: Édith Roy", desk.director.name, "no"),
            ("Added: Édith Roy", desk.owner.name, "no"),
        ]

    def test_of_an_event_too(self, desk: Desk) -> None:
        _, *rows = self.rows(desk.desk, f"{desk.event_history}.csv?group=rounds")
        assert [row[2] for row in rows] == ["Round 1 published", "Round 1 drawn (draw 1)"]

    def test_in_french_as_french_spreadsheets_part_it(self, desk: Desk) -> None:
        reader = Browser(language="fr", account=desk.owner)
        head, *_ = self.rows(reader, f"{desk.club_history}.csv", parted_by=";")
        assert head[:3] == ["Jour", "Heure", "Description"]

    def test_nothing_that_people_typed_is_worked_out(self, desk: Desk) -> None:
        Action.objects.filter(kind="publish_round").update(reason='=HYPERLINK("http://evil")')
        _, *rows = self.rows(desk.desk, f"{desk.event_history}.csv")
        assert '\'=HYPERLINK("http://evil")' in [row[5] for row in rows]

    def test_names_are_not_made_html(self, desk: Desk) -> None:
        add_person(club_id=desk.event.club_id, details=PersonDetails(name="Ti-Guy O'Brien"))
        _, first, *_ = self.rows(desk.desk, f"{desk.club_history}.csv")
        assert first[2] == "Added: Ti-Guy O'Brien"
