"""The logo and the photo on a club's public page."""

import json
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress

from django.db import transaction

from clubs.audit.log import NOBODY, Actor, deserialize_actor, serialize_actor
from clubs.disk_quota import check_space
from clubs.models import DESCRIPTION_LENGTH, Club, ClubPicture, PictureKind
from clubs.uploads import store_files, upload_by_key
from errors import Refusal
from jobs.models import Job
from jobs.services import enqueue
from web.names import clean_text
from web.pictures import SafePicture, check_picture, reencode_picture

from .changes import ClubChange, validate_length

SET_PICTURE = "set_club_picture"
"""Kind of the jobs that set a picture; a job's key is that of its upload."""
MAX_PIXELS: Mapping[PictureKind, int] = {PictureKind.LOGO: 480, PictureKind.PHOTO: 1_600}
"""Pixels of the longer side of a stored picture, by kind."""


def get_pictures_topic(club: Club) -> str:
    """Return the topic on which the club's pictures are watched."""
    return f"pictures:{club.pk}"


def request_club_picture(
    *, club: Club, kind: PictureKind, content: bytes, description: str = "", by: Actor = NOBODY
) -> Job:
    """Have a worker redraw and set a picture. Refuses: description_required, text_too_long, club_disk_full,
    and what ``check_picture`` refuses."""
    description = _clean_description(kind, description)
    check_picture(content, field=kind.value)
    upload_fields = {"kind": kind.value, "description": description, "by": json.dumps(serialize_actor(by))}
    upload = store_files(club, page="", fields=upload_fields, files={kind.value: content})
    return enqueue(kind=SET_PICTURE, key=upload.key, topic=get_pictures_topic(club), club_id=club.pk)


def set_uploaded_picture(key: str) -> None:
    """Redraw and set the picture of an upload, which is then deleted. Safe to repeat. Refuses: what
    ``reencode_picture`` refuses."""
    upload = upload_by_key(key)
    with suppress(FileNotFoundError):  # it is set already, or expired
        upload_fields, files = upload.fields, upload.load_files()
        kind = PictureKind(upload_fields["kind"])
        picture = reencode_picture(files[kind.value], max_side=MAX_PIXELS[kind], field=kind.value)
        by = deserialize_actor(json.loads(upload_fields["by"]))
        set_club_picture(
            club_id=upload.club_id, kind=kind, picture=picture, description=upload_fields["description"], by=by
        )
        upload.delete_files()


@transaction.atomic
def set_club_picture(
    *, club_id: int, kind: PictureKind, picture: SafePicture, description: str = "", by: Actor = NOBODY
) -> None:
    """Set a picture, replacing the one of that kind for good: somebody on it may have asked for that. A photo
    needs a description. Safe to repeat.

    Refuses: no_such_club, description_required, text_too_long, club_disk_full.
    """
    change = ClubChange(club_id, "set_club_picture", by)
    description = _clean_description(kind, description)
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


def _clean_description(kind: PictureKind, description: str) -> str:
    description = clean_text(description)
    if kind == PictureKind.PHOTO and not description:
        raise Refusal("description_required", field="description")
    return validate_length(description, field="description", max_length=DESCRIPTION_LENGTH)


@transaction.atomic
def remove_club_picture(*, club_id: int, kind: PictureKind, by: Actor = NOBODY) -> None:
    """Remove the club's picture of that kind. Safe to repeat. Refuses: no_such_club."""
    change = ClubChange(club_id, "remove_club_picture", by)
    deleted_count, _ = change.club.pictures.filter(kind=kind).delete()
    if deleted_count and not change.is_repeat:
        change.record(picture=kind.value)
