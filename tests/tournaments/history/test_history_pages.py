"""The history of a club and of an event: searched, opened to values before and after, and exported."""

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
from clubs.services.people import PersonDetails, add_person, change_person
from clubs.services.team import change_role
from clubs.services.undo import undo_club_action
from tests.builders import build_account, build_club, build_event, import_people, mark, play_round
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tournaments.entries.services.entries import remove_entry
from tournaments.events.presenters.names import format_full_names
from tournaments.history.services.undo import undo_action
from tournaments.models import Action
from tournaments.rounds.services.tables import swap_entries

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("JSON searched as text")]


class Desk(Hall):
    """A club in which two people made changes to two others."""

    def __init__(self) -> None:
        super().__init__(pairs=4)
        self.director = build_account()
        Membership.objects.create(club=self.event.club, account=self.director, role=Role.DIRECTOR)
        club, owner, director = self.event.club, Actor(account=self.owner), Actor(account=self.director)
        self.edith = add_person(
            club_id=club.pk, details=PersonDetails(name="Édith Roy", contact="418 555-0123"), by=owner
        )
        add_person(club_id=club.pk, details=PersonDetails(name="Marcel Dubé"), by=director)
        change_person(club_id=club.pk, person_id=self.edith.pk, details=PersonDetails(name="Édith Roy"), by=director)

    @property
    def club_history(self) -> str:
        return f"/club/{self.event.club.slug}/history"

    @property
    def event_history(self) -> str:
        return f"/e/{self.event.short}/desk/history"


@pytest.fixture
def desk() -> Desk:
    return Desk()


def list_lines(page: Page) -> list[str]:
    """Return the sentence of each line that a page shows."""
    return (
        [one.find_one("b").text for one in page.document.find_one("ol").find_all("li")] if page.find_all("ol") else []
    )


