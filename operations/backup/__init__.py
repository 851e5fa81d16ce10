"""Backup and restore: an installation, or one club of it, as one file (docs/operating/backups.md)."""

from .reader import Backup, open_backup, restore
from .writer import create_backup
