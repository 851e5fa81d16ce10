"""``{% program_version %}``: which program serves the page, for whoever is asked on the telephone."""

from django import template

from config import __version__

register = template.Library()


@register.simple_tag
def program_version() -> str:
    return f"Charlemagne {__version__}"
