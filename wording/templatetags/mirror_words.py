"""Template filters for links between installations: why something was not sent, and which marks were
archived."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from wording.labels.jobs import refusal_in
from wording.sentences import sentence

register = template.Library()


@register.filter
def why_not_sent(trouble: Mapping[str, Any]) -> str:
    return sentence(refusal_in(trouble))


@register.filter
def marks_put_away(marks: Sequence[tuple[int, int, int]]) -> str:
    """Describe archived marks, given by round, table and number of marks."""
    if not marks:
        return _("The previous version was archived with its history; all its hands are here.")
    lines = [
        ngettext(
            "round %(round)s, table %(table)s: %(count)s hand",
            "round %(round)s, table %(table)s: %(count)s hands",
            count,
        )
        % {"round": number, "table": table, "count": count}
        for number, table, count in marks
    ]
    said = _("The previous version was archived with its history. Only there: %(marks)s.")
    return said % {"marks": "; ".join(lines)}
