"""Long writes go in pieces: none of them holds the hall, nothing half is seen, and nothing is done twice."""

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
from clubs.services import bring_in_people, find_or_add_people, import_people, undo_club_action, undo_for_form
from clubs.services.people_import import IMPORT, import_asked_people, imports_topic
from clubs.services.undo import UNDO, undo_asked_action
from jobs.models import Course, Job, Status
from jobs.services import TAKE_BACK, cancel_job, run_job, sweep
from operations.backup import back_up, restore
from scoring.models import Mark
from scoring.services import dispute
from tests.builders import (
    TUESDAY,
    a_club,
    a_match,
    a_played_night,
    a_running_night,
    an_event,
    code_of,
    mark,
    matches_of,
    standings_after,
    win,
)
from tournaments.entries.services.entry_actions import withdraw_entry
from tournaments.entries.services.entry_import import add_entry_list
from tournaments.entries.services.merging import merge_people
from tournaments.event_files.queries import event_file_of
from tournaments.events.services.lifecycle import create_event, start_event
from tournaments.history.services.optimistic import TRIES, Outdated, write_optimistically
from tournaments.history.services.undo import undo_action
from tournaments.imports.recorded_nights import recorded_nights
from tournaments.imports.services.event_import import bring_in_event
from tournaments.imports.services.hand_import import record_hand_sheet
from tournaments.imports.services.night_import import (
    BRING_IN_NIGHT,
    bring_in_asked_night,
    bring_in_night,
    import_night,
)
from tournaments.models import Event
from tournaments.privacy.services.erasure import anonymize_people
from tournaments.publishing.services.publishing import publish_final
from tournaments.rounds.queries.seatings import lineup_of
from tournaments.rounds.services.rounds import draw_round, publish_round, unpublish_round
from tournaments.rounds.services.tables import adjust_table, swap_entries
from tournaments.standings.queries.standings import standings_of
from tournaments.standings.services import refresh_standings

from .night_sheets import RIGHT

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("others write between the pieces"),
    pytest.mark.slow,
]

MOST_STATEMENTS, MOST_ROWS = 80, 600
"""Of one transaction: some 50 ms on a small machine."""
NIGHT = recorded_nights()["bas-saint-laurent-8-tables"]
LETTERS = "abcdefghij"
MANY = [f"{a}{b}{c}anne Roy" for a in "bcdfghjklmnp" for b in LETTERS for c in LETTERS]
"""Names: more than go in two pieces of a list that is brought in."""
SOME, FEW = MANY[:600], MANY[:250]
"""More than go in one of those, and in two pieces of one that is taken back."""


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
                under_way[0]["rows"] += len(params) if many else sql.count("), (") + 1
            elif sql.startswith(("UPDATE", "DELETE")):
                under_way[0]["rows"] += max(0, context["cursor"].rowcount)
        return result

    with connection.execute_wrapper(count):
        yield committed


@contextmanager
def turns() -> Iterator[list[tuple[float, float]]]:
    """Of each transaction that marked hands, when it began and when it had ended."""
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


def everything() -> dict[str, int]:
    """Return how many rows there are of each kind, but for the work itself."""
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


def people_taken_back() -> None:
    club, line = an_added_list(MANY)
    undone = undo_club_action(club_id=club.pk, action_id=line.pk)
    undo_club_action(club_id=club.pk, action_id=undone.pk)


@pytest.mark.parametrize(
    "write",
    [a_night, a_file, many_people, people_taken_back, many_entries, a_merge, forgetting],
    ids=lambda write: write.__name__,
)
def test_no_transaction_holds_the_writer_for_more_than_a_moment(write: Callable[[], None]) -> None:
    with counted() as transactions:
        write()
    assert max(each["statements"] for each in transactions) <= MOST_STATEMENTS
    assert max(each["rows"] for each in transactions) <= MOST_ROWS


def statements_of_a_round(pairs: int) -> list[int]:
    """Of publishing its draft, of taking that back, and of publishing it once more."""
    event = start_event(event_id=an_event(pairs, club=a_club(f"Club of {pairs}")).pk)
    draw_round(event_id=event.pk, seed=1)
    with counted() as transactions:
        for write in (publish_round, unpublish_round, publish_round):
            write(event_id=event.pk, number=1)
    return [each["statements"] for each in transactions]


def test_a_large_round_is_published_and_taken_back_in_as_many_statements_as_a_small_one() -> None:
    assert statements_of_a_round(80) == statements_of_a_round(8)


