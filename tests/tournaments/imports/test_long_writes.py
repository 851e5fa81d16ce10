"""Long writes run in short transactions: they block nobody, show no partial state, and write nothing twice."""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection, connections, transaction

from clubs.audit.log import Actor
from clubs.models import Club, ClubAction, Person
from clubs.services.people import find_or_add_people
from clubs.services.people_import import (
    IMPORT,
    get_imports_topic,
    run_people_import,
    start_people_import,
)
from clubs.services.undo import UNDO, run_undo, undo_club_action, undo_for_form
from jobs.models import Job, LongWrite, Status
from jobs.services import UNDO_JOB, cancel_job, run_job, sweep
from operations.backup import create_backup, restore
from scoring.models import Mark
from scoring.services.agreement import call_desk
from tests.builders import (
    TUESDAY,
    build_club,
    build_event,
    build_match,
    build_played_night,
    build_running_night,
    compute_standings,
    get_refusal_code,
    import_people,
    mark,
    matches_of,
    win,
)
from tournaments.entries.services.entry_actions import withdraw_entry
from tournaments.entries.services.entry_import import add_entry_list
from tournaments.entries.services.merging import merge_people
from tournaments.event_files.queries import build_event_file
from tournaments.events.services.creation import create_event
from tournaments.events.services.lifecycle import start_event
from tournaments.history.services.optimistic import MAX_ATTEMPTS, OutdatedResult, write_optimistically
from tournaments.history.services.undo import undo_action
from tournaments.imports.recorded_nights.files import recorded_nights
from tournaments.imports.services.event_import import bring_in_event
from tournaments.imports.services.hand_import import record_hand_sheet
from tournaments.imports.services.night_import import IMPORT_NIGHT, import_night, run_night_import, start_night_import
from tournaments.models import Event
from tournaments.privacy.services.erasure import anonymize_people
from tournaments.publishing.services.publishing import publish_final
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.services.rounds import draw_round, publish_round, unpublish_round
from tournaments.rounds.services.tables import adjust_table, swap_entries
from tournaments.standings.queries.standings import get_standings_rows
from tournaments.standings.services import refresh_standings

from .night_sheets import RIGHT

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("writers between the pieces of a long write"),
    pytest.mark.slow,
]

MOST_STATEMENTS, MOST_ROWS = 80, 600
"""Limits for one transaction, about 50 ms on a small machine."""
NIGHT = recorded_nights()["bas-saint-laurent-8-tables"]
LETTERS = "abcdefghij"
MANY_NAMES = [f"{a}{b}{c}anne Roy" for a in "bcdfghjklmnp" for b in LETTERS for c in LETTERS]
"""Names for more than two batches of an import."""
SOME, FEW = MANY_NAMES[:600], MANY_NAMES[:250]
"""Names for more than one batch of an import, and for more than two batches of an undo."""


class ProcessKilled(BaseException):
    """Simulated ``kill -9``: a BaseException, so that no ``except Exception`` handler runs."""


def build_kill_progress(place: int) -> Callable[[int, int], None]:
    def kill_at_step(done: int, of: int) -> None:
        if done == place:
            raise ProcessKilled

    return kill_at_step


@contextmanager
def record_transactions() -> Iterator[list[Counter[str]]]:
    """Record the statements and written rows of each committed transaction while the block runs."""
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
                under_way[0]["rows"] += len(params) if many else sql.count("), (") + 1
            elif sql.startswith(("UPDATE", "DELETE")):
                under_way[0]["rows"] += max(0, context["cursor"].rowcount)
        return result

    with connection.execute_wrapper(count):
        yield committed


@contextmanager
def record_turns() -> Iterator[list[tuple[float, float]]]:
    """Record the start and end times of each transaction that recorded hands, while the block runs."""
    taken: list[tuple[float, float]] = []
    begun: list[float] = []

    def look(execute: Any, sql: str, *rest: Any) -> Any:
        if connection.in_atomic_block and not begun:
            begun.append(time.monotonic())
            transaction.on_commit(begun.clear)
        if sql.startswith('INSERT INTO "scoring_mark"'):
            transaction.on_commit(lambda start=begun[0]: taken.append((start, time.monotonic())))  # type: ignore[misc]
        return execute(sql, *rest)

    with connection.execute_wrapper(look):
        yield taken


