"""Pictures of shared links, where they lie once they are drawn."""

from datetime import timedelta
from pathlib import Path

from clubs.models import Club
from web.temp_files import KeptFiles

from .link_previews import Picture

FILES = KeptFiles(name="pictures", kept=timedelta(days=7))
"""A picture that is wanted after its time is drawn again."""


def path_of(picture: Picture, club: Club) -> Path:
    """By what is shown in it, in the club."""
    return FILES.folder / f"{club.pk}-{picture.digest}.png"
