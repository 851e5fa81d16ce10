"""The planner: plain questions, work that is seen and stopped, proposals, and an event made of one."""

from typing import Any

import pytest

from jobs.models import Job
from jobs.services import run_job
from tests.support.browser import Browser, Page
from tests.support.office import Office
from tournaments.models import Event, Plan

pytestmark = pytest.mark.django_db

ASKED = {"people": "8", "tables": "2", "begins": "19:00", "ends": "20:30", "minutes_a_hand": "3"}


def ask(office: Office, **typed: Any) -> Page:
    asked: dict[str, Any] = ASKED | typed
    page = office.browser.open(f"/club/{office.club.slug}/plan")
    return office.browser.send(page, page.form(having="people"), **asked)


def work() -> None:
    for job in Job.objects.filter(kind="plan", status="queued"):
        run_job(job.pk)


class TestAsking:
    @pytest.mark.slow
    def test_is_worked_out_in_the_background_and_shown_when_it_is_done(self) -> None:
        office = Office()
        page = ask(office)
        assert "Planning a tournament" in page.text
        work()
        page = office.browser.open(page.path)
        assert "9 times in 10 by" in page.text
        assert "The strongest won" in page.text

    @pytest.mark.slow
    def test_is_repeated_above_its_answer_and_while_it_is_worked_out(self) -> None:
        office = Office()
        page = ask(office)
        asked = "8 people, 2 tables, from 7:00 PM to 8:30 PM"
        assert asked in page.text
        work()
        assert asked in office.browser.open(page.path).text
        french = Browser(account=office.owner, language="fr").open(page.path)
        assert "8 personnes, 2 tables, de 19 h à 20 h 30" in french.text.replace("\u00a0", " ")

    def test_twice_by_a_double_click_asks_once(self) -> None:
        office = Office()
        page = office.browser.open(f"/club/{office.club.slug}/plan")
        form = page.form(having="people")
        for _ in range(2):
            office.browser.send(page, form, None, **dict[str, Any](ASKED))
        assert Plan.objects.count() == 1
        assert Job.objects.filter(kind="plan").count() == 1

    def test_a_third_plan_waits_until_one_of_two_has_ended(self) -> None:
        office = Office()
        for people in ("8", "12"):
            ask(office, people=people, tables="4")
        page = ask(office, people="16", tables="4")
        assert page.status == 429
        assert "2 plans are being computed. Wait for one to finish, or stop it." in page.text
        assert page.field("people").value == "16"
        Job.objects.filter(kind="plan")[0].delete()
        assert ask(office, people="16", tables="4").status == 200

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
    def test_something_that_cannot_be_is_refused_at_its_field_and_nothing_typed_is_lost(
        self, typed: dict[str, str], field: str, sentence: str
    ) -> None:
        page = ask(Office(), **typed)
        assert page.status == 422
        assert sentence in page.said_at(field)
        assert page.field("minutes_a_hand").value == "3"
        assert not Plan.objects.exists()


class TestTheRules:
    def offered(self, office: Office, **asked: str) -> list[str]:
        page = Page(office.browser.client.get(f"/club/{office.club.slug}/plan", asked))
        return [choice.attrs["value"] for choice in page.every("input", name="ruleset")]

    @pytest.mark.slow
    def test_for_two_are_offered_to_few_who_all_have_a_table(self) -> None:
        office = Office()
        assert "two-player" not in self.offered(office)
        assert "two-player" in self.offered(office, people="8", tables="4")
        assert "two-player" not in self.offered(office, people="8", tables="3")
        page = ask(office, people="32", tables="16", ruleset="canadian", ends="23:00")
        assert page.status == 200
        page = office.browser.open(f"/club/{office.club.slug}/plan?people=8&tables=4")
        form = page.form(having="people")
        typed: dict[str, Any] = ASKED | {"people": "32", "tables": "16", "ruleset": "two-player"}
        page = office.browser.send(page, form, **typed)
        assert "Two-player rules: up to" in page.text
        assert Plan.objects.count() == 1

    def test_that_the_club_usually_plays_stand_first_whatever_comes(self) -> None:
        office = Office()
        assert self.offered(office)[0] == office.club.usual_ruleset
        office.club.usual_ruleset = "two-player"
        office.club.save(update_fields=["usual_ruleset"])
        assert self.offered(office)[0] == "two-player"


class TestAPlan:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_can_be_stopped_and_asked_again(self) -> None:
        office = Office()
        page = ask(office)
        page = office.browser.send(page, page.form("/stop"))
        assert "Stopped early." in page.text
        page = office.browser.send(page, page.form("/again"))
        work()
        assert "Suggested formats" in office.browser.open(page.path).text

    @pytest.mark.slow
    def test_becomes_an_event_with_its_stages_and_match_length_once(self) -> None:
        office = Office()
        page = ask(office)
        work()
        page = office.browser.open(page.path)
        proposals: list[Any] = Plan.objects.get().found or []
        for _ in range(2):
            made = office.browser.send(page, page.form("/make"), ("place", "1"))
            assert "Entries" in made.text
        event = Event.objects.latest("pk")
        assert Event.objects.count() == 2  # the office has one already
        assert event.stages == proposals[1]["stages"]
        assert event.terms.format_data == proposals[1]["match_format"]
        assert event.table_count == 2

    def test_is_seen_by_its_own_club_only(self) -> None:
        office, other = Office(), Office()
        page = ask(office)
        assert other.browser.open(page.path).status == 404
        slug = other.club.slug
        pk = Plan.objects.get().pk
        assert other.browser.open(f"/club/{slug}/plan/{pk}").status == 404
        assert Browser().open(page.path).path.startswith("/sign-in")
