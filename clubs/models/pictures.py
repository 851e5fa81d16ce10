"""What a club shows of itself in pictures."""

from base64 import b64decode

from django.db import models
from django.utils.translation import gettext_lazy as _

from .clubs import Club

DESCRIPTION_LENGTH = 200


class PictureKind(models.TextChoices):
    """Where it stands: the logo at the head of the club's page, the photo beside what the page tells."""

    LOGO = "logo", _("Logo")
    PHOTO = "photo", _("Photo")


class ClubPicture(models.Model):
    """A picture that the club chose, as ``web.pictures`` drew it anew: ``content`` is a WebP file in base64,
    so many pixels large, and ``digest`` its SHA-256, by which its address names it. ``description`` says what
    is on it to whoever does not see it."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="pictures")
    kind = models.CharField(max_length=8, choices=PictureKind)
    description = models.CharField(max_length=DESCRIPTION_LENGTH, blank=True, default="")
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=64)
    content = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "kind"], name="one_picture_of_a_kind")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.description}"

    @property
    def file(self) -> bytes:
        return b64decode(self.content)
