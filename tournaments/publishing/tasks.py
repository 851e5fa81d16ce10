"""Background tasks of publishing."""

from tournaments.events.tasks import add_step

from .services.publishing import publish_final

add_step("publish-final", publish_final)
