"""Files of link previews."""

from clubs.disk_quota import STORES

from .link_preview_files import FILES

STORES.append(FILES)
