"""Template filters for a history: its groups, and the rows that a change wrote."""

from django import template

from wording.labels.audit_diff import diff_rows
from wording.labels.history_groups import GROUP_NAMES
from wording.lookups import build_lookup

register = template.Library()
register.filter(diff_rows)
register.filter("get_group_name", build_lookup(GROUP_NAMES))
