"""Files of papers."""

from clubs.disk_quota import STORES

from .paper_files import FILES

STORES.append(FILES)