def statements_of_a_list(pairs: int) -> list[int]:
    """Of taking back a list of entries, and of undoing that."""
    event = an_event(pairs=4, club=a_club(f"Club of {pairs}"))
    names = zip(MANY[: 2 * pairs : 2], MANY[1 : 2 * pairs : 2], strict=True)
    add_entry_list(event_id=event.pk, text="\n".join(f"{one} / {other}" for one, other in names))
    with counted() as transactions:
        for _ in range(2):
            undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
    return [each["statements"] for each in transactions]


def test_a_long_list_of_entries_is_taken_back_in_as_many_statements_as_a_short_one() -> None:
    assert statements_of_a_list(40) == statements_of_a_list(4)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has many writers")
def test_whoever_holds_the_writer_for_long_is_named_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    event = a_running_night()
    monkeypatch.setattr("config.sqlite.holds.LONG", 0.0)
    refresh_standings(event_id=event.pk)
    assert "tournaments.standings.services._keep held the writer for" in caplog.text


class TestTakingAListOfPeopleBack:
    def test_is_a_job_that_one_can_watch(self) -> None:
        club, line = an_added_list()
        job = undo_for_form(club_id=club.pk, action_id=line.pk)
        assert isinstance(job, Job)
        assert job.topic == imports_topic(club)
        run(UNDO)
        assert not club.people.exists()
        assert not Course.objects.exists()

    @pytest.mark.parametrize("place", [1, 2])
    def test_killed_in_the_middle_goes_on_and_has_one_line_which_can_be_taken_back_as_well(
        self, place: int
    ) -> None:
        club, line = an_added_list()
        before = list(club.people.order_by("pk").values())
        families = list(club.families.values())
        undo_for_form(club_id=club.pk, action_id=line.pk)
        with pytest.raises(Killed):
            undo_asked_action(str(line.pk), killed_at(place))
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

    def test_is_refused_before_anybody_goes_if_somebody_has_played_since(self) -> None:
        club, line = an_added_list()
        a_running_night().entries.update(player_1=Person.objects.filter(club=club).latest("pk"))
        before = everything()
        assert code_of(undo_club_action, club_id=club.pk, action_id=line.pk) == "changed_since"
        assert everything() == before

    def test_brings_everybody_back_if_somebody_was_changed_since(self) -> None:
        club, line = an_added_list()
        club.people.filter(pk=club.people.earliest("pk").pk).update(contact="by the door")
        before = list(club.people.order_by("pk").values())
        assert code_of(undo_club_action, club_id=club.pk, action_id=line.pk) == "changed_since"
        assert list(club.people.order_by("pk").values()) == before
        assert club.actions.get() == line

    def test_stopped_brings_everybody_back(self) -> None:
        club, line = an_added_list()
        before = list(club.people.order_by("pk").values())
        job = undo_for_form(club_id=club.pk, action_id=line.pk)
        assert isinstance(job, Job)
        with pytest.raises(Killed):
            undo_asked_action(str(line.pk), killed_at(2))
        cancel_job(job.pk)
        run(TAKE_BACK)
        assert list(club.people.order_by("pk").values()) == before
        assert club.actions.get() == line

    def test_and_undoing_that_stopped_leaves_nobody_nor_their_families(self) -> None:
        club, line = an_added_list()
        undone = undo_club_action(club_id=club.pk, action_id=line.pk)
        job = undo_for_form(club_id=club.pk, action_id=undone.pk)
        assert isinstance(job, Job)
        with pytest.raises(Killed):
            undo_asked_action(str(undone.pk), killed_at(2))
        assert club.people.exists()
        cancel_job(job.pk)
        run(TAKE_BACK)
        assert not club.people.exists()
        assert not club.families.exists()
        assert club.actions.latest("pk") == undone


@contextmanager
def writing() -> Iterator[list[str]]:
    """The statements of transactions that wrote: the hall waits for these."""
    of_all: list[str] = []
    under_way: list[str] = []

    def end() -> None:
        if any(sql.startswith(("INSERT", "UPDATE", "DELETE")) for sql in under_way):
            of_all.extend(under_way)
        under_way.clear()

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        result = execute(sql, params, many, context)
        if connection.in_atomic_block and not connection.needs_rollback:
            if not under_way:
                transaction.on_commit(end)
            under_way.append(sql)
        return result

    with connection.execute_wrapper(note):
        yield of_all


def a_closed_round() -> Event:
    return a_played_night(pairs=8, draw_format="swiss")


def final_standings(event: Event) -> None:
    publish_final(event_id=event.pk)


def the_next_round(event: Event) -> None:
    publish_round(event_id=event.pk, number=draw_round(event_id=event.pk).number)


