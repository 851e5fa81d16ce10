"""What a history tells, in templates: its groups, and what a change wrote."""

from django import template

from config.history_groups import GROUP_NAMES
from config.written_wording import told_rows

register = template.Library()
register.filter(told_rows)


@register.filter
def group_name(group: str) -> str:
    return str(GROUP_NAMES[group])
