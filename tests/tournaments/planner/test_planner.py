"""The format planner: plain questions, a task with progress and cancellation, proposals, and an event from a
proposal."""

from dataclasses import replace
from typing import Any

import pytest

from engine.phases import PhaseSettings
from engine.planning import find_candidates, question_from_json, simulate
from jobs.models import Job
from jobs.services import run_job
from rules import MatchFormat
from tests.builders import get_refusal_code
from tests.support.browser import Browser, Page
from tests.support.office import Office
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import change_phase, change_stages
from tournaments.models import Event, Plan
from tournaments.planner.services import apply_plan, save_proposals

pytestmark = pytest.mark.django_db

FORM_DATA = {"people": "8", "tables": "2", "begins": "19:00", "ends": "20:30", "minutes_a_hand": "3"}


def request_plan(office: Office, **typed: Any) -> Page:
    form_values: dict[str, Any] = FORM_DATA | typed
    page = office.browser.open(f"/club/{office.club.slug}/plan")
    return office.browser.send(page, page.find_form(control_name="people"), **form_values)


def run_plan_jobs() -> None:
    for job in Job.objects.filter(kind="plan", status="queued"):
        run_job(job.pk)


class TestPlanRequest:
    @pytest.mark.long
    def test_plan_is_computed_in_the_background(self) -> None:
        office = Office()
        page = request_plan(office)
        assert "Planning a tournament" in page.text
        run_plan_jobs()
        page = office.browser.open(page.path)
        assert "9 times in 10 by" in page.text
        assert "The strongest won" in page.text

    @pytest.mark.long
    def test_plan_page_repeats_the_question(self) -> None:
        office = Office()
        page = request_plan(office)
        question = "8 people, 2 tables, from 7:00 PM to 8:30 PM"
        assert question in page.text
        run_plan_jobs()
        assert question in office.browser.open(page.path).text
        french = Browser(account=office.owner, language="fr").open(page.path)
        assert "8 personnes, 2 tables, de 19 h à 20 h 30" in french.text.replace("\u00a0", " ")

    @pytest.mark.long
    def test_double_click_requests_one_plan(self) -> None:
        office = Office()
        page = office.browser.open(f"/club/{office.club.slug}/plan")
        form = page.find_form(control_name="people")
        for _ in range(2):
            office.browser.send(page, form, None, **dict[str, Any](FORM_DATA))
        assert Plan.objects.count() == 1
        assert Job.objects.filter(kind="plan").count() == 1

    @pytest.mark.long
    def test_third_concurrent_plan_is_refused(self) -> None:
        office = Office()
        stopped, *_ = (request_plan(office, people=people, tables="4") for people in ("8", "12"))
        page = request_plan(office, people="16", tables="4")
        assert page.status == 429
        assert "2 plans are being computed. Wait for one to finish, or stop it." in page.text
        assert page.find_field("people").value == "16"
        first = Job.objects.filter(kind="plan").earliest("pk")
        reload_event = office.browser.send(stopped, stopped.find_form("/stop"))
        assert request_plan(office, people="16", tables="4").status == 200
        refused = office.browser.send(reload_event, reload_event.find_form("/again"))
        assert (refused.status, "2 plans are being computed." in refused.text) == (429, True)
        assert Job.objects.get(pk=first.pk).status == "cancelled"

    @pytest.mark.parametrize(
        ("typed", "field", "sentence"),
        [
            (
                {"people": "7"},
                "people",
                "With 7 people, one has no partner. Enter an even number, or draw partners.",
            ),
            ({"people": ""}, "people", "Enter a number."),
            ({"tables": "1"}, "tables", "2 tables needed, 1 available."),
            ({"begins": "noon"}, "begins", "“noon” is not a time. Enter one like 19:00."),
            ({"ends": "19:25"}, "ends", "Too little time:"),
            ({"ends": "19:10"}, "ends", "10 is too small."),
        ],
    )
    def test_impossible_question_is_refused_and_input_kept(
        self, typed: dict[str, str], field: str, sentence: str
    ) -> None:
        page = request_plan(Office(), **typed)
        assert page.status == 422
        assert sentence in page.get_field_error(field)
        assert page.find_field("minutes_a_hand").value == "3"
        assert not Plan.objects.exists()


class TestPlannerRules:
    def list_offered_rules(self, office: Office, **query: str) -> list[str]:
        page = Page(office.browser.client.get(f"/club/{office.club.slug}/plan", query))
        return [choice.attrs["value"] for choice in page.find_all("input", name="ruleset")]

    @pytest.mark.slow
    def test_two_player_rules_are_offered_to_small_fields_only(self) -> None:
        office = Office()
        assert "two-player" not in self.list_offered_rules(office)
        assert "two-player" in self.list_offered_rules(office, people="8", tables="4")
        assert "two-player" not in self.list_offered_rules(office, people="8", tables="3")
        page = request_plan(office, people="32", tables="16", ruleset="canadian", ends="23:00")
        assert page.status == 200
        page = office.browser.open(f"/club/{office.club.slug}/plan?people=8&tables=4")
        form = page.find_form(control_name="people")
        typed: dict[str, Any] = FORM_DATA | {"people": "32", "tables": "16", "ruleset": "two-player"}
        page = office.browser.send(page, form, **typed)
        assert "Two-player rules: up to" in page.text
        assert Plan.objects.count() == 1

    def test_usual_club_rules_come_first(self) -> None:
        office = Office()
        assert self.list_offered_rules(office)[0] == office.club.usual_ruleset
        office.club.usual_ruleset = "two-player"
        office.club.save(update_fields=["usual_ruleset"])
        assert self.list_offered_rules(office)[0] == "two-player"


