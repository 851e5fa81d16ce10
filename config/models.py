from django.db import models


class Installation(models.Model):
    """Which key this database was used with. One row, made at the end of the first start.

    ``key_digest`` tells whether a key is that one, and nothing else of it.
    """

    key_digest = models.CharField(max_length=64)

    def __str__(self) -> str:
        return self.key_digest[:8]
