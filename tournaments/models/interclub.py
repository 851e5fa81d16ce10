"""Joint activities of clubs: invitations, visitors and shared series."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Person
from versioning import CODE, INTERNAL, FieldFacts, declare_facts

from .events import Event
from .seasons import Season


class InvitationAnswer(models.TextChoices):
    """State of an invitation."""

    WAITING = "waiting", _("no answer yet")
    ACCEPTED = "accepted", _("takes part")
    DECLINED = "declined", _("declined")
    WITHDRAWN = "withdrawn", _("invitation withdrawn")


class InvitedClub(models.Model):
    """A club invited by another club to an ``event`` or to a series, its ``season``.

    If invited by name, ``club`` is set from the start. If invited by a link, it is the club that opens the
    link; until then there is only the ``digest`` of the link's secret. A link can be opened once.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, blank=True, related_name="invited_clubs")
    season = models.ForeignKey(Season, on_delete=models.CASCADE, null=True, blank=True, related_name="invited_clubs")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, null=True, blank=True, related_name="invited_to")
    answer = models.CharField(max_length=10, choices=InvitationAnswer, default=InvitationAnswer.WAITING)
    digest = models.CharField(max_length=64, unique=True, null=True, blank=True)
    lasts_until = models.DateTimeField(null=True, blank=True)
    key = models.UUIDField(null=True, blank=True, unique=True)

    FACTS = declare_facts({CODE: "digest"})

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(event__isnull=False, season__isnull=True) | Q(event__isnull=True, season__isnull=False),
                name="to_an_event_or_to_a_series",
            ),
            models.CheckConstraint(condition=Q(club__isnull=False) | Q(digest__isnull=False), name="a_club_or_a_link"),
            models.UniqueConstraint(fields=["event", "club"], name="a_club_once_per_event"),
            models.UniqueConstraint(fields=["season", "club"], name="a_club_once_per_series"),
        ]

    def __str__(self) -> str:
        return f"{self.event or self.season}: {self.club}, {self.answer}"

    @property
    def is_in(self) -> bool:
        """Whether the club is invited or takes part."""
        return self.answer in (InvitationAnswer.WAITING, InvitationAnswer.ACCEPTED)

    @property
    def host(self) -> Club:
        """The club that invites."""
        return (self.event or self.season).club  # type: ignore[union-attr]

    @property
    def occasion(self) -> str:
        """The name of the event or series."""
        return (self.event or self.season).name  # type: ignore[union-attr]


class Visitor(models.Model):
    """A person of one club, and their row among the people of another club at whose events they played.

    Each club has its own row of a person, and so its own results, ratings and merges; only this model links
    the two. Neither club sees the other's row.
    """

    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="elsewhere")
    known_as = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="at_home")

    FACTS = declare_facts({INTERNAL: "known_as"}, person=FieldFacts(_("Name"), names_row=True))

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["person", "known_as"], name="the_same_person_once")]

    def __str__(self) -> str:
        return f"{self.person}, {self.known_as}"


class SharedNight(models.Model):
    """An event that belongs to a series of several clubs, whichever of them holds it."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="shared_nights")
    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="shared_night")

    FACTS = declare_facts({INTERNAL: "event"}, season=FieldFacts(_("Series"), names_row=True))

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.season}: {self.event}"
