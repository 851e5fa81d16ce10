from django.db import models


class Revision(models.Model):
    """How often what a topic names has changed. A topic is whatever is watched together, such as an event.

    ``public_number`` is the ``number`` of the last change that everybody may see: what is not public cannot
    be counted by it. Where the topic ``is_withdrawn``, nobody may watch it but those who work there.
    """

    topic = models.CharField(max_length=80, primary_key=True)
    number = models.PositiveBigIntegerField(default=1)
    public_number = models.PositiveBigIntegerField(default=1, db_default=1)
    is_withdrawn = models.BooleanField(default=False, db_default=False)

    def __str__(self) -> str:
        return f"{self.topic} @ {self.number}"
