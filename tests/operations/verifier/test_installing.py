"""Python for browsers comes to an installation once, whole and as it was released, or not at all."""

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

from operations.texts import prepare_texts
from operations.verifier import release
from tests import parts
from tests.builders import a_club
from tests.support.browser import Browser

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_installed() -> Iterator[None]:
    prepare_texts()
    yield
    rmtree(release.release_folder().parent, ignore_errors=True)


@pytest.fixture
def archive() -> Path:
    found = parts.pyodide()
    if found is None:
        pytest.skip("no Pyodide")
    return found


def an_archive(folder: Path, names: tuple[str, ...]) -> Path:
    """With files of these names, in which something else is."""
    path = folder / "other.tgz"
    with tarfile.open(path, "w:gz") as written:
        for name in names:
            written.addfile(tarfile.TarInfo(f"package/{name}"), io.BytesIO())
    return path


@pytest.mark.parametrize("names", [(), tuple(release.FILES)], ids=["files are missing", "files are others"])
def test_another_archive_is_refused_and_nothing_is_offered(tmp_path: Path, names: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match="Nothing was installed"):
        call_command("install_verifier", an_archive(tmp_path, names))
    page = Browser().open(f"/c/{a_club().slug}/verify")
    assert "charlemagne verify FILE" in page.text
    assert "install_verifier" in page.text
    assert not page.every("form", id="verify")
    assert page.one("h2", id="elsewhere").text == "How to verify"


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "note.tgz"
    path.write_text("no archive", encoding="utf-8")
    with pytest.raises(CommandError, match="Nothing was installed"):
        call_command("install_verifier", path)


@pytest.mark.slow
def test_is_offered_from_then_on_each_file_for_ever(archive: Path) -> None:
    call_command("install_verifier", archive)
    call_command("install_verifier", archive)  # safe to repeat
    page = Browser().open(f"/en/c/{a_club().slug}/verify")
    assert page.one("h2", id="elsewhere").text == "Without this site"
    assert "install_verifier" not in page.text
    form = page.one("form", id="verify").attrs
    assert release.EDITION in form["data-release"]
    client = Client()
    for name, digest in release.FILES.items():
        answer = client.get(f"/verifier/{release.EDITION}/{name}")
        assert sha256(gzip.decompress(answer.content)).hexdigest() == digest
        assert answer.headers["Content-Encoding"] == "gzip"
        assert "immutable" in answer.headers["Cache-Control"]
    for address in (form["data-program"], form["data-worker"]):
        assert "immutable" in client.get(address).headers["Cache-Control"]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["fr", "en"])
def test_is_offered_as_one_file_of_the_size_that_is_said(archive: Path, language: str) -> None:
    call_command("install_verifier", archive)
    page = Browser(language=language).open(f"/{language}/c/{a_club().slug}/verify")
    (link,) = (one for one in page.every("a") if "download" in one.attrs)
    answer = Client().get(link.attrs["href"])
    kept = gzip.decompress(answer.content)
    assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
    assert f"{len(kept) / 1_000_000:.1f} M" in link.text.replace(",", ".")
    assert f'lang="{language}'.encode() in kept
    assert b'src="' not in kept
    assert b"<link" not in kept
    assert Client().get(link.attrs["href"]).content == answer.content  # written once


@pytest.mark.slow
def test_compiled_programs_run_in_its_worker_only(archive: Path) -> None:
    call_command("install_verifier", archive)
    page = Browser().open(f"/en/c/{a_club().slug}/verify")
    form = page.one("form", id="verify").attrs
    worker = Client().get(form["data-worker"])
    assert "script-src 'self' 'wasm-unsafe-eval';" in worker.headers["Content-Security-Policy"]
    assert "unsafe" not in page.response.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "path",
    [f"{release.EDITION}/pyodide.mjs", f"{release.EDITION}/pyodide.mjs.gz", "000000000000/program.zip"],
)
def test_what_is_not_there_is_not_found(path: str) -> None:
    assert Client().get(f"/verifier/{path}").status_code == 404
