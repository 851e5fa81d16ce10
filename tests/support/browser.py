"""A browser without scripts: it follows links, submits the forms that it is shown, and keeps cookies."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from copy import copy, deepcopy
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from django.core.signals import setting_changed
from django.dispatch import receiver
from django.test import Client
from django.test.client import ClientHandler

from clubs.models import Account
from clubs.reauthentication import SignInMethod
from clubs.uploads import READ
from jobs.models import Job, Status
from jobs.services import run_job
from tests.builders import PASSWORD

from .markup import Element, list_form_fields, parse_html


@cache
def _get_site() -> ClientHandler:
    """Return the site with its middleware, which is slow to load.

    Each browser has a copy, which it may change.
    """
    site = ClientHandler(enforce_csrf_checks=True)
    site.load_middleware()
    return site


@receiver(setting_changed)
def _reset_site(**_: Any) -> None:
    _get_site.cache_clear()


BINARY_TYPES = ("application/vnd.openxmlformats", "application/pdf", "application/zip", "application/gzip", "image/")
"""Content types that a browser saves, or shows without reading them as text."""


class Page:
    """A response that a browser received."""

    def __init__(self, response: Any) -> None:
        self.response = response
        self.status: int = response.status_code
        self.path: str = response.request["PATH_INFO"]
        is_read = not response.streaming and not response.headers.get("Content-Type", "").startswith(BINARY_TYPES)
        self.html: str = response.content.decode() if is_read else ""

    @cached_property
    def document(self) -> Element:
        return parse_html(self.html)

    @cached_property
    def text(self) -> str:
        return self.document.text

    def find_all(self, *tags: str, **attrs: str) -> list[Element]:
        return list(self.document.find_all(*tags, **attrs))

    def find_one(self, *tags: str, **attrs: str) -> Element:
        """Return the only such element that is not hidden, or the only one at all."""
        found = self.find_all(*tags, **attrs)
        (only,) = [each for each in found if "hidden" not in each.attrs] or found
        return only

    def find_field(self, name: str) -> Element:
        """Return the visible field of this name."""
        found = [one for one in self.find_all("input", "textarea", "select", name=name) if _is_seen(one)]
        assert len(found) == 1, f"{len(found)} fields named {name}"
        return found[0]

    def list_checked_values(self, name: str) -> list[str]:
        """Return the values that are checked among the choices of this name."""
        return [one.value for one in self.find_all("input", name=name) if one.is_checked]

    def get_field_error(self, name: str) -> str:
        """Return the error at the field, "" without one, and check that its attributes agree."""
        control = self.find_field(name)
        described = [self.find_all(id=one) for one in control.attrs.get("aria-describedby", "").split()]
        errors = [found[0] for found in described if found and "error" in found[0].attrs.get("class", "")]
        assert bool(errors) == (control.attrs.get("aria-invalid") == "true")
        return errors[0].text if errors else ""

    def get_group_error(self, name: str) -> str:
        """Return the error in the group of choices to which the control belongs; "" without one."""
        group = next(one for one in self.find_all("fieldset") if list(one.find_all(name=name)))
        return " ".join(one.text for one in group.find_all(class_="error"))

    @property
    def alert(self) -> str:
        """The messages about the whole page; "" without any."""
        return " ".join(one.text for one in self.find_all(role="alert") if "hidden" not in one.attrs)

    @property
    def ids(self) -> list[str]:
        """The ids of all elements, in the order of the page."""
        return [one.attrs["id"] for one in self.find_all() if "id" in one.attrs]

    def list_broken_targets(self, others: Mapping[str, Collection[str]] = MappingProxyType({})) -> list[str]:
        """Return links to an id that neither this page nor the ``others`` (ids by path) have."""
        ids_by_path = {**others, "": self.ids, self.path: self.ids}
        links = [one.attrs.get("href", "").partition("#") for one in self.find_all("a", "area")]
        return [f"{path}#{place}" for path, _, place in links if place and place not in ids_by_path.get(path, [place])]

    def find_form(self, action: str = "", *, control_name: str = "") -> Element:
        """Return the form whose address ends with ``action`` and that has a field or button of this name."""
        found = [
            form
            for form in self.find_all("form")
            if form.attrs.get("action", "").endswith(action)
            and (not control_name or any(form.find_all("input", "textarea", "select", "button", name=control_name)))
        ]
        assert found, f"no form for {action} {control_name}"
        return found[0]

    def find_link(self, text: str) -> str:
        """Return the address of the link with this text, or else of the only link that contains it."""
        links = list(self.find_all("a"))
        exact = {one.attrs["href"] for one in links if one.text == text}
        (found,) = exact or {one.attrs["href"] for one in links if text in one.text}
        return found

    @property
    def revision(self) -> str:
        return str(self.response.headers["ETag"])


def _is_seen(element: Element) -> bool:
    return element.attrs.get("type") != "hidden"


class Browser:
    """A person's browser, at an IP address. Forms carry the token of their page."""

    def __init__(self, *, language: str = "en", address: str = "192.0.2.1", account: Account | None = None) -> None:
        self.client = Client(enforce_csrf_checks=True, headers={"accept-language": language}, REMOTE_ADDR=address)
        self.client.handler = copy(_get_site())
        if account is not None:
            assert self.client.login(username=account.name, password=PASSWORD)
            self.set_sign_in_age(0)

    def set_sign_in_age(self, seconds: int) -> None:
        """Date the last sign-in back by this number of seconds."""
        session = self.client.session
        session["proof"] = [SignInMethod.PASSWORD.value, int(time.time()) - seconds]
        session.save()

    def clone(self) -> Browser:
        """Return another browser of this person, with a copy of the cookies so far."""
        other = copy(self)
        other.client = copy(self.client)
        other.client.cookies = deepcopy(self.client.cookies)
        return other

    def open(self, path: str, **headers: str) -> Page:
        return Page(self.client.get(path, follow=not headers, headers=headers))

    def send(
        self,
        page: Page,
        form: Element,
        button: tuple[str, str] | None = None,
        *,
        follow: bool = True,
        **typed: Any,
    ) -> Page:
        """Submit the form as the page shows it, with the ``typed`` values, by its only button or ``button``."""
        fields: dict[str, Any] = {}
        for name, value in [*list_form_fields(page.document, form), *([button] if button else [])]:
            fields.setdefault(name, []).append(value)
        path = form.attrs.get("action") or page.path
        if form.attrs["method"] == "get":
            return self.open(f"{path}?{urlencode(fields | typed, doseq=True)}")
        assert form.attrs["method"] == "post"
        answer = Page(self.client.post(path, fields | typed, follow=follow))
        return self._process_upload(answer) if follow and "/uploads/" in answer.path else answer

    def _process_upload(self, page: Page) -> Page:
        """Read the upload as a worker does, and return the page that follows."""
        for job in Job.objects.filter(kind=READ, status=Status.QUEUED):
            run_job(job.pk)
        return self.open(page.path)
