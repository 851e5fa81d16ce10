"""What was paid for an event, and what was won: noted, never collected."""

from django.db import models
from django.db.models import Q

from clubs.models import Person
from clubs.names import NAME_LENGTH

from .events import Event


class Fee(models.Model):
    """What somebody has paid for an event, in cents, and what is asked of them where that is not the usual
    fee: ``other``, 0 for who is excused.

    It is the person's and not the entry's: who leaves, or makes room for a substitute, has paid all the same.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="fees")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="fees")
    other = models.PositiveIntegerField(null=True, blank=True)
    paid = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["event", "person"], name="one_fee_per_person")]

    def __str__(self) -> str:
        return f"{self.person}: {self.paid}"


class Prize(models.Model):
    """What a person, or two together, won at an event: a text, and perhaps an amount in cents.

    Everybody sees it where it ``is_public``, and its amount where it ``shows_amount`` too.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="prizes")
    name = models.CharField(max_length=NAME_LENGTH)
    amount = models.PositiveIntegerField(default=0)
    winner_1 = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    winner_2 = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    is_public = models.BooleanField(default=False)
    shows_amount = models.BooleanField(default=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(winner_2=None) | ~Q(winner_2=models.F("winner_1")), name="a_prize_of_two_people"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def winners(self) -> list[Person]:
        return [self.winner_1] if self.winner_2 is None else [self.winner_1, self.winner_2]
