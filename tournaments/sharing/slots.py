"""Files of link previews."""

from clubs.disk_quota import STORES

from .link_preview_files import PICTURE_STORE

STORES.append(PICTURE_STORE)
