"""Pictures of a club for its public page."""

from base64 import b64decode

from django.db import models
from django.utils.translation import gettext_lazy as _

from versioning import CODE, TYPED, declare_facts

from .clubs import Club

DESCRIPTION_LENGTH = 200


class PictureKind(models.TextChoices):
    """The place of a picture: the logo at the head of the club's page, the photo beside the text."""

    LOGO = "logo", _("Logo")
    PHOTO = "photo", _("Photo")


class ClubPicture(models.Model):
    """A picture of a club, re-encoded by ``web.pictures``. ``content`` is a WebP file in base64, ``width`` by
    ``height`` pixels; its URL contains ``digest``, its SHA-256. ``description`` is the alternative text."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="pictures")
    kind = models.CharField(max_length=8, choices=PictureKind)
    description = models.CharField(max_length=DESCRIPTION_LENGTH, blank=True, default="")
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=64)
    content = models.TextField()

    FACTS = declare_facts({TYPED: "description", CODE: "digest content"})

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "kind"], name="one_picture_of_a_kind")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.description}"

    @property
    def file(self) -> bytes:
        return b64decode(self.content)
