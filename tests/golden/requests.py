"""Responses for every reader at every address, in both languages, to GET and POST requests."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from itertools import product
from typing import Any

from django.core.cache import caches
from django.db import transaction
from django.test.client import MULTIPART_CONTENT

from tests.every_page.test_permissions import FORM
from tests.golden.content import serialize_response
from tests.golden.fixed_values import FixedValues
from tests.golden.folder import Folder, get_file_name
from tests.golden.installation import LANGUAGES, Installation
from tests.support.browser import Browser

WRONG = FORM | {
    "entries": "Anne",
    "date": "2026-02-31",
    "amount": "-1",
    "name": "",
    "key": "?",
    "table_count": "0",
}
"""Values that are invalid in any form, under the field names of many forms."""
UNREADABLE_STATUSES = (HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED)
"""Statuses of responses that are given before the form is read."""
SIGN_IN_PATTERN = re.compile(r"/(club|match)/|/e/[^/]+/desk")
"""Beginnings of addresses at which anonymous readers must sign in; those of one club are enough."""
JSON = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorder:
    """A recorder of responses. Each request is rolled back, so that all find the installation as it was built."""

    folder: Folder
    fixed: FixedValues
    statuses: Counter[int] = field(default_factory=Counter)

    def record_all(self, installation: Installation) -> None:
        logging.disable(logging.CRITICAL)
        for who, reader in installation.readers.items():
            self.read(who, reader, installation.addresses)
            self.send(who, reader, installation.addresses, LANGUAGES if who in ("owner", "phone") else ("fr",))
        owner = installation.readers["owner"]
        self.read("owner, a part", owner, installation.addresses, is_part=True)
        read = set(installation.addresses)  # it includes the page for all tables
        rich = [one for one in installation.rich_addresses if one not in read]
        events = [one for one in installation.event_addresses if one not in {*read, *rich}]
        public = [one for one in (*rich, *events) if not SIGN_IN_PATTERN.match(one)]
        self.read("nobody", installation.readers["nobody"], public)
        self.read("owner", installation.rich.desk, rich)
        self.read("owner", Browser(account=installation.organizer), events)

    def read(self, who: str, reader: Browser, addresses: Iterable[str], *, is_part: bool = False) -> None:
        for address, language in product(addresses, LANGUAGES):
            headers = {"accept-language": language} | ({"hx-request": "true"} if is_part else {})
            name = f"read/{get_file_name(address)}/{who}, {language}"
            self._request(name, reader, partial(reader.client.get, address, headers=headers))

    def send(self, who: str, reader: Browser, addresses: Iterable[str], languages: Iterable[str]) -> None:
        """Send an empty form and an invalid one; to the API, send JSON."""
        for address, language in product(addresses, languages):
            kind = JSON if address.startswith("/api/") else MULTIPART_CONTENT
            headers = {"accept-language": language}
            name = f"sent/{get_file_name(address)}/{who}, {language}"
            send = partial(reader.client.post, address, content_type=kind, headers=headers)
            status = self._request(f"{name}, empty", reader, partial(send, data={}))
            if status not in UNREADABLE_STATUSES:
                self._request(f"{name}, wrong", reader, partial(send, data=WRONG))

    def _request(self, name: str, reader: Browser, send: Callable[[], Any]) -> int:
        self.fixed.begin(name)
        for cache in caches.all():
            cache.clear()
        client = reader.client
        client.raise_request_exception = False
        cookies = client.cookies.output(header="", sep=";")
        with transaction.atomic():
            response = send()
            self.folder.write(f"{name}.txt", serialize_response(response))
            transaction.set_rollback(True)
        self.statuses[response.status_code] += 1
        client.cookies.clear()
        client.cookies.load(cookies)
        return int(response.status_code)
