"""Requests for a club: sent by anybody if the operator takes them, who approves or refuses each."""

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from clubs.emails import build_club_request_letter
from clubs.models import NOTE_LENGTH, ClubRequest, Role
from clubs.queries import MAILING_ANSWER
from errors import Refusal, check_choice
from jobs.locks import lock_counter
from jobs.services import enqueue
from web.forms import LANGUAGES

from .clubs import clean_club_name, create_club
from .mailed_links import clean_email_address
from .team import invite

MAX_WAITING = 100


@transaction.atomic
def request_club(*, name: str, email: str, language: str, accepts_terms: bool) -> None:
    """Send the operator a request for a club. Safe to repeat while it waits.

    Refuses: requests_closed, club_name_required, name_too_long, strange_character, no_mail_here,
    not_an_address, no_such_choice, terms_not_accepted, too_many_club_requests.
    """
    if not settings.TAKES_CLUB_REQUESTS:
        raise Refusal("requests_closed")
    fields = {
        "name": clean_club_name(name),
        "email": clean_email_address(email),
        "language": check_choice(language, sorted(LANGUAGES), field="language"),
    }
    if not accepts_terms:
        raise Refusal("terms_not_accepted", field="terms")
    lock_counter("club requests")
    waiting = ClubRequest.objects.filter(answered_at=None)
    if waiting.filter(**fields).exists():
        return
    if waiting.count() >= MAX_WAITING:
        raise Refusal("too_many_club_requests")
    ClubRequest.objects.create(**fields)


@transaction.atomic
def answer_club_request(*, request_id: int, is_approved: bool) -> None:
    """Create the club of a request, or refuse it, and mail the answer. Safe to repeat: the first answer
    counts."""
    found = ClubRequest.objects.select_for_update().filter(pk=request_id, answered_at=None).first()
    if found is None:
        return
    if is_approved:
        found.club = create_club(name=found.name, language=found.language)
    found.answered_at = timezone.now()
    found.save(update_fields=["club", "answered_at"])
    enqueue(kind=MAILING_ANSWER, key=str(found.pk))


@transaction.atomic
def send_club_answer(*, request_id: int) -> None:
    """Mail the answer to a request, with a link to own the club if it was approved, and delete the request.
    Raises what the mail server raises. Safe to repeat: a sent answer is not sent again."""
    found = ClubRequest.objects.select_for_update(of=("self",)).filter(pk=request_id).first()
    if found is None or found.answered_at is None:
        return
    secret = ""
    if found.club is not None:
        secret = invite(club_id=found.club.pk, role=Role.OWNER, note=found.email[:NOTE_LENGTH]).secret
    build_club_request_letter(found, secret).send()
    found.delete()
