"""Template filters for links between installations: why something was not sent, and which marks were
archived."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from jobs.labels import load_refusal
from wording.sentences import get_sentence

register = template.Library()

MINUTE = 60


@register.filter
def describe_send_failure(failure: Mapping[str, Any]) -> str:
    return get_sentence(load_refusal(failure))


@register.filter
def get_clock_warning(ahead: int | None) -> str:
    """Describe a difference of more than a minute, given in seconds; "" for less."""
    if ahead is None or abs(ahead) <= MINUTE:
        return ""
    minutes = round(abs(ahead) / MINUTE)
    text = (
        ngettext(
            "The other computer’s clock is %(count)s minute ahead of this one.",
            "The other computer’s clock is %(count)s minutes ahead of this one.",
            minutes,
        )
        if ahead > 0
        else ngettext(
            "The other computer’s clock is %(count)s minute behind this one.",
            "The other computer’s clock is %(count)s minutes behind this one.",
            minutes,
        )
    )
    return f"{text % {'count': minutes}} {_('Countdowns are corrected. Set the wrong clock.')}"


@register.filter
def describe_archived_marks(marks: Sequence[tuple[int, int, int]]) -> str:
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
    sentence_text = _("The previous version was archived with its history. Only there: %(marks)s.")
    return sentence_text % {"marks": "; ".join(lines)}
