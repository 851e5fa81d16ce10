"""Background tasks of publishing."""

from tournaments.events.tasks import register_step

from .services.publishing import publish_final

register_step("publish-final", publish_final)
