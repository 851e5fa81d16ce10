"""Event files: everything in the file can be recomputed, and any change to it is detected."""

import json
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.audit.log import Actor
from engine.draws import VERSION as DRAW_VERSION
from engine.draws import certificate_to_json
from engine.draws.lineups import build_lineup as lineup_of_draw
from engine.draws.lineups import lineup_to_json
from engine.presets import PRESETS
from engine.ranking import Average, Bye, RankingRules
from engine.results import build_draw_input, build_played_input, draw_next_round, order_entries, snapshot_from_json
from engine.standings import standings_to_json
from errors import Refusal
from operations.data_dir import PROJECT
from rules import Side
from scoring.services.agreement import call_desk, settle_call
from tests.builders import (
    build_account,
    build_running_night,
    get_refusal,
    get_refusal_code,
    mark,
    matches_of,
    play_round,
)
from tests.long_runs import choose_count
from tests.support.directors import Director, build_eventful_tournament
from tests.support.event_files import (
    Path,
    assert_round_trip,
    build_preset_tournament,
    build_tournament,
    choose_other_value,
    export_event,
    get_value,
    iter_leaf_paths,
    list_differences,
    play_all_rounds,
    replace_value,
    update_standings,
)
from tests.support.forgers import Forger
from tournaments.entries.services.entry_actions import describe_entry
from tournaments.event_files.labels import describe_difference
from tournaments.event_files.parsing import read_event_file
from tournaments.event_files.queries import build_event_file
from tournaments.event_files.schema import FORMAT_KEY, VERSION, Content
from tournaments.event_files.verifying import Difference, verify_event_file
from tournaments.event_files.verifying.results import build_file_snapshot, list_played_tables
from tournaments.event_files.writer import add_checksums, serialize_event_file
from tournaments.events.event_settings import event_settings_from_json
from tournaments.history.services.undo import undo_action
from tournaments.models import Event
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.services.rounds import close_round, draw_round, publish_round, unpublish_round
from tournaments.rounds.services.tables import forfeit_table, swap_entries
from wording.sentences import SENTENCES

pytestmark = pytest.mark.django_db

TAMPERINGS = choose_count(50, long=1000)


NIGHTLY = pytest.mark.long("the next test plays these formats")
EVENTFUL = {"swiss", "swiss_final", "progressive", "swiss_individual", "rotation"}


@pytest.mark.long
@pytest.mark.parametrize("key", [pytest.param(key, marks=NIGHTLY) if key in EVENTFUL else key for key in PRESETS])
def test_finished_event_file_verifies_and_imports_unchanged(key: str) -> None:
    event = build_preset_tournament(key)
    rounds = play_all_rounds(event)
    content = export_event(event)
    assert list_differences(content) == []
    report = verify_event_file(content)
    assert report.notes == []
    assert report.counts["draws"] == rounds > (0 if event.has_team_matches else 3)
    assert_round_trip(content)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(choose_count(1, long=10)))
@pytest.mark.parametrize(
    "stages",
    ["random", "swiss_individual", "progressive", "pools", "swiss, knockout", "swiss, swiss"],
)
def test_eventful_event_file_verifies_and_imports_unchanged(stages: str, seed: int) -> None:
    """Cover swaps, held tables, rulings, late corrections, conflicting marks, withdrawals, disqualifications,
    unpublished rounds and undone undos."""
    content = export_event(build_eventful_tournament(seed, stages=stages))
    assert list_differences(content) == []
    assert verify_event_file(content).counts["draws"] == len(content["rounds"])
    assert_round_trip(content)


UNUSUAL_WORTHS = (
    RankingRules(bye=Bye.DRAW, forfeit=Bye.NOTHING, late=Bye.WIN),
    RankingRules(bye=Bye.NOTHING, forfeit=Bye.DRAW, absent=Bye.DRAW, bye_points=12, absent_points=7),
    RankingRules(bye_points=Average.OWN, forfeit=Bye.DRAW, forfeit_points=Average.WINNERS),
)


