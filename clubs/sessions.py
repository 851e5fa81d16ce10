"""Sessions, of whose keys only a digest is kept: who reads the database or a copy of it opens nothing by it.

A session says whose it is and on which device, so that its account can look it up and end it.
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
"""What a session that is signed in says of itself: seconds since 1970, and what its browser calls the device
that it is on."""
LASTS = timedelta(days=90)
"""After signing in, however often it was used."""
NOTED_EVERY = timedelta(hours=1)
"""A session that is used is written again so often: by then it ends later (``SESSION_COOKIE_AGE``)."""


def digest_of(key: str) -> str:
    """What stands in the database for a key: 160 bits of its digest, which is what the column takes."""
    return sha256(key.encode()).hexdigest()[:40]


class SessionStore(db.SessionStore):
    """Django's own, but for what it finds a session by."""

    @classmethod
    def get_model_class(cls) -> type[DeviceSession]:
        return DeviceSession

    def _get_session_from_db(self) -> DeviceSession | None:
        now = timezone.now()
        key = self.session_key
        row = key and DeviceSession.objects.filter(session_key=digest_of(key), expire_date__gt=now).first()
        if not row:
            self._session_key = None
        return row or None

    def load(self) -> dict[str, Any]:
        """What it says, while it lasts; one that is used is noted as seen, and then ends later."""
        data: dict[str, Any] = super().load()
        now = int(timezone.now().timestamp())
        if now - data.get(BEGUN, now) > LASTS.total_seconds():
            self.delete()
            self._session_key = None
            return {}
        if now - data.get(SEEN, now) >= NOTED_EVERY.total_seconds():
            data[SEEN] = now
            self.modified = True
        return data

    async def aload(self) -> dict[str, Any]:
        return await sync_to_async(self.load)()

    async def _aget_session_from_db(self) -> DeviceSession | None:
        return await sync_to_async(self._get_session_from_db)()

    def exists(self, session_key: str) -> bool:
        return super().exists(digest_of(session_key))

    async def aexists(self, session_key: str) -> bool:
        return await super().aexists(digest_of(session_key))

    def delete(self, session_key: str | None = None) -> None:
        key = session_key or self.session_key
        if key:
            super().delete(digest_of(key))

    async def adelete(self, session_key: str | None = None) -> None:
        await sync_to_async(self.delete)(session_key)

    def create_model_instance(self, data: dict[str, Any]) -> DeviceSession:
        row = super().create_model_instance(data)
        assert isinstance(row, DeviceSession)
        row.session_key = digest_of(row.session_key)
        row.account_id, row.device = data.get(SESSION_KEY), data.get(DEVICE, "")
        row.seen_at = timezone.now()
        row.begun_at = datetime.fromtimestamp(data[BEGUN], UTC) if BEGUN in data else row.seen_at
        return row

    async def acreate_model_instance(self, data: dict[str, Any]) -> DeviceSession:
        return await sync_to_async(self.create_model_instance)(data)
