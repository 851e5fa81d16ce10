"""Printing from the desk: ordered on one page, rendered by the worker, kept for some days."""

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
    build_account,
    build_event,
    build_player_names,
    compute_standings,
    play_round,
    start_next_round,
    win,
)
from tests.saved_states import rolled_back, saved_state
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, post_form
from tests.support.page_lines import normalize
from tests.support.snapshots import Snapshots, take_new_lines
from tournaments.entries.services.check_in import mark_present
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Entry, PrizeScope
from tournaments.money.services.prize_categories import CategoryDetails, add_prize_category
from tournaments.papers.contents import document_of
from tournaments.papers.orders import CLUB_PAPERS, Order, Paper, parse_order
from tournaments.papers.paper_files import PAPER_STORE, list_papers
from tournaments.papers.typesetting.documents import Document, Size
from tournaments.papers.typesetting.layout import find_cut_texts
from tournaments.publishing.services.publishing import publish_final
from tournaments.rounds.services.rounds import draw_round, publish_round
from tournaments.rounds.services.tables import forfeit_table

from .documents import extract_text, list_fonts, list_sizes, list_tags, print_document

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


def get_print_path(hall: Hall) -> str:
    return f"/e/{hall.event.short}/desk/print"


def get_club_print_path(hall: Hall) -> str:
    return f"/club/{hall.event.club.slug}/print"


def order_paper_on_page(browser: Browser, address: str, paper: str, **typed: Any) -> Page:
    """Order a paper on the page, and return the page that follows."""
    page = browser.open(address)
    return browser.send(page, page.find_form(address), ("paper", paper), **typed)


def make_paper_on_page(
    hall: Hall, paper: str, *, browser: Browser | None = None, address: str = "", **typed: Any
) -> Page:
    """Order a paper, run the worker, and return the page with the finished paper."""
    address = address or get_print_path(hall)
    order_paper_on_page(browser or hall.desk, address, paper, **typed)
    for job in Job.objects.filter(kind__startswith="print_", status=Status.QUEUED):
        run_job(job.pk)
    return (browser or hall.desk).open(address)


def download_paper(hall: Hall, page: Page) -> PdfReader:
    response: Any = hall.desk.client.get(page.find_link("Download"))
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/pdf"
    assert "no-store" in response.headers["Cache-Control"]
    return PdfReader(io.BytesIO(b"".join(response)))


def has_download(page: Page) -> bool:
    return any("Download" in link.text for link in page.find_all("a"))


def test_changed_content_marks_a_paper_as_outdated() -> None:
    hall = build_played_hall()
    compute_standings(hall.event)
    assert "Outdated" not in make_paper_on_page(hall, "podium").text
    hall.event.entries.filter(number=1).update(team="Causapscal")
    raise_revision(hall.event.topic)
    assert "Outdated" not in hall.desk.open(get_print_path(hall)).text
    for number in (1, 2):
        forfeit_table(event_id=hall.event.pk, number=1, table=number, winner=Side.B)
    compute_standings(hall.event)
    assert "Outdated: something on it changed." in hall.desk.open(get_print_path(hall)).text


def add_helper(hall: Hall) -> Browser:
    account = build_account()
    Membership.objects.create(club=hall.event.club, account=account, role=Role.DESK)
    return Browser(account=account)


@saved_state
def build_played_hall(pairs: int = 6) -> Hall:
    hall = Hall(pairs=pairs, draw_format="round_robin")
    hall.event.entries.filter(number=pairs).update(team="Matane")
    play_round(hall.event)
    compute_standings(hall.event)
    return hall


