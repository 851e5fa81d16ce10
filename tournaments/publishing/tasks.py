"""Background tasks of publishing."""

from django.utils.translation import gettext_lazy as _

from tournaments.events.tasks import register_step

from .services.publishing import publish_final

register_step("publish-final", publish_final, _("Publishing the final standings"))
