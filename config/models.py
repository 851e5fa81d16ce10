from django.db import models

from versioning import CODE, declare_facts


class Installation(models.Model):
    """The key that this database was used with. One row, created at the end of the first start.

    ``key_digest`` identifies the key without revealing it.
    """

    key_digest = models.CharField(max_length=64)

    FACTS = declare_facts({CODE: "key_digest"})

    def __str__(self) -> str:
        return self.key_digest[:8]