@saved_state
def build_hall(draw_format: str) -> Hall:
    """Build a hall in round 1: eight people, in pairs or alone; half of the entries are of team Matane."""
    hall = Hall()
    event = build_event(0, club=hall.event.club, tables=2, draw_format=draw_format)
    count = 4 * (2 // event.entry_size)
    add_entries(event_id=event.pk, entries=build_player_names(count, size=event.entry_size))
    event.entries.filter(number__lte=count // 2).update(team="Matane")
    hall.event = start_event(event_id=event.pk)
    start_next_round(hall.event)
    return hall


@pytest.mark.long
@pytest.mark.snapshot
def test_paper_times_use_the_club_time_zone() -> None:
    hall = build_played_hall()
    make_paper_on_page(hall, Paper.STANDINGS)
    Job.objects.filter(kind__startswith="print_").update(ended_at=timezone.now().replace(hour=17, minute=5))
    hours = {"12:05 PM", "1:05 PM"}  # in winter, in summer
    for headers in ({}, {"HX-Request": "true"}):
        text = hall.desk.open(get_print_path(hall), **headers).text
        assert any(hour in text for hour in hours), headers


EXPECTED_PAPERS: dict[Paper, tuple[int, str]] = {
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
"""Number of pages for six pairs after one round, and a text on the first page."""


def order_for(hall: Hall, paper: Paper) -> Order:
    """Return an order of the paper in English, for round 1 or the year 2026."""
    of = hall.event.club_id if paper in CLUB_PAPERS else hall.event.pk
    return Order(paper=paper, of=of, round=1, language="en", starts="2026-01-01", ends="2026-12-31")


class TestPaperContents:
    @pytest.mark.long
    def test_every_paper_prints_on_letter_with_its_contents(self) -> None:
        hall = build_played_hall()
        for paper, (pages, expected_text) in EXPECTED_PAPERS.items():
            pdf = print_document(document_of(order_for(hall, paper)))
            assert len(pdf.pages) == pages, paper
            assert expected_text in extract_text(pdf), paper
            assert all(list_fonts(pdf).values()), paper
            assert list_tags(pdf), paper
            assert pdf.metadata is not None
            assert pdf.metadata.author == hall.event.club.name, paper
            assert sorted(map(round, pdf.pages[0].mediabox[2:])) == [612, 792], paper

    @pytest.mark.parametrize("size", Size)
    @pytest.mark.parametrize("extra_letters", [0, 8, 24])
    def test_bracket_prints_every_name_in_nine_points_or_more(self, size: Size, extra_letters: int) -> None:
        event = build_event(16, draw_format="knockout")
        for person in event.club.people.all():
            person.name += "-Desroch" * (extra_letters // 8)
            person.save()
        play_round(start_next_round(start_event(event_id=event.pk)).event)
        compute_standings(event)
        document = document_of(Order(paper=Paper.CHARTS, of=event.pk, size=size))
        assert min(list_sizes(print_document(document), "")) >= 9
        assert [find_cut_texts(document.layout, part) for part in document.iter_parts()] == [[]]

    def test_paper_of_a_running_event_is_marked_not_final(self) -> None:
        hall = build_played_hall()

        def get_paper_text(paper: Paper) -> str:
            return extract_text(print_document(document_of(order_for(hall, paper))))

        ranking = (Paper.STANDINGS, Paper.CLUBS, Paper.CHARTS, Paper.EVERYBODY)
        assert [paper for paper in ranking if "not final: after 1 round" not in get_paper_text(paper)] == []
        with rolled_back():
            end_event(event_id=hall.event.pk)
            assert [paper for paper in ranking if "not final" in get_paper_text(paper)] == []
        start_next_round(hall.event)
        for paper in (Paper.STANDINGS, Paper.CHARTS):  # results count as soon as they are recorded
            assert "not final: during round 2" in get_paper_text(paper)

    def test_paper_before_the_first_round_counts_no_rounds(self) -> None:
        event = build_event()
        for paper in (Paper.STANDINGS, Paper.EVERYBODY):
            document = document_of(Order(paper=paper, of=event.pk, language="en"))
            assert "not final" not in extract_text(print_document(document)), paper

    @pytest.mark.long
    def test_score_sheets_of_a_draft_are_marked_as_draft(self) -> None:
        hall = build_played_hall()
        drawn = draw_round(event_id=hall.event.pk)
        sheets = extract_text(download_paper(hall, make_paper_on_page(hall, Paper.SHEETS, round=str(drawn.number))))
        assert "draft, not published yet" in sheets
        Job.objects.all().delete()
        two = download_paper(hall, make_paper_on_page(hall, Paper.SHEETS, round=str(drawn.number), per_page="2"))
        tables = sheets.count("draft, not published yet")
        assert len(two.pages) == -(-tables // 2) < tables
        assert extract_text(two).count("draft, not published yet") == tables
        page = hall.desk.open(f"/e/{hall.event.short}/desk/print/sheets?round={drawn.number}")
        assert "draft, not published yet" in page.text

    @pytest.mark.long
    def test_papers_print_full_names(self) -> None:
        hall = build_played_hall()
        names = [person.name for person in Person.objects.filter(club=hall.event.club)]
        for paper in (Paper.SHEETS, Paper.TABLES, Paper.STANDINGS, Paper.CHARTS, Paper.ENTRIES, Paper.BADGES):
            pdf = print_document(document_of(Order(paper=paper, of=hall.event.pk, round=1, language="en")))
            text = "".join(extract_text(pdf).split())
            assert [name for name in names if "".join(name.split()) not in text] == [], paper

    def test_paper_uses_the_readers_language_and_page_size(self) -> None:
        hall = build_played_hall()
        browser = Browser(account=hall.owner, language="fr")
        for address, paper in ((get_print_path(hall), Paper.SHEETS), (get_club_print_path(hall), Paper.MEMBERS)):
            order_paper_on_page(browser, address, paper, size="a4")
            document = document_of(parse_order(Job.objects.latest("pk").key))
            assert (document.language, document.size) == ("fr", Size.A4)
        for paper in set(Paper) - {Paper.TABLES, Paper.NAMES}:
            order = order_for(hall, paper)
            french = document_of(replace(order, language="fr"))
            assert french.title != document_of(order).title, paper

    @pytest.mark.long
    def test_entries_list_ticks_checked_in_entries(self) -> None:
        event = Hall(pairs=4).event
        mark_present(event_id=event.pk, number=3, is_present=True)
        listed = document_of(Order(paper=Paper.ENTRIES, of=event.pk, language="en")).items
        assert {item["cells"][1]: item["cells"][0] for item in listed} == {
            "1": "",
            "2": "",
            "3": "yes",
            "4": "",
        }

    @pytest.mark.long
    def test_chosen_tables_limit_sheets_and_cards(self) -> None:
        hall = Hall(pairs=12)
        pdf = download_paper(hall, make_paper_on_page(hall, "sheets", tables="2, 4-5"))
        assert len(pdf.pages) == 3
        cards = document_of(Order(paper=Paper.CARDS, of=hall.event.pk, tables="1-2"))
        assert [item["number"] for item in cards.items] == ["1", "2"]

    def test_final_standings_paper_names_category_winners(self) -> None:
        hall = build_played_hall()
        details = CategoryDetails(name="Best of all", amounts=(2000,), prize="A ham", shows_amount=True)
        add_prize_category(event_id=hall.event.pk, details=details)
        order = Order(paper=Paper.STANDINGS, of=hall.event.pk, language="en")
        before = extract_text(print_document(document_of(order)))
        assert "not final" in before
        assert "Final standings" not in before
        assert "Best of all" not in before
        publish_final(event_id=hall.event.pk)
        after = extract_text(print_document(document_of(order)))
        assert "not final" not in after
        assert "Final standings" in after
        assert "Best of all · A ham: " in after
        assert "$" in after
        forfeit_table(event_id=hall.event.pk, number=1, table=1, winner=Side.B)
        compute_standings(hall.event)
        corrected = extract_text(print_document(document_of(order)))
        assert "Final standings" not in corrected
        assert "Best of all" not in corrected, "the winners still follow the published standings"

    def test_category_winner_gets_a_certificate_once_standings_are_final(self) -> None:
        hall = build_played_hall()
        hall.event.entries.filter(number__in=(2, 4)).update(labels="Mixed")
        for details in (
            CategoryDetails(name="Best mixed pair", among=PrizeScope.LABEL, group="Mixed", amounts=(0,)),
            CategoryDetails(name="Best of all", amounts=(2000,)),
        ):
            add_prize_category(event_id=hall.event.pk, details=details)

        def list_awards() -> list[str]:
            document = document_of(Order(paper=Paper.EVERYBODY, of=hall.event.pk, language="en"))
            return [item["for_what"] for item in document.items]

        assert "Best mixed pair" not in list_awards()
        publish_final(event_id=hall.event.pk)
        assert list_awards()[-2:] == ["Best mixed pair"] * 2
        assert "Best of all" not in list_awards()
        forfeit_table(event_id=hall.event.pk, number=1, table=1, winner=Side.B)
        compute_standings(hall.event)
        assert "Best mixed pair" not in list_awards()

    def test_name_list_numbers_pairs_with_equal_names(self) -> None:
        hall = build_played_hall()
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

    @pytest.mark.long
    def test_table_cards_warn_of_unreachable_qr_codes(self) -> None:
        hall = Hall(pairs=12)
        cards = Order(paper=Paper.CARDS, of=hall.event.pk, language="en")
        warned = print_document(document_of(replace(cards, origin="http://127.0.0.1:8000")))
        assert "Phones cannot reach this computer" in extract_text(warned)
        reached = print_document(document_of(replace(cards, origin="http://192.0.2.40:8000")))
        assert "Phones cannot reach this computer" not in extract_text(reached)
        assert len(warned.pages) == len(reached.pages) + 1

    def test_section_choice_limits_a_paper(self) -> None:
        hall = build_played_hall()
        hall.event.sections = [{"name": "Beginners", "first_table": None, "last_table": None}]
        hall.event.save()
        Entry.objects.filter(event=hall.event, number__in=(1, 2)).update(section="Beginners")
        by_entry, by_person = (Paper.ENTRIES, Paper.STANDINGS), (Paper.BADGES, Paper.EVERYBODY)
        for paper, count in [(one, 2) for one in by_entry] + [(one, 4) for one in by_person]:
            document = document_of(Order(paper=paper, of=hall.event.pk, place=0))
            assert len(document.items) == count, paper

    @pytest.mark.snapshot
    def test_paper_without_content_is_refused(self) -> None:
        hall = Hall(pairs=4)
        page = make_paper_on_page(hall, "charts")
        assert "Nothing to print yet." in page.text


@pytest.mark.long
@pytest.mark.parametrize("draw_format", ["random", "swiss", "swiss_individual", "round_robin", "knockout", "interclub"])
def test_print_page_offers_only_available_papers(draw_format: str) -> None:
    hall = build_hall(draw_format)
    drawn = list_offered_papers(hall)
    play_round(hall.event)
    compute_standings(hall.event)
    played = list_offered_papers(hall)
    assert {Paper.SHEETS, Paper.STANDINGS} <= drawn < played
    charts = {Paper.CHARTS} if draw_format in ("swiss", "round_robin", "knockout") else set()
    assert {Paper.PODIUM, *charts} == {Paper.PODIUM, Paper.CHARTS} & (played - drawn)
    for paper in played:
        document_of(Order(paper=paper, of=hall.event.pk, round=1))  # no offered paper is refused


def list_offered_papers(hall: Hall) -> set[Paper]:
    """Return the papers that the print page offers, after checking that each link on the page opens."""
    page = hall.desk.open(get_print_path(hall))
    links = {link.attrs["href"] for link in page.find_all("a") if link.attrs["href"].startswith("/")}
    assert len(links) > 20
    assert {path: status for path in links if (status := hall.desk.open(path).status) != 200} == {}
    return {Paper(button.value) for button in page.find_all("button", name="paper")}


@pytest.mark.snapshot
def test_every_paper_matches_its_snapshot(snapshots: Snapshots) -> None:
    known_lines: set[str] = set()
    lines = []
    for draw_format in ("swiss", "swiss_individual", "round_robin", "knockout", "interclub"):
        hall = build_hall(draw_format)
        play_round(hall.event)
        forfeit_table(event_id=hall.event.pk, number=1, table=2, winner=Side.A)
        compute_standings(hall.event)
        for button in hall.desk.open(get_print_path(hall)).find_all("button", name="paper"):
            order = Order(paper=Paper(button.value), of=hall.event.pk, round=1)
            if new := take_new_lines(iter_texts(document_of(order)), known_lines):
                lines += [f"== {draw_format}: {order.paper}", *new]
    snapshots.compare("papers.txt", lines)


def iter_texts(document: Document) -> Iterator[str]:
    """Yield each value that a layout receives as a line of text."""
    for item in (document.title, document.author, document.labels, document.common, *document.items):
        for name, value in item.items() if isinstance(item, dict) else [("", item)]:
            yield normalize(f"{name}: {json.dumps(value, ensure_ascii=False, default=str)}".removeprefix(": "))


class TestPaperOrders:
    @pytest.mark.snapshot
    def test_invalid_table_numbers_are_refused_and_kept(self) -> None:
        hall = Hall()
        page = order_paper_on_page(hall.desk, get_print_path(hall), "sheets", tables="2-x", size="a4")
        assert page.status == 422
        assert page.get_field_error("tables")
        assert page.find_field("tables").value == "2-x"
        assert page.list_checked_values("size") == ["a4"]
        assert not Job.objects.filter(kind="print_sheets").exists()

    def test_invalid_copies_paper_or_size_are_refused(self) -> None:
        hall = Hall()
        for copies in ("0", "101", "many"):
            page = order_paper_on_page(hall.desk, get_print_path(hall), "blank", copies=copies)
            assert page.status == 422, copies
            assert page.get_field_error("copies"), copies
        others: tuple[dict[str, str], ...]
        others = {}, {"paper": "members"}, {"paper": "x", "size": "a4"}, {"paper": "sheets", "size": "a5"}
        for form in others:
            assert post_form(hall.desk, get_print_path(hall), form).status == 422, form
        assert not Job.objects.filter(kind__startswith="print_").exists()

    @pytest.mark.long
    def test_repeated_order_is_printed_once(self) -> None:
        hall = Hall()
        for _ in range(2):
            order_paper_on_page(hall.desk, get_print_path(hall), "sheets")
        assert Job.objects.filter(kind="print_sheets").count() == 1

    @pytest.mark.long
    @pytest.mark.parametrize(("address", "paper"), [(get_print_path, "sheets"), (get_club_print_path, "members")])
    def test_order_redirects_so_that_a_reload_orders_nothing(self, address: Callable[[Hall], str], paper: str) -> None:
        hall = Hall()
        page = order_paper_on_page(hall.desk, address(hall), paper)
        assert page.response.redirect_chain == [(address(hall), 302)]

    @pytest.mark.long
    def test_largest_possible_order_fits_its_job_key(self) -> None:
        origin = f"https://{'long-name.' * 25}ca/"
        order = Order(
            paper=Paper.EVERYBODY, of=10**9, size=Size.A4, language="en", round=99, tables="1-2," * 20,
            place=9, copies=100, starts="2026-01-01", ends="2026-12-31", group="former", origin=origin,
            drafts=True,
        )  # fmt: skip
        assert len(order.key) <= (Job._meta.get_field("key").max_length or 0)
        assert parse_order(order.key) == order


class TestPaperJobs:
    @pytest.mark.long
    def test_paper_job_shows_progress_and_can_be_stopped_and_repeated(self) -> None:
        hall = Hall()
        page = order_paper_on_page(hall.desk, get_print_path(hall), "sheets")
        (job,) = Job.objects.filter(kind="print_sheets")
        assert "Waiting." in page.text
        page = hall.desk.send(page, page.find_form(f"/{job.pk}/stop"))
        assert "Stopped early." in page.text
        page = hall.desk.send(page, page.find_form(f"/{job.pk}/again"))
        run_job(job.pk)
        assert download_paper(hall, hall.desk.open(get_print_path(hall)))

    @pytest.mark.long
    def test_job_stopped_while_running_leaves_no_file(self) -> None:
        hall = Hall()
        order_paper_on_page(hall.desk, get_print_path(hall), "sheets")
        (job,) = Job.objects.filter(kind="print_sheets")
        Job.objects.filter(pk=job.pk).update(is_stop_asked=True)
        run_job(job.pk)
        job.refresh_from_db()
        assert job.status == Status.CANCELLED
        assert list(FOLDER.iterdir()) == []

    def test_changed_paper_list_is_served_alone(self) -> None:
        hall = Hall()
        page = order_paper_on_page(hall.desk, get_print_path(hall), "sheets")
        assert page.find_one("div", id="papers").attrs["hx-get"] == get_print_path(hall)
        part = Page(hall.desk.client.get(get_print_path(hall), headers={"HX-Request": "true"}))
        assert len(part.find_all("h1")) == 0
        assert "Score sheets" in part.text
        headers = {"HX-Request": "true", "If-None-Match": part.revision}
        assert hall.desk.client.get(get_print_path(hall), headers=headers).status_code == 304


class TestPaperFile:
    @pytest.mark.long
    def test_paper_file_has_an_unguessable_private_path(self) -> None:
        hall = Hall()
        make_paper_on_page(hall, "sheets")
        (file,) = FOLDER.iterdir()
        assert re.fullmatch(rf"{hall.event.club_id}-[0-9a-f]{{32}}", file.stem)
        if os.name == "posix":
            assert FOLDER.stat().st_mode & 0o077 == 0

    @pytest.mark.long
    def test_expired_paper_file_is_deleted(self) -> None:
        hall = Hall()
        address = make_paper_on_page(hall, "sheets").find_link("Download")
        (file,) = FOLDER.iterdir()
        old = file.stat().st_mtime - PAPER_STORE.lifetime.total_seconds() - 1
        os.utime(file, (old, old))
        PAPER_STORE.delete_expired_files()
        assert list(FOLDER.iterdir()) == []
        assert hall.desk.open(address).status == 404
        assert not has_download(hall.desk.open(get_print_path(hall)))

    @pytest.mark.long
    def test_expired_paper_is_not_served_even_if_its_file_exists(self) -> None:
        hall = Hall()
        address = make_paper_on_page(hall, "sheets").find_link("Download")
        Job.objects.filter(kind="print_sheets").update(ended_at=timezone.now() - PAPER_STORE.lifetime * 2)
        assert hall.desk.open(address).status == 404

    @pytest.mark.long
    def test_manipulated_job_result_serves_no_other_file(self) -> None:
        hall = Hall()
        make_paper_on_page(hall, "sheets")
        for name in ("../secret.key", "x.pdf", ""):
            Job.objects.update(result={"file": name})
            assert list_papers(hall.event, drafts=True) == [], name

    @pytest.mark.long
    def test_paper_is_served_only_to_the_desk_of_its_event(self) -> None:
        hall, other = Hall(), Hall()
        address = make_paper_on_page(hall, "sheets").find_link("Download")
        assert add_helper(hall).client.get(address).status_code == 200
        assert other.desk.open(address).status == 404
        assert other.desk.open(address.replace(hall.event.short, other.event.short)).status == 404
        assert "/sign-in" in Browser().open(address).path

    def test_paper_of_a_draft_is_for_directors_only(self) -> None:
        hall = Hall()
        play_round(hall.event)
        draw_round(event_id=hall.event.pk)
        address = make_paper_on_page(hall, "tables", round="2").find_link("Download")
        helper = add_helper(hall)
        assert not has_download(helper.open(get_print_path(hall)))
        assert helper.open(address).status == 404
        publish_round(event_id=hall.event.pk, number=2)
        order_paper_on_page(helper, get_print_path(hall), "tables", round="2")
        assert helper.open(get_print_path(hall)).text.count("Waiting.") == 1

    def test_unpublished_round_is_not_printed_without_drafts(self) -> None:
        hall = Hall()
        play_round(hall.event)
        draw_round(event_id=hall.event.pk)
        order = Order(paper=Paper.TABLES, of=hall.event.pk, round=2)
        with pytest.raises(Refusal, match="nothing_to_print"):
            document_of(order)
        assert "brouillon" in document_of(replace(order, drafts=True)).common["heading"]

    @pytest.mark.long
    def test_paper_of_a_deleted_event_is_refused(self) -> None:
        with pytest.raises(Refusal, match="nothing_to_print"):
            document_of(Order(paper=Paper.SHEETS, of=10**6))
        with pytest.raises(Refusal, match="nothing_to_print"):
            document_of(Order(paper=Paper.MEMBERS, of=10**6))


class TestClubPapers:
    def test_people_list_contains_the_group_with_contacts(self) -> None:
        hall = build_played_hall()
        person = hall.event.club.people.earliest("pk")
        Person.objects.filter(pk=person.pk).update(contact="418 555-0199")
        Person.objects.exclude(pk=person.pk).update(is_guest=True)
        text = extract_text(
            download_paper(
                hall, make_paper_on_page(hall, "members", address=get_club_print_path(hall), group="members")
            )
        )
        assert "1 person" in text
        assert "418 555-0199" in text

    @pytest.mark.long
    def test_long_name_takes_space_from_other_columns(self) -> None:
        hall = build_played_hall()
        person = hall.event.club.people.earliest("pk")
        Person.objects.filter(pk=person.pk).update(name="Jean-Baptiste de la Bruère-Montarville")
        pdf = download_paper(
            hall, make_paper_on_page(hall, "members", address=get_club_print_path(hall), group="members")
        )
        lines = [line for page in pdf.pages for line in page.extract_text().splitlines()]
        assert any("Bruère-Montarville, Jean-Baptiste de la" in line for line in lines)

    def test_reversed_days_are_refused_at_the_field(self) -> None:
        hall = build_played_hall()
        days = {"starts": "2026-12-01", "ends": "2026-11-01"}
        page = order_paper_on_page(hall.desk, get_club_print_path(hall), "attendance", **days)
        assert page.status == 422
        assert page.get_field_error("ends")
        assert page.find_field("starts").value == "2026-12-01"

    @pytest.mark.snapshot
    def test_people_and_attendance_pages_link_to_printing(self) -> None:
        hall = build_played_hall()
        slug = hall.event.club.slug
        for path in (f"/club/{slug}/people", f"/club/{slug}/attendance"):
            page = hall.desk.open(path)
            (link,) = [one for one in page.find_one("main").find_all("a") if one.text == "Print"]
            assert hall.desk.open(link.attrs["href"]).path == get_club_print_path(hall)


class TestScoreSheetQrCode:
    def get_qr_path(self, hall: Hall, number: int = 1) -> str:
        card = TableCard.objects.get(topic=hall.event.topic, number=1)
        document = document_of(
            Order(paper=Paper.SHEETS, of=hall.event.pk, round=number, origin="http://192.0.2.40:8000/")
        )
        address = str(document.items[0]["address"])
        assert address == f"http://192.0.2.40:8000/t/{card.code}?card={card.secret}&sheet={number}"
        return address.removeprefix("http://192.0.2.40:8000")

    @pytest.mark.long
    def test_qr_code_leads_the_desk_to_the_sheet_form(self) -> None:
        hall = Hall()
        for browser in (hall.desk, add_helper(hall)):
            page = browser.open(self.get_qr_path(hall))
            assert page.path == f"/match/{hall.match.pk}/sheet"
            assert page.find_field("points_a")

    def test_qr_code_of_a_finished_match_leads_to_its_page(self) -> None:
        hall = Hall()
        win(hall.match)
        assert hall.desk.open(self.get_qr_path(hall)).path == hall.desk_match

    @pytest.mark.long
    def test_qr_code_stays_with_its_round(self) -> None:
        hall = Hall()
        first = hall.match
        play_round(hall.event)
        start_next_round(hall.event)
        assert hall.desk.open(self.get_qr_path(hall, 1)).path == f"/match/{first.pk}"
        assert hall.desk.open(self.get_qr_path(hall, 2)).path != f"/match/{first.pk}"

    @pytest.mark.long
    def test_qr_code_leads_everyone_else_to_the_table(self) -> None:
        hall, other = Hall(), Hall()
        address = self.get_qr_path(hall)
        for browser in (hall.add_phone(), other.desk):
            page = browser.open(address)
            assert page.status == 200
            assert page.path == hall.table

    @pytest.mark.long
    def test_invalid_round_in_a_qr_code_leads_to_the_table(self) -> None:
        hall = Hall()
        for sheet in ("", "x", "99", "-1", "1" * 30):
            assert hall.desk.open(f"{hall.table}?sheet={sheet}").path == hall.table, sheet


@pytest.mark.long
def test_badges_are_printed_before_the_first_draw() -> None:
    hall = Hall()
    event = build_event(2, club=hall.event.club)
    address = f"/e/{event.short}/desk/print"
    assert hall.desk.open(f"/e/{event.short}/desk").find_link("Print") == address
    assert download_paper(hall, make_paper_on_page(hall, Paper.BADGES, address=address)).pages
