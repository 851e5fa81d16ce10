"""Pages of the format planner: questions, progress, proposals, and an event created from one."""

from uuid import uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRefresh

from clubs.access import for_directors_of_the_club
from clubs.actor import request_key
from clubs.calendar import today_in
from clubs.day_words import day_written
from clubs.job_pages import job_buttons, jobs_watched
from clubs.models import Club
from clubs.post_only import posted_from
from engine.planning import MATTERS, MOST_IN_TWOS, choices, found_from_json, question_from_json, rulesets_for
from errors import Refusal
from jobs.queries import jobs_of
from live.conditional_pages import asks_for_part
from scoring.parsing import whole_number
from tournaments.models import Plan
from web.forms import digits_in

from .forms import in_sight, read_plan_question
from .services import ask_plan, make_planned_event


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
def new_plan(request: HttpRequest, club: Club) -> HttpResponse:
    """Ask the format planner for proposals."""
    refusal = None
    if request.method == "POST":
        try:
            question = read_plan_question(request.POST.dict(), usual=club.usual_ruleset)
            plan = ask_plan(club=club, question=question, key=request_key(request) or uuid4())
        except Refusal as refused:
            refusal = in_sight(refused)
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
    typed = request.POST or first | request.GET.dict()
    people, tables = (digits_in(str(typed.get(name, "")), most=5) or 0 for name in ("people", "tables"))
    context = {
        "club": club,
        "refusal": refusal,
        "typed": typed,
        "matters": MATTERS,
        "rulesets": rulesets_for(people, tables, usual=club.usual_ruleset),
        "most_in_twos": MOST_IN_TWOS,
    }
    return TemplateResponse(request, "tournaments/planner/new.html", context)


@require_safe
@for_directors_of_the_club
def plan_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Show the progress of the simulations, then the proposals."""
    plan = _plan(club, pk)
    question = question_from_json(plan.asked)
    context = {"club": club, "plan": plan, "question": question}
    if plan.found is None:
        context["address"] = reverse("plan", args=[club.slug, plan.pk])
        jobs = jobs_of(plan.topic)
        return jobs_watched(request, plan.topic, jobs, "tournaments/planner/waiting.html", context)
    if asks_for_part(request):
        return HttpResponseClientRefresh()
    context |= {
        "choices": choices(question, found_from_json(plan.found)),
        "make": reverse("make-planned", args=[club.slug, plan.pk]),
    }
    return TemplateResponse(request, "tournaments/planner/plan.html", context)


@posted_from("plan", "slug", "pk")
@for_directors_of_the_club
def make_planned(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Create an event from a proposal, and go on to its entries."""
    plan = _plan(club, pk)
    today = today_in(club)
    event = make_planned_event(
        plan_id=plan.pk,
        place=whole_number(request.POST, "place"),
        name=gettext("Tournament of %(date)s") % {"date": day_written(today)},
        held_on=today,
    )
    return redirect("entries", short=event.short)


def _plan(club: Club, pk: int) -> Plan:
    plan = Plan.objects.select_related("club", "event").filter(club=club, pk=pk).first()
    if plan is None:
        raise Http404
    return plan


stop_plan, plan_again = job_buttons(
    "plan",
    "slug",
    "pk",
    door=for_directors_of_the_club,
    topic_of=lambda club, pk: _plan(club, pk).topic,
)
