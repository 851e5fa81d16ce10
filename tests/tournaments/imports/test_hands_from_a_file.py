"""Hands that were written on paper and typed into a spreadsheet: what they would record, then recorded."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from clubs.models import Membership, Role
from rules import CANADIAN, read_record
from scoring.models import Mark
from tests.builders import BY_THE_CLOCK, an_account, fresh, mark, matches_of, play, play_round
from tests.long import often
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tests.support.workbooks import a_workbook, made
from tournaments.imports.hand_sheets import read_hand_sheet
from tournaments.imports.hand_sheets.words import contract_in

pytestmark = pytest.mark.django_db

FRENCH = "Ronde;Table;Partie;Main;Équipe;Contrat;Levées;Compté\n"
ENGLISH = "Round,Table,Game,Hand,Side,Contract,Tricks,Counted\n"


class Sheets:
    def __init__(self) -> None:
        self.hall = Hall()
        self.event = self.hall.event
        Mark.objects.all().delete()
        self.path = f"/e/{self.event.short}/desk/hands/file"
        self.browser = Browser(account=self.hall.owner)

    def upload(self, content: str | bytes, name: str = "hands.csv") -> Page:
        page = self.browser.open(self.path)
        sent = SimpleUploadedFile(name, content.encode() if isinstance(content, str) else content)
        return self.browser.send(page, page.form(having="file"), file=sent)

    def confirm(self, page: Page) -> Page:
        return self.browser.send(page, page.form(having="confirmed"), ("confirmed", "1"))

    def said(self, page: Page) -> list[list[str]]:
        assert page.status == 422
        assert not Mark.objects.exists()
        refused = page.one("table", class_="refused")
        return [[cell.text for cell in row.every("td")] for row in list(refused.every("tr"))[1:]]


@pytest.mark.parametrize(
    ("written", "key"),
    [("Petit Charles", "charlemagne"), ("gros charles", "gros_charlemagne"), ("La Grosse", "grosse")],
)
def test_a_contract_may_have_the_name_by_which_people_call_it(written: str, key: str) -> None:
    ladder = ["6", "grosse", "charlemagne", "gros_charlemagne"]
    assert contract_in(written, ladder) == key
    assert contract_in(written, ["6"]) == written, "these rules have no such contract"


class TestASheet:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        "content",
        [
            FRENCH + "1;1;1;1;A;6;7;6\n1;1;1;2;B;Mulot;manqué;\n1;2;1;1;Orange;Tout le monde passe;;\n",
            ENGLISH + "1,1,1,1,A,6,7,6\n1,1,1,2,B,mulot,failed,\n1,2,1,1,B,passed_out,,\n",
            (FRENCH + "1;1;1;1;A;6;7;6\n1;1;1;2;B;Mulot;manqué;\n1;2;1;1;;passe;;\n").encode("cp1252"),
            (FRENCH + "1;1;1;1;A;6;7;6\n1;1;1;2;B;Mulot;manqué;\n1;2;1;1;;passe;;\n").encode("utf-16"),
            ("\ufeff" + FRENCH + "1;1;1;1;A;6;7;6\n1;1;1;2;B;Mulot;manqué;\n1;2;1;1;;passe;;\n"),
            a_workbook(
                ["Ronde", "Table", "Main", "Camp", "Contrat", "Levées"],
                [1, 1, 1, "A", 6, 7],
                [1, 1, 2, "B", "Mulot", "manqué"],
                [1, 2, 1, None, "passe", None],
            ),
        ],
        ids=["French", "English", "Windows", "UTF-16", "with a mark", "Excel"],
    )
    def test_shows_what_it_would_record_and_then_records_it(self, content: str | bytes) -> None:
        sheets = Sheets()
        page = sheets.upload(content)
        assert "3 hands to record" in page.text, page.text
        assert not Mark.objects.exists()
        assert sheets.confirm(page).path == sheets.path
        one, other = matches_of(sheets.event)
        assert [mark.record_data["contract"] for mark in one.marks.order_by("number")] == ["6", "mulot"]
        assert other.marks.get().record_data == {"kind": "passed_out"}
        assert {mark.helper for mark in one.marks.all()} == {sheets.hall.owner.name}
        assert fresh(one).summary["running"][0] > 0

    @pytest.mark.slow
    @pytest.mark.snapshot
    @pytest.mark.parametrize(("ending", "language"), [("csv", "fr"), ("xlsx", "en")])
    def test_that_was_taken_away_is_read_again_in_the_same_language(self, ending: str, language: str) -> None:
        played = ("A 6 7", "B mulot failed", "misdeal", "passed_out", "void", "A gros_mulot made")
        hall = Hall()
        Mark.objects.all().delete()
        play(hall.match, *played)
        reader = Browser(language=language, account=hall.owner)
        before = reader.client.get(f"/e/{hall.event.short}/hands.json").json()["rows"]
        assert len(before) == len(played)
        file = reader.client.get(f"/e/{hall.event.short}/hands.{ending}").content
        sheets = Sheets()
        sheets.confirm(sheets.upload(file, f"hands.{ending}"))
        assert sheets.browser.client.get(f"/e/{sheets.event.short}/hands.json").json()["rows"] == before

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_sent_twice_is_recorded_once(self) -> None:
        sheets = Sheets()
        page = sheets.upload(FRENCH + "1;1;1;1;A;6;7;6\n")
        assert "Recorded: 1 hand." in sheets.confirm(page).text
        assert "These hands are already recorded." in sheets.confirm(page).text
        assert Mark.objects.count() == 1
        assert "Already recorded: 1 hand." in sheets.upload(FRENCH + "1;1;1;1;A;6;7;6\n").text

    def test_with_bad_lines_names_line_and_column_and_records_nothing(self) -> None:
        sheets = Sheets()
        page = sheets.upload(
            FRENCH
            + "1;1;1;1;A;6;7;6\n1;9;1;1;A;6;7;6\n1;2;1;1;A;11;7;6\n1;2;1;1;A;6;9;6\n"
            + "x;1;1;1;A;6;7;6\n1;2;1;3;A;6;7;6\n1;1;1;1;A;6;7;6\n"
        )
        assert [(row[0], row[1]) for row in sheets.said(page)] == [
            ("3", "Table"),
            ("4", "Contrat"),
            ("5", "Levées"),
            ("6", "Ronde"),
            ("7", "Hand"),
            ("8", "Main"),
        ]

    def test_that_differs_from_what_stands_there_is_refused(self) -> None:
        sheets = Sheets()
        mark(sheets.hall.match, "A 6 7")
        page = sheets.upload(FRENCH + "1;1;1;1;A;6;8;6\n1;1;1;2;B;6;7;6\n")
        assert page.status == 422
        assert "Another hand is there already." in page.text
        assert Mark.objects.count() == 1

    @pytest.mark.slow
    def test_of_a_closed_round_is_refused(self) -> None:
        sheets = Sheets()
        play_round(sheets.event)
        page = sheets.upload(FRENCH + "1;1;1;9;A;6;8;6\n")
        assert page.status == 422
        assert Mark.objects.count() == 4

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("content", "told"),
        [
            (b"", "This file contains no hands."),
            (b"Ronde;Table\n1;1\n", "Nothing was added"),
            (FRENCH.encode(), "This file contains no hands."),
            (b"PK\x03\x04", "cannot be read"),
            (ENGLISH.encode() + b"1,1,1,1,A,6,7,6\n" * 2_100, "lines"),
            (a_workbook(["Ronde"], ["=1+1"]), "Line 2, column A: the formula"),
        ],
        ids=["empty", "other columns", "headings only", "zip", "long", "formula"],
    )
    def test_that_is_none_says_what_is_wrong(self, content: bytes | Callable[[], bytes], told: str) -> None:
        page = Sheets().upload(made(content))
        assert page.status in (413, 422)
        assert told in page.text
        assert not Mark.objects.exists()

    def test_is_not_for_a_helper_at_the_desk(self) -> None:
        sheets = Sheets()
        helper = an_account()
        Membership.objects.create(club=sheets.event.club, account=helper, role=Role.DESK)
        assert Browser(account=helper).open(sheets.path).status == 403


class TestHandsThatWereTakenAway:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("language", "ending", "path"),
        [("fr", "csv", "/hands"), ("en", "xlsx", "/hands"), ("en", "csv", "/desk/history/hands")],
    )
    def test_stand_already_where_they_were_played_and_are_the_same_elsewhere(
        self, language: str, ending: str, path: str
    ) -> None:
        played, other = (Hall(match_format=BY_THE_CLOCK) for _ in range(2))
        bids = [f"{side} {one.key}" for side in "AB" for one in CANADIAN.contracts]
        told = [f"{bid} {how}" for bid in bids for how in ("made", "failed")]
        play(played.match, *told, "A 6 7", "B 8 3", "passed_out", "misdeal", "void")
        taken = self.taken(played, f"{path}.{ending}", language)
        again = self.brought(played, Browser(account=played.owner, language=language), taken, ending)
        assert again.status == 200, again.text
        assert re.findall(r"\d+", again.one("p", class_="notice").text)[0] == str(len(told) + 5)
        assert again.one("h2").text.split()[0] == "0"
        browser = Browser(account=other.owner, language=language)
        page = self.brought(other, browser, taken, ending)
        browser.send(page, page.form(having="confirmed"), ("confirmed", "1"))
        assert self.rows(other) == self.rows(played)

    def rows(self, hall: Hall) -> Any:
        return json.loads(self.taken(hall, "/hands.json", "en"))["rows"]

    def taken(self, hall: Hall, rest: str, language: str) -> bytes:
        browser = Browser(account=hall.owner, language=language)
        answer = browser.client.get(f"/e/{hall.event.short}{rest}")
        assert answer.status_code == 200
        return bytes(answer.content)

    def brought(self, hall: Hall, browser: Browser, content: bytes, ending: str) -> Page:
        page = browser.open(f"/e/{hall.event.short}/desk/hands/file")
        file = SimpleUploadedFile(f"hands.{ending}", content)
        return browser.send(page, page.form(having="file"), file=file)


@pytest.mark.slow
@hypothesis_settings(max_examples=often(45, long=1_350))
@given(
    lines=st.lists(
        st.lists(st.sampled_from(["1", "2", "A", "6", "mulot", "", "-1", "99999", '"', "²"]), max_size=9)
        | st.lists(st.text(max_size=5), max_size=9)
    )
)
def test_whatever_stands_in_a_sheet_is_a_hand_or_a_refusal_with_its_line(lines: list[list[str]]) -> None:
    text = FRENCH + "\n".join(";".join(line) for line in lines)
    sheet = read_hand_sheet(text, file="hands.csv", ruleset=CANADIAN)
    assert all(refusal.details["line"] >= 1 for refusal in sheet.refusals)
    for hand in sheet.hands:
        assert read_record(CANADIAN, hand.plain)
