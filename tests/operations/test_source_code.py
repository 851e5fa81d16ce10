"""Source archive that users of a server can download: the whole program, and nothing else."""

from __future__ import annotations

import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

import pytest
from django.test import Client, override_settings

from operations.data_dir import PROJECT
from operations.source_code import ARCHIVE_NAME, pack_source


def list_members(archive: bytes) -> set[str]:
    with tarfile.open(fileobj=BytesIO(archive), mode="r:gz") as packed:
        return {name.removeprefix(f"{ARCHIVE_NAME}/") for name in packed.getnames()}


@pytest.mark.slow
def test_help_page_offers_the_source_archive(client: Client) -> None:
    assert 'href="/source.tar.gz"' in client.get("/help").content.decode()
    answer = client.get("/source.tar.gz")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/gzip")
    names = list_members(answer.content)
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=PROJECT, capture_output=True, encoding="utf-8", check=True,
    ).stdout.splitlines()  # fmt: skip
    assert names <= set(tracked), "no file of this installation alone"
    assert {"LICENSE", "pyproject.toml", "charlemagne.py", "rules/play.py", "static/css/base.css"} <= names
    code = {name for name in tracked if name.startswith(("config/", "engine/", "templates/"))}
    assert code <= names


@override_settings(SOURCE="https://example.org/source")
def test_help_page_links_to_the_operators_source(client: Client) -> None:
    assert 'href="https://example.org/source"' in client.get("/help").content.decode()


def test_source_archive_excludes_data_settings_and_keys(tmp_path: Path) -> None:
    project = tmp_path / "program"
    config = "[tool.hatch.build.targets.wheel]\nonly-include = ['rules']\n"
    ours = {"pyproject.toml": config, "rules/play.py": "", "rules/names/fr.po": ""}
    others = (
        "rules/.env",
        "rules/.cache/a.py",
        "rules/secret.key",
        "rules/a.sqlite3",
        "local/a.py",
        "rules/data/a.md",
    )
    for name, text in {**ours, **dict.fromkeys(others, "secret")}.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text, encoding="utf-8")
    (project / "rules" / "linked.py").symlink_to(tmp_path / "elsewhere.py")
    assert list_members(pack_source(project, excluded_folder=project / "rules" / "data")) == set(ours)
