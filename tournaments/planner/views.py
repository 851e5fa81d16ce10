"""Pages of the format planner: questions, progress, proposals, and an event created from one."""

from uuid import uuid4

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from clubs.calendar import get_club_today
from clubs.date_formats import format_date
from clubs.job_pages import build_job_actions, render_job_list
from clubs.models import Club
from clubs.pages import directors_only, get_actor, get_request_key, note_refusal, require_post_from, show_refusals_on
from engine.planning import (
    MATTERS,
    MAX_TWO_PLAYER_PEOPLE,
    build_choices,
    list_exclusions,
    list_rulesets,
    proposals_from_json,
    question_from_json,
)
from errors import Refusal
from jobs.queries import list_jobs
from live.conditional_pages import is_partial_request
from scoring.parsing import parse_whole_number
from tournaments.lifecycle import EventState
from tournaments.models import Event, Plan
from web.forms import parse_digits
from web.not_found import get_or_404

from .forms import PlanForm, move_to_form_field
from .services import apply_plan, create_planned_event, request_plan


@directors_only
def new_plan(request: HttpRequest, club: Club) -> HttpResponse:
    """Ask the format planner for proposals."""
    defaults = {
        "people": 32,
        "tables": 8,
        "begins": "19:00",
        "ends": "22:30",
        "minutes_a_hand": 4,
        "partners": "fixed",
        "matters": MATTERS[0],
        "ruleset": club.usual_ruleset,
    }
    initial = {name: request.GET.get(name, value) for name, value in defaults.items()}
    form = PlanForm.from_request(request, **initial)
    if request.method == "POST":
        try:
            question = form.build_question(default_ruleset=club.usual_ruleset)
            plan = request_plan(club=club, question=question, key=get_request_key(request) or uuid4())
            return redirect("plan", slug=club.slug, pk=plan.pk)
        except Refusal as refusal:
            note_refusal(request, move_to_form_field(refusal))
    people, tables = (parse_digits(form[name].value(), max_digits=5) or 0 for name in ("people", "tables"))
    context = {
        "club": club,
        "form": form,
        "typed": {"ruleset": form["ruleset"].value()},
        "rulesets": list_rulesets(people, tables, usual=club.usual_ruleset),
        "most_in_twos": MAX_TWO_PLAYER_PEOPLE,
    }
    return TemplateResponse(request, "tournaments/planner/questions.html", context)


@require_safe
@directors_only
def plan_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Show the progress of the simulations, then the proposals."""
    return _render_plan(request, _get_plan(club, pk))


def _render_plan(request: HttpRequest, plan: Plan) -> HttpResponse:
    club, question = plan.club, question_from_json(plan.asked)
    context = {"club": club, "plan": plan, "question": question}
    if plan.found is None:
        context["address"] = reverse("plan", args=[club.slug, plan.pk])
        jobs = list_jobs(plan.topic)
        return render_job_list(request, plan.topic, jobs, "tournaments/planner/progress.html", context)
    if is_partial_request(request):
        return HttpResponseClientRefresh()
    context |= {
        "choices": build_choices(question, proposals_from_json(plan.found)),
        "left_out": list_exclusions(question),
        "events": [(str(event.pk), event.name) for event in _list_events(club)],
        "typed": {
            "place": parse_digits(request.POST.get("place", ""), max_digits=3),
            "event": request.POST.get("event"),
        },
        "make": reverse("make-planned", args=[club.slug, plan.pk]),
    }
    return TemplateResponse(request, "tournaments/planner/plan.html", context)


@require_post_from("plan", "slug", "pk")
@directors_only
def create_event_from_plan(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Create an event from a proposal, and go on to its entries; or give a chosen event its settings."""
    plan = _get_plan(club, pk)
    if "event" in request.POST:
        return _apply_plan(request, plan)
    today = get_club_today(club)
    event = create_planned_event(
        plan_id=plan.pk,
        place=parse_whole_number(request.POST, "place"),
        name=gettext("Tournament of %(date)s") % {"date": format_date(today)},
        held_on=today,
    )
    return redirect("entries", short=event.short)


@show_refusals_on(_render_plan)
def _apply_plan(request: HttpRequest, plan: Plan) -> HttpResponse:
    event = _list_events(plan.club).filter(pk=parse_whole_number(request.POST, "event")).first()
    if event is None:
        raise Refusal("plan_event_started", field="event")
    place = parse_whole_number(request.POST, "place")
    apply_plan(plan_id=plan.pk, place=place, event_id=event.pk, by=get_actor(request))
    return redirect("event-settings", short=event.short)


def _list_events(club: Club) -> QuerySet[Event]:
    """List the events in preparation, the next one first."""
    return club.events.filter(state=EventState.PREPARING, is_put_away=False).order_by("held_on", "pk")


def _get_plan(club: Club, pk: int) -> Plan:
    return get_or_404(Plan.objects.select_related("club", "event").filter(club=club, pk=pk).first())


stop_plan, retry_plan = build_job_actions(
    "plan",
    "slug",
    "pk",
    access=directors_only,
    get_topic=lambda club, pk: _get_plan(club, pk).topic,
)
