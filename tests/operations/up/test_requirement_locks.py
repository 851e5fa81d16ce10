"""Requirement locks: complete, hashed, without URLs, and consistent with pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from itertools import chain

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from operations.data_dir import PROJECT
from operations.environment import DEVELOPMENT_LOCK
from operations.packages import RUNTIME_LOCK

HASH = r"    --hash=sha256:[0-9a-f]{64}"
PIN = re.compile(rf"^(?P<requirement>[a-z0-9].*?) \\\n{HASH}(?: \\\n{HASH})*\n", re.MULTILINE)


def read_pins(lock: str) -> dict[str, Requirement]:
    found = [Requirement(match["requirement"]) for match in PIN.finditer((PROJECT / lock).read_text(encoding="utf-8"))]
    return {canonicalize_name(pin.name): pin for pin in found}


def list_requirements(*, is_development: bool) -> list[Requirement]:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values() if is_development else []
    return [Requirement(line) for line in chain(project["dependencies"], *extras)]


def is_applicable(requirement: Requirement, extra: str = "") -> bool:
    return requirement.marker is None or requirement.marker.evaluate({"extra": extra})


def list_dependencies(roots: list[Requirement]) -> set[str]:
    """Return the names of all packages that the roots need on this machine, by the installed metadata."""
    names: set[str] = set()
    seen: set[tuple[str, str]] = set()
    waiting = [root for root in roots if is_applicable(root)]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        names.add(name)
        for extra in {"", *requirement.extras}:
            if (name, extra) not in seen:
                seen.add((name, extra))
                needs = map(Requirement, requires(name) or [])
                waiting += [need for need in needs if is_applicable(need, extra)]
    return names


@pytest.mark.parametrize("lock", [RUNTIME_LOCK, DEVELOPMENT_LOCK])
def test_every_lock_line_is_a_pinned_package_with_hashes(lock: str) -> None:
    text = (PROJECT / lock).read_text(encoding="utf-8")
    assert PIN.sub("", text) == ""
    assert "://" not in text
    for pin in read_pins(lock).values():
        assert [specifier.operator for specifier in pin.specifier] == ["=="]


@pytest.mark.slow
@pytest.mark.parametrize(("lock", "is_development"), [(RUNTIME_LOCK, False), (DEVELOPMENT_LOCK, True)])
def test_lock_contains_exactly_the_required_packages(lock: str, is_development: bool) -> None:
    roots, locked = list_requirements(is_development=is_development), read_pins(lock)
    try:
        needed = list_dependencies(roots)
    except PackageNotFoundError as missing:
        pytest.fail(f"not installed: {missing}")
    assert {name for name, pin in locked.items() if is_applicable(pin)} == needed
    for root in roots:
        (version,) = locked[canonicalize_name(root.name)].specifier
        assert Version(version.version) in root.specifier


def test_development_lock_contains_the_runtime_lock() -> None:
    runtime, development = read_pins(RUNTIME_LOCK), read_pins(DEVELOPMENT_LOCK)
    assert {name: str(pin) for name, pin in development.items() if name in runtime} == {
        name: str(pin) for name, pin in runtime.items()
    }
