"""Upgrading of data left by an older version; data of a newer version are left alone."""

from operations.terminal import Stop, format_terminal_text, print_error_line

from .schema import is_up_to_date, list_own_migrations, load_applied_migrations
from .steps import apply_migrations, hold_migration_lock
from .verified_copy import copy_before_upgrade, get_backup_folder


def upgrade_database() -> None:
    """Copy the existing data, then migrate them. Safe to repeat.

    Stops without changing anything if the data are of a newer version, or cannot be copied.
    """
    if not is_up_to_date():
        with hold_migration_lock():
            _apply_missing_migrations()


def _apply_missing_migrations() -> None:
    applied = load_applied_migrations()
    own_migrations = list_own_migrations()
    unknown_migrations = applied.keys() - own_migrations
    if unknown_migrations:
        app, name = max(unknown_migrations, key=lambda one: applied[one])
        day = f"{applied[app, name]:%Y-%m-%d}"
        raise Stop(format_terminal_text("data-too-new", day=day, step=f"{app} {name}", folder=get_backup_folder()))
    if own_migrations <= applied.keys():
        return
    if applied:
        print_error_line("backing-up", path=copy_before_upgrade())
    print_error_line("preparing-database")
    apply_migrations()
    if applied:
        from .backfill import complete_derived_values

        complete_derived_values()
