"""``{{ found|finding }}``: a finding about the installation, in words; and a check of who runs it."""

from django import template

from operations.doctor import Finding
from operations.doctor.views import runs_installation
from wording.labels.health import finding_in_words

register = template.Library()


@register.filter
def finding(found: Finding) -> str:
    return finding_in_words(found.code, found.details)


register.simple_tag(runs_installation)