@pytest.mark.slow
def test_tampering_with_a_set_aside_match_is_located() -> None:
    event = build_running_night()
    mark(matches_of(event)[1], "A 6 made")
    unpublish_round(event_id=event.pk, number=1)
    content = export_event(event)
    assert len(content["set_aside"]) == 1
    assert verify_event_file(content).counts["hands"] == 1
    assert list_differences(content) == []
    tampered = add_checksums(replace_value(content, ("set_aside", 0, "match", "is_over"), True))
    where = (("round", 1), ("table", 2), ("aside", 1))
    assert [found.location for found in verify_event_file(tampered).differences] == [where]


@pytest.mark.slow
def test_imported_entry_has_all_its_details() -> None:
    event = build_tournament(4, stages=[{"format": "swiss", "rounds": 3}])
    details: dict[str, Any] = {
        "team": "Matane",
        "family": "Roy",
        "car": "Gaspé",
        "labels": "Juniors, Women",
        "side": Side.B,
    }
    describe_entry(event_id=event.pk, number=1, rating=900, **details)
    entry = assert_round_trip(export_event(event)).entries.get(number=1)
    assert {name: getattr(entry, name) for name in details} == details


@pytest.mark.postgresql("order of updated rows without ORDER BY")
def test_table_calls_are_exported_in_order() -> None:
    """Update the first call after the second exists: without sorting, the database may return it last."""
    event, account = build_running_night(), build_account()
    match = matches_of(event)[0]
    for note in ("Who dealt?", "Who won?"):
        call_desk(match_id=match.pk, note=note)
        settle_call(match_id=match.pk, account=account, ruling="As marked.")
    match.disputes.filter(note="Who dealt?").update(settled_at=timezone.now())
    (match_data,) = (table["match"] for table in export_event(event)["rounds"][0]["tables"] if table["number"] == 1)
    assert [call["note"] for call in match_data["calls"]] == ["Who dealt?", "Who won?"]


@pytest.mark.slow
@pytest.mark.parametrize("rules", UNUSUAL_WORTHS)
def test_file_verifies_under_any_bye_and_forfeit_rules(rules: RankingRules) -> None:
    """These rules affect both the score groups of a draw and the standings."""
    event = build_eventful_tournament(5, rules=rules)
    content = export_event(event)
    kinds = {bye["entry"] for each in content["rounds"] for bye in each["byes"]}
    assert kinds, "somebody sat out"
    assert list_differences(content) == []
    assert_round_trip(content)


@pytest.mark.long
def test_altered_bye_value_is_detected() -> None:
    event = build_tournament(9, stages=[{"format": "swiss", "rounds": 3}])
    play_all_rounds(event)
    content = export_event(event)
    assert any(bye for each in content["rounds"] for bye in each["byes"])
    content["event"]["settings"]["ranking"]["bye"] = "nothing"
    assert list_differences(add_checksums(content)) != []


@pytest.fixture(scope="module")
def content(django_db_setup: None, django_db_blocker: pytest.FixtureRequest) -> Content:
    """A Swiss tournament of three rounds, played without incidents."""
    from django.db import transaction

    with django_db_blocker.unblock(), transaction.atomic():  # type: ignore[attr-defined]
        event = build_tournament(stages=[{"format": "swiss"}])
        director = Director(event, 1)
        for _ in range(8):
            director.advance_round()
        found = export_event(event)
        transaction.set_rollback(True)
    return found


