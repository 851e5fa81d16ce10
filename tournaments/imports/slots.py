"""Files that wait for an import."""

from clubs.disk_quota import STORES

from .uploaded_events import UPLOAD_STORE

STORES.append(UPLOAD_STORE)
