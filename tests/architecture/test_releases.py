"""Releases: their data, on which later versions are tested, and their name in the guide."""

import lzma
import re
import sqlite3
from contextlib import closing

from packaging.version import Version

from config import __version__
from operations.data_dir import PROJECT
from operations.upgrading.schema import Step, migrations_on_disk

VERSION = Version(__version__)


def text_of(path: str) -> str:
    return (PROJECT / path).read_text(encoding="utf-8")


def released() -> list[str]:
    """The versions of the changelog, the newest first."""
    return re.findall(r"^## (\d\S+)$", text_of("CHANGELOG.md"), re.MULTILINE)


def data_by_version() -> dict[str, str]:
    lines = re.findall(r"^\| `(\S+?)`.*\| (\d\S+) \|$", text_of("tests/upgrades/README.md"), re.MULTILINE)
    return {version: file for file, version in lines if (PROJECT / "tests/upgrades" / file).exists()}


def applied_in(file: str) -> set[Step]:
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(lzma.decompress((PROJECT / "tests/upgrades" / file).read_bytes()))
        return set(database.execute("SELECT app, name FROM django_migrations"))


def test_each_version_that_was_released_has_left_its_data() -> None:
    assert data_by_version().keys() == set(released()), "docs/development/adding.md, a release"


def test_the_version_is_released_or_a_development_version_after_the_last_release() -> None:
    newest = Version(released()[0])
    assert newest == VERSION or (newest < VERSION and VERSION.is_devrelease)


def test_unreleased_changes_are_on_top_of_the_changelog_of_a_development_version() -> None:
    first, *_ = re.findall(r"^## (.+)$", text_of("CHANGELOG.md"), re.MULTILINE)
    assert first == ("Unreleased" if VERSION.is_devrelease else __version__)


def test_no_migration_is_newer_than_the_released_data_unless_the_version_is() -> None:
    newest = released()[0]
    added = migrations_on_disk() - applied_in(data_by_version()[newest])
    assert not added or Version(newest) < VERSION


def test_the_guide_installs_the_last_release() -> None:
    assert f"pipx install charlemagne-{released()[0]}-py3-none-any.whl" in text_of(
        "docs/operating/running.md"
    )
