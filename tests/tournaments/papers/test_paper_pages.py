"""Printing from the desk: asked for on one page, made by the worker, kept for some days."""

import io
import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone
from pypdf import PdfReader

from clubs.models import Membership, Person, Role
from errors import Refusal
from jobs.models import Job, Status
from jobs.services import run_job
from live.revisions import raise_revision
from rules import Side
from scoring.models import TableCard
from tests.builders import (
    an_account,
    an_event,
    next_round,
    play_round,
    player_names,
    standings_after,
    win,
)
from tests.saved_states import saved_state, taken_back
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, post
from tests.support.page_lines import normalize
from tests.support.snapshots import Snapshots, new_lines
from tournaments.entries.services.check_in import mark_present
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Entry
from tournaments.money.services.prize_categories import CategoryDetails, add_prize_category
from tournaments.papers.contents import document_of
from tournaments.papers.orders import CLUB_PAPERS, Order, Paper, order_of
from tournaments.papers.paper_files import FILES, papers_of
from tournaments.papers.typesetting import Document, Size
from tournaments.publishing.services.publishing import publish_final
from tournaments.rounds.services.rounds import draw_round, publish_round
from tournaments.rounds.services.tables import forfeit_table

from .papers import fonts_of, printed, tags_of, text_of

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume"),
    pytest.mark.slow,
]
FOLDER = Path(settings.DATA_DIR) / "papers"


@pytest.fixture(autouse=True)
def _an_empty_folder() -> None:
    for file in FOLDER.glob("*"):
        file.unlink()


def page_of(hall: Hall) -> str:
    return f"/e/{hall.event.short}/desk/print"


def club_page_of(hall: Hall) -> str:
    return f"/club/{hall.event.club.slug}/print"


def ordered(browser: Browser, address: str, paper: str, **typed: Any) -> Page:
    """The page, once a paper was asked for there."""
    page = browser.open(address)
    return browser.send(page, page.form(address), ("paper", paper), **typed)


def made(hall: Hall, paper: str, *, browser: Browser | None = None, address: str = "", **typed: Any) -> Page:
    """The page, once it was asked for, and made."""
    address = address or page_of(hall)
    ordered(browser or hall.desk, address, paper, **typed)
    for job in Job.objects.filter(kind__startswith="print_", status=Status.QUEUED):
        run_job(job.pk)
    return (browser or hall.desk).open(address)


def taken(hall: Hall, page: Page) -> PdfReader:
    response: Any = hall.desk.client.get(page.link("Download"))
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/pdf"
    assert "no-store" in response.headers["Cache-Control"]
    return PdfReader(io.BytesIO(b"".join(response)))


def offers_a_file(page: Page) -> bool:
    return any("Download" in link.text for link in page.every("a"))


def test_a_paper_that_would_say_something_else_now_is_called_outdated() -> None:
    hall = a_played_hall()
    standings_after(hall.event)
    assert "Outdated" not in made(hall, "podium").text
    hall.event.entries.filter(number=1).update(team="Causapscal")
    raise_revision(hall.event.topic)
    assert "Outdated" not in hall.desk.open(page_of(hall)).text
    for number in (1, 2):
        forfeit_table(event_id=hall.event.pk, number=1, table=number, winner=Side.B)
    standings_after(hall.event)
    assert "Outdated: something on it changed." in hall.desk.open(page_of(hall)).text


def a_helper(hall: Hall) -> Browser:
    account = an_account()
    Membership.objects.create(club=hall.event.club, account=account, role=Role.DESK)
    return Browser(account=account)


@saved_state
def a_played_hall(pairs: int = 6) -> Hall:
    hall = Hall(pairs=pairs, draw_format="round_robin")
    hall.event.entries.filter(number=pairs).update(team="Matane")
    play_round(hall.event)
    standings_after(hall.event)
    return hall


