"""Score sheets on paper, typed into a spreadsheet: previewed, then recorded."""

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
from tests.builders import FIFTY_MINUTES, build_account, mark, matches_of, play, play_round, reload_match
from tests.long_runs import choose_count
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tests.support.workbooks import build_workbook, get_content
from tournaments.imports.hand_sheets.parser import read_hand_sheet
from tournaments.imports.hand_sheets.words import match_contract

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
        return self.browser.send(page, page.find_form(control_name="file"), file=sent)

    def confirm(self, page: Page) -> Page:
        return self.browser.send(page, page.find_form(control_name="confirmed"), ("confirmed", "1"))

    def list_refused_rows(self, page: Page) -> list[list[str]]:
        assert page.status == 422
        assert not Mark.objects.exists()
        refused = page.find_one("table", class_="refused")
        return [[cell.text for cell in row.find_all("td")] for row in list(refused.find_all("tr"))[1:]]


@pytest.mark.parametrize(
    ("written", "key"),
    [("Petit Charles", "charlemagne"), ("gros charles", "gros_charlemagne"), ("La Grosse", "grosse")],
)
def test_contract_is_matched_by_its_popular_name(written: str, key: str) -> None:
    ladder = ["6", "grosse", "charlemagne", "gros_charlemagne"]
    assert match_contract(written, ladder) == key
    assert match_contract(written, ["6"]) == written, "these rules have no such contract"


class TestHandSheet:
    @pytest.mark.long
    @pytest.mark.parametrize(
        "content",
        [
            FRENCH + "1;1;1;1;A;6;7;6\n1;1;1;2;B;Mulot;manqué;\n1;2;1;1;Orange;Tout le monde passe;;\n",
            ENGLISH + "1,1,1,1,A,6,7,6\n1,1,1,2,B,mulot,failed,\n1,2,1,1,B,passed_out,,\n",
            (FRENCH + "1;1;1;1;A;6;7;6\n1;1;1;2;B;Mulot;manqué;\n1;2;1;1;;passe;;\n").encode("cp1252"),
            (FRENCH + "1;1;1;1;A;6;7;6\n1;1;1;2;B;Mulot;manqué;\n1;2;1;1;;passe;;\n").encode("utf-16"),
            ("\ufeff" + FRENCH + "1;1;1;1;A;6;7;6\n1;1;1;2;B;Mulot;manqué;\n1;2;1;1;;passe;;\n"),
            build_workbook(
                ["Ronde", "Table", "Main", "Camp", "Contrat", "Levées"],
                [1, 1, 1, "A", 6, 7],
                [1, 1, 2, "B", "Mulot", "manqué"],
                [1, 2, 1, None, "passe", None],
            ),
        ],
        ids=["French", "English", "Windows", "UTF-16", "with a mark", "Excel"],
    )
    def test_hand_sheet_is_previewed_then_recorded(self, content: str | bytes) -> None:
        sheets = Sheets()
        page = sheets.upload(content)
        assert "3 hands to record" in page.text, page.text
        assert not Mark.objects.exists()
        assert sheets.confirm(page).path == sheets.path
        one, other = matches_of(sheets.event)
        assert [mark.record_data["contract"] for mark in one.marks.order_by("number")] == ["6", "mulot"]
        assert other.marks.get().record_data == {"kind": "passed_out"}
        assert {mark.helper for mark in one.marks.all()} == {sheets.hall.owner.name}
        assert reload_match(one).summary["running"][0] > 0

    @pytest.mark.slow
    @pytest.mark.snapshot
    @pytest.mark.parametrize(("ending", "language"), [("csv", "fr"), ("xlsx", "en")])
    def test_exported_hands_import_in_the_same_language(self, ending: str, language: str) -> None:
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
    def test_resent_hand_sheet_is_recorded_once(self) -> None:
        sheets = Sheets()
        page = sheets.upload(FRENCH + "1;1;1;1;A;6;7;6\n")
        assert "Recorded: 1 hand." in sheets.confirm(page).text
        assert "These hands are already recorded." in sheets.confirm(page).text
        assert Mark.objects.count() == 1
        assert "Already recorded: 1 hand." in sheets.upload(FRENCH + "1;1;1;1;A;6;7;6\n").text

    @pytest.mark.slow
    def test_bad_hand_lines_are_reported_and_nothing_is_recorded(self) -> None:
        sheets = Sheets()
        page = sheets.upload(
            FRENCH
            + "1;1;1;1;A;6;7;6\n1;9;1;1;A;6;7;6\n1;2;1;1;A;11;7;6\n1;2;1;1;A;6;9;6\n"
            + "x;1;1;1;A;6;7;6\n1;2;1;3;A;6;7;6\n1;1;1;1;A;6;7;6\n"
        )
        assert [(row[0], row[1]) for row in sheets.list_refused_rows(page)] == [
            ("3", "Table"),
            ("4", "Contrat"),
            ("5", "Levées"),
            ("6", "Ronde"),
            ("7", "Hand"),
            ("8", "Main"),
        ]

    def test_conflicting_hand_is_refused(self) -> None:
        sheets = Sheets()
        mark(sheets.hall.match, "A 6 7")
        page = sheets.upload(FRENCH + "1;1;1;1;A;6;8;6\n1;1;1;2;B;6;7;6\n")
        assert page.status == 422
        assert "Another hand is there already." in page.text
        assert Mark.objects.count() == 1

    @pytest.mark.slow
    def test_hand_of_a_closed_round_is_refused(self) -> None:
        sheets = Sheets()
        play_round(sheets.event)
        page = sheets.upload(FRENCH + "1;1;1;9;A;6;8;6\n")
        assert page.status == 422
        assert Mark.objects.count() == 4

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"", "This file contains no hands."),
            (b"Ronde;Table\n1;1\n", "Nothing was added"),
            (FRENCH.encode(), "This file contains no hands."),
            (b"PK\x03\x04", "cannot be read"),
            (ENGLISH.encode() + b"1,1,1,1,A,6,7,6\n" * 2_100, "lines"),
            (build_workbook(["Ronde"], ["=1+1"]), "Line 2, column A: the formula"),
        ],
        ids=["empty", "other columns", "headings only", "zip", "long", "formula"],
    )
    def test_unreadable_hand_sheet_is_refused_with_a_reason(
        self, content: bytes | Callable[[], bytes], message: str
    ) -> None:
        page = Sheets().upload(get_content(content))
        assert page.status in (413, 422)
        assert message in page.text
        assert not Mark.objects.exists()

    def test_desk_helper_cannot_import_hands(self) -> None:
        sheets = Sheets()
        helper = build_account()
        Membership.objects.create(club=sheets.event.club, account=helper, role=Role.DESK)
        assert Browser(account=helper).open(sheets.path).status == 403