class TestTamperedFile:
    @pytest.mark.slow
    def test_random_change_is_detected_anywhere(self, content: Content) -> None:
        chance = Random(2026)
        paths = [
            path for path in iter_leaf_paths(content) if path != (FORMAT_KEY,)
        ]  # the value may name an older format without changing the content
        for _ in range(TAMPERINGS):
            path = chance.choice(paths)
            tampered = replace_value(content, path, choose_other_value(get_value(content, path), chance))
            assert is_found(tampered), path

    @pytest.mark.long
    def test_forgery_with_correct_checksums_is_detected(self, content: Content) -> None:
        actions = set()
        for seed in range(TAMPERINGS):
            action, forged = Forger(content, seed).forge()
            actions.add(action)
            found = verify_event_file(read_event_file(serialize_event_file(forged))).differences
            assert list_sentences(found), (action, seed)
            assert "sum_is_other" not in {each.code for each in found}
        assert len(actions) > 20

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("path", "value", "code"),
        [
            (("event", "settings", "stages"), [{"format": "whist"}], "settings_unsound"),
            (("rounds", 1, "number"), 3, "round_out_of_order"),
        ],
    )
    def test_missing_basis_for_recomputation_is_reported_last(
        self, content: Content, path: tuple[Any, ...], value: Any, code: str
    ) -> None:
        found = verify_event_file(add_checksums(replace_value(content, path, value))).differences
        assert found[-1].code == code

    def test_unknown_entry_in_a_keep_apart_group_is_reported(self, content: Content) -> None:
        apart = [{"entries": [1, 99], "always": True, "rounds": None}]
        found = verify_event_file(add_checksums(replace_value(content, ("event", "kept_apart"), apart))).differences
        assert ("no_such_entry_here", {"entry": 99}) in [(each.code, each.details) for each in found]

    @pytest.mark.slow
    def test_values_of_the_wrong_type_never_raise(self, content: Content) -> None:
        """Try wrong types, missing parts and lists in place of objects, with correct checksums wherever possible."""
        chance = Random(7)
        odd: tuple[Any, ...] = (
            None,
            [],
            {},
            "",
            "1:W1-1",
            -1,
            0,
            10**12,
            [[]],
            {"code": "locked"},
            True,
            [2],
        )
        paths = list(iter_leaf_paths(content["rounds"]))
        for _ in range(TAMPERINGS):
            path = chance.choice(paths)
            short = ("rounds", *path[: chance.randint(2, len(path))])
            tampered = replace_value(content, short, chance.choice(odd))
            is_found(add_checksums(tampered))


def is_found(tampered: Content) -> bool:
    """Return whether the file is refused, or its verification reports a difference."""
    try:
        return bool(list_sentences(verify_event_file(read_event_file(json.dumps(tampered).encode())).differences))
    except Refusal:
        return True


def list_sentences(found: Iterable[Difference]) -> list[str]:
    """Return the reader's sentence for each difference."""
    return [describe_difference(each, SENTENCES) for each in found]


def test_file_serialization_is_deterministic(content: Content) -> None:
    again = read_event_file(serialize_event_file(content))
    assert again == content
    assert serialize_event_file(again) == serialize_event_file(content)


FIRST_MARK = ("rounds", 0, "tables", 0, "match", "marks", 0)


