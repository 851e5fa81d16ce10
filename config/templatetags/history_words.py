"""What a history tells, in templates: its groups, what a change wrote, and a file of its lines."""

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from clubs.sheets import line_of_sheet
from config.history_groups import GROUP_NAMES
from config.written_wording import told_rows

register = template.Library()
register.filter(told_rows)

PARTED_BY = {"fr": ";"}
"""Spreadsheets part the columns of a file so where the comma stands in numbers."""


@register.filter
def group_name(group: str) -> str:
    return str(GROUP_NAMES[group])


@register.simple_tag
def sheet_line(*values: object) -> SafeString:
    """A line of a file for a spreadsheet, which is no HTML."""
    parted_by = PARTED_BY.get(get_language() or "", ",")
    return mark_safe(line_of_sheet([str(value) for value in values], parted_by=parted_by))  # noqa: S308
