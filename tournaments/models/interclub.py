"""What clubs do together: who is invited to whose event or series, and who of one club another one knows."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Person

from .events import Event
from .seasons import Season


class InvitationAnswer(models.TextChoices):
    """What became of an invitation."""

    WAITING = "waiting", _("no answer yet")
    ACCEPTED = "accepted", _("takes part")
    DECLINED = "declined", _("declined")
    WITHDRAWN = "withdrawn", _("invitation withdrawn")


class InvitedClub(models.Model):
    """A club that another club invites, to an ``event`` or to a series, its ``season``.

    Invited by name, the ``club`` is there from the start. Behind a link it is the one that opens it: until
    then there is only the ``digest`` of the link's secret. A link that was opened opens nothing any more.
    """

    event = models.ForeignKey(
        Event, on_delete=models.CASCADE, null=True, blank=True, related_name="invited_clubs"
    )
    season = models.ForeignKey(
        Season, on_delete=models.CASCADE, null=True, blank=True, related_name="invited_clubs"
    )
    club = models.ForeignKey(Club, on_delete=models.CASCADE, null=True, blank=True, related_name="invited_to")
    answer = models.CharField(max_length=10, choices=InvitationAnswer, default=InvitationAnswer.WAITING)
    digest = models.CharField(max_length=64, unique=True, null=True, blank=True)
    lasts_until = models.DateTimeField(null=True, blank=True)
    key = models.UUIDField(null=True, blank=True, unique=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(event__isnull=False, season__isnull=True)
                | Q(event__isnull=True, season__isnull=False),
                name="to_an_event_or_to_a_series",
            ),
            models.CheckConstraint(
                condition=Q(club__isnull=False) | Q(digest__isnull=False), name="a_club_or_a_link"
            ),
            models.UniqueConstraint(fields=["event", "club"], name="a_club_once_per_event"),
            models.UniqueConstraint(fields=["season", "club"], name="a_club_once_per_series"),
        ]

    def __str__(self) -> str:
        return f"{self.event or self.season}: {self.club}, {self.answer}"

    @property
    def is_in(self) -> bool:
        """Whether the club is asked, or takes part."""
        return self.answer in (InvitationAnswer.WAITING, InvitationAnswer.ACCEPTED)

    @property
    def host(self) -> Club:
        """The club that invites."""
        return (self.event or self.season).club  # type: ignore[union-attr]

    @property
    def occasion(self) -> str:
        """The name of what it is to."""
        return (self.event or self.season).name  # type: ignore[union-attr]


class Visitor(models.Model):
    """Somebody of one club, and who they are among the people of another, at whose events they played.

    Each club keeps its own row of a person, so that its results, ratings and merges are its own: only this
    says that the two are one. Neither club sees the other's row.
    """

    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="elsewhere")
    known_as = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="at_home")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["person", "known_as"], name="the_same_person_once")]

    def __str__(self) -> str:
        return f"{self.person}, {self.known_as}"


class SharedNight(models.Model):
    """An event that belongs to a series of several clubs, whichever of them holds it."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="shared_nights")
    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="shared_night")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.season}: {self.event}"
