"""Long writes go in pieces: none of them holds the hall, nothing half is seen, and nothing is done twice."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import connection, connections, transaction

from clubs.models import Club, Person
from clubs.recording import By
from clubs.services import bring_in_people, find_or_add_people, import_people, undo_club_action
from clubs.services.people_lists import IMPORT, import_asked_people
from jobs.models import Course, Job, Status
from jobs.services import TAKE_BACK, cancel_job, run_job, sweep
from scoring.models import Mark
from tests.builders import (
    TUESDAY,
    a_club,
    a_match,
    a_running_night,
    code_of,
    mark,
    matches_of,
    win,
)
from tests.nights.sheets import RIGHT
from tournaments.models import Event
from tournaments.nights import recorded_nights
from tournaments.selectors import event_file_of, standings_of
from tournaments.services import add_entry_list, create_event, import_night, refresh_standings
from tournaments.services.bringing_in import bring_in_event
from tournaments.services.forgetting import anonymize_people
from tournaments.services.importing import BRING_IN_NIGHT, bring_in_asked_night, bring_in_night
from tournaments.services.people import merge_people

pytestmark = pytest.mark.django_db(transaction=True)

MOST_STATEMENTS, MOST_ROWS = 80, 600
"""Of one transaction: some 50 ms on a small machine."""
NIGHT = recorded_nights()["bas-saint-laurent-8-tables"]
LETTERS = "abcdefghij"
MANY = [f"{a}{b}{c}anne Roy" for a in "bcdfghjklmnp" for b in LETTERS for c in LETTERS]
"""Names: more than go in two pieces."""


class Killed(BaseException):
    """As kill −9 ends a process: nothing that it would do after is done."""


def killed_at(place: int) -> Callable[[int, int], None]:
    def progress(done: int, of: int) -> None:
        if done == place:
            raise Killed

    return progress


@contextmanager
def counted() -> Iterator[list[Counter[str]]]:
    """For each transaction that was committed, its statements, and the rows that they wrote."""
    committed: list[Counter[str]] = []
    under_way: list[Counter[str]] = []

    def end() -> None:
        committed.append(under_way.pop())

    def count(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        result = execute(sql, params, many, context)
        if connection.in_atomic_block and not connection.needs_rollback:
            if not under_way:
                under_way.append(Counter())
                transaction.on_commit(end)
            under_way[0]["statements"] += 1
            if sql.startswith("INSERT"):
                under_way[0]["rows"] += sql.count("), (") + 1
            elif sql.startswith(("UPDATE", "DELETE")):
                under_way[0]["rows"] += max(0, context["cursor"].rowcount)
        return result

    with connection.execute_wrapper(count):
        yield committed


def everything() -> dict[str, int]:
    """How many rows there are of each kind, but for the work itself."""
    models = (
        model for model in apps.get_models() if model._meta.app_label in {"clubs", "scoring", "tournaments"}
    )
    return {model._meta.label: model._default_manager.count() for model in models}


def a_night() -> None:
    import_night(club=a_club(), name="Night", held_on=TUESDAY, files=NIGHT)


def a_file() -> None:
    event = import_night(club=a_club(), name="Night", held_on=TUESDAY, files=NIGHT)
    content = json.loads(json.dumps(event_file_of(event)))
    bring_in_event(club=a_club("Elsewhere"), content=content)


def many_people() -> None:
    import_people(club_id=a_club().pk, text="\n".join(MANY))


def many_entries() -> None:
    night = import_night(club=a_club(), name="Night", held_on=TUESDAY, files=RIGHT)
    event = create_event(
        club=night.club,
        name="Large",
        held_on=TUESDAY,
        ruleset=night.terms.ruleset,
        match_format=night.terms.match_format,
        table_count=100,
    )
    pairs = zip(MANY[:300:2], MANY[1:300:2], strict=True)
    add_entry_list(event_id=event.pk, text="\n".join(f"{one} / {other}" for one, other in pairs))


def a_merge() -> None:
    night = import_night(club=a_club(), name="Night", held_on=TUESDAY, files=NIGHT)
    (other,) = find_or_add_people(club=night.club, full_names=["Somebody Else"])
    somebody = night.entries.all()[0].player_1
    merge_people(club_id=night.club_id, kept_id=other.pk, merged_id=somebody.pk)


def forgetting() -> None:
    night = import_night(club=a_club(), name="Night", held_on=TUESDAY, files=NIGHT)
    assert night.state == "ended"
    people = night.club.people.values_list("pk", flat=True)[:30]
    anonymize_people(club_id=night.club_id, person_ids=list(people))


@pytest.mark.parametrize(
    "write",
    [a_night, a_file, many_people, many_entries, a_merge, forgetting],
    ids=lambda write: write.__name__,
)
def test_no_transaction_holds_the_writer_for_more_than_a_moment(write: Callable[[], None]) -> None:
    with counted() as transactions:
        write()
    assert max(each["statements"] for each in transactions) <= MOST_STATEMENTS
    assert max(each["rows"] for each in transactions) <= MOST_ROWS


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has many writers")
def test_whoever_holds_the_writer_for_long_is_named_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    event = a_running_night()
    monkeypatch.setattr("config.sqlite.holds.LONG", 0.0)
    refresh_standings(event_id=event.pk)
    assert "tournaments.services.standings._keep held the writer for" in caplog.text


class TestANightThatIsBroughtIn:
    @pytest.mark.parametrize("place", [0, 1, 2, 4, 5, 9])
    def test_and_killed_in_the_middle_goes_on_and_is_as_if_nothing_had_been(self, place: int) -> None:
        undisturbed = import_night(club=a_club("One"), name="Night", held_on=TUESDAY, files=RIGHT)
        club = a_club("Other")
        with pytest.raises(Killed):
            import_night(club=club, name="Night", held_on=TUESDAY, files=RIGHT, progress=killed_at(place))
        assert not club.events.filter(is_put_away=False).exists()
        event = import_night(club=club, name="Night", held_on=TUESDAY, files=RIGHT)
        assert club.events.count() == 1
        assert told(event) == told(undisturbed)

    def test_and_killed_in_the_middle_is_gone_on_with_by_the_worker(self) -> None:
        club, by = a_club(), By(key=uuid4())
        asked(club, by)
        with pytest.raises(Killed):
            bring_in_asked_night(str(by.key), killed_at(5))
        Job.objects.all().delete()
        sweep()
        assert not Job.objects.exists()
        Course.objects.update(touched_at="2020-01-01T00:00Z")
        sweep()
        run("bring_in_night")
        assert club.events.get().state == "running"
        assert not Course.objects.exists()

    def test_twice_by_the_same_form_is_one_event(self) -> None:
        club, by = a_club(), By(key=uuid4())
        asked(club, by)
        run(BRING_IN_NIGHT)
        event = club.events.get()
        assert bring_in_night(club=club, name="Night", held_on=TUESDAY, files=RIGHT, by=by) == event

    def test_is_refused_before_anything_is_written(self) -> None:
        before = everything()
        club = a_club()
        assert code_of(bring_in_night, club=club, name="Night", held_on=TUESDAY, files={}) == "night_refused"
        club.delete()
        assert everything() == before

    @pytest.mark.parametrize("place", [1, 2, 5, 9])
    def test_and_stopped_leaves_nothing_and_can_be_wanted_after_all(self, place: int) -> None:
        club, by = a_club(), By(key=uuid4())
        (known,) = find_or_add_people(club=club, full_names=["Anne Albert"])
        before = everything()
        job = asked(club, by)
        with pytest.raises(Killed):
            bring_in_asked_night(str(by.key), killed_at(place))
        assert everything() != before
        cancel_job(job.pk)
        run(TAKE_BACK)
        assert everything() == before
        assert club.people.get() == known
        asked(club, by)
        run(BRING_IN_NIGHT)
        assert club.events.get().state == "running"

    def test_and_wanted_again_before_it_was_taken_back_goes_on(self) -> None:
        club, by = a_club(), By(key=uuid4())
        job = asked(club, by)
        with pytest.raises(Killed):
            bring_in_asked_night(str(by.key), killed_at(5))
        cancel_job(job.pk)
        asked(club, by)
        run(TAKE_BACK)
        run(BRING_IN_NIGHT)
        assert club.events.get().state == "running"
        assert Mark.objects.count() == len(RIGHT["hands.csv"].splitlines()) - 1

    def test_lets_others_mark_between_two_pieces(self) -> None:
        match = a_match()
        marked: list[int] = []

        def beside(done: int, of: int) -> None:
            """Another connection writes, and this one waits for it."""

            def go() -> None:
                try:
                    mark(match, "misdeal")
                    marked.append(done)
                finally:
                    connections.close_all()

            phone = threading.Thread(target=go)
            phone.start()
            phone.join(timeout=10)

        import_night(club=a_club(), name="Night", held_on=TUESDAY, files=RIGHT, progress=beside)
        assert len(marked) >= 2
        assert match.marks.count() == len(marked)


class TestAFileThatIsBroughtIn:
    @pytest.mark.parametrize("place", [1, 3, 6, 7])
    def test_and_killed_in_the_middle_is_the_same_event_in_the_end(self, place: int) -> None:
        content = a_played_file()
        club = a_club()
        with pytest.raises(Killed):
            bring_in_event(club=club, content=content, progress=killed_at(place))
        assert not club.events.filter(is_put_away=False).exists()
        event = bring_in_event(club=club, content=content)
        assert club.events.get() == event
        assert club.people.count() == len(content["people"])
        assert event_file_of(event)["sum"] == content["sum"]

    def test_and_refused_in_the_end_leaves_nothing(self) -> None:
        content = a_played_file()
        club = a_club()
        before = everything()
        content["rounds"][0]["tables"][0]["number"] = content["rounds"][0]["tables"][1]["number"]
        assert code_of(bring_in_event, club=club, content=content) == "event_file_unsound"
        assert everything() == before


class TestAListOfPeople:
    def test_killed_in_the_middle_adds_each_of_them_once_and_has_one_line(self) -> None:
        club, by = a_club(), By(key=uuid4())
        text = "\n".join(MANY)
        count = len(text.splitlines())
        add_later(club, text, by)
        with pytest.raises(Killed):
            import_asked_people(str(by.key), killed_at(1))
        assert 0 < club.people.count() < count
        run(IMPORT)
        assert club.people.count() == count
        line = club.actions.get()
        assert line.details["count"] == count
        undo_club_action(club_id=club.pk, action_id=line.pk)
        assert not club.people.exists()

    def test_stopped_takes_back_whoever_has_not_played_since(self) -> None:
        club, by = a_club(), By(key=uuid4())
        job = add_later(club, "\n".join(MANY), by)
        with pytest.raises(Killed):
            import_asked_people(str(by.key), killed_at(1))
        played = Person.objects.latest("pk")
        night = a_running_night()
        night.entries.update(player_1=played)
        cancel_job(job.pk)
        run(TAKE_BACK)
        assert club.people.get() == played
        assert not club.actions.exists()


def told(event: Event) -> Any:
    """What an event is, but for when it was written and by which keys."""
    matches = [match.summary for match in matches_of(event)]
    actions = list(event.actions.order_by("pk").values_list("kind", flat=True))
    people = sorted(event.club.people.values_list("name", flat=True))
    return event.state, standings_rows(event), matches, actions, people


def standings_rows(event: Event) -> list[Any]:
    return [{key: row[key] for key in ("rank", "match_wins")} for row in standings_of(event)]


def a_played_file() -> Any:
    event = a_running_night()
    for match in matches_of(event):
        win(match)
    return json.loads(json.dumps(event_file_of(event)))


def asked(club: Club, by: By) -> Job:
    """A night that is large enough for the worker."""
    made = bring_in_night(club=club, name="Night", held_on=TUESDAY, files=RIGHT, by=by)
    assert isinstance(made, Job)
    return made


def add_later(club: Club, text: str, by: By) -> Job:
    made = bring_in_people(club_id=club.pk, text=text, by=by)
    assert isinstance(made, Job)
    return made


@pytest.fixture(autouse=True)
def by_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is brought in is large."""
    monkeypatch.setattr("tournaments.services.importing.LARGE", 1)
    monkeypatch.setattr("clubs.services.people_lists.LARGE", 1)


def run(kind: str) -> None:
    job = Job.objects.filter(kind=kind, status=Status.QUEUED).latest("pk")
    run_job(job.pk)
    job.refresh_from_db()
    assert (job.status, job.error) == (Status.DONE, "")
