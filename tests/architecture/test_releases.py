"""Releases: stored data for the tests of later versions, the changelog, and the version in the guide."""

import lzma
import re
import sqlite3
from contextlib import closing

from packaging.version import Version

from config import __version__
from operations.data_dir import PROJECT
from operations.upgrading.schema import Step, list_own_migrations

VERSION = Version(__version__)
MAX_LINES = 40


def read_text(path: str) -> str:
    return (PROJECT / path).read_text(encoding="utf-8")


def list_releases() -> list[str]:
    """Return the versions in the changelog, newest first."""
    return re.findall(r"^## (\d\S+)$", read_text("CHANGELOG.md"), re.MULTILINE)


def list_data_by_version() -> dict[str, str]:
    lines = re.findall(r"^\| `(\S+?)`.*\| (\d\S+) \|$", read_text("tests/upgrades/README.md"), re.MULTILINE)
    return {version: file for file, version in lines if (PROJECT / "tests/upgrades" / file).exists()}


def list_applied_steps(file: str) -> set[Step]:
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(lzma.decompress((PROJECT / "tests/upgrades" / file).read_bytes()))
        return set(database.execute("SELECT app, name FROM django_migrations"))


def test_every_released_version_has_stored_data() -> None:
    assert list_data_by_version().keys() == set(list_releases()), "docs/development/adding.md, a release"


def test_version_is_released_or_a_later_development_version() -> None:
    newest = Version(list_releases()[0])
    assert newest == VERSION or (newest < VERSION and VERSION.is_devrelease)


def test_changelog_of_a_development_version_starts_with_unreleased() -> None:
    first, *_ = re.findall(r"^## (.+)$", read_text("CHANGELOG.md"), re.MULTILINE)
    assert first == ("Unreleased" if VERSION.is_devrelease else __version__)


def test_changelog_of_a_version_has_at_most_40_lines() -> None:
    _, *versions = read_text("CHANGELOG.md").split("\n## ")
    line_counts = {each.partition("\n")[0]: len(each.strip().splitlines()) for each in versions}
    assert {version: count for version, count in line_counts.items() if count > MAX_LINES} == {}


def test_new_migration_requires_a_newer_version() -> None:
    newest = list_releases()[0]
    added = list_own_migrations() - list_applied_steps(list_data_by_version()[newest])
    assert not added or Version(newest) < VERSION


def test_installation_guide_names_the_last_release() -> None:
    assert f"pipx install charlemagne-{list_releases()[0]}-py3-none-any.whl" in read_text("docs/operating/running.md")
