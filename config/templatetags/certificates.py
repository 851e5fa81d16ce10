"""``{% certificate_page %}``: the page with the hall's own certificate for phones; "" if there is none."""

from django import template
from django.conf import settings
from django.urls import reverse

register = template.Library()


@register.simple_tag
def certificate_page() -> str:
    return reverse("certificate") if settings.HTTPS_PORT else ""
