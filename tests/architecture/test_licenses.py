"""Licenses: the project's in every package; those of libraries and vendored files are listed and compatible."""

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
"""Licenses of works that may be distributed together with the program."""
PACKAGES = [".", *sorted(path.parent.name for path in PROJECT.glob("[a-z]*/pyproject.toml"))]
LICENSE_ROW = re.compile(r"^\| `(\S+?)`.* \| ([\w.\- ]+) \|$", re.MULTILINE)


def read_text(path: str) -> str:
    return (PROJECT / path).read_text(encoding="utf-8")


def read_project(package: str) -> dict[str, Any]:
    return dict(tomllib.loads(read_text(f"{package}/pyproject.toml"))["project"])


LISTED_LICENSES: dict[str, str] = dict(LICENSE_ROW.findall(read_text("docs/licenses.md")))
VENDORED_LICENSES: dict[str, str] = {
    name: terms
    for folder in ("static/vendor", "web/fonts")
    for name, terms in LICENSE_ROW.findall(read_text(f"{folder}/README.md"))
}
LOCKED_PACKAGES = re.findall(r"^([\w.-]+)==", read_text("requirements.txt"), re.MULTILINE)


def split_expression(expression: str) -> set[str]:
    return set(re.split(" (?:OR|AND) ", expression))


@pytest.mark.parametrize("package", PACKAGES)
def test_package_contains_the_full_license_and_its_spdx_expression(package: str) -> None:
    project = read_project(package)
    assert (project["license"], project["license-files"]) == (OURS, ["LICENSE"])
    assert hashlib.sha256((PROJECT / package / "LICENSE").read_bytes()).hexdigest() == OFFICIAL_TEXT


@pytest.mark.parametrize("package", PACKAGES)
def test_package_classifiers_are_registered_and_name_no_license(package: str) -> None:
    named = set(read_project(package)["classifiers"])
    assert named <= classifiers
    assert not {each for each in named if each.startswith("License ::")}, "the SPDX expression says it"


def test_license_page_lists_every_runtime_library() -> None:
    assert list(LISTED_LICENSES) == sorted(LOCKED_PACKAGES)


def test_every_license_is_compatible_with_ours() -> None:
    for name, expression in (LISTED_LICENSES | VENDORED_LICENSES).items():
        assert canonicalize_license_expression(expression) == expression, name
        assert split_expression(expression) <= COMPATIBLE, name


def test_listed_license_is_the_one_the_library_declares() -> None:
    installed = {name: found for name in LISTED_LICENSES if (found := _find_metadata(name))}
    assert len(installed) >= len(LISTED_LICENSES) - 1, "one is for another Python"
    for name, found in installed.items():
        declared = found["License-Expression"]
        assert LISTED_LICENSES[name] == declared if declared else _is_declared_as_text(LISTED_LICENSES[name], found), (
            name
        )


def _find_metadata(name: str) -> PackageMetadata | None:
    try:
        return metadata(name)
    except PackageNotFoundError:
        return None


def _is_declared_as_text(expression: str, found: PackageMetadata) -> bool:
    """Check a license against older metadata, which name only its family: BSD, MIT, Apache."""
    words = " ".join([found["License"] or "", *found.get_all("Classifier", [])])
    return all(part.split("-")[0] in words for part in split_expression(expression))


@pytest.mark.parametrize(("place", "kind"), [("static/vendor", "*.js"), ("web/fonts", "*.ttf")])
def test_every_vendored_file_has_a_listed_license(place: str, kind: str) -> None:
    folder = PROJECT / place
    rows = read_text(f"{place}/README.md").splitlines()
    for script in folder.rglob(kind):
        assert any(f"`{script.relative_to(folder).as_posix()}`" in row and LICENSE_ROW.match(row) for row in rows)
