from django.db import models


class Revision(models.Model):
    """How often what a topic names has changed. A topic is whatever is watched together, such as an event."""

    topic = models.CharField(max_length=80, primary_key=True)
    number = models.PositiveBigIntegerField(default=1)

    def __str__(self) -> str:
        return f"{self.topic} @ {self.number}"
