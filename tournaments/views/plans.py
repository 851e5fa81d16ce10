"""The planner's pages: the questions, the work in the background, the proposals, and an event made of one."""

from functools import partial
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access import for_members
from clubs.models import Club
from jobs.models import Job
from jobs.selectors import job_of, jobs_of, revision_of
from jobs.services import cancel_job, retry_job
from live.watching import asks_for_part, part_tag, watched
from rules import RULESETS, Refusal
from scoring.parsing import whole_number
from tournaments.forms.planning import read_question
from tournaments.models import Plan
from tournaments.planning import MATTERS, candidates, choices, stored_found, stored_question
from tournaments.services.plans import ask_plan, make_planned_event


@require_http_methods(["GET", "HEAD", "POST"])
@for_members
def new_plan(request: HttpRequest, club: Club) -> HttpResponse:
    """What the planner is asked."""
    refusal = None
    if request.method == "POST":
        try:
            question = read_question(request.POST.dict())
            candidates(question)
            plan = ask_plan(club=club, question=question, key=_key(request))
        except Refusal as refused:
            # Hours are asked for as a beginning and an end.
            field = "ends" if refused.field == "minutes" else refused.field
            refusal = Refusal(refused.code, field=field, **refused.details)
        else:
            return redirect("plan", slug=club.slug, pk=plan.pk)
    first = {
        "people": 32,
        "tables": 8,
        "begins": "19:00",
        "ends": "22:30",
        "minutes_a_hand": 4,
        "partners": "fixed",
        "matters": MATTERS[0],
        "ruleset": club.usual_ruleset,
    }
    context = {
        "club": club,
        "refusal": refusal,
        "typed": request.POST or first,
        "key": request.POST.get("key") or uuid4(),
        "matters": MATTERS,
        "rulesets": RULESETS.values(),
    }
    return TemplateResponse(request, "tournaments/planning/new.html", context)


@require_safe
@for_members
def plan_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """How far the work is; and once it is done, the proposals."""
    plan = _plan(club, pk)
    jobs = jobs_of(plan.topic)
    revision = f"plan.{plan.pk}.{plan.found is not None}.{revision_of(jobs)}"
    return watched(request, revision, partial(_plan_page, request, plan, jobs, revision))


def _plan_page(request: HttpRequest, plan: Plan, jobs: list[Job], revision: str) -> HttpResponse:
    here = reverse("plan", args=[plan.club.slug, plan.pk])
    question = stored_question(plan.asked)
    context = {
        "club": plan.club,
        "plan": plan,
        "jobs": jobs,
        "address": here,
        "etag": part_tag(request, revision),
        "question": question,
    }
    if plan.found is None:
        part = "jobs/list.html" if asks_for_part(request) else "tournaments/planning/waiting.html"
        return TemplateResponse(request, part, context)
    if asks_for_part(request):
        return HttpResponse(headers={"HX-Refresh": "true"})
    context |= {
        "choices": choices(question, stored_found(plan.found)),
        "make": reverse("make-planned", args=[plan.club.slug, plan.pk]),
    }
    return TemplateResponse(request, "tournaments/planning/plan.html", context)


@require_POST
@for_members
def make_planned(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """An event of one of the proposals; its entries come next."""
    plan = _plan(club, pk)
    today = timezone.localdate(timezone=ZoneInfo(club.time_zone))
    event = make_planned_event(
        plan_id=plan.pk,
        place=whole_number(request.POST, "place"),
        name=gettext("Tournament of %(date)s") % {"date": date_format(today)},
        held_on=today,
    )
    return redirect("entries", short=event.short)


@require_POST
@for_members
def stop_plan(request: HttpRequest, club: Club, pk: int, job_id: int) -> HttpResponse:
    """Nobody waits for it any more."""
    cancel_job(_job(club, pk, job_id))
    return redirect("plan", slug=club.slug, pk=pk)


@require_POST
@for_members
def plan_again(request: HttpRequest, club: Club, pk: int, job_id: int) -> HttpResponse:
    """It failed, or was stopped, and somebody wants it after all."""
    retry_job(_job(club, pk, job_id))
    return redirect("plan", slug=club.slug, pk=pk)


def _plan(club: Club, pk: int) -> Plan:
    plan = Plan.objects.select_related("club", "event").filter(club=club, pk=pk).first()
    if plan is None:
        raise Http404
    return plan


def _job(club: Club, pk: int, job_id: int) -> int:
    if job_of(_plan(club, pk).topic, job_id) is None:
        raise Http404
    return job_id


def _key(request: HttpRequest) -> UUID:
    """The form's own id: sent twice, it asks once."""
    try:
        return UUID(request.POST.get("key", ""))
    except ValueError:
        return uuid4()
