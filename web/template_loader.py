"""A template loader that removes the indentation of HTML templates."""

import re

from django.template import Origin
from django.template.loaders import filesystem

_INDENTATION = re.compile(r"(?<=\n)[ \t]+")


class Loader(filesystem.Loader):
    """A loader that keeps line ends, so that errors name the right line. Contents of ``pre`` and ``textarea``
    are values filled in later; files other than HTML are unchanged, since spaces may matter there."""

    def get_contents(self, origin: Origin) -> str:
        contents = super().get_contents(origin)
        return _INDENTATION.sub("", contents) if origin.name.endswith(".html") else contents
