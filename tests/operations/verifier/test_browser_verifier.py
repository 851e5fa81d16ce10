"""The verifier as a browser runs it: with Python's standard library alone."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.utils.translation import override

from engine.signed_logs import get_fingerprint, signed_log_to_json
from operations.texts import compile_translations
from operations.verifier.program import build_program_archive
from operations.verifier.verification import check
from tests.support.event_files import export_event
from tests.support.signed_events import build_signed_event, exchange_names, forge, get_log
from tournaments.event_files.writer import serialize_event_file

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

VERIFIER_SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from operations.verifier.in_browser.stand_ins import stand_in
stand_in(sys.argv[2])
from operations.verifier.in_browser.entry_point import answer
print(answer(*sys.argv[3:6], lambda done, of: None))
"""


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    compile_translations()
    build_program_archive.cache_clear()
    archive = tmp_path / "program.zip"
    archive.write_bytes(build_program_archive())
    with ZipFile(archive) as opened:
        opened.extractall(tmp_path / "program")
    return tmp_path / "program"


def run_verifier(unpacked: Path, file: Path | str, log: Path | str = "", key: str = "", language: str = "fr") -> Any:
    arguments = [unpacked, unpacked / f"{language}.mo", file, log, key]
    command = [sys.executable, "-I", "-S", "-c", VERIFIER_SCRIPT, *map(str, arguments)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout)


@pytest.mark.parametrize("language", ["fr", "en"])
def test_verifier_agrees_with_the_server_on_a_signed_event(unpacked: Path, tmp_path: Path, language: str) -> None:
    event = build_signed_event()
    log, key = get_log(event), get_fingerprint(get_log(event).entries[0].entry["key"])
    file, kept_log = tmp_path / "event.json", tmp_path / "log.json"
    file.write_bytes(serialize_event_file(export_event(event)))
    kept_log.write_text(json.dumps(signed_log_to_json(log)), encoding="utf-8")
    browser_report = run_verifier(unpacked, file, kept_log, key, language)
    with override(language):
        server_report = check(file, log=log, key=key)
    assert browser_report == {name: getattr(server_report, name) for name in browser_report}
    assert not browser_report["differences"]
    assert {"fr": "8 rangs, 8 matchs, ", "en": "8 ranks, 8 matches, "}[language] in browser_report["short"]


@pytest.mark.long
def test_verifier_names_forged_parts_and_a_foreign_key(unpacked: Path, tmp_path: Path) -> None:
    file = tmp_path / "event.json"
    file.write_bytes(serialize_event_file(forge(build_signed_event(), exchange_names)))
    assert run_verifier(unpacked, file, key="9f3a", language="en")["differences"] == [
        "“people” differs from what the club signed.",
        "Signed, but not by the key you gave.",
    ]


def test_verifier_refuses_a_foreign_file(unpacked: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text("{}", encoding="utf-8")
    assert "fichier" in run_verifier(unpacked, other)["refusal"]
