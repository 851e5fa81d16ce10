"""Backup and restore: an installation, or one club of it, as one file (docs/operating/backups.md)."""

from .reading import Backup, open_backup, restore
from .writer import back_up

__all__ = ["Backup", "back_up", "open_backup", "restore"]
