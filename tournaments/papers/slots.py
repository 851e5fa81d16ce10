"""Files of papers."""

from clubs.disk_quota import STORES

from .paper_files import PAPER_STORE

STORES.append(PAPER_STORE)
