"""``{% certificate_page %}``: where phones get the hall's own certificate; "" where it is not served."""

from django import template
from django.conf import settings
from django.urls import reverse

register = template.Library()


@register.simple_tag
def certificate_page() -> str:
    return reverse("certificate") if settings.HTTPS_PORT else ""
