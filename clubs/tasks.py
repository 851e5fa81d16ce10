"""Work that the background worker does for clubs and accounts."""

from jobs.registry import job
from jobs.running import Running

from .selectors import MAILING
from .services.mailed_links import send_link


@job(MAILING)
def mail_link(running: Running) -> None:
    """``key`` is the id of the link that is sent."""
    send_link(link_id=int(running.key))
