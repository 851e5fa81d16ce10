"""The web app manifest: name and start page for phones that install the site as an app."""

from django.http import HttpRequest, JsonResponse
from django.templatetags.static import static
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_safe

from clubs.pages import public_page

from .languages import LOCALES

ICONS = ({"sizes": "192x192"}, {"sizes": "512x512"}, {"sizes": "512x512", "purpose": "maskable"})
"""Sizes of the icon made from ``static/icons/crown.svg``; the maskable one has room for any shape that a
phone cuts out."""
PAPER, ROYAL = "#FAF5E8", "#1C2E5E"


@require_safe
@public_page
def show_manifest(request: HttpRequest) -> JsonResponse:
    """Serve the manifest with name, colours and icons, in the language of the address.

    The app opens at the home page, where a table's code is typed: the code is another one each night.
    """
    root = vars(request)["site_prefix"]
    values = {
        "id": root,
        "start_url": root,
        "scope": root,
        "name": "Charlemagne",
        "short_name": "Charlemagne",
        "description": gettext("Scoring for Charlemagne card nights"),
        "lang": LOCALES[get_language() or "en"],
        "display": "fullscreen",
        "background_color": PAPER,
        "theme_color": ROYAL,
        "icons": [{"src": static(_get_icon_path(icon)), "type": "image/png"} | icon for icon in ICONS],
    }
    return JsonResponse(values, content_type="application/manifest+json")


def _get_icon_path(icon: dict[str, str]) -> str:
    kind = icon.get("purpose", icon["sizes"].partition("x")[0])
    return f"icons/crown-{kind}.png"