class TestHistorySearch:
    def test_history_lists_everything_newest_first(self, desk: Desk) -> None:
        page = desk.desk.open(desk.club_history)
        assert list_lines(page) == ["Changed: Édith Roy", "Added: Marcel Dubé", "Added: Édith Roy"]
        assert "3 lines" in page.text

    @pytest.mark.parametrize("search", ["edith", "ROY", "édith  roy", "roy edi"])
    def test_search_finds_changes_about_a_person(self, desk: Desk, search: str) -> None:
        page = desk.desk.open(f"{desk.club_history}?search={search}")
        assert list_lines(page) == ["Changed: Édith Roy", "Added: Édith Roy"]

    @pytest.mark.long
    def test_search_matches_former_and_current_names(self, desk: Desk) -> None:
        change_person(club_id=desk.event.club_id, person_id=desk.edith.pk, details=PersonDetails(name="Édith Caron"))
        now = list_lines(desk.desk.open(f"{desk.club_history}?search=caron"))
        assert now == ["Changed: Édith Caron", "Changed: Édith Roy", "Added: Édith Roy"]
        then = list_lines(desk.desk.open(f"{desk.club_history}?search=edith roy"))
        assert then == ["Changed: Édith Roy", "Added: Édith Roy"]

    @pytest.mark.long
    def test_search_matches_people_inside_a_list_import(self, desk: Desk) -> None:
        import_people(club_id=desk.event.club_id, text="Zoé Zed\nYves Yale")
        assert list_lines(desk.desk.open(f"{desk.club_history}?search=zoe")) == ["People imported from a list: 2"]

    @pytest.mark.slow
    def test_history_filters_by_author(self, desk: Desk) -> None:
        page = desk.desk.open(f"{desk.club_history}?who={desk.director.pk}")
        assert list_lines(page) == ["Changed: Édith Roy", "Added: Marcel Dubé"]
        change_person(club_id=desk.event.club_id, person_id=desk.edith.pk, details=PersonDetails(name="É R"))
        assert list_lines(desk.desk.open(f"{desk.club_history}?who=nobody")) == ["Changed: É R"]

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_history_filters_by_group_including_undos(self, desk: Desk) -> None:
        membership = Membership.objects.get(account=desk.director)
        change_role(club_id=desk.event.club_id, membership_id=membership.pk, role="desk")
        undo_club_action(club_id=desk.event.club_id, action_id=ClubAction.objects.get(kind="change_role").pk)
        page = desk.desk.open(f"{desk.club_history}?group=team")
        name = desk.director.name
        assert list_lines(page) == [
            f"Undid: {name}: now desk helper, was director",
            f"{name}: now desk helper, was director",
        ]
        assert len(list_lines(desk.desk.open(f"{desk.club_history}?group=people"))) == 3

    @pytest.mark.slow
    def test_history_filters_by_days_in_the_club_time_zone(self, desk: Desk) -> None:
        late = datetime(2026, 3, 2, 2, 30, tzinfo=UTC)  # the evening of March 1 in Quebec
        ClubAction.objects.filter(kind="change_person").update(created_at=late)
        ClubAction.objects.filter(kind="add_person").update(created_at=late + timedelta(days=1))
        found = {
            query: list_lines(desk.desk.open(f"{desk.club_history}?{query}"))
            for query in ("until=2026-03-01", "since=2026-03-01&until=2026-03-01", "since=2026-03-02")
        }
        assert found["until=2026-03-01"] == ["Changed: Édith Roy"]
        assert found["since=2026-03-01&until=2026-03-01"] == ["Changed: Édith Roy"]
        assert found["since=2026-03-02"] == ["Added: Marcel Dubé", "Added: Édith Roy"]

    @pytest.mark.long
    def test_history_filters_by_undone_state(self, desk: Desk) -> None:
        changed = ClubAction.objects.get(kind="change_person")
        undo_club_action(club_id=desk.event.club_id, action_id=changed.pk)
        assert list_lines(desk.desk.open(f"{desk.club_history}?state=undone")) == ["Changed: Édith Roy"]
        standing = list_lines(desk.desk.open(f"{desk.club_history}?state=standing"))
        assert standing[0] == "Undid: Changed: Édith Roy"
        assert len(standing) == 3

    @pytest.mark.long
    def test_undo_of_an_undo_is_labelled_as_restored(self, desk: Desk) -> None:
        club, event = desk.event.club_id, desk.event
        swap_entries(event_id=event.pk, number=1, one=1, other=3)
        action = ClubAction.objects.get(kind="change_person").pk, event.actions.latest("pk").pk
        for prefix in ("Undid: ", "Restored: ", "Undid: "):
            action = (
                undo_club_action(club_id=club, action_id=action[0]).pk,
                undo_action(event_id=event.pk, action_id=action[1]).pk,
            )
            way_on = "Restore" if prefix == "Undid: " else "Undo"
            for history in (desk.club_history, desk.event_history):
                page = desk.desk.open(history)
                last = next(iter(page.document.find_one("ol").find_all("li")))
                assert re.match(f"{prefix}(Changed|Round 1)", last.find_one("b").text)
                assert last.find_one("button").text.startswith(way_on + " ")

    @pytest.mark.long
    def test_filter_form_uses_get_and_keeps_its_values(self, desk: Desk) -> None:
        form = desk.desk.open(desk.club_history).find_form(control_name="group")
        names = [one.attrs["name"] for one in form.find_all("input", "select")]
        assert (form.attrs["method"], form.attrs["action"]) == ("get", desk.club_history)
        typed = dict.fromkeys(names, "") | {"search": "Édith", "group": "people"}
        page = desk.desk.open(f"{desk.club_history}?{urlencode(typed)}")
        assert page.find_field("search").value == "Édith"
        assert "selected" in page.find_one("option", value="people").attrs
        assert list_lines(page) == ["Changed: Édith Roy", "Added: Édith Roy"]

    @pytest.mark.parametrize(
        ("typed", "field", "message"),
        [
            ("since=2026-02-31", "since", "is not a date"),
            ("since=2026-03-02&until=2026-03-01", "until", "The last day is before the first."),
        ],
    )
    def test_invalid_day_is_refused_but_other_filters_apply(
        self, desk: Desk, typed: str, field: str, message: str
    ) -> None:
        page = desk.desk.open(f"{desk.club_history}?{typed}&search=edith")
        assert page.status == 422
        assert message in page.get_field_error(field)
        assert page.find_field("search").value == "edith"
        assert len(list_lines(page)) == 2

    @pytest.mark.parametrize(
        "nonsense",
        ["who=x", "group=zz", "state=x", "page=-1", "page=99", f"who={'9' * 20}", "search=%00"],
    )
    def test_nonsense_parameters_are_ignored(self, desk: Desk, nonsense: str) -> None:
        page = desk.desk.open(f"{desk.club_history}?{nonsense}")
        assert (page.status, len(list_lines(page))) == (200, 3)

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_empty_result_links_to_the_whole_history(self, desk: Desk) -> None:
        page = desk.desk.open(f"{desk.club_history}?search=nobody at all")
        assert "Nothing found" in page.text
        assert len(list_lines(desk.desk.open(page.find_link("Show everything")))) == 3

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_pages_of_the_history_keep_the_filters(self, desk: Desk) -> None:
        for number in range(PAGE):
            add_person(
                club_id=desk.event.club_id,
                details=PersonDetails(name="Rita " + chr(97 + number % 26) * (2 + number // 26)),
            )
        page = desk.desk.open(f"{desk.club_history}?group=people")
        assert f"1 to {PAGE} of {PAGE + 3} lines" in page.text
        page = desk.desk.open(page.find_link("Older"))
        assert len(list_lines(page)) == 3
        assert "selected" in page.find_one("option", value="people").attrs


class TestChangePage:
    def test_change_page_shows_before_and_after(self, desk: Desk) -> None:
        action = ClubAction.objects.get(kind="change_person")
        page = desk.desk.open(f"{desk.club_history}/{action.pk}")
        assert "Phone or e-mail: 418 555-0123" in page.text
        assert page.find_one("dd").find_one("b").text == "none"

    def test_change_page_is_available_in_french(self, desk: Desk) -> None:
        action = ClubAction.objects.get(kind="change_person")
        page = Browser(language="fr", account=desk.owner).open(f"{desk.club_history}/{action.pk}")
        assert page.find_one("dl").text == "Téléphone ou courriel : 418 555-0123 → est devenu rien"

    @pytest.mark.snapshot
    def test_script_request_gets_only_the_details(self, desk: Desk) -> None:
        action = ClubAction.objects.get(kind="change_person")
        page = desk.desk.open(f"{desk.club_history}/{action.pk}", **{"HX-Request": "true"})
        assert not page.find_all("main")
        assert "Phone or e-mail: 418 555-0123" in page.text

    @pytest.mark.long
    def test_change_can_be_undone_on_its_page(self, desk: Desk) -> None:
        action = ClubAction.objects.get(kind="change_person")
        page = desk.desk.open(f"{desk.club_history}/{action.pk}")
        desk.desk.send(page, page.find_form("/undo"))
        desk.edith.refresh_from_db()
        assert desk.edith.contact == "418 555-0123"

    def test_event_change_page_shows_before_and_after(self, desk: Desk) -> None:
        drawn = desk.event.actions.get(kind="publish_round")
        page = desk.desk.open(f"{desk.event_history}/{drawn.pk}")
        assert "Status: draft → became published" in page.text

    @pytest.mark.long
    def test_change_of_another_club_is_404(self, desk: Desk) -> None:
        other = Desk()
        for mine, theirs in (
            (other.club_history, desk.event.club.actions.latest("pk").pk),
            (other.event_history, desk.event.actions.latest("pk").pk),
        ):
            assert other.desk.open(f"{mine}/{theirs}").status == 404

    def test_oversized_change_number_is_404(self, desk: Desk) -> None:
        for history in (desk.club_history, desk.event_history):
            assert desk.desk.open(f"{history}/{'9' * 20}").status == 404

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_director_sees_that_only_an_owner_undoes_role_changes(self, desk: Desk) -> None:
        helper = Membership.objects.create(club=desk.event.club, account=build_account(), role=Role.DESK)
        change_role(club_id=desk.event.club_id, membership_id=helper.pk, role="director")
        director = Browser(account=desk.director)
        page = director.open(f"{desk.club_history}?group=team")
        assert "A club owner can undo this." in page.text
        assert not [one for one in page.find_all("form") if one.attrs["action"].endswith("/undo")]


@pytest.mark.slow
class TestEventHistory:
    def test_entry_search_finds_lines_under_any_wording(self, desk: Desk) -> None:
        one, other = desk.event.entries.get(number=1), desk.event.entries.get(number=4)
        swap_entries(event_id=desk.event.pk, number=1, one=1, other=4)
        name = one.player_1.name.replace("é", "e").lower()
        found = list_lines(desk.desk.open(f"{desk.event_history}?search={name}"))
        assert found == [
            f"Round 1: {format_full_names(one)} and {format_full_names(other)} swapped",
            "Entries added: 4 entries",
        ]

    @pytest.mark.long
    def test_removed_pair_is_named_in_the_readers_language(self) -> None:
        owner = build_account()
        event = build_event(2, club=build_club(owner=owner))
        first, second = event.entries.get(number=2).players
        remove_entry(event_id=event.pk, number=2)
        path = f"/e/{event.short}/desk/history"
        for language, word in (("en", "and"), ("fr", "et")):
            page = Browser(account=owner, language=language).open(path)
            assert f"{first.name} {word} {second.name}" in page.text

    @pytest.mark.snapshot
    def test_event_history_filters_by_group_and_undone_state(self, desk: Desk) -> None:
        swap_entries(event_id=desk.event.pk, number=1, one=1, other=4)
        undo_action(event_id=desk.event.pk, action_id=desk.event.actions.latest("pk").pk)
        found = list_lines(desk.desk.open(f"{desk.event_history}?group=rounds&state=undone"))
        assert [one.startswith("Round 1: ") for one in found] == [True]


@pytest.mark.slow
class TestHandHistory:
    @pytest.mark.snapshot
    def test_hand_history_lists_every_mark_and_its_replacement(self, desk: Desk) -> None:
        first = mark(desk.match, "A 6 7", device="abcdefgh")
        mark(desk.match, "A 7 7", replaced=first, director=desk.owner)
        page = desk.desk.open(desk.desk.open(desk.event_history).find_link("Hands recorded at the tables"))
        assert "2 lines" in page.text
        assert re.search(r"Hand 1: [^:]+, 7 made instead of [^:]+, 6 made", page.text)
        assert "phone abcd · replaced" in page.text
        assert page.text.count(" · replaced") == 1, "the other one stands"
        assert "Hand" in desk.desk.open(page.find_link("Round 1, table 1")).text

    @pytest.mark.snapshot
    def test_hand_history_filters_by_player(self, desk: Desk) -> None:
        play_round(desk.event)
        everything = desk.desk.open(f"{desk.event_history}/hands")
        name = desk.event.entries.get(number=1).player_1.name
        found = desk.desk.open(f"{desk.event_history}/hands?search={name}")
        assert 0 < len(list_lines(found)) < len(list_lines(everything))
        assert "Nothing found" in desk.desk.open(f"{desk.event_history}/hands?search=zzz").text


class TestHistoryExport:
    def read_rows(self, browser: Browser, address: str, *, parted_by: str = ",") -> list[list[str]]:
        response: Any = browser.client.get(address)
        assert response.headers["Content-Type"].startswith("text/csv")
        assert "attachment" in response.headers["Content-Disposition"]
        return list(csv.reader(io.StringIO(response.content.decode("utf-8-sig")), delimiter=parted_by))

    def test_csv_contains_the_filtered_lines(self, desk: Desk) -> None:
        page = desk.desk.open(f"{desk.club_history}?search=edith")
        head, *rows = self.read_rows(desk.desk, page.find_link("CSV"))
        assert head == ["Day", "Time", "Description", "Done by", "Origin", "Reason", "Undone"]
        assert [(row[2], row[3], row[6]) for row in rows] == [
            ("Changed: Édith Roy", desk.director.name, "no"),
            ("Added: Édith Roy", desk.owner.name, "no"),
        ]

    def test_event_history_exports_to_csv(self, desk: Desk) -> None:
        _, *rows = self.read_rows(desk.desk, f"{desk.event_history}.csv?group=rounds")
        assert [row[2] for row in rows] == ["Round 1 published", "Round 1 drawn (draw 1)"]

    def test_french_csv_uses_semicolons(self, desk: Desk) -> None:
        reader = Browser(language="fr", account=desk.owner)
        head, *_ = self.read_rows(reader, f"{desk.club_history}.csv", parted_by=";")
        assert head[:3] == ["Jour", "Heure", "Description"]

    def test_csv_escapes_spreadsheet_formulas(self, desk: Desk) -> None:
        Action.objects.filter(kind="publish_round").update(reason='=HYPERLINK("http://evil")')
        _, *rows = self.read_rows(desk.desk, f"{desk.event_history}.csv")
        assert '\'=HYPERLINK("http://evil")' in [row[5] for row in rows]

    def test_csv_does_not_escape_names_as_html(self, desk: Desk) -> None:
        add_person(club_id=desk.event.club_id, details=PersonDetails(name="Ti-Guy O'Brien"))
        _, first, *_ = self.read_rows(desk.desk, f"{desk.club_history}.csv")
        assert first[2] == "Added: Ti-Guy O'Brien"
