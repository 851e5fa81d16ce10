"""Small modules with the names of large ones, for the few parts that a verification needs.

Django would be as large a download as Python itself. These provide its translations, by the standard
library's ``gettext``, its choices, and signature checks in place of ``cryptography``. Everything else runs
unchanged in a browser.
"""

from __future__ import annotations

import gettext
import sys
from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property  # noqa: TID251 - a browser runs it in one thread
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Self

from . import ed25519


class Promise:
    """A lazy text in the reader's language, translated when it is shown."""

    translations: ClassVar[gettext.NullTranslations] = gettext.NullTranslations()

    def __init__(self, context: str, text: str) -> None:
        self._context, self._text = context, text

    def __str__(self) -> str:
        if self._context:
            return self.translations.pgettext(self._context, self._text)
        return self.translations.gettext(self._text)

    def __mod__(self, values: object) -> str:
        return str(self) % values

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


class TextChoices(StrEnum):
    """Values of which each has a label."""

    label: str | Promise

    def __new__(cls, value: str, label: str | Promise = "") -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.label = label
        return member


class InvalidSignature(Exception):  # noqa: N818 - the library's name
    """Raised if the key has not signed the message."""


class PublicKey:
    def __init__(self, encoded: bytes) -> None:
        self._encoded = encoded

    @classmethod
    def from_public_bytes(cls, encoded: bytes) -> PublicKey:
        return cls(encoded)

    def verify(self, signature: bytes, message: bytes) -> None:
        if not ed25519.is_signature_valid(message, signature, self._encoded):
            raise InvalidSignature


class PrivateKey:
    """Placeholder: nobody signs in a browser."""


def get_text_list(items: Sequence[str], last_word: str) -> str:
    """Join the items: ``a, b and c``"""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last_word} {items[-1]}"


def _gettext(text: str) -> str:
    return Promise.translations.gettext(text)


def _ngettext(singular: str, plural: str, count: int) -> str:
    return Promise.translations.ngettext(singular, plural, count)


def _pgettext(context: str, text: str) -> str:
    return Promise.translations.pgettext(context, text)


def _gettext_lazy(text: str) -> Promise:
    return Promise("", text)


MODULES: dict[str, dict[str, Any]] = {
    "django.db.models": {"TextChoices": TextChoices},
    "django.utils.functional": {"Promise": Promise, "cached_property": cached_property},
    "django.utils.text": {"get_text_list": get_text_list},
    "django.utils.translation": {
        "gettext": _gettext,
        "gettext_lazy": _gettext_lazy,
        "ngettext": _ngettext,
        "pgettext": _pgettext,
        "pgettext_lazy": Promise,
    },
    "cryptography.exceptions": {"InvalidSignature": InvalidSignature},
    "cryptography.hazmat.primitives.asymmetric.ed25519": {
        "Ed25519PrivateKey": PrivateKey,
        "Ed25519PublicKey": PublicKey,
    },
}


def stand_in(catalogue: str) -> None:
    """Install these modules under their names.

    Texts come from this compiled catalogue, or are English if there is no such file.
    """
    for name, parts in MODULES.items():
        module = sys.modules[name] = ModuleType(name)
        vars(module).update(parts)
        parent_name, _, child_name = name.rpartition(".")
        vars(sys.modules.setdefault(parent_name, ModuleType(parent_name)))[child_name] = module
    path = Path(catalogue)
    if path.is_file():
        Promise.translations = gettext.GNUTranslations(BytesIO(path.read_bytes()))