class TestExportedHands:
    @pytest.mark.long
    @pytest.mark.parametrize(
        ("language", "ending", "path"),
        [("fr", "csv", "/hands"), ("en", "xlsx", "/hands"), ("en", "csv", "/desk/history/hands")],
    )
    def test_exported_hands_are_recognized_here_and_importable_elsewhere(
        self, language: str, ending: str, path: str
    ) -> None:
        played, other = (Hall(match_format=FIFTY_MINUTES) for _ in range(2))
        bids = [f"{side} {one.key}" for side in "AB" for one in CANADIAN.contracts]
        hands = [f"{bid} {how}" for bid in bids for how in ("made", "failed")]
        play(played.match, *hands, "A 6 7", "B 8 3", "passed_out", "misdeal", "void")
        taken = self.download_hands(played, f"{path}.{ending}", language)
        again = self.upload_hands(played, Browser(account=played.owner, language=language), taken, ending)
        assert again.status == 200, again.text
        assert re.findall(r"\d+", again.find_one("p", class_="notice").text)[0] == str(len(hands) + 5)
        assert again.find_one("h2").text.split()[0] == "0"
        browser = Browser(account=other.owner, language=language)
        page = self.upload_hands(other, browser, taken, ending)
        browser.send(page, page.find_form(control_name="confirmed"), ("confirmed", "1"))
        assert self.read_json_rows(other) == self.read_json_rows(played)

    def read_json_rows(self, hall: Hall) -> Any:
        return json.loads(self.download_hands(hall, "/hands.json", "en"))["rows"]

    def download_hands(self, hall: Hall, rest: str, language: str) -> bytes:
        browser = Browser(account=hall.owner, language=language)
        answer = browser.client.get(f"/e/{hall.event.short}{rest}")
        assert answer.status_code == 200
        return bytes(answer.content)

    def upload_hands(self, hall: Hall, browser: Browser, content: bytes, ending: str) -> Page:
        page = browser.open(f"/e/{hall.event.short}/desk/hands/file")
        file = SimpleUploadedFile(f"hands.{ending}", content)
        return browser.send(page, page.find_form(control_name="file"), file=file)


@pytest.mark.slow
@hypothesis_settings(max_examples=choose_count(45, long=1_350))
@given(
    lines=st.lists(
        st.lists(st.sampled_from(["1", "2", "A", "6", "mulot", "", "-1", "99999", '"', "²"]), max_size=9)
        | st.lists(st.text(max_size=5), max_size=9)
    )
)
def test_any_sheet_line_becomes_a_hand_or_a_refusal(lines: list[list[str]]) -> None:
    text = FRENCH + "\n".join(";".join(line) for line in lines)
    sheet = read_hand_sheet(text, file="hands.csv", ruleset=CANADIAN)
    assert all(refusal.details["line"] >= 1 for refusal in sheet.refusals)
    for hand in sheet.hands:
        assert read_record(CANADIAN, hand.record_data)
