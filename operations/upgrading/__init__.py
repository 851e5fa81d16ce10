"""Upgrading of data left by an older version; data of a newer version are left alone."""

from __future__ import annotations

from operations.terminal import Stop, say_aside, terminal_text

from .schema import applied_migrations, is_up_to_date, migrations_on_disk
from .steps import take_steps, turn_to_take_steps
from .verified_copy import back_up_before_upgrade, backup_folder

__all__ = ["bring_database_up_to_date"]


def bring_database_up_to_date() -> None:
    """Copy the existing data, then migrate them. Safe to repeat.

    Stops without changing anything if the data are of a newer version, or cannot be copied.
    """
    if not is_up_to_date():
        with turn_to_take_steps():
            _take_what_is_missing()


def _take_what_is_missing() -> None:
    applied = applied_migrations()
    known = migrations_on_disk()
    unknown = applied.keys() - known
    if unknown:
        app, name = max(unknown, key=lambda one: applied[one])
        day = f"{applied[app, name]:%Y-%m-%d}"
        raise Stop(terminal_text("data-too-new", day=day, step=f"{app} {name}", folder=backup_folder()))
    if known <= applied.keys():
        return
    if applied:
        say_aside("backing-up", path=back_up_before_upgrade())
    say_aside("preparing-database")
    take_steps()
    if applied:
        from .backfill import complete_what_is_derived

        complete_what_is_derived()
