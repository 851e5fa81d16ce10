"""Licenses: ours in every package, and those of each library and vendored file, listed and compatible."""

import hashlib
import re
import tomllib
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata
from typing import Any

import pytest
from packaging.licenses import canonicalize_license_expression
from trove_classifiers import classifiers

from operations.data_dir import PROJECT

OURS = "AGPL-3.0-or-later"
OFFICIAL_TEXT = "0d96a4ff68ad6d4b6f1f30f713b18d5184912ba8dd389f86aa7710db079abcb0"
"""SHA-256 of https://www.gnu.org/licenses/agpl-3.0.txt."""
COMPATIBLE = {
    *("0BSD", "MIT", "MIT-0", "MIT-CMU", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "PSF-2.0"),
    *("LGPL-3.0-only", "MPL-2.0", "OFL-1.1"),
}
"""Licenses of works that may be distributed together with ours."""
PACKAGES = [".", *sorted(path.parent.name for path in PROJECT.glob("[a-z]*/pyproject.toml"))]
LINE = re.compile(r"^\| `(\S+?)`.* \| ([\w.\- ]+) \|$", re.MULTILINE)


def text_of(path: str) -> str:
    return (PROJECT / path).read_text(encoding="utf-8")


def project_of(package: str) -> dict[str, Any]:
    return dict(tomllib.loads(text_of(f"{package}/pyproject.toml"))["project"])


LISTED: dict[str, str] = dict(LINE.findall(text_of("docs/licenses.md")))
VENDORED: dict[str, str] = {
    name: terms
    for folder in ("static/vendor", "web/fonts")
    for name, terms in LINE.findall(text_of(f"{folder}/README.md"))
}
LOCKED = re.findall(r"^([\w.-]+)==", text_of("requirements.txt"), re.MULTILINE)


def parts_of(expression: str) -> set[str]:
    return set(re.split(" (?:OR|AND) ", expression))


@pytest.mark.parametrize("package", PACKAGES)
def test_each_package_has_the_whole_license_and_its_spdx_expression(package: str) -> None:
    project = project_of(package)
    assert (project["license"], project["license-files"]) == (OURS, ["LICENSE"])
    assert hashlib.sha256((PROJECT / package / "LICENSE").read_bytes()).hexdigest() == OFFICIAL_TEXT


@pytest.mark.parametrize("package", PACKAGES)
def test_each_package_has_registered_classifiers_and_none_of_a_license(package: str) -> None:
    named = set(project_of(package)["classifiers"])
    assert named <= classifiers
    assert not {each for each in named if each.startswith("License ::")}, "the SPDX expression says it"


def test_the_page_of_licenses_lists_each_library_of_an_installation() -> None:
    assert list(LISTED) == sorted(LOCKED)


def test_each_license_can_be_combined_with_ours() -> None:
    for name, expression in (LISTED | VENDORED).items():
        assert canonicalize_license_expression(expression) == expression, name
        assert parts_of(expression) <= COMPATIBLE, name


def test_each_listed_license_is_the_one_that_its_library_declares() -> None:
    installed = {name: found for name in LISTED if (found := _metadata_of(name))}
    assert len(installed) >= len(LISTED) - 1, "one is for another Python"
    for name, found in installed.items():
        declared = found["License-Expression"]
        assert LISTED[name] == declared if declared else _is_declared_in_words(LISTED[name], found), name


def _metadata_of(name: str) -> PackageMetadata | None:
    try:
        return metadata(name)
    except PackageNotFoundError:
        return None


def _is_declared_in_words(expression: str, found: PackageMetadata) -> bool:
    """Check older metadata, which name the family of a license: BSD, MIT, Apache."""
    words = " ".join([found["License"] or "", *found.get_all("Classifier", [])])
    return all(part.split("-")[0] in words for part in parts_of(expression))


@pytest.mark.parametrize(("place", "kind"), [("static/vendor", "*.js"), ("web/fonts", "*.ttf")])
def test_each_vendored_file_has_its_license_listed(place: str, kind: str) -> None:
    folder = PROJECT / place
    rows = text_of(f"{place}/README.md").splitlines()
    for script in folder.rglob(kind):
        assert any(f"`{script.relative_to(folder).as_posix()}`" in row and LINE.match(row) for row in rows)
