"""A whole run, from an empty installation to its restored backup."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from clubs import first_run
from operations.prepare_install import prepare_data_folder
from tests.golden.actions import (
    BACKUP,
    write_backup,
    write_costs,
    write_database,
    write_refusals,
    write_restored,
    write_texts,
)
from tests.golden.fixed_values import FixedValues
from tests.golden.folder import Folder
from tests.golden.installation import Installation
from tests.golden.requests import Recorder
from tests.support.browser import Browser


def write(path: Path, still: FixedValues, other: Path | None) -> Iterator[str]:
    """Write all output that is compared, and yield lines about the progress.

    ``other`` is the folder of the version whose backup is restored.
    """
    folder, begun = Folder(path), perf_counter()
    prepare_data_folder()
    yield f"{perf_counter() - begun:.0f} s: an empty house"
    asking = Recorder(folder=folder, fixed=still)
    asking.read(
        "nobody, on the first day",
        Browser(),
        ["/", "/sign-in", f"/start/{first_run.get_first_run_secret()}", "/c", "/rules"],
    )
    house = Installation(still)
    yield f"{perf_counter() - begun:.0f} s: a house with {len(house.addresses)} addresses"
    write_refusals(folder)
    write_texts(folder)
    yield f"{perf_counter() - begun:.0f} s: texts"
    write_database(folder)
    write_backup(folder)
    yield from write_costs(folder, house, still)
    asking.record_all(house)
    yield f"{perf_counter() - begun:.0f} s: answers by status: {dict(sorted(asking.statuses.items()))}"
    write_restored(folder, (other or path) / BACKUP)
    yield f"{perf_counter() - begun:.0f} s: all written to {path}"
