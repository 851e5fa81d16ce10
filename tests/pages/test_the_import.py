"""A recorded night, uploaded: all of it, or what is wrong with it, line by line."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from jobs.models import Job
from jobs.services import run_job
from tests.pages.office import Office
from tournaments.models import Event
from tournaments.nights import recorded_nights

pytestmark = pytest.mark.django_db


class TestAnImportedNight:
    FILES = next(iter(recorded_nights().values()))

    def files(self, **changed: bytes) -> list[SimpleUploadedFile]:
        content = self.FILES | {name.replace("_", "."): value for name, value in changed.items()}
        return [SimpleUploadedFile(name, value) for name, value in content.items()]

    def test_is_uploaded_as_its_files(self) -> None:
        office = Office()
        page = office.upload(*self.files(), name="Last Tuesday")
        assert page.status == 200
        assert page.path == "/e/last-tuesday/desk"
        assert "The event has ended." in page.text

    def test_sent_twice_is_one_night(self) -> None:
        office = Office()
        page = office.browser.open(f"/club/{office.club.slug}/import")
        for _ in range(2):
            office.browser.send(page, page.form(having="files"), files=self.files(), name="Last Tuesday")
        assert Event.objects.filter(name="Last Tuesday").count() == 1

    def test_that_is_large_is_brought_in_by_the_worker_and_seen_once_all_of_it_is_there(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tournaments.services.importing.LARGE", 1)
        office = Office()
        page = office.upload(*self.files(), name="Last Tuesday")
        assert page.path == f"/club/{office.club.slug}/bringing-in"
        assert "Bringing in the recorded night" in page.text
        run_job(Job.objects.get(kind="bring_in_night").pk)
        page = office.browser.open(page.path)
        night = Event.objects.get(name="Last Tuesday")
        assert page.link("See the result Bringing in the recorded night") == f"/e/{night.short}/desk"

    def test_with_bad_lines_says_each_with_file_line_and_column_and_imports_nothing(self) -> None:
        office = Office()
        hands = self.FILES["hands.csv"].decode().splitlines()
        hands[3] = "1,1,3,2,A,9,H,12,made"
        page = office.upload(*self.files(hands_csv="\n".join(hands).encode(), night_json=b"{"), name="Bad")
        assert page.status == 422
        assert page.field("name").value == "Bad"
        rows = [[cell.text for cell in row.every("td")] for row in page.one("tbody").every("tr")]
        assert rows[0][0] == "night.json"
        assert rows[0][3] == "This is not JSON."
        assert Event.objects.get() == office.event

    @pytest.mark.parametrize(
        "content", [b"", b"null", b"[]", b"[" * 100_000, b'{"ruleset": 1e999}', b"\xff\xfe"]
    )
    def test_whose_json_is_none_is_refused(self, content: bytes) -> None:
        office = Office()
        page = office.upload(*self.files(night_json=content))
        assert page.status == 422
        assert "night.json" in page.one("table").text
        assert Event.objects.get() == office.event

    def test_without_files_is_refused_at_the_field(self) -> None:
        page = Office().upload()
        assert page.status == 422
        assert page.said_at("files").startswith("Choose the night's files")

    def test_of_twenty_megabytes_is_refused_at_the_field(self) -> None:
        office = Office()
        page = office.upload(SimpleUploadedFile("hands.csv", b"x" * 20_000_000), name="Large")
        assert page.status == 413
        assert page.said_at("files").startswith("These files are too large: 10 MB at most.")
        assert page.field("name").value == "Large"

    def test_as_a_zip_that_is_none_is_refused_at_the_field(self) -> None:
        page = Office().upload(SimpleUploadedFile("night.zip", b"PK not really"))
        assert page.status == 422
        assert page.said_at("files").startswith("This zip file cannot be opened.")
