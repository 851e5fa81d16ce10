"""Sessions stored under a digest of their key: a copy of the database opens no session.

A session records its account and device, so that the account can list and end it.
"""

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.utils import timezone

from .models import DeviceSession

BEGUN, SEEN, DEVICE = "begun", "seen", "device"
"""Keys in a signed-in session: two times in seconds since 1970, and the device as the browser names it."""
SESSION_LIFETIME = timedelta(days=90)
"""The most time after signing in, however often the session is used."""
USE_UPDATE_INTERVAL = timedelta(hours=1)
"""How often the use of a session is stored, which extends it (``SESSION_COOKIE_AGE``)."""


def hash_session_key(key: str) -> str:
    """Return the digest stored for a key: 160 bits, which is what the column takes."""
    return sha256(key.encode()).hexdigest()[:40]


class SessionStore(db.SessionStore):
    """Django's database sessions, looked up by the digest of their key."""

    @classmethod
    def get_model_class(cls) -> type[DeviceSession]:
        return DeviceSession

    def _get_session_from_db(self) -> DeviceSession | None:
        now = timezone.now()
        key = self.session_key
        row = key and DeviceSession.objects.filter(session_key=hash_session_key(key), expire_date__gt=now).first()
        if not row:
            self._session_key = None
        return row or None

    def load(self) -> dict[str, Any]:
        """Load a session that still lasts; note when it was used, which extends it."""
        data: dict[str, Any] = super().load()
        now = int(timezone.now().timestamp())
        if now - data.get(BEGUN, now) > SESSION_LIFETIME.total_seconds():
            self.delete()
            self._session_key = None
            return {}
        if now - data.get(SEEN, now) >= USE_UPDATE_INTERVAL.total_seconds():
            data[SEEN] = now
            self.modified = True
        return data

    async def aload(self) -> dict[str, Any]:
        return await sync_to_async(self.load)()

    async def _aget_session_from_db(self) -> DeviceSession | None:
        return await sync_to_async(self._get_session_from_db)()

    def exists(self, session_key: str) -> bool:
        return super().exists(hash_session_key(session_key))

    async def aexists(self, session_key: str) -> bool:
        return await super().aexists(hash_session_key(session_key))

    def delete(self, session_key: str | None = None) -> None:
        key = session_key or self.session_key
        if key:
            super().delete(hash_session_key(key))

    async def adelete(self, session_key: str | None = None) -> None:
        await sync_to_async(self.delete)(session_key)

    def create_model_instance(self, data: dict[str, Any]) -> DeviceSession:
        row = super().create_model_instance(data)
        assert isinstance(row, DeviceSession)
        row.session_key = hash_session_key(row.session_key)
        row.account_id, row.device = data.get(SESSION_KEY), data.get(DEVICE, "")
        row.seen_at = timezone.now()
        row.begun_at = datetime.fromtimestamp(data[BEGUN], UTC) if BEGUN in data else row.seen_at
        return row

    async def acreate_model_instance(self, data: dict[str, Any]) -> DeviceSession:
        return await sync_to_async(self.create_model_instance)(data)