def first_sides(event: Event, number: int) -> list[int]:
    """The numbers of those on side A of a round, table by table."""
    numbers = dict(event.entries.values_list("pk", "number"))
    return [numbers[table.a[0]] for table in lineup_of(event.rounds.get(number=number)).tables]


def a_swap_in_a_draft(event: Event) -> None:
    draw_round(event_id=event.pk)
    one, other, *_ = first_sides(event, 2)
    swap_entries(event_id=event.pk, number=2, one=one, other=other)


@pytest.mark.parametrize(
    "act", [final_standings, the_next_round, a_swap_in_a_draft], ids=lambda act: act.__name__
)
def test_what_follows_from_all_results_is_worked_out_beside_the_hall(act: Callable[[Event], None]) -> None:
    event = a_closed_round()
    with writing() as statements:
        act(event)
    assert statements
    assert not [sql for sql in statements if sql.startswith("SELECT") and '"tournaments_seating"' in sql]


def meanwhile(table: str, *deeds: Callable[[], object]) -> Any:
    """Somebody else does the first of these just after the first look at the rows of that table, the next
    after the next look, and so on."""
    left = list(deeds)

    def look(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        result = execute(sql, params, many, context)
        if left and sql.startswith("SELECT") and f'"{table}"' in sql:
            beside(left.pop(0))
        return result

    return connection.execute_wrapper(look)


def beside(deed: Callable[[], object]) -> None:
    def go() -> None:
        try:
            deed()
        finally:
            connections.close_all()

    other = threading.Thread(target=go)
    other.start()
    other.join(timeout=20)


class TestWorkedOutBeside:
    def test_a_draw_knows_who_withdrew_while_it_was_drawn(self) -> None:
        event = a_closed_round()
        with meanwhile("tournaments_seating", lambda: withdraw_entry(event_id=event.pk, number=3)):
            drawn = draw_round(event_id=event.pk)
        left = event.entries.get(number=3)
        assert left.leaves_after == 1
        assert left.pk not in lineup_of(drawn).entries
        assert event.actions.filter(kind="draw_round").count() == 2

    def test_a_draw_that_others_disturb_again_and_again_is_made_while_they_wait(self) -> None:
        event = a_closed_round()
        going = [partial(withdraw_entry, event_id=event.pk, number=2 + place) for place in range(TRIES)]
        with meanwhile("tournaments_seating", *going), writing() as statements:
            drawn = draw_round(event_id=event.pk)
        assert lineup_of(drawn).entries == {entry.pk for entry in event.entries.exclude(leaves_after=1)}
        assert any(sql.startswith("SELECT") and '"tournaments_seating"' in sql for sql in statements)

    def test_what_stays_outdated_is_refused_and_not_tried_for_ever(self) -> None:
        event = a_closed_round()

        def write(_: object) -> None:
            raise Outdated

        assert code_of(write_optimistically, event.pk, lambda event: event, write) == "changed_since"

    def test_a_swap_in_a_draft_leaves_what_somebody_else_swapped_while_it_was_priced(self) -> None:
        event = a_closed_round()
        draw_round(event_id=event.pk)
        one, two, three, four = first_sides(event, 2)
        swap = partial(swap_entries, event_id=event.pk, number=2)
        with meanwhile("tournaments_seating", partial(swap, one=three, other=four)):
            swap(one=one, other=two)
        assert first_sides(event, 2) == [two, one, four, three]

    def test_nothing_is_drawn_of_a_round_that_lost_a_result_while_it_was_drawn(self) -> None:
        event = a_closed_round()
        call = partial(dispute, match_id=matches_of(event)[0].pk)
        with meanwhile("tournaments_seating", call):
            assert code_of(draw_round, event_id=event.pk) == "tables_undecided"
        assert not event.rounds.filter(number=2).exists()

    def test_final_standings_have_what_was_corrected_while_they_were_worked_out(self) -> None:
        event = a_closed_round()
        correct = partial(adjust_table, event_id=event.pk, number=1, table=1, games=(0, 1), points=(3, 77))
        with meanwhile("tournaments_seating", correct):
            publish_final(event_id=event.pk)
        rows = event.published_standings.get().rows
        assert rows == standings_after(event)
        assert 77 in {row["points_for"] for row in rows}

    def test_a_list_is_refused_whom_somebody_else_entered_while_it_was_read(self) -> None:
        event = an_event(pairs=4)
        add = partial(add_entry_list, event_id=event.pk, text="Zoé Zed / Yves Yale")
        with meanwhile("clubs_person", add):
            assert code_of(add) == "list_refused"
        assert event.entries.count() == 5

    def test_a_list_finds_who_came_to_the_club_while_it_was_read(self) -> None:
        event = an_event(pairs=4)
        come = partial(find_or_add_people, club=event.club, full_names=["Zoé Zed"])
        with meanwhile("clubs_person", come):
            add_entry_list(event_id=event.pk, text="Zoé Zed / Yves Yale")
        assert event.club.people.filter(name="Zoé Zed").count() == 1

    def test_a_list_has_somebody_new_where_it_says_so_whoever_came_while_it_was_read(self) -> None:
        event = an_event(pairs=4)
        come = partial(find_or_add_people, club=event.club, full_names=["Zoé Zed", "Yves Yale"])
        with meanwhile("clubs_person", come):
            add_entry_list(event_id=event.pk, text="Zoé Zed / Yves Yale", identities={"zoe zed": None})
        assert event.club.people.filter(name="Zoé Zed").count() == 2
        assert event.club.people.filter(name="Yves Yale").count() == 1


def an_added_list(names: list[str] = FEW) -> tuple[Club, ClubAction]:
    club = a_club()
    families = ["Roy", "Dubé"]
    lines = [f"{name};{families[place % 2]}" for place, name in enumerate(names)]
    import_people(club_id=club.pk, text="\n".join(["Nom;Famille", *lines]))
    return club, club.actions.get()


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
        club, by = a_club(), Actor(key=uuid4())
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

    def test_by_a_command_that_was_killed_and_is_not_run_again_is_taken_back(self) -> None:
        club = a_club()
        before = everything()
        with pytest.raises(Killed):
            import_night(club=club, name="Night", held_on=TUESDAY, files=RIGHT, progress=killed_at(9))
        sweep()
        assert not Job.objects.exists()
        Course.objects.update(touched_at="2020-01-01T00:00Z")
        sweep()
        run(TAKE_BACK)
        assert everything() == before
        import_night(club=club, name="Night", held_on=TUESDAY, files=RIGHT)
        assert club.events.get().state == "running"

    def test_while_a_backup_is_made_is_taken_back_where_that_is_restored(self, tmp_path: Path) -> None:
        club = a_club()
        before = everything()
        with pytest.raises(Killed):
            import_night(club=club, name="Night", held_on=TUESDAY, files=RIGHT, progress=killed_at(9))
        came = club.people.count()
        back_up(tmp_path / "saved.zip")
        call_command("flush", interactive=False)
        restore(tmp_path / "saved.zip")
        assert everything() == before | {"clubs.Person": came}

    def test_twice_by_the_same_form_is_one_event(self) -> None:
        club, by = a_club(), Actor(key=uuid4())
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
        club, by = a_club(), Actor(key=uuid4())
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
        club, by = a_club(), Actor(key=uuid4())
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


class TestASheetOfHands:
    def test_leaves_the_tables_as_long_a_turn_after_each_table_as_it_took(self) -> None:
        event = a_running_night(pairs=8)
        lines = [f"1,{table},1,{hand},A,6,7,6" for table in (1, 2, 3, 4) for hand in (1, 2)]
        text = "\n".join(["Round,Table,Game,Hand,Side,Contract,Tricks,Counted", *lines])
        with turns() as taken:
            record_hand_sheet(event_id=event.pk, text=text, file="hands.csv")
        assert len(taken) == 4
        for (begun, ended), (next_begun, _) in pairwise(taken):
            assert next_begun - ended >= ended - begun


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
        club, by = a_club(), Actor(key=uuid4())
        text = "\n".join(SOME)
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
        club, by = a_club(), Actor(key=uuid4())
        job = add_later(club, "\n".join(SOME), by)
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
    """Return what an event is, but for when it was written and by which keys."""
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


def asked(club: Club, by: Actor) -> Job:
    """A night that is large enough for the worker."""
    made = bring_in_night(club=club, name="Night", held_on=TUESDAY, files=RIGHT, by=by)
    assert isinstance(made, Job)
    return made


def add_later(club: Club, text: str, by: Actor) -> Job:
    made = bring_in_people(club_id=club.pk, text=text, by=by)
    assert isinstance(made, Job)
    return made


@pytest.fixture(autouse=True)
def by_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Import everything in the background, as if it were large."""
    monkeypatch.setattr("tournaments.imports.services.night_import.LARGE", 1)
    monkeypatch.setattr("clubs.services.people_import.LARGE", 1)
    monkeypatch.setattr("clubs.services.undo.LARGE", 1)


def run(kind: str) -> None:
    job = Job.objects.filter(kind=kind, status=Status.QUEUED).latest("pk")
    run_job(job.pk)
    job.refresh_from_db()
    assert (job.status, job.error) == (Status.DONE, "")
