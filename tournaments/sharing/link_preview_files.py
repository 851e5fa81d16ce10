"""Files of link preview pictures."""

from datetime import timedelta
from pathlib import Path

from clubs.models import Club
from web.temp_files import TempFileStore

from .link_previews.values import Picture

PICTURE_STORE = TempFileStore(name="pictures", lifetime=timedelta(days=7))
"""Pictures are deleted after this time; if one is requested again, it is drawn again."""


def get_picture_path(picture: Picture, club: Club) -> Path:
    """Return where a club's picture is stored, by a digest of its content."""
    return PICTURE_STORE.folder / f"{club.pk}-{picture.digest}.png"