class TestReadEventFile:
    @pytest.mark.parametrize(
        ("file", "code"),
        [
            (b"", "not_an_event_file"),
            (b"PK\x03\x04", "not_an_event_file"),
            (b"\xff\xfe", "not_an_event_file"),
            (b"[]", "not_an_event_file"),
            (b'{"name": "Autumn"}', "not_an_event_file"),
            (b'{"charlemagne_event": true}', "not_an_event_file"),
            (b"[" * 100_000, "not_an_event_file"),
            (b'{"charlemagne_event":\n 1,', "event_file_broken"),
            (b'{"charlemagne_event": 16}', "event_file_version"),
            (b'{"charlemagne_event": 1}', "event_file_part_missing"),
            (b'{"charlemagne_event": 1.5}', "part_not_whole"),
            (b'{"charlemagne_event": NaN}', "part_not_whole"),
            (b'{"charlemagne_event": 1, "charlemagne_event": 1}', "part_twice"),
        ],
    )
    def test_unrelated_or_broken_file_is_refused(self, file: bytes, code: str) -> None:
        assert get_refusal_code(read_event_file, file) == code

    @pytest.mark.parametrize(
        ("path", "value", "code", "part"),
        [
            (("event", "lot"), "seven", "part_wrong", "event.lot"),
            (("rounds", 0, "tables", 1, "a"), 4, "part_wrong", "rounds.0.tables.1.a"),
            (("rounds", 0, "closed_at"), "yesterday", "part_wrong", "rounds.0.closed_at"),
            (("entries", 2, "shoe_size"), 42, "part_unknown", "entries.2.shoe_size"),
            (("rounds", 0, "draw", "drawn_from", "entrants"), [{}], "event_file_part_missing",
             "rounds.0.draw.drawn_from.entrants.0.number"),
        ],
    )  # fmt: skip
    def test_refusal_names_the_invalid_part(
        self, content: Content, path: Path, value: object, code: str, part: str
    ) -> None:
        refusal = get_refusal(read_event_file, serialize_event_file(replace_value(content, path, value)))
        assert (refusal.code, refusal.details["part"]) == (code, part)

    def test_deeply_nested_value_is_refused_at_its_part(self, content: Content) -> None:
        deep: Any = "here"
        for _ in range(30):
            deep = [deep]
        path = ("event", "settings", "ranking", "order")
        refusal = get_refusal(read_event_file, serialize_event_file(replace_value(content, path, deep)))
        assert (refusal.code, refusal.details["part"][:28]) == ("part_wrong", "event.settings.ranking.order")

    def test_truncated_file_is_refused(self, content: Content) -> None:
        whole = serialize_event_file(content)
        for end in (1, len(whole) // 3, len(whole) // 2, len(whole) - 3):
            assert get_refusal_code(read_event_file, whole[:end]) == "event_file_broken"

    def test_late_mark_is_accepted(self, content: Content) -> None:
        """A mark has ``waited``, in seconds, only if it arrived late."""
        late = replace_value(content, (*FIRST_MARK, "waited"), 90)
        assert get_value(read_event_file(serialize_event_file(late)), (*FIRST_MARK, "waited")) == 90

    def test_lone_surrogate_is_refused(self, content: Content) -> None:
        broken = serialize_event_file(content).replace(b"Tournoi d'automne", b"\\ud83d")
        assert get_refusal_code(read_event_file, broken) == "not_an_event_file"


@pytest.mark.slow
def test_undone_draw_restores_the_input_of_the_previous_draw() -> None:
    event = build_tournament(stages=[{"format": "swiss"}])
    first = draw_round(event_id=event.pk, seed=1).drawn_from or {}
    second = draw_round(event_id=event.pk, seed=2).drawn_from or {}
    assert (first["seed"], second["seed"]) == (1, 2)
    undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
    assert event.rounds.get().drawn_from == first
    assert list_differences(export_event(event)) == []


@pytest.mark.slow
def test_correction_after_a_draw_is_reported_as_a_note() -> None:
    event = build_tournament(stages=[{"format": "swiss"}])
    Director(event, 1).perform(0)
    for _ in range(3):
        Director(event, 1).advance_round()
    forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.A)
    forfeit_table(event_id=event.pk, number=1, table=2, winner=Side.B)
    report = verify_event_file(export_event(event))
    assert not report.differences
    assert {note.code for note in report.notes} == {"corrected_since"}


@pytest.mark.long
def test_pending_standings_are_computed_for_the_file() -> None:
    event = build_tournament(stages=[{"format": "swiss"}])
    Director(event, 1).perform(20)
    counted_now = build_event_file(Event.objects.select_related("club", "terms").get(pk=event.pk))
    assert counted_now["place"]["counted_at"] is None
    assert list_differences(read_event_file(serialize_event_file(counted_now))) == []
    assert counted_now["standings"]["rows"] == export_event(event)["standings"]["rows"]


@pytest.mark.long
def test_round_without_a_stored_draw_input_is_noted() -> None:
    event = build_tournament(4, stages=[{"format": "swiss"}])
    draw_round(event_id=event.pk, seed=1)
    event.rounds.update(drawn_from=None)
    assert [note.code for note in verify_event_file(export_event(event)).notes] == ["source_not_kept"]


@pytest.mark.slow
def test_draft_of_an_older_version_verifies() -> None:
    event = build_tournament(9, stages=[{"format": "swiss"}])
    for number in (1, 2):
        draw_round(event_id=event.pk, seed=number)
        publish_round(event_id=event.pk, number=number)
        play_round(event, number)
    draw_round(event_id=event.pk, seed=3)
    content = export_event(event)
    draft = content["rounds"][-1]
    source = draft["draw"]["drawn_from"]
    assert source.pop("draw_version") == DRAW_VERSION
    snapshot = snapshot_from_json(source, {})
    then = draw_next_round(snapshot, build_draw_input(snapshot, seed=3, order=source["order"]))
    assert then.certificate is not None
    lineup = lineup_to_json(lineup_of_draw(then))
    draft["draw"] |= {"price": dict(then.price), "certificate": certificate_to_json(then.certificate)}
    draft["tables"] = [
        table | {"reasons": [{"code": "score_group"}], "ruling": None, "match": None} for table in lineup["tables"]
    ]
    draft["byes"] = [bye | {"reasons": [{"code": "lowest_score", "scores": [2, 0]}]} for bye in lineup["byes"]]
    report = verify_event_file(add_checksums(content))
    assert (report.differences, [note.code for note in report.notes]) == ([], ["reasons_of_then"])
    assert (report.counts["draws"], report.counts["proofs"]) == (3, 3)