def count_all_rows() -> dict[str, int]:
    """Return the number of rows of each model, without those of background tasks."""
    models = (model for model in apps.get_models() if model._meta.app_label in {"clubs", "scoring", "tournaments"})
    return {model._meta.label: model._default_manager.count() for model in models}


def import_recorded_night() -> None:
    import_night(club=build_club(), name="Night", held_on=TUESDAY, files=NIGHT)


def import_recorded_event() -> None:
    event = import_night(club=build_club(), name="Night", held_on=TUESDAY, files=NIGHT)
    content = json.loads(json.dumps(build_event_file(event)))
    bring_in_event(club=build_club("Elsewhere"), content=content)


def import_many_people() -> None:
    import_people(club_id=build_club().pk, text="\n".join(MANY_NAMES))


def add_many_entries() -> None:
    night = import_night(club=build_club(), name="Night", held_on=TUESDAY, files=RIGHT)
    event = create_event(
        club=night.club,
        name="Large",
        held_on=TUESDAY,
        ruleset=night.terms.ruleset,
        match_format=night.terms.match_format,
        table_count=100,
    )
    pairs = zip(MANY_NAMES[:300:2], MANY_NAMES[1:300:2], strict=True)
    add_entry_list(event_id=event.pk, text="\n".join(f"{one} / {other}" for one, other in pairs))


def merge_two_people() -> None:
    night = import_night(club=build_club(), name="Night", held_on=TUESDAY, files=NIGHT)
    (other,) = find_or_add_people(club=night.club, full_names=["Somebody Else"])
    somebody = night.entries.all()[0].player_1
    merge_people(club_id=night.club_id, target_id=other.pk, source_id=somebody.pk)


def erase_people() -> None:
    night = import_night(club=build_club(), name="Night", held_on=TUESDAY, files=NIGHT)
    assert night.state == "ended"
    people = night.club.people.values_list("pk", flat=True)[:30]
    anonymize_people(club_id=night.club_id, person_ids=list(people))


def undo_people_import() -> None:
    club, line = import_people_list(MANY_NAMES)
    undone = undo_club_action(club_id=club.pk, action_id=line.pk)
    undo_club_action(club_id=club.pk, action_id=undone.pk)


@pytest.mark.long
@pytest.mark.parametrize(
    "write",
    [
        import_recorded_night,
        import_recorded_event,
        import_many_people,
        undo_people_import,
        add_many_entries,
        merge_two_people,
        erase_people,
    ],
    ids=lambda write: write.__name__,
)
def test_long_write_is_split_into_short_transactions(write: Callable[[], None]) -> None:
    with record_transactions() as transactions:
        write()
    assert max(each["statements"] for each in transactions) <= MOST_STATEMENTS
    assert max(each["rows"] for each in transactions) <= MOST_ROWS


def count_round_statements(pairs: int) -> list[int]:
    """Count the statements of each transaction: publish the draft, unpublish it, publish it again."""
    event = start_event(event_id=build_event(pairs, club=build_club(f"Club of {pairs}")).pk)
    draw_round(event_id=event.pk, seed=1)
    with record_transactions() as transactions:
        for write in (publish_round, unpublish_round, publish_round):
            write(event_id=event.pk, number=1)
    return [each["statements"] for each in transactions]


@pytest.mark.long
def test_round_publication_has_constant_statement_count() -> None:
    assert count_round_statements(80) == count_round_statements(8)


def count_list_statements(pairs: int) -> list[int]:
    """Count the statements of each transaction: undo an imported entry list, then undo that undo."""
    event = build_event(pairs=4, club=build_club(f"Club of {pairs}"))
    names = zip(MANY_NAMES[: 2 * pairs : 2], MANY_NAMES[1 : 2 * pairs : 2], strict=True)
    add_entry_list(event_id=event.pk, text="\n".join(f"{one} / {other}" for one, other in names))
    with record_transactions() as transactions:
        for _ in range(2):
            undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
    return [each["statements"] for each in transactions]


