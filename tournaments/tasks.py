"""Background tasks for events."""

from datetime import timedelta

from celery import shared_task
from django.urls import reverse

from engine.planning import candidates, question_from_json, simulate, usual_runs
from jobs.queues import Queue
from jobs.registry import job
from jobs.running import JobContext
from tournaments.alerts.channels import CHANNELS, AddressGone
from tournaments.alerts.presenters import message_of
from tournaments.alerts.services import (
    LOOK,
    TELL,
    due_alert,
    enqueue_alerts,
    forget_old_alerts,
    keep_told,
    stop_alerts,
)
from tournaments.entries.services.own_link_mails import (
    MAIL_OWN_LINK,
    MAIL_PARTNER,
    send_own_link,
    send_partner,
)
from tournaments.events.services.background_steps import DEFERRED, do_deferred
from tournaments.imports.services.arrival import take_back_event
from tournaments.imports.services.event_import import BRING_IN
from tournaments.imports.services.night_import import BRING_IN_NIGHT, bring_in_asked_night
from tournaments.imports.services.uploaded_events import READ, bring_in_asked, examine_file
from tournaments.imports.uploaded_events import file_by_key
from tournaments.mirrors.services.asking import (
    ASK,
    FOLLOW,
    ask_for_snapshots,
    follow_as_asked,
    request_due_questions,
)
from tournaments.mirrors.services.pairing import PAIR_SITE, pair_as_asked
from tournaments.mirrors.services.sending import SEND, request_due_snapshots, send_snapshot
from tournaments.planner.services import PLAN, keep_plan
from tournaments.privacy.services.erasure import CLEAN, finish_forgetting
from tournaments.records.services import refresh_ratings
from tournaments.seasons.services import refresh_seasons
from tournaments.standings.services import refresh_standings

from .models import Plan

REPORTING = timedelta(seconds=30)
"""Lease of tasks that report progress, short so that those of a dead worker are soon resumed."""


@job("refresh_standings", rests=True)
def refresh(running: JobContext) -> None:
    """Compute the standings of an event; ``key`` is its id."""
    refresh_standings(event_id=int(running.key))


@job(LOOK)
def look_for_alerts(running: JobContext) -> None:
    """Queue the alerts due in an event; ``key`` is its id."""
    enqueue_alerts(int(running.key))


@job(TELL, queue=Queue.OUTGOING, backoff=timedelta(seconds=10))
def tell_alert(running: JobContext) -> None:
    """Send an alert; ``due_alert`` reads from ``key`` the subscription and the news."""
    due = due_alert(running.key)
    if due is None:
        return
    subscription, news = due
    channel = CHANNELS[subscription.channel]
    address = channel.address_now(subscription.address, subscription.person)
    try:
        channel.send(address, message_of(subscription, subscription.event, news))
    except AddressGone:
        stop_alerts(subscription.pk)
    else:
        keep_told(subscription.pk, news)


@shared_task(name="tournaments.sweep_alerts")
def sweep_alerts() -> None:
    forget_old_alerts()


@job(SEND, queue=Queue.OUTGOING, goes_first=True, lease=timedelta(minutes=3))
def send_snapshot_of(running: JobContext) -> None:
    """Send a snapshot of an event to its copy; ``key`` is the event's id."""
    send_snapshot(int(running.key))


@job(ASK, queue=Queue.OUTGOING, goes_first=True, lease=timedelta(minutes=3))
def ask_for_snapshots_of(running: JobContext) -> None:
    """Fetch snapshots from the other installation of a club; ``key`` is the club's id."""
    ask_for_snapshots(int(running.key))


@job(PAIR_SITE, is_shown=True, queue=Queue.OUTGOING, lease=timedelta(minutes=3))
def pair_with_site(running: JobContext) -> None:
    """Link a club to a public site; ``key`` is what was asked."""
    pair_as_asked(running.key)


@job(FOLLOW, is_shown=True, queue=Queue.OUTGOING, lease=timedelta(minutes=3))
def follow_site(running: JobContext) -> None:
    """Replace an event by the public site's; ``key`` is what was asked."""
    follow_as_asked(running.key)


@shared_task(name="tournaments.sweep_snapshots")
def sweep_snapshots() -> None:
    request_due_snapshots()
    request_due_questions()


@job(MAIL_OWN_LINK, queue=Queue.OUTGOING, backoff=timedelta(seconds=10))
def mail_own_link(running: JobContext) -> None:
    """E-mail the link to a player's own page; ``send_own_link`` reads the entry and the person from
    ``key``."""
    send_own_link(running.key)


@job(MAIL_PARTNER, queue=Queue.OUTGOING, backoff=timedelta(seconds=10))
def mail_partner(running: JobContext) -> None:
    """E-mail a player about their partner; ``send_partner`` reads the entry and the person from ``key``."""
    send_partner(running.key)


@job("refresh_seasons")
def refresh_seasons_of(running: JobContext) -> None:
    """Compute the season standings of a club; ``key`` is its id."""
    refresh_seasons(club_id=int(running.key))


@job("refresh_ratings", queue=Queue.LONG, lease=timedelta(minutes=5))
def refresh_ratings_of(running: JobContext) -> None:
    """Compute the ratings of a club; ``key`` is its id."""
    refresh_ratings(club_id=int(running.key), progress=running.report)


def take_step(running: JobContext) -> None:
    """Take a step of a large event; ``key`` is what ``defer`` wrote."""
    do_deferred(running.key)


for step in DEFERRED:
    job(step, is_shown=True, lease=timedelta(minutes=2))(take_step)


@job(READ, is_shown=True, queue=Queue.LONG, lease=timedelta(minutes=5))
def read_event_file(running: JobContext) -> None:
    """Examine an uploaded event file; ``key`` is that of the file."""
    examine_file(file_by_key(running.key), running.report)


@job(BRING_IN, is_shown=True, queue=Queue.LONG, lease=timedelta(minutes=5), take_back=take_back_event)
def bring_in_event_of(running: JobContext) -> dict[str, str]:
    """Import an event; ``key`` is that of the file and the request."""
    key, _, asked = running.key.partition("/")
    event = bring_in_asked(file_by_key(key), asked, running.report)
    return {"page": reverse("desk", args=[event.short])}


@job(BRING_IN_NIGHT, is_shown=True, queue=Queue.LONG, lease=timedelta(minutes=5), take_back=take_back_event)
def bring_in_night_of(running: JobContext) -> dict[str, str]:
    """Import a night; ``key`` is that of the form and of the record of what was requested."""
    event = bring_in_asked_night(running.key, running.report)
    return {"page": reverse("desk", args=[event.short])}


@job(CLEAN, lease=timedelta(minutes=5))
def clean_after_forgetting(running: JobContext) -> None:
    """Finish erasing a person; ``key`` is that of the record of who was erased."""
    finish_forgetting(running.key, running.report)


@job(PLAN, is_shown=True, queue=Queue.LONG, lease=REPORTING)
def plan(running: JobContext) -> None:
    """Simulate the proposals of the format planner; ``key`` is the plan's id."""
    asked = Plan.objects.get(pk=int(running.key))
    question = question_from_json(asked.asked)
    proposals = candidates(question)
    runs = [usual_runs(proposal, question) for proposal in proposals]
    found = []
    for place, proposal in enumerate(proposals):
        before = sum(runs[:place])
        outlook = simulate(
            proposal,
            question,
            runs=runs[place],
            seed=asked.seed,
            progress=lambda done, of: running.report(before + done, sum(runs)),  # noqa: B023 - called at once
        )
        found.append((proposal, outlook))
    keep_plan(plan_id=asked.pk, found=found)