@pytest.mark.slow
class TestPlan:
    @pytest.mark.long
    @pytest.mark.snapshot
    def test_plan_can_be_stopped_and_restarted(self) -> None:
        office = Office()
        page = request_plan(office)
        page = office.browser.send(page, page.find_form("/stop"))
        assert "Stopped early." in page.text
        page = office.browser.send(page, page.find_form("/again"))
        run_plan_jobs()
        assert "Suggested formats" in office.browser.open(page.path).text

    def test_proposal_becomes_one_event_with_its_settings(self) -> None:
        office = Office()
        page = request_plan(office)
        run_plan_jobs()
        page = office.browser.open(page.path)
        proposals: list[Any] = Plan.objects.get().found or []
        for _ in range(2):
            made = office.browser.send(page, page.find_form("/make"), ("place", "1"))
            assert "Entries" in made.text
        event = Event.objects.latest("pk")
        assert Event.objects.count() == 2  # the office has one already
        assert event.stages == proposals[1]["stages"]
        assert event.terms.format_data == proposals[1]["match_format"]
        assert event.table_count == 2

    @pytest.mark.slow
    def test_plan_with_finals_becomes_an_event_with_its_phases(self) -> None:
        office = Office()
        page = request_plan(office, people="26", tables="7", begins="15:00", ends="23:59")
        plan = Plan.objects.get()
        question = question_from_json(plan.asked)
        proposal = next(each for each in find_candidates(question) if each.key == "pools_finals")
        forecast = simulate(proposal, question, runs=2, seed=1, progress=lambda done, of: None)
        save_proposals(plan_id=plan.pk, proposals=[(proposal, forecast)])
        page = office.browser.open(page.path)
        assert "Pools, then finals A and B" in page.text
        made = office.browser.send(page, page.find_form("/make"), ("place", "0"))
        event = Event.objects.latest("pk")
        assert (tuple(event.stages), event.phases) == (proposal.stages, proposal.phases)
        assert len(event.phases) == 2
        settings = office.browser.open(f"/e/{event.short}/desk/settings")
        assert "Final A: A match:" in settings.text
        assert made.path.startswith(f"/e/{event.short}")

    @pytest.mark.slow
    def test_proposal_gives_an_event_in_preparation_its_settings(self) -> None:
        office = Office(pairs=4)
        event = office.event
        own = PhaseSettings(match_format=MatchFormat(hands=6))
        change_stages(event_id=event.pk, stages=[{"format": "swiss", "rounds": 2}, {"format": "swiss"}])
        change_phase(event_id=event.pk, stage=1, settings=own)
        page = request_plan(office, people="26", tables="7", begins="15:00", ends="23:59")
        plan = Plan.objects.get()
        question = question_from_json(plan.asked)
        proposal = next(each for each in find_candidates(question) if each.key == "pools_finals")
        other = replace(proposal, phases=())
        forecast = simulate(proposal, question, runs=2, seed=1, progress=lambda done, of: None)
        save_proposals(plan_id=plan.pk, proposals=[(proposal, forecast), (other, forecast)])
        page = office.browser.open(page.path)
        form = next(form for form in page.find_all("form") if form.attrs.get("id") == "chosen-event")
        for place, phases in ((0, proposal.phases), (1, ()), (0, proposal.phases)):
            made = office.browser.send(page, form, place=str(place), event=str(event.pk))
            assert made.path == f"/e/{event.short}/desk/settings"
            event = Event.objects.get(pk=event.pk)
            assert (tuple(event.stages), event.phases, event.table_count) == (proposal.stages, phases, 7)
            assert event.terms.match_format == proposal.match_format
        assert (event.entries.count(), Event.objects.count()) == (4, 1)
        start_event(event_id=event.pk)
        assert get_refusal_code(apply_plan, plan_id=plan.pk, place=0, event_id=event.pk) == "plan_event_started"
        assert "This event has started." in office.browser.send(page, form, place="0", event=str(event.pk)).text

    @pytest.mark.long
    def test_plan_is_visible_to_its_own_club_only(self) -> None:
        office, other = Office(), Office()
        page = request_plan(office)
        assert other.browser.open(page.path).status == 404
        slug = other.club.slug
        pk = Plan.objects.get().pk
        assert other.browser.open(f"/club/{slug}/plan/{pk}").status == 404
        assert Browser().open(page.path).path.startswith("/sign-in")
