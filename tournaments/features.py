"""The packages around the core: each feature that the settings name brings the modules that it has."""

from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

CORE = ("entries", "history", "rounds", "standings", "events")
"""Packages of the core with pages or tasks; ``events`` is last, as the URLs of its steps take any word."""


RECEIVERS = ("signing", "publishing", "standings", "alerts", "records", "seasons")
"""Packages that hear of changes, in this order: it is that in which they lock rows, the same in every change.
A club's signing key comes before revisions, and the tasks of an event before those of its club."""


def import_modules(name: str, packages: Iterable[str]) -> list[ModuleType]:
    """Import the module with this name from each of the packages that have one, in their order."""
    paths = (f"tournaments.{package}.{name}" for package in packages)
    return [import_module(path) for path in paths if find_spec(path) is not None]
