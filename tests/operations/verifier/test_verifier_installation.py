"""Installation of Python for browsers: complete and as released, or not at all."""

import gzip
import io
import tarfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from shutil import rmtree

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.translation import override

from operations.texts import compile_translations
from operations.verifier import release
from tests import external_tools
from tests.builders import build_club
from tests.support.browser import Browser
from wording.sizes import size_in_words

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_installed() -> Iterator[None]:
    compile_translations()
    yield
    rmtree(release.get_release_folder().parent, ignore_errors=True)


@pytest.fixture
def archive() -> Path:
    found = external_tools.find_pyodide()
    if found is None:
        pytest.skip("no Pyodide")
    return found


def build_archive(folder: Path, names: tuple[str, ...]) -> Path:
    """Build an archive of empty files with these names."""
    path = folder / "other.tgz"
    with tarfile.open(path, "w:gz") as written:
        for name in names:
            written.addfile(tarfile.TarInfo(f"package/{name}"), io.BytesIO())
    return path


@pytest.mark.parametrize("names", [(), tuple(release.FILES)], ids=["files are missing", "files are others"])
def test_foreign_archive_is_refused_and_not_offered(tmp_path: Path, names: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match="Nothing was installed"):
        call_command("install_verifier", build_archive(tmp_path, names))
    page = Browser().open(f"/c/{build_club().slug}/verify")
    assert "charlemagne verify FILE" in page.text
    assert "install_verifier" in page.text
    assert not page.find_all("form", id="verify")
    assert page.find_one("h2", id="elsewhere").text == "How to verify"


def test_file_that_is_no_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "note.tgz"
    path.write_text("no archive", encoding="utf-8")
    with pytest.raises(CommandError, match="Nothing was installed"):
        call_command("install_verifier", path)


@pytest.mark.slow
def test_installed_verifier_is_offered_with_immutable_files(archive: Path) -> None:
    call_command("install_verifier", archive)
    call_command("install_verifier", archive)  # the command is safe to repeat
    page = Browser().open(f"/en/c/{build_club().slug}/verify")
    assert page.find_one("h2", id="elsewhere").text == "Without this site"
    assert "install_verifier" not in page.text
    form = page.find_one("form", id="verify").attrs
    assert release.RELEASE_NAME in form["data-release"]
    client = Client()
    for name, digest in release.FILES.items():
        answer = client.get(f"/verifier/{release.RELEASE_NAME}/{name}")
        assert sha256(gzip.decompress(answer.content)).hexdigest() == digest
        assert answer.headers["Content-Encoding"] == "gzip"
        assert "immutable" in answer.headers["Cache-Control"]
    for address in (form["data-program"], form["data-worker"]):
        assert "immutable" in client.get(address).headers["Cache-Control"]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["fr", "en"])
def test_standalone_verifier_is_one_file_of_the_stated_size(archive: Path, language: str) -> None:
    call_command("install_verifier", archive)
    page = Browser(language=language).open(f"/{language}/c/{build_club().slug}/verify")
    (link,) = (one for one in page.find_all("a") if "download" in one.attrs)
    answer = Client().get(link.attrs["href"])
    verifier_html = gzip.decompress(answer.content)
    assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
    with override(language):
        assert size_in_words(len(verifier_html)).replace("\u00a0", " ") in link.text
    assert f'lang="{language}'.encode() in verifier_html
    assert b'src="' not in verifier_html
    assert b"<link" not in verifier_html
    assert Client().get(link.attrs["href"]).content == answer.content  # unchanged: the page is written once


@pytest.mark.slow
def test_only_the_worker_may_run_compiled_code(archive: Path) -> None:
    call_command("install_verifier", archive)
    page = Browser().open(f"/en/c/{build_club().slug}/verify")
    form = page.find_one("form", id="verify").attrs
    worker = Client().get(form["data-worker"])
    assert "script-src 'self' 'wasm-unsafe-eval';" in worker.headers["Content-Security-Policy"]
    assert "unsafe" not in page.response.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "path",
    [f"{release.RELEASE_NAME}/pyodide.mjs", f"{release.RELEASE_NAME}/pyodide.mjs.gz", "000000000000/program.zip"],
)
def test_unknown_verifier_file_is_not_found(path: str) -> None:
    assert Client().get(f"/verifier/{path}").status_code == 404
