"""Pages go out without the indentation that their templates have for whoever reads those."""

from __future__ import annotations

import re

from django.template import Origin
from django.template.loaders import filesystem

_INDENTATION = re.compile(r"(?<=\n)[ \t]+")


class Loader(filesystem.Loader):
    """Leaves the ends of lines, so that an error names the line of its file. What stands in a ``pre`` or a
    ``textarea`` is a value, put in later; in a text that is not HTML, spaces may say something."""

    def get_contents(self, origin: Origin) -> str:
        contents = super().get_contents(origin)
        return _INDENTATION.sub("", contents) if origin.name.endswith(".html") else contents
