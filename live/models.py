from django.db import models

from versioning import CODE, declare_facts


class Revision(models.Model):
    """The number of changes of a topic. A topic is anything that is watched as a whole, such as an event.

    ``public_number`` is the ``number`` of the last public change, so that it does not count hidden ones. If
    the topic ``is_withdrawn``, only staff may watch it.
    """

    topic = models.CharField(max_length=80, primary_key=True)
    number = models.PositiveBigIntegerField(default=1)
    public_number = models.PositiveBigIntegerField(default=1, db_default=1)
    is_withdrawn = models.BooleanField(default=False, db_default=False)

    FACTS = declare_facts({CODE: "topic"})

    def __str__(self) -> str:
        return f"{self.topic} @ {self.number}"
