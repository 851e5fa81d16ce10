"""The logo and the photo on a club's public page."""

from base64 import b64encode

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.disk_quota import check_space
from clubs.models import DESCRIPTION_LENGTH, ClubPicture, PictureKind
from rules import Refusal
from web.names import clean_text
from web.pictures import SafePicture

from .changes import ClubChange
from .validators import check_length


@transaction.atomic
def set_club_picture(
    *, club_id: int, kind: PictureKind, picture: SafePicture, description: str = "", by: Actor = NOBODY
) -> None:
    """Set a picture, replacing the one of that kind for good: somebody on it may have asked for that. A photo
    needs a description. Safe to repeat.

    Refuses: no_such_club, description_required, text_too_long, club_disk_full.
    """
    change = ClubChange(club_id, "set_club_picture", by)
    description = clean_text(description)
    if kind == PictureKind.PHOTO and not description:
        raise Refusal("description_required", field="description")
    check_length(description, field="description", most=DESCRIPTION_LENGTH)
    if change.is_repeat:
        return
    content = b64encode(picture.content).decode()
    check_space(club_id, len(content))
    values = {
        "description": description,
        "width": picture.width,
        "height": picture.height,
        "digest": picture.digest,
        "content": content,
    }
    ClubPicture.objects.update_or_create(club=change.club, kind=kind, defaults=values)
    change.record(picture=kind.value)


@transaction.atomic
def remove_club_picture(*, club_id: int, kind: PictureKind, by: Actor = NOBODY) -> None:
    """Remove the club's picture of that kind. Safe to repeat. Refuses: no_such_club."""
    change = ClubChange(club_id, "remove_club_picture", by)
    gone, _ = change.club.pictures.filter(kind=kind).delete()
    if gone and not change.is_repeat:
        change.record(picture=kind.value)
