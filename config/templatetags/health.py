"""``{{ found|finding }}``: a finding about the installation, in words; and a check of who runs it."""

from django import template

from operations.doctor import Finding
from operations.doctor.views import is_installation_owner
from wording.labels.health import describe_finding

register = template.Library()


@register.filter
def format_finding(result: Finding) -> str:
    return describe_finding(result.code, result.details)


register.simple_tag(name="runs_installation")(is_installation_owner)