@pytest.mark.long
def test_undo_of_a_list_has_constant_statement_count() -> None:
    assert count_list_statements(40) == count_list_statements(4)


@pytest.mark.long
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has many writers")
def test_long_writer_is_named_in_the_log(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    event = build_running_night()
    monkeypatch.setattr("config.sqlite.holds.LONG", 0.0)
    refresh_standings(event_id=event.pk)
    assert "tournaments.standings.services._store_standings held the writer for" in caplog.text


class TestUndoPeopleImport:
    @pytest.mark.long
    def test_undo_runs_as_a_visible_job(self) -> None:
        club, line = import_people_list()
        job = undo_for_form(club_id=club.pk, action_id=line.pk)
        assert isinstance(job, Job)
        assert job.topic == get_imports_topic(club)
        run(UNDO)
        assert not club.people.exists()
        assert not LongWrite.objects.exists()

    @pytest.mark.parametrize("place", [1, 2])
    @pytest.mark.long
    def test_interrupted_undo_resumes_and_can_be_redone(self, place: int) -> None:
        club, line = import_people_list()
        before = list(club.people.order_by("pk").values())
        families = list(club.families.values())
        undo_for_form(club_id=club.pk, action_id=line.pk)
        with pytest.raises(ProcessKilled):
            run_undo(str(line.pk), build_kill_progress(place))
        assert 0 < club.people.count() < len(before)
        undo_for_form(club_id=club.pk, action_id=line.pk)  # the form is sent again
        run(UNDO)
        assert not club.people.exists()
        assert not club.families.exists()
        undone = club.actions.get(undoes=line)
        assert undo_club_action(club_id=club.pk, action_id=line.pk) == undone
        undo_club_action(club_id=club.pk, action_id=undone.pk)
        assert list(club.people.order_by("pk").values()) == before
        assert list(club.families.values()) == families

    @pytest.mark.long
    def test_undo_is_refused_if_an_imported_person_has_played(self) -> None:
        club, line = import_people_list()
        build_running_night().entries.update(player_1=Person.objects.filter(club=club).latest("pk"))
        before = count_all_rows()
        assert get_refusal_code(undo_club_action, club_id=club.pk, action_id=line.pk) == "changed_since"
        assert count_all_rows() == before

    @pytest.mark.long
    def test_undo_is_rolled_back_if_a_person_was_changed(self) -> None:
        club, line = import_people_list()
        club.people.filter(pk=club.people.earliest("pk").pk).update(contact="by the door")
        before = list(club.people.order_by("pk").values())
        assert get_refusal_code(undo_club_action, club_id=club.pk, action_id=line.pk) == "changed_since"
        assert list(club.people.order_by("pk").values()) == before
        assert club.actions.get() == line

    @pytest.mark.long
    def test_cancelled_undo_restores_everyone(self) -> None:
        club, line = import_people_list()
        before = list(club.people.order_by("pk").values())
        job = undo_for_form(club_id=club.pk, action_id=line.pk)
        assert isinstance(job, Job)
        with pytest.raises(ProcessKilled):
            run_undo(str(line.pk), build_kill_progress(2))
        cancel_job(job.pk)
        run(UNDO_JOB)
        assert list(club.people.order_by("pk").values()) == before
        assert club.actions.get() == line

    @pytest.mark.long
    def test_cancelled_redo_removes_everyone_again(self) -> None:
        club, line = import_people_list()
        undone = undo_club_action(club_id=club.pk, action_id=line.pk)
        job = undo_for_form(club_id=club.pk, action_id=undone.pk)
        assert isinstance(job, Job)
        with pytest.raises(ProcessKilled):
            run_undo(str(undone.pk), build_kill_progress(2))
        assert club.people.exists()
        cancel_job(job.pk)
        run(UNDO_JOB)
        assert not club.people.exists()
        assert not club.families.exists()
        assert club.actions.latest("pk") == undone


@contextmanager
def record_writes() -> Iterator[list[str]]:
    """Record the statements of transactions that wrote while the block runs: other writers wait for these."""
    of_all: list[str] = []
    under_way: list[str] = []

    def end() -> None:
        if any(sql.startswith(("INSERT", "UPDATE", "DELETE")) for sql in under_way):
            of_all.extend(under_way)
        under_way.clear()

    def record_statement(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        result = execute(sql, params, many, context)
        if connection.in_atomic_block and not connection.needs_rollback:
            if not under_way:
                transaction.on_commit(end)
            under_way.append(sql)
        return result

    with connection.execute_wrapper(record_statement):
        yield of_all


def build_closed_round() -> Event:
    return build_played_night(pairs=8, draw_format="swiss")


def publish_final_standings(event: Event) -> None:
    publish_final(event_id=event.pk)


def publish_next_round(event: Event) -> None:
    publish_round(event_id=event.pk, number=draw_round(event_id=event.pk).number)


def list_first_sides(event: Event, number: int) -> list[int]:
    """Return the number of the first entry on side A of each table of a round."""
    numbers = dict(event.entries.values_list("pk", "number"))
    return [numbers[table.a[0]] for table in lineup_of(event.rounds.get(number=number)).tables]


def swap_in_draft(event: Event) -> None:
    draw_round(event_id=event.pk)
    one, other, *_ = list_first_sides(event, 2)
    swap_entries(event_id=event.pk, number=2, one=one, other=other)


@pytest.mark.long
@pytest.mark.parametrize(
    "act", [publish_final_standings, publish_next_round, swap_in_draft], ids=lambda act: act.__name__
)
def test_derived_results_are_computed_outside_the_transaction(act: Callable[[Event], None]) -> None:
    event = build_closed_round()
    with record_writes() as statements:
        act(event)
    assert statements
    assert not [sql for sql in statements if sql.startswith("SELECT") and '"tournaments_seating"' in sql]


def run_concurrently(table: str, *actions: Callable[[], object]) -> Any:
    """Run the next action in another thread after each SELECT from ``table`` while the block runs."""
    left = list(actions)

    def look(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        result = execute(sql, params, many, context)
        if left and sql.startswith("SELECT") and f'"{table}"' in sql:
            run_in_thread(left.pop(0))
        return result

    return connection.execute_wrapper(look)


def run_in_thread(action: Callable[[], object]) -> None:
    def run_action() -> None:
        try:
            action()
        finally:
            connections.close_all()

    other = threading.Thread(target=run_action)
    other.start()
    other.join(timeout=20)


class TestOptimisticWrites:
    @pytest.mark.long
    def test_draw_notices_a_concurrent_withdrawal(self) -> None:
        event = build_closed_round()
        with run_concurrently("tournaments_seating", lambda: withdraw_entry(event_id=event.pk, number=3)):
            drawn = draw_round(event_id=event.pk)
        left = event.entries.get(number=3)
        assert left.leaves_after == 1
        assert left.pk not in lineup_of(drawn).entries
        assert event.actions.filter(kind="draw_round").count() == 2

    @pytest.mark.long
    def test_repeatedly_disturbed_draw_takes_the_lock(self) -> None:
        event = build_closed_round()
        going = [partial(withdraw_entry, event_id=event.pk, number=2 + place) for place in range(MAX_ATTEMPTS)]
        with run_concurrently("tournaments_seating", *going), record_writes() as statements:
            drawn = draw_round(event_id=event.pk)
        assert lineup_of(drawn).entries == {entry.pk for entry in event.entries.exclude(leaves_after=1)}
        assert any(sql.startswith("SELECT") and '"tournaments_seating"' in sql for sql in statements)

    def test_permanently_outdated_result_is_refused(self) -> None:
        event = build_closed_round()

        def write(_: object) -> None:
            raise OutdatedResult

        assert get_refusal_code(write_optimistically, event.pk, lambda event: event, write) == "changed_since"

    @pytest.mark.long
    def test_concurrent_swaps_in_a_draft_are_both_applied(self) -> None:
        event = build_closed_round()
        draw_round(event_id=event.pk)
        one, two, three, four = list_first_sides(event, 2)
        swap = partial(swap_entries, event_id=event.pk, number=2)
        with run_concurrently("tournaments_seating", partial(swap, one=three, other=four)):
            swap(one=one, other=two)
        assert list_first_sides(event, 2) == [two, one, four, three]

    @pytest.mark.long
    def test_draw_is_refused_if_a_result_is_lost_meanwhile(self) -> None:
        event = build_closed_round()
        call = partial(call_desk, match_id=matches_of(event)[0].pk)
        with run_concurrently("tournaments_seating", call):
            assert get_refusal_code(draw_round, event_id=event.pk) == "tables_undecided"
        assert not event.rounds.filter(number=2).exists()

    @pytest.mark.long
    def test_final_standings_include_a_concurrent_correction(self) -> None:
        event = build_closed_round()
        correct = partial(adjust_table, event_id=event.pk, number=1, table=1, games=(0, 1), points=(3, 77))
        with run_concurrently("tournaments_seating", correct):
            publish_final(event_id=event.pk)
        rows = event.published_standings.get().rows
        assert rows == compute_standings(event)
        assert 77 in {row["points_for"] for row in rows}

    @pytest.mark.long
    def test_concurrently_entered_pair_is_refused_in_a_list(self) -> None:
        event = build_event(pairs=4)
        add = partial(add_entry_list, event_id=event.pk, text="Zoé Zed / Yves Yale")
        with run_concurrently("clubs_person", add):
            assert get_refusal_code(add) == "list_refused"
        assert event.entries.count() == 5

    @pytest.mark.long
    def test_list_matches_a_concurrently_added_person(self) -> None:
        event = build_event(pairs=4)
        come = partial(find_or_add_people, club=event.club, full_names=["Zoé Zed"])
        with run_concurrently("clubs_person", come):
            add_entry_list(event_id=event.pk, text="Zoé Zed / Yves Yale")
        assert event.club.people.filter(name="Zoé Zed").count() == 1

    @pytest.mark.long
    def test_person_declared_new_ignores_a_concurrent_namesake(self) -> None:
        event = build_event(pairs=4)
        come = partial(find_or_add_people, club=event.club, full_names=["Zoé Zed", "Yves Yale"])
        with run_concurrently("clubs_person", come):
            add_entry_list(event_id=event.pk, text="Zoé Zed / Yves Yale", identities={"zoe zed": None})
        assert event.club.people.filter(name="Zoé Zed").count() == 2
        assert event.club.people.filter(name="Yves Yale").count() == 1


def import_people_list(names: list[str] = FEW) -> tuple[Club, ClubAction]:
    club = build_club()
    families = ["Roy", "Dubé"]
    lines = [f"{name};{families[place % 2]}" for place, name in enumerate(names)]
    import_people(club_id=club.pk, text="\n".join(["Nom;Famille", *lines]))
    return club, club.actions.get()


class TestNightImport:
    @pytest.mark.parametrize("place", [0, 1, 2, 4, 5, 9])
    @pytest.mark.long
    def test_interrupted_night_import_resumes_with_the_same_result(self, place: int) -> None:
        undisturbed = import_night(club=build_club("One"), name="Night", held_on=TUESDAY, files=RIGHT)
        club = build_club("Other")
        with pytest.raises(ProcessKilled):
            import_night(club=club, name="Night", held_on=TUESDAY, files=RIGHT, progress=build_kill_progress(place))
        assert not club.events.filter(is_put_away=False).exists()
        event = import_night(club=club, name="Night", held_on=TUESDAY, files=RIGHT)
        assert club.events.count() == 1
        assert get_event_state(event) == get_event_state(undisturbed)

    @pytest.mark.long
    def test_worker_resumes_an_interrupted_night_import(self) -> None:
        club, by = build_club(), Actor(key=uuid4())
        enqueue_night_import(club, by)
        with pytest.raises(ProcessKilled):
            run_night_import(str(by.key), build_kill_progress(5))
        Job.objects.all().delete()
        sweep()
        assert not Job.objects.exists()
        LongWrite.objects.update(touched_at="2020-01-01T00:00Z")
        sweep()
        run("bring_in_night")
        assert club.events.get().state == "running"
        assert not LongWrite.objects.exists()

    @pytest.mark.long
    def test_abandoned_import_command_is_rolled_back(self) -> None:
        club = build_club()
        before = count_all_rows()
        with pytest.raises(ProcessKilled):
            import_night(club=club, name="Night", held_on=TUESDAY, files=RIGHT, progress=build_kill_progress(9))
        sweep()
        assert not Job.objects.exists()
        LongWrite.objects.update(touched_at="2020-01-01T00:00Z")
        sweep()
        run(UNDO_JOB)
        assert count_all_rows() == before
        import_night(club=club, name="Night", held_on=TUESDAY, files=RIGHT)
        assert club.events.get().state == "running"

    def test_import_interrupted_by_a_backup_is_rolled_back_on_restore(self, tmp_path: Path) -> None:
        club = build_club()
        before = count_all_rows()
        with pytest.raises(ProcessKilled):
            import_night(club=club, name="Night", held_on=TUESDAY, files=RIGHT, progress=build_kill_progress(9))
        came = club.people.count()
        create_backup(tmp_path / "saved.zip")
        call_command("flush", interactive=False)
        restore(tmp_path / "saved.zip")
        assert count_all_rows() == before | {"clubs.Person": came}

    def test_resent_import_form_makes_one_event(self) -> None:
        club, by = build_club(), Actor(key=uuid4())
        enqueue_night_import(club, by)
        run(IMPORT_NIGHT)
        event = club.events.get()
        assert start_night_import(club=club, name="Night", held_on=TUESDAY, files=RIGHT, by=by) == event

    @pytest.mark.long
    def test_invalid_night_is_refused_before_any_write(self) -> None:
        before = count_all_rows()
        club = build_club()
        assert (
            get_refusal_code(start_night_import, club=club, name="Night", held_on=TUESDAY, files={}) == "night_refused"
        )
        club.delete()
        assert count_all_rows() == before

    @pytest.mark.long
    @pytest.mark.parametrize("place", [1, 2, 5, 9])
    def test_cancelled_night_import_is_rolled_back_and_can_restart(self, place: int) -> None:
        club, by = build_club(), Actor(key=uuid4())
        (person,) = find_or_add_people(club=club, full_names=["Anne Albert"])
        before = count_all_rows()
        job = enqueue_night_import(club, by)
        with pytest.raises(ProcessKilled):
            run_night_import(str(by.key), build_kill_progress(place))
        assert count_all_rows() != before
        cancel_job(job.pk)
        run(UNDO_JOB)
        assert count_all_rows() == before
        assert club.people.get() == person
        enqueue_night_import(club, by)
        run(IMPORT_NIGHT)
        assert club.events.get().state == "running"

    def test_cancelled_import_requested_again_resumes(self) -> None:
        club, by = build_club(), Actor(key=uuid4())
        job = enqueue_night_import(club, by)
        with pytest.raises(ProcessKilled):
            run_night_import(str(by.key), build_kill_progress(5))
        cancel_job(job.pk)
        enqueue_night_import(club, by)
        run(UNDO_JOB)
        run(IMPORT_NIGHT)
        assert club.events.get().state == "running"
        assert Mark.objects.count() == len(RIGHT["hands.csv"].splitlines()) - 1

    @pytest.mark.long
    def test_hands_are_recorded_between_import_steps(self) -> None:
        match = build_match()
        marked: list[int] = []

        def mark_in_thread(done: int, of: int) -> None:
            """Mark a hand over another connection, and wait for it."""

            def mark_hand() -> None:
                try:
                    mark(match, "misdeal")
                    marked.append(done)
                finally:
                    connections.close_all()

            phone = threading.Thread(target=mark_hand)
            phone.start()
            phone.join(timeout=10)

        import_night(club=build_club(), name="Night", held_on=TUESDAY, files=RIGHT, progress=mark_in_thread)
        assert len(marked) >= 2
        assert match.marks.count() == len(marked)


class TestHandSheetPacing:
    @pytest.mark.long
    def test_hand_sheet_pauses_after_each_table(self) -> None:
        event = build_running_night(pairs=8)
        lines = [f"1,{table},1,{hand},A,6,7,6" for table in (1, 2, 3, 4) for hand in (1, 2)]
        text = "\n".join(["Round,Table,Game,Hand,Side,Contract,Tricks,Counted", *lines])
        with record_turns() as taken:
            record_hand_sheet(event_id=event.pk, text=text, file="hands.csv")
        assert len(taken) == 4
        for (begun, ended), (next_begun, _) in pairwise(taken):
            assert next_begun - ended >= ended - begun


class TestEventFileImport:
    @pytest.mark.long
    @pytest.mark.parametrize("place", [1, 3, 6, 7])
    def test_interrupted_event_import_resumes_with_the_same_result(self, place: int) -> None:
        content = build_played_file()
        club = build_club()
        with pytest.raises(ProcessKilled):
            bring_in_event(club=club, content=content, progress=build_kill_progress(place))
        assert not club.events.filter(is_put_away=False).exists()
        event = bring_in_event(club=club, content=content)
        assert club.events.get() == event
        assert club.people.count() == len(content["people"])
        assert build_event_file(event)["sum"] == content["sum"]

    def test_import_refused_at_the_end_leaves_nothing(self) -> None:
        content = build_played_file()
        club = build_club()
        before = count_all_rows()
        content["rounds"][0]["tables"][0]["number"] = content["rounds"][0]["tables"][1]["number"]
        assert get_refusal_code(bring_in_event, club=club, content=content) == "event_file_unsound"
        assert count_all_rows() == before


class TestPeopleImport:
    @pytest.mark.long
    def test_interrupted_people_import_adds_everyone_once(self) -> None:
        club, by = build_club(), Actor(key=uuid4())
        text = "\n".join(SOME)
        count = len(text.splitlines())
        add_later(club, text, by)
        with pytest.raises(ProcessKilled):
            run_people_import(str(by.key), build_kill_progress(1))
        assert 0 < club.people.count() < count
        run(IMPORT)
        assert club.people.count() == count
        line = club.actions.get()
        assert line.details["count"] == count
        undo_club_action(club_id=club.pk, action_id=line.pk)
        assert not club.people.exists()

    @pytest.mark.long
    def test_cancelled_people_import_keeps_those_who_played(self) -> None:
        club, by = build_club(), Actor(key=uuid4())
        job = add_later(club, "\n".join(SOME), by)
        with pytest.raises(ProcessKilled):
            run_people_import(str(by.key), build_kill_progress(1))
        played = Person.objects.latest("pk")
        night = build_running_night()
        night.entries.update(player_1=played)
        cancel_job(job.pk)
        run(UNDO_JOB)
        assert club.people.get() == played
        assert not club.actions.exists()


def get_event_state(event: Event) -> Any:
    """Return the event's state, results, history and people, without times and keys."""
    matches = [match.summary for match in matches_of(event)]
    actions = list(event.actions.order_by("pk").values_list("kind", flat=True))
    people = sorted(event.club.people.values_list("name", flat=True))
    return event.state, list_standings(event), matches, actions, people


def list_standings(event: Event) -> list[Any]:
    return [{key: row[key] for key in ("rank", "match_wins")} for row in get_standings_rows(event)]


def build_played_file() -> Any:
    event = build_running_night()
    for match in matches_of(event):
        win(match)
    return json.loads(json.dumps(build_event_file(event)))


def enqueue_night_import(club: Club, by: Actor) -> Job:
    """Start a night import that is large enough to run in the background."""
    made = start_night_import(club=club, name="Night", held_on=TUESDAY, files=RIGHT, by=by)
    assert isinstance(made, Job)
    return made


def add_later(club: Club, text: str, by: Actor) -> Job:
    made = start_people_import(club_id=club.pk, text=text, by=by)
    assert isinstance(made, Job)
    return made


@pytest.fixture(autouse=True)
def by_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run every import and undo in the background, as if it were large."""
    monkeypatch.setattr("tournaments.imports.services.night_import.LARGE", 1)
    monkeypatch.setattr("clubs.services.people_import.LARGE", 1)
    monkeypatch.setattr("clubs.services.undo.LARGE", 1)


def run(kind: str) -> None:
    job = Job.objects.filter(kind=kind, status=Status.QUEUED).latest("pk")
    run_job(job.pk)
    job.refresh_from_db()
    assert (job.status, job.error) == (Status.DONE, "")