@pytest.mark.slow
def test_swapped_draft_is_attributed_to_its_director() -> None:
    event = build_tournament(8, stages=[{"format": "swiss"}])
    drawn = draw_round(event_id=event.pk, seed=1)
    one, other = (lineup_of(drawn).tables[place].a[0] for place in (0, 1))
    numbers = dict(event.entries.values_list("pk", "number"))
    account = build_account("Ghislaine")
    swap_entries(event_id=event.pk, number=1, one=numbers[one], other=numbers[other], by=Actor(account=account))
    content = export_event(event)
    (action,) = content["rounds"][0]["by_hand"]
    assert (action["kind"], action["by"], len(action["tables"])) == ("swap_entries", "Ghislaine", 2)
    assert list_differences(content) == []


@pytest.mark.long
def test_building_a_file_has_constant_query_count() -> None:
    found = []
    for entries in (5, 12):
        event = build_tournament(entries, stages=[{"format": "swiss"}])
        Director(event, 1).perform(25)
        update_standings(event)
        loaded_event = Event.objects.select_related("club", "terms").get(pk=event.pk)
        with CaptureQueriesContext(connection) as queries:
            build_event_file(loaded_event)
        found.append(len(queries))
    assert found[0] == found[1] <= 15


POOLS_OF_TWO = {frozenset({1, 4}): 1, frozenset({1, 5}): 5, frozenset({4, 8}): 8, frozenset({5, 8}): 8}
"""Winner of each of these matches in pool A; elsewhere the lower number wins.

Entries 1 and 8 end level with two wins, like entry 3 of pool B.
"""


@pytest.mark.slow
def test_pool_standings_of_an_older_version_verify() -> None:
    """An older version did not apply head to head in a pool when an entry of another pool was level."""
    event = build_tournament(8, stages=[{"format": "pools", "settings": {"pools": 2}}])
    event.ranking = {"order": ["match_wins", "head_to_head"]}
    event.save(update_fields=["ranking"])
    for number in (1, 2, 3):
        draw_round(event_id=event.pk, seed=number)
        publish_round(event_id=event.pk, number=number)
        for table in lineup_of(event.rounds.get(number=number)).tables:
            a, b = event.entries.get(pk=table.a[0]).number, event.entries.get(pk=table.b[0]).number
            winner = POOLS_OF_TWO.get(frozenset({a, b}), min(a, b))
            side = Side.A if winner == a else Side.B
            forfeit_table(event_id=event.pk, number=number, table=table.number, winner=side)
        close_round(event_id=event.pk, number=number)
    content = export_event(event)
    assert list_differences(content) == []
    settings = event_settings_from_json(content["event"]["settings"])
    sat = [each for drawn in content["rounds"] for each in list_played_tables(drawn, {})]
    of_then = build_file_snapshot(content, settings, sat, version=3)
    rows = standings_to_json(of_then, (), manual_slots=set())["rows"]
    assert [row["rank"] for row in rows] != [row["rank"] for row in content["standings"]["rows"]]
    for drawn in content["rounds"]:
        drawn["draw"]["drawn_from"]["draw_version"] = 3
        earlier = of_then.truncate(drawn["number"] - 1)
        order = order_entries(earlier, build_played_input(earlier), seed=drawn["draw"]["seed"])
        drawn["draw"]["order"] = drawn["draw"]["drawn_from"]["order"] = list(order)
    assert list_differences(add_checksums(content)) == []
    content["standings"]["rows"] = rows
    assert list_differences(add_checksums(content)) == []


def test_documentation_states_the_current_file_version() -> None:
    page = (PROJECT / "docs" / "api" / "event-files.md").read_text(encoding="utf-8")
    assert f"the version of this form, {VERSION}; 1 to {VERSION - 1} are still read" in page
