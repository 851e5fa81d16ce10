"""Migrations do not lock tables during a night, and keep what the previous version of the program uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.db import migrations, models
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from tests.support.migration_steps import expand_squashed

LAST_OLD_MIGRATIONS = {
    "clubs": 15,
    "config": 1,
    "federations": 0,
    "jobs": 6,
    "live": 2,
    "scoring": 15,
    "tournaments": 27,
}
"""The last migration of each app that predates these checks; only later ones are checked."""

ACCEPTED_HARMS: dict[str, str] = {}
"""Later migrations that are allowed despite their harm, with the reason."""

DJANGO_APPS = {"auth", "contenttypes", "sessions"}

HARMLESS_OPTIONS = frozenset(
    {"choices", "verbose_name", "help_text", "validators", "default", "db_default", "blank", "error_messages"}
    | {"version"}  # the version of a stored value's form, which the database does not know
)
"""Field options whose change does not read or rewrite rows."""
HARMLESS_OPERATIONS = (
    migrations.AlterModelOptions,
    migrations.AlterModelManagers,
    migrations.CreateModel,
    migrations.AlterOrderWithRespectTo,
)


def find_harms(operations: Sequence[Operation], state: ProjectState, app: str) -> Iterator[str]:
    """Yield the harm that these operations, in order, do to people who record hands meanwhile."""
    made: set[str] = set()
    for operation in operations:
        table = str(getattr(operation, "model_name", "") or getattr(operation, "name", "")).lower()
        if isinstance(operation, migrations.CreateModel):
            made.add(table)
        elif isinstance(operation, migrations.SeparateDatabaseAndState):
            yield from find_harms(operation.database_operations, state, app)
        elif table not in made:
            yield from _find_harm(operation, state, app)
        operation.state_forwards(app, state)


def _find_harm(operation: Operation, state: ProjectState, app: str) -> Iterator[str]:
    kind = type(operation).__name__
    match operation:
        case migrations.AddField(field=field):
            yield from _find_harm_of_new_field(field)
        case migrations.AlterField(model_name=model, name=name, field=field):
            old = state.models[app, model.lower()].fields[name]
            yield from _find_harm_of_change(old, field)
        case migrations.AddIndex() if kind != "AddIndexConcurrently":
            yield "AddIndex: nobody writes to the table while it is built; AddIndexConcurrently instead"
        case migrations.AddConstraint():
            yield "AddConstraint: nobody uses the table while all its rows are looked at"
        case migrations.RunPython() | migrations.RunSQL():
            yield f"{kind}: holds what it touches until its end; a job in pieces instead"
        case migrations.RemoveField() | migrations.DeleteModel():
            yield f"{kind}: the old program still asks for it; in the release after next"
        case migrations.RenameField() | migrations.RenameModel() | migrations.AlterModelTable():
            yield f"{kind}: the old program knows the old name"
        case migrations.RemoveIndex() | migrations.RemoveConstraint():
            pass  # takes only a moment
        case _ if not isinstance(operation, HARMLESS_OPERATIONS) and kind != "AddIndexConcurrently":
            yield f"{kind}: nobody has said what it locks"


def _find_harm_of_new_field(field: models.Field[Any, Any]) -> Iterator[str]:
    if isinstance(field, models.ManyToManyField):
        return
    if not field.null and field.db_default is models.NOT_PROVIDED:
        yield "AddField: rows that the old program writes lack it; null=True, or a db_default"
    if field.unique or getattr(field, "db_index", False):  # Django indexes foreign keys by default
        yield "AddField: nobody writes while its index is built; db_index=False, and an index later"


def _find_harm_of_change(old: models.Field[Any, Any], new: models.Field[Any, Any]) -> Iterator[str]:
    (_, old_kind, _, before), (_, new_kind, _, after) = old.deconstruct(), new.deconstruct()
    names = (before.keys() | after.keys()) - HARMLESS_OPTIONS
    changed = {name for name in names if before.get(name) != after.get(name)}
    if after.get("null"):
        changed.discard("null")
    if (after.get("max_length") or 0) >= (before.get("max_length") or 0):
        changed.discard("max_length")
    if old_kind != new_kind or changed:
        what = ", ".join(sorted(changed)) or "its kind"
        yield f"AlterField ({what}): nobody uses the table while all its rows are looked at or written anew"


def get_number(name: str) -> int:
    return int(name.partition("_")[0])


def test_every_app_with_migrations_is_checked() -> None:
    assert {app for app, name in MigrationLoader(None).disk_migrations} - DJANGO_APPS == LAST_OLD_MIGRATIONS.keys()


@pytest.mark.slow
def test_no_new_migration_locks_a_running_night() -> None:
    loader = expand_squashed(MigrationLoader(None, load=False))
    found = {}
    for app, name in loader.disk_migrations:
        if app in LAST_OLD_MIGRATIONS and get_number(name) > LAST_OLD_MIGRATIONS[app]:
            before = loader.project_state((app, name), at_end=False)
            found[f"{app}.{name}"] = list(find_harms(loader.get_migration(app, name).operations, before, app))
    assert {name: harms for name, harms in found.items() if harms and name not in ACCEPTED_HARMS} == {}


def test_squashed_migration_equals_those_it_replaces() -> None:
    """The comparison includes conditions and checks, because databases rewrite their text."""
    apart, usual = expand_squashed(MigrationLoader(None, load=False)), MigrationLoader(None)
    joined = [step for step, each in usual.disk_migrations.items() if each.replaces]
    assert joined
    last = [usual.disk_migrations[step].replaces[-1] for step in joined]
    both = apart.project_state(last), usual.project_state(joined)
    assert MigrationAutodetector(*both).changes(graph=usual.graph) == {}
    assert both[0].models.keys() == both[1].models.keys()


TEXT = models.CharField(max_length=20)
LOCKING_OPERATIONS: dict[str, Operation] = {
    "rows that the old program writes lack it": migrations.AddField("mark", "why", models.IntegerField()),
    "while its index is built; db_index=False": migrations.AddField(
        "mark", "why", models.IntegerField(null=True, db_index=True)
    ),
    "AlterField (null)": migrations.AlterField("mark", "device", models.CharField(max_length=40)),
    "AlterField (max_length)": migrations.AlterField("mark", "device", models.CharField(max_length=30, null=True)),
    "AddIndexConcurrently instead": migrations.AddIndex("mark", models.Index(fields=["device"], name="by_it")),
    "AddConstraint": migrations.AddConstraint("mark", models.UniqueConstraint(fields=["device"], name="one")),
    "RunPython: holds": migrations.RunPython(migrations.RunPython.noop),
    "still asks for it": migrations.RemoveField("mark", "device"),
    "knows the old name": migrations.RenameField("mark", "device", "phone"),
}
HARMLESS: list[Operation] = [
    migrations.AddField("mark", "why", models.IntegerField(null=True)),
    migrations.AddField("mark", "why", models.IntegerField(default=1, db_default=1)),
    migrations.AddField("mark", "club", models.ForeignKey("clubs.Club", models.CASCADE, null=True, db_index=False)),
    migrations.AlterField("mark", "device", models.CharField(max_length=60, null=True, blank=True)),
    migrations.RemoveIndex("mark", "by_device"),
    migrations.CreateModel("Other", [("id", models.BigAutoField(primary_key=True)), ("name", TEXT)]),
]


def build_state() -> ProjectState:
    state = ProjectState()
    device = models.CharField(max_length=40, null=True)
    key = models.BigAutoField(primary_key=True)
    fields: list[tuple[str, models.Field[Any, Any]]] = [("id", key), ("device", device)]
    index = models.Index(fields=["id"], name="by_device")
    migrations.CreateModel("Mark", fields, options={"indexes": [index]}).state_forwards("scoring", state)
    return state


@pytest.mark.parametrize("why", LOCKING_OPERATIONS)
def test_check_detects_a_locking_migration(why: str) -> None:
    (harm,) = find_harms([LOCKING_OPERATIONS[why]], build_state(), "scoring")
    assert why in harm


@pytest.mark.parametrize("operation", HARMLESS, ids=lambda one: type(one).__name__)
def test_check_accepts_an_instant_migration(operation: Operation) -> None:
    assert list(find_harms([operation], build_state(), "scoring")) == []


def test_change_to_a_table_of_the_same_migration_locks_nothing() -> None:
    made = migrations.CreateModel("Other", [("id", models.BigAutoField(primary_key=True)), ("name", TEXT)])
    index = migrations.AddIndex("other", models.Index(fields=["name"], name="by_name"))
    assert list(find_harms([made, index], build_state(), "scoring")) == []