@saved_state
def a_hall_of(draw_format: str) -> Hall:
    """Two clubs, or eight people, in the middle of their first round."""
    hall = Hall()
    event = an_event(0, club=hall.event.club, tables=2, draw_format=draw_format)
    count = 4 * (2 // event.entry_size)
    add_entries(event_id=event.pk, entries=player_names(count, size=event.entry_size))
    event.entries.filter(number__lte=count // 2).update(team="Matane")
    hall.event = start_event(event_id=event.pk)
    next_round(hall.event)
    return hall


@pytest.mark.snapshot
def test_the_hour_of_a_paper_is_the_clubs_on_the_page_and_in_the_part_that_looks_for_news() -> None:
    hall = a_played_hall()
    made(hall, Paper.STANDINGS)
    Job.objects.filter(kind__startswith="print_").update(ended_at=timezone.now().replace(hour=17, minute=5))
    hours = {"12:05 PM", "1:05 PM"}  # in winter, in summer
    for headers in ({}, {"HX-Request": "true"}):
        text = hall.desk.open(page_of(hall), **headers).text
        assert any(hour in text for hour in hours), headers


EXPECTED: dict[Paper, tuple[int, str]] = {
    Paper.SHEETS: (3, "Score sheet"),
    Paper.BLANK: (1, "round ____"),
    Paper.CARDS: (2, "Keep score with your phone"),
    Paper.TABLES: (1, "Round 1"),
    Paper.NAMES: (1, "Round 1"),
    Paper.STANDINGS: (1, "Standings"),
    Paper.CLUBS: (1, "Standings by club"),
    Paper.CHARTS: (1, "W: won"),
    Paper.ENTRIES: (1, "6 entries"),
    Paper.BADGES: (2, "Les Joyeux Atouts"),
    Paper.PODIUM: (6, "First place"),
    Paper.EVERYBODY: (12, "Certificate"),
    Paper.TREASURER: (1, "Cash expected in the box"),
    Paper.POSTER: (1, "How it is played"),
    Paper.MEMBERS: (1, "12 people"),
    Paper.ATTENDANCE: (1, "1 / 1"),
}
"""Pages for six pairs after a round, and something that is on the first of them."""


def order_for(hall: Hall, paper: Paper) -> Order:
    """That paper in English, of the first round or of the year."""
    of = hall.event.club_id if paper in CLUB_PAPERS else hall.event.pk
    return Order(paper=paper, of=of, round=1, language="en", starts="2026-01-01", ends="2026-12-31")


class TestEachPaper:
    def test_is_made_on_letter_and_holds_what_it_should(self) -> None:
        hall = a_played_hall()
        for paper, (pages, said) in EXPECTED.items():
            pdf = printed(document_of(order_for(hall, paper)))
            assert len(pdf.pages) == pages, paper
            assert said in text_of(pdf), paper
            assert all(fonts_of(pdf).values()), paper
            assert tags_of(pdf), paper
            assert pdf.metadata is not None
            assert pdf.metadata.author == hall.event.club.name, paper
            assert sorted(map(round, pdf.pages[0].mediabox[2:])) == [612, 792], paper

    def test_of_an_event_that_goes_on_says_after_which_round_and_that_it_is_not_final(self) -> None:
        hall = a_played_hall()

        def page_text(paper: Paper) -> str:
            return text_of(printed(document_of(order_for(hall, paper))))

        ranking = (Paper.STANDINGS, Paper.CLUBS, Paper.CHARTS, Paper.EVERYBODY)
        assert [paper for paper in ranking if "not final: after 1 round" not in page_text(paper)] == []
        with taken_back():
            end_event(event_id=hall.event.pk)
            assert [paper for paper in ranking if "not final" in page_text(paper)] == []
        next_round(hall.event)
        for paper in (Paper.STANDINGS, Paper.CHARTS):  # results count as they come in
            assert "not final: during round 2" in page_text(paper)

    def test_that_tables_write_on_says_so_of_a_draft(self) -> None:
        hall = a_played_hall()
        drawn = draw_round(event_id=hall.event.pk)
        sheets = text_of(taken(hall, made(hall, Paper.SHEETS, round=str(drawn.number))))
        assert "draft, not published yet" in sheets
        Job.objects.all().delete()
        two = taken(hall, made(hall, Paper.SHEETS, round=str(drawn.number), per_page="2"))
        tables = sheets.count("draft, not published yet")
        assert len(two.pages) == -(-tables // 2) < tables
        assert text_of(two).count("draft, not published yet") == tables
        page = hall.desk.open(f"/e/{hall.event.short}/desk/print/sheets?round={drawn.number}")
        assert "draft, not published yet" in page.text

    def test_has_everybodys_name_in_full_where_it_names_them(self) -> None:
        hall = a_played_hall()
        names = [person.name for person in Person.objects.filter(club=hall.event.club)]
        for paper in (Paper.SHEETS, Paper.TABLES, Paper.STANDINGS, Paper.CHARTS, Paper.ENTRIES, Paper.BADGES):
            pdf = printed(document_of(Order(paper=paper, of=hall.event.pk, round=1, language="en")))
            text = "".join(text_of(pdf).split())
            assert [name for name in names if "".join(name.split()) not in text] == [], paper

    def test_is_in_the_language_of_who_asks_and_on_the_paper_they_have(self) -> None:
        hall = a_played_hall()
        browser = Browser(account=hall.owner, language="fr")
        for address, paper in ((page_of(hall), Paper.SHEETS), (club_page_of(hall), Paper.MEMBERS)):
            ordered(browser, address, paper, size="a4")
            document = document_of(order_of(Job.objects.latest("pk").key))
            assert (document.language, document.size) == ("fr", Size.A4)
        for paper in set(Paper) - {Paper.TABLES, Paper.NAMES}:
            order = order_for(hall, paper)
            french = document_of(replace(order, language="fr"))
            assert french.title != document_of(order).title, paper

    def test_of_who_is_expected_has_a_tick_beside_who_is_here_already(self) -> None:
        event = Hall(pairs=4).event
        mark_present(event_id=event.pk, number=3, is_present=True)
        listed = document_of(Order(paper=Paper.ENTRIES, of=event.pk, language="en")).items
        assert {item["cells"][1]: item["cells"][0] for item in listed} == {
            "1": "",
            "2": "",
            "3": "yes",
            "4": "",
        }

    def test_of_tables_that_were_chosen_leaves_the_others_out(self) -> None:
        hall = Hall(pairs=12)
        pdf = taken(hall, made(hall, "sheets", tables="2, 4-5"))
        assert len(pdf.pages) == 3
        cards = document_of(Order(paper=Paper.CARDS, of=hall.event.pk, tables="1-2"))
        assert [item["number"] for item in cards.items] == ["1", "2"]

    def test_of_standings_is_final_once_they_are_and_names_who_won_by_category(self) -> None:
        hall = a_played_hall()
        details = CategoryDetails(name="Best of all", amounts=(2000,), prize="A ham", shows_amount=True)
        add_prize_category(event_id=hall.event.pk, details=details)
        order = Order(paper=Paper.STANDINGS, of=hall.event.pk, language="en")
        before = text_of(printed(document_of(order)))
        assert "not final" in before
        assert "Best of all" not in before
        publish_final(event_id=hall.event.pk)
        after = text_of(printed(document_of(order)))
        assert "not final" not in after
        assert "Best of all · A ham: " in after
        assert "$" in after

    def test_of_names_tells_pairs_of_the_same_two_names_apart_by_their_numbers(self) -> None:
        hall = a_played_hall()
        for number in (1, 2):
            for place, person in enumerate(hall.event.entries.get(number=number).players):
                Person.objects.filter(pk=person.pk).update(name=("Jean Roy", "Lise Cyr")[place])
        names = [
            item["cells"][0]
            for item in document_of(Order(paper=Paper.NAMES, of=hall.event.pk, round=1, language="en")).items
        ]
        assert {name for name in names if "Roy, Jean" in name} == {
            "Roy, Jean / Lise Cyr (no. 1)",
            "Roy, Jean / Lise Cyr (no. 2)",
        }
        assert len(set(names)) == len(names)

    def test_of_cards_says_so_where_their_squares_lead_nowhere(self) -> None:
        hall = Hall(pairs=12)
        cards = Order(paper=Paper.CARDS, of=hall.event.pk, language="en")
        warned = printed(document_of(replace(cards, origin="http://127.0.0.1:8000")))
        assert "Phones cannot reach this computer" in text_of(warned)
        reached = printed(document_of(replace(cards, origin="http://192.0.2.40:8000")))
        assert "Phones cannot reach this computer" not in text_of(reached)
        assert len(warned.pages) == len(reached.pages) + 1

    def test_of_a_section_leaves_the_others_out(self) -> None:
        hall = a_played_hall()
        hall.event.sections = [{"name": "Beginners", "first_table": None, "last_table": None}]
        hall.event.save()
        Entry.objects.filter(event=hall.event, number__in=(1, 2)).update(section="Beginners")
        by_entry, by_person = (Paper.ENTRIES, Paper.STANDINGS), (Paper.BADGES, Paper.EVERYBODY)
        for paper, count in [(one, 2) for one in by_entry] + [(one, 4) for one in by_person]:
            document = document_of(Order(paper=paper, of=hall.event.pk, place=0))
            assert len(document.items) == count, paper

    @pytest.mark.snapshot
    def test_for_which_there_is_nothing_says_so(self) -> None:
        hall = Hall(pairs=4)
        page = made(hall, "charts")
        assert "Nothing to print yet." in page.text


@pytest.mark.parametrize(
    "draw_format", ["random", "swiss", "swiss_individual", "round_robin", "knockout", "interclub"]
)
def test_no_paper_is_offered_that_there_is_not(draw_format: str) -> None:
    hall = a_hall_of(draw_format)
    drawn = papers_offered(hall)
    play_round(hall.event)
    standings_after(hall.event)
    played = papers_offered(hall)
    assert {Paper.SHEETS, Paper.STANDINGS} <= drawn < played
    charts = {Paper.CHARTS} if draw_format in ("swiss", "round_robin", "knockout") else set()
    assert {Paper.PODIUM, *charts} == {Paper.PODIUM, Paper.CHARTS} & (played - drawn)
    for paper in played:
        document_of(Order(paper=paper, of=hall.event.pk, round=1))  # refuses none


def papers_offered(hall: Hall) -> set[Paper]:
    """Papers of the page to print; every link of it and of the menu opens."""
    page = hall.desk.open(page_of(hall))
    links = {link.attrs["href"] for link in page.every("a") if link.attrs["href"].startswith("/")}
    assert len(links) > 20
    assert {path: status for path in links if (status := hall.desk.open(path).status) != 200} == {}
    return {Paper(button.value) for button in page.every("button", name="paper")}


@pytest.mark.snapshot
def test_every_paper_matches_its_snapshot(snapshots: Snapshots) -> None:
    known: set[str] = set()
    lines = []
    for draw_format in ("swiss", "swiss_individual", "round_robin", "knockout", "interclub"):
        hall = a_hall_of(draw_format)
        play_round(hall.event)
        forfeit_table(event_id=hall.event.pk, number=1, table=2, winner=Side.A)
        standings_after(hall.event)
        for button in hall.desk.open(page_of(hall)).every("button", name="paper"):
            order = Order(paper=Paper(button.value), of=hall.event.pk, round=1)
            if new := new_lines(texts_of(document_of(order)), known):
                lines += [f"== {draw_format}: {order.paper}", *new]
    snapshots.compare("papers.txt", lines)


def texts_of(document: Document) -> Iterator[str]:
    """Yield what a layout is given, a line for each value."""
    for item in (document.title, document.author, document.words, document.shared, *document.items):
        for name, value in item.items() if isinstance(item, dict) else [("", item)]:
            yield normalize(
                f"{name}: {json.dumps(value, ensure_ascii=False, default=str)}".removeprefix(": ")
            )


class TestAsked:
    @pytest.mark.snapshot
    def test_for_no_table_numbers_is_refused_at_the_field_and_what_was_typed_stays(self) -> None:
        hall = Hall()
        page = ordered(hall.desk, page_of(hall), "sheets", tables="2-x", size="a4")
        assert page.status == 422
        assert page.said_at("tables")
        assert page.field("tables").value == "2-x"
        assert page.chosen("size") == ["a4"]
        assert not Job.objects.filter(kind="print_sheets").exists()

    def test_for_more_blank_sheets_than_anybody_needs_or_something_else_is_refused(self) -> None:
        hall = Hall()
        for copies in ("0", "101", "many"):
            page = ordered(hall.desk, page_of(hall), "blank", copies=copies)
            assert page.status == 422, copies
            assert page.said_at("copies"), copies
        others: tuple[dict[str, str], ...]
        others = {}, {"paper": "members"}, {"paper": "x", "size": "a4"}, {"paper": "sheets", "size": "a5"}
        for form in others:
            assert post(hall.desk, page_of(hall), form).status == 422, form
        assert not Job.objects.filter(kind__startswith="print_").exists()

    def test_twice_while_it_waits_is_made_once(self) -> None:
        hall = Hall()
        for _ in range(2):
            ordered(hall.desk, page_of(hall), "sheets")
        assert Job.objects.filter(kind="print_sheets").count() == 1

    @pytest.mark.parametrize(("address", "paper"), [(page_of, "sheets"), (club_page_of, "members")])
    def test_leads_back_to_the_page_so_that_another_look_orders_nothing(
        self, address: Callable[[Hall], str], paper: str
    ) -> None:
        hall = Hall()
        page = ordered(hall.desk, address(hall), paper)
        assert page.response.redirect_chain == [(address(hall), 302)]

    def test_with_all_there_can_be_has_a_key_that_is_kept(self) -> None:
        origin = f"https://{'long-name.' * 25}ca/"
        order = Order(
            paper=Paper.EVERYBODY, of=10**9, size=Size.A4, language="en", round=99, tables="1-2," * 20,
            place=9, copies=100, starts="2026-01-01", ends="2026-12-31", group="former", origin=origin,
            drafts=True,
        )  # fmt: skip
        assert len(order.key) <= (Job._meta.get_field("key").max_length or 0)
        assert order_of(order.key) == order


class TestUnderWay:
    def test_it_says_how_far_it_is_can_be_stopped_and_asked_for_again(self) -> None:
        hall = Hall()
        page = ordered(hall.desk, page_of(hall), "sheets")
        (job,) = Job.objects.filter(kind="print_sheets")
        assert "Waiting." in page.text
        page = hall.desk.send(page, page.form(f"/{job.pk}/stop"))
        assert "Stopped early." in page.text
        page = hall.desk.send(page, page.form(f"/{job.pk}/again"))
        run_job(job.pk)
        assert taken(hall, hall.desk.open(page_of(hall)))

    def test_stopped_while_it_runs_leaves_no_file(self) -> None:
        hall = Hall()
        ordered(hall.desk, page_of(hall), "sheets")
        (job,) = Job.objects.filter(kind="print_sheets")
        Job.objects.filter(pk=job.pk).update(is_stop_asked=True)
        run_job(job.pk)
        job.refresh_from_db()
        assert job.status == Status.CANCELLED
        assert list(FOLDER.iterdir()) == []

    def test_the_list_alone_is_served_when_it_has_changed(self) -> None:
        hall = Hall()
        page = ordered(hall.desk, page_of(hall), "sheets")
        assert page.one("div", id="papers").attrs["hx-get"] == page_of(hall)
        part = Page(hall.desk.client.get(page_of(hall), headers={"HX-Request": "true"}))
        assert len(part.every("h1")) == 0
        assert "Score sheets" in part.text
        headers = {"HX-Request": "true", "If-None-Match": part.revision}
        assert hall.desk.client.get(page_of(hall), headers=headers).status_code == 304


class TestTheFile:
    def test_lies_where_nobody_guesses_and_nobody_else_reads(self) -> None:
        hall = Hall()
        made(hall, "sheets")
        (file,) = FOLDER.iterdir()
        assert re.fullmatch(rf"{hall.event.club_id}-[0-9a-f]{{32}}", file.stem)
        if os.name == "posix":
            assert FOLDER.stat().st_mode & 0o077 == 0

    def test_is_gone_after_some_days(self) -> None:
        hall = Hall()
        address = made(hall, "sheets").link("Download")
        (file,) = FOLDER.iterdir()
        old = file.stat().st_mtime - FILES.kept.total_seconds() - 1
        os.utime(file, (old, old))
        FILES.sweep()
        assert list(FOLDER.iterdir()) == []
        assert hall.desk.open(address).status == 404
        assert not offers_a_file(hall.desk.open(page_of(hall)))

    def test_is_not_given_when_it_is_too_old_though_it_is_still_there(self) -> None:
        hall = Hall()
        address = made(hall, "sheets").link("Download")
        Job.objects.filter(kind="print_sheets").update(ended_at=timezone.now() - FILES.kept * 2)
        assert hall.desk.open(address).status == 404

    def test_no_other_file_is_given_whatever_the_work_says(self) -> None:
        hall = Hall()
        made(hall, "sheets")
        for name in ("../secret.key", "x.pdf", ""):
            Job.objects.update(result={"file": name})
            assert papers_of(hall.event, drafts=True) == [], name

    def test_is_for_those_at_the_desk_of_this_event_only(self) -> None:
        hall, other = Hall(), Hall()
        address = made(hall, "sheets").link("Download")
        assert a_helper(hall).client.get(address).status_code == 200
        assert other.desk.open(address).status == 404
        assert other.desk.open(address.replace(hall.event.short, other.event.short)).status == 404
        assert "/sign-in" in Browser().open(address).path

    def test_of_a_draft_is_for_directors_only(self) -> None:
        hall = Hall()
        play_round(hall.event)
        draw_round(event_id=hall.event.pk)
        address = made(hall, "tables", round="2").link("Download")
        helper = a_helper(hall)
        assert not offers_a_file(helper.open(page_of(hall)))
        assert helper.open(address).status == 404
        publish_round(event_id=hall.event.pk, number=2)
        ordered(helper, page_of(hall), "tables", round="2")
        assert helper.open(page_of(hall)).text.count("Waiting.") == 1

    def test_of_a_round_that_was_taken_back_is_not_made(self) -> None:
        hall = Hall()
        play_round(hall.event)
        draw_round(event_id=hall.event.pk)
        order = Order(paper=Paper.TABLES, of=hall.event.pk, round=2)
        with pytest.raises(Refusal, match="nothing_to_print"):
            document_of(order)
        assert "brouillon" in document_of(replace(order, drafts=True)).shared["heading"]

    def test_of_an_event_that_is_no_more_says_that_there_is_nothing(self) -> None:
        with pytest.raises(Refusal, match="nothing_to_print"):
            document_of(Order(paper=Paper.SHEETS, of=10**6))
        with pytest.raises(Refusal, match="nothing_to_print"):
            document_of(Order(paper=Paper.MEMBERS, of=10**6))


class TestTheClubsLists:
    def test_hold_the_people_of_the_group_with_how_to_reach_them(self) -> None:
        hall = a_played_hall()
        person = hall.event.club.people.earliest("pk")
        Person.objects.filter(pk=person.pk).update(contact="418 555-0199")
        Person.objects.exclude(pk=person.pk).update(is_guest=True)
        text = text_of(taken(hall, made(hall, "members", address=club_page_of(hall), group="members")))
        assert "1 person" in text
        assert "418 555-0199" in text

    def test_give_a_long_name_the_room_that_other_columns_leave(self) -> None:
        hall = a_played_hall()
        person = hall.event.club.people.earliest("pk")
        Person.objects.filter(pk=person.pk).update(name="Jean-Baptiste de la Bruère-Montarville")
        pdf = taken(hall, made(hall, "members", address=club_page_of(hall), group="members"))
        lines = [line for page in pdf.pages for line in page.extract_text().splitlines()]
        assert any("Bruère-Montarville, Jean-Baptiste de la" in line for line in lines)

    def test_of_days_in_the_wrong_order_are_refused_at_the_field(self) -> None:
        hall = a_played_hall()
        days = {"starts": "2026-12-01", "ends": "2026-11-01"}
        page = ordered(hall.desk, club_page_of(hall), "attendance", **days)
        assert page.status == 422
        assert page.said_at("ends")
        assert page.field("starts").value == "2026-12-01"

    @pytest.mark.snapshot
    def test_are_a_tap_away_from_the_people_and_the_attendance(self) -> None:
        hall = a_played_hall()
        slug = hall.event.club.slug
        for path in (f"/club/{slug}/people", f"/club/{slug}/attendance"):
            page = hall.desk.open(path)
            (link,) = [one for one in page.one("main").every("a") if one.text == "Print"]
            assert hall.desk.open(link.attrs["href"]).path == club_page_of(hall)


class TestTheSquareOfASheet:
    def square(self, hall: Hall, number: int = 1) -> str:
        card = TableCard.objects.get(topic=hall.event.topic, number=1)
        document = document_of(
            Order(paper=Paper.SHEETS, of=hall.event.pk, round=number, origin="http://192.0.2.40:8000/")
        )
        address = str(document.items[0]["address"])
        assert address == f"http://192.0.2.40:8000/t/{card.code}?card={card.secret}&sheet={number}"
        return address.removeprefix("http://192.0.2.40:8000")

    def test_leads_the_desk_to_where_that_sheet_is_typed(self) -> None:
        hall = Hall()
        for browser in (hall.desk, a_helper(hall)):
            page = browser.open(self.square(hall))
            assert page.path == f"/match/{hall.match.pk}/sheet"
            assert page.field("points_a")

    def test_leads_the_desk_to_what_was_marked_once_it_is_over(self) -> None:
        hall = Hall()
        win(hall.match)
        assert hall.desk.open(self.square(hall)).path == hall.ruled

    def test_is_of_its_round_though_another_one_is_played(self) -> None:
        hall = Hall()
        first = hall.match
        play_round(hall.event)
        next_round(hall.event)
        assert hall.desk.open(self.square(hall, 1)).path == f"/match/{first.pk}"
        assert hall.desk.open(self.square(hall, 2)).path != f"/match/{first.pk}"

    def test_leads_everybody_else_to_the_table(self) -> None:
        hall, other = Hall(), Hall()
        address = self.square(hall)
        for browser in (hall.phone(), other.desk):
            page = browser.open(address)
            assert page.status == 200
            assert page.path == hall.table

    def test_of_no_round_is_that_of_the_table(self) -> None:
        hall = Hall()
        for asked in ("", "x", "99", "-1", "1" * 30):
            assert hall.desk.open(f"{hall.table}?sheet={asked}").path == hall.table, asked


def test_badges_are_printed_before_the_first_draw() -> None:
    hall = Hall()
    event = an_event(2, club=hall.event.club)
    address = f"/e/{event.short}/desk/print"
    assert hall.desk.open(f"/e/{event.short}/desk").link("Print") == address
    assert taken(hall, made(hall, Paper.BADGES, address=address)).pages
