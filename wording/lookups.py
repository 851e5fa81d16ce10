"""Template filters that look words up in a table of labels."""

from collections.abc import Callable, Mapping
from typing import Any


def build_lookup(labels: Mapping[Any, object]) -> Callable[[Any], str]:
    """Return a template filter: the words of a key, in the reader's language."""

    def get_words(key: Any) -> str:
        return str(labels[key])

    return get_words
