"""The locks: complete, hashed, without addresses, and what pyproject.toml asks for."""

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


def pins(lock: str) -> dict[str, Requirement]:
    found = [
        Requirement(match["requirement"])
        for match in PIN.finditer((PROJECT / lock).read_text(encoding="utf-8"))
    ]
    return {canonicalize_name(pin.name): pin for pin in found}


def wanted(*, is_development: bool) -> list[Requirement]:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values() if is_development else []
    return [Requirement(line) for line in chain(project["dependencies"], *extras)]


def applies(requirement: Requirement, extra: str = "") -> bool:
    return requirement.marker is None or requirement.marker.evaluate({"extra": extra})


def closure(roots: list[Requirement]) -> set[str]:
    """The names of all that the roots need on this machine, as the installed packages tell."""
    names: set[str] = set()
    seen: set[tuple[str, str]] = set()
    waiting = [root for root in roots if applies(root)]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        names.add(name)
        for extra in {"", *requirement.extras}:
            if (name, extra) not in seen:
                seen.add((name, extra))
                needs = map(Requirement, requires(name) or [])
                waiting += [need for need in needs if applies(need, extra)]
    return names


@pytest.mark.parametrize("lock", [RUNTIME_LOCK, DEVELOPMENT_LOCK])
def test_every_line_of_a_lock_is_a_pinned_package_with_its_hashes(lock: str) -> None:
    text = (PROJECT / lock).read_text(encoding="utf-8")
    assert PIN.sub("", text) == ""
    assert "://" not in text
    for pin in pins(lock).values():
        assert [specifier.operator for specifier in pin.specifier] == ["=="]


@pytest.mark.parametrize(("lock", "is_development"), [(RUNTIME_LOCK, False), (DEVELOPMENT_LOCK, True)])
def test_a_lock_holds_exactly_what_the_project_asks_for(lock: str, is_development: bool) -> None:
    roots, locked = wanted(is_development=is_development), pins(lock)
    try:
        needed = closure(roots)
    except PackageNotFoundError as missing:
        pytest.fail(f"not installed: {missing}")
    assert {name for name, pin in locked.items() if applies(pin)} == needed
    for root in roots:
        (version,) = locked[canonicalize_name(root.name)].specifier
        assert Version(version.version) in root.specifier


def test_the_development_lock_contains_the_other() -> None:
    runtime, development = pins(RUNTIME_LOCK), pins(DEVELOPMENT_LOCK)
    assert {name: str(pin) for name, pin in development.items() if name in runtime} == {
        name: str(pin) for name, pin in runtime.items()
    }
