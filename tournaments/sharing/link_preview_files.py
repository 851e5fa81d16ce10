"""Link preview pictures as files, each drawn once."""

from datetime import timedelta
from functools import partial

from django.http import HttpResponse

from clubs.models import Club
from web.render_cache import get_or_render
from web.temp_files import TempFileStore

from .link_previews.rendering import render_preview
from .link_previews.values import Picture

PICTURE_STORE = TempFileStore(name="pictures", lifetime=timedelta(days=7))
"""Pictures are deleted after this time; if one is requested again, it is drawn again."""


def build_picture_response(picture: Picture, club: Club) -> HttpResponse:
    """Answer with the picture as a PNG: the club's file by a digest of the content, or else a new one."""
    path = PICTURE_STORE.folder / f"{club.pk}-{picture.digest}.png"
    return HttpResponse(get_or_render(path, partial(render_preview, picture)), content_type="image/png")
