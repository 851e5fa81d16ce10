"""An event as one file: everything in it can be computed again, and what was changed is found."""

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
from engine.draws.lineups import lineup_of as lineup_of_draw
from engine.draws.lineups import lineup_to_json
from engine.presets import PRESETS
from engine.ranking import Average, Bye, RankingRules
from engine.results import best_first, draw_by, draw_input_of, played_of, snapshot_from_json
from engine.standings import standings_to_json
from errors import Refusal
from operations.data_dir import PROJECT
from rules import Side
from scoring.services import dispute, settle_call
from tests.builders import a_running_night, an_account, code_of, mark, matches_of, play_round, refusal_of
from tests.long import often
from tests.support.directors import Director, an_eventful_tournament
from tests.support.event_files import (
    Path,
    a_tournament,
    another,
    assert_the_same,
    count_standings,
    differences,
    file_of,
    leaves,
    of_preset,
    play_to_the_end,
    value_at,
    with_value,
)
from tests.support.forgers import Forger
from tournaments.entries.services.entry_actions import describe_entry
from tournaments.event_files import (
    Content,
    Difference,
    read_event_file,
    serialize_event_file,
    verify,
    with_sums,
)
from tournaments.event_files.form import MARK, VERSION
from tournaments.event_files.queries import event_file_of
from tournaments.event_files.verifying.results import snapshot_of_file, tables_of_round
from tournaments.events.event_settings import event_settings_from_json
from tournaments.history.services.undo import undo_action
from tournaments.models import Event
from tournaments.rounds.queries.seatings import lineup_of
from tournaments.rounds.services.rounds import close_round, draw_round, publish_round, unpublish_round
from tournaments.rounds.services.tables import forfeit_table, swap_entries
from wording.labels.event_files import describe_difference
from wording.sentences import SENTENCES

pytestmark = pytest.mark.django_db

TAMPERINGS = often(50, long=1000)


NIGHTLY = pytest.mark.long("the next test plays these formats through all that happens")
EVENTFUL = {"swiss", "swiss_final", "progressive", "swiss_individual", "rotation"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "key", [pytest.param(key, marks=NIGHTLY) if key in EVENTFUL else key for key in PRESETS]
)
def test_of_every_kind_played_to_its_end_is_proved_and_brought_in_as_it_is(key: str) -> None:
    event = of_preset(key)
    rounds = play_to_the_end(event)
    content = file_of(event)
    assert differences(content) == []
    report = verify(content)
    assert report.notes == []
    assert report.counts["draws"] == rounds > 3
    assert_the_same(content)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(often(1, long=10)))
@pytest.mark.parametrize(
    "stages",
    ["random", "swiss_individual", "progressive", "pools", "swiss, knockout", "swiss, swiss"],
)
def test_of_one_in_which_everything_happened_is_proved_and_brought_in_as_it_is(
    stages: str, seed: int
) -> None:
    """Swaps, held tables, rulings, corrections found late, rivals, withdrawals, rounds taken back, matches
    set aside, undone undos."""
    content = file_of(an_eventful_tournament(seed, stages=stages))
    assert differences(content) == []
    assert verify(content).counts["draws"] == len(content["rounds"])
    assert_the_same(content)


UNUSUAL_WORTHS = (
    RankingRules(bye=Bye.DRAW, forfeit=Bye.NOTHING, late=Bye.WIN),
    RankingRules(bye=Bye.NOTHING, forfeit=Bye.DRAW, absent=Bye.DRAW, bye_points=12, absent_points=7),
    RankingRules(bye_points=Average.OWN, forfeit=Bye.DRAW, forfeit_points=Average.WINNERS),
)


def test_what_is_set_aside_is_proved_too_and_what_was_changed_there_is_found_at_its_table() -> None:
    event = a_running_night()
    mark(matches_of(event)[1], "A 6 made")
    unpublish_round(event_id=event.pk, number=1)
    content = file_of(event)
    assert len(content["set_aside"]) == 1
    assert verify(content).counts["hands"] == 1
    assert differences(content) == []
    tampered = with_sums(with_value(content, ("set_aside", 0, "match", "is_over"), True))
    where = (("round", 1), ("table", 2), ("aside", 1))
    assert [found.where for found in verify(tampered).differences] == [where]


@pytest.mark.slow
def test_all_that_is_said_of_an_entry_comes_with_it() -> None:
    event = a_tournament(4, stages=[{"format": "swiss", "rounds": 3}])
    said: dict[str, Any] = {
        "team": "Matane",
        "family": "Roy",
        "car": "Gaspé",
        "labels": "Juniors, Women",
        "side": Side.B,
    }
    describe_entry(event_id=event.pk, number=1, rating=900, **said)
    entry = assert_the_same(file_of(event)).entries.get(number=1)
    assert {name: getattr(entry, name) for name in said} == said


@pytest.mark.postgresql("a row that was written over comes last where nobody asks for an order")
def test_the_calls_of_a_table_are_told_in_the_order_in_which_it_called() -> None:
    """The row of the first is written over when the second is there."""
    event, account = a_running_night(), an_account()
    match = matches_of(event)[0]
    for note in ("Who dealt?", "Who won?"):
        dispute(match_id=match.pk, note=note)
        settle_call(match_id=match.pk, account=account, ruling="As marked.")
    match.disputes.filter(note="Who dealt?").update(settled_at=timezone.now())
    (told,) = (table["match"] for table in file_of(event)["rounds"][0]["tables"] if table["number"] == 1)
    assert [call["note"] for call in told["calls"]] == ["Who dealt?", "Who won?"]


@pytest.mark.slow
@pytest.mark.parametrize("rules", UNUSUAL_WORTHS)
def test_whatever_a_bye_a_forfeit_and_a_missed_round_are_worth_it_is_proved(rules: RankingRules) -> None:
    """They are what the draw groups by, and what the standings count."""
    event = an_eventful_tournament(5, rules=rules)
    content = file_of(event)
    kinds = {bye["entry"] for each in content["rounds"] for bye in each["byes"]}
    assert kinds, "somebody sat out"
    assert differences(content) == []
    assert_the_same(content)


@pytest.mark.slow
def test_a_bye_worth_something_else_than_the_event_says_is_found() -> None:
    event = a_tournament(9, stages=[{"format": "swiss", "rounds": 3}])
    play_to_the_end(event)
    content = file_of(event)
    assert any(bye for each in content["rounds"] for bye in each["byes"])
    content["event"]["settings"]["ranking"]["bye"] = "nothing"
    assert differences(with_sums(content)) != []


@pytest.fixture(scope="module")
def content(django_db_setup: None, django_db_blocker: pytest.FixtureRequest) -> Content:
    """A Swiss tournament of three rounds, played by a director without troubles."""
    from django.db import transaction

    with django_db_blocker.unblock(), transaction.atomic():  # type: ignore[attr-defined]
        event = a_tournament(stages=[{"format": "swiss"}])
        director = Director(event, 1)
        for _ in range(8):
            director.end_of_round()
        found = file_of(event)
        transaction.set_rollback(True)
    return found


class TestATampering:
    @pytest.mark.slow
    def test_is_found_wherever_it_is(self, content: Content) -> None:
        chance = Random(2026)
        paths = [path for path in leaves(content) if path != (MARK,)]  # in an older form it says the same
        for _ in range(TAMPERINGS):
            path = chance.choice(paths)
            tampered = with_value(content, path, another(value_at(content, path), chance))
            assert is_found(tampered), path

    @pytest.mark.slow
    def test_is_found_by_computing_where_the_sums_were_put_right(self, content: Content) -> None:
        deeds = set()
        for seed in range(TAMPERINGS):
            deed, forged = Forger(content, seed).forged()
            deeds.add(deed)
            found = verify(read_event_file(serialize_event_file(forged))).differences
            assert sentences_of(found), (deed, seed)
            assert "sum_is_other" not in {each.code for each in found}
        assert len(deeds) > 20

    @pytest.mark.parametrize(
        ("path", "value", "code"),
        [
            (("event", "settings", "stages"), [{"format": "whist"}], "settings_unsound"),
            (("rounds", 1, "number"), 3, "round_out_of_order"),
        ],
    )
    def test_that_leaves_nothing_to_compute_from_is_told_last(
        self, content: Content, path: tuple[Any, ...], value: Any, code: str
    ) -> None:
        found = verify(with_sums(with_value(content, path, value))).differences
        assert found[-1].code == code

    def test_that_keeps_apart_somebody_who_is_not_there_is_told(self, content: Content) -> None:
        apart = [{"entries": [1, 99], "always": True, "rounds": None}]
        found = verify(with_sums(with_value(content, ("event", "kept_apart"), apart))).differences
        assert ("no_such_entry_here", {"entry": 99}) in [(each.code, each.details) for each in found]

    @pytest.mark.slow
    def test_of_whatever_kind_is_told_and_never_raises(self, content: Content) -> None:
        """Values of the wrong kind, parts left out, lists in the place of objects: with sums that are right,
        wherever there is something to sum."""
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
        paths = list(leaves(content["rounds"]))
        for _ in range(TAMPERINGS):
            path = chance.choice(paths)
            short = ("rounds", *path[: chance.randint(2, len(path))])
            tampered = with_value(content, short, chance.choice(odd))
            is_found(with_sums(tampered))


def is_found(tampered: Content) -> bool:
    """Whether the file is refused, or a reader is told what is not right in it."""
    try:
        return bool(sentences_of(verify(read_event_file(json.dumps(tampered).encode())).differences))
    except Refusal:
        return True


def sentences_of(found: Iterable[Difference]) -> list[str]:
    """Return what a reader is told of these; each has a sentence."""
    return [describe_difference(each, SENTENCES) for each in found]


def test_the_same_event_is_the_same_bytes(content: Content) -> None:
    again = read_event_file(serialize_event_file(content))
    assert again == content
    assert serialize_event_file(again) == serialize_event_file(content)


FIRST_MARK = ("rounds", 0, "tables", 0, "match", "marks", 0)


class TestReading:
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
            (b'{"charlemagne_event": 15}', "event_file_version"),
            (b'{"charlemagne_event": 1}', "event_file_part_missing"),
            (b'{"charlemagne_event": 1.5}', "part_not_whole"),
            (b'{"charlemagne_event": NaN}', "part_not_whole"),
            (b'{"charlemagne_event": 1, "charlemagne_event": 1}', "part_twice"),
        ],
    )
    def test_of_what_is_no_such_file_says_so(self, file: bytes, code: str) -> None:
        assert code_of(read_event_file, file) == code

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
    def test_says_which_part_is_wrong(
        self, content: Content, path: Path, value: object, code: str, part: str
    ) -> None:
        refusal = refusal_of(read_event_file, serialize_event_file(with_value(content, path, value)))
        assert (refusal.code, refusal.details["part"]) == (code, part)

    def test_says_where_a_value_without_a_form_goes_too_deep(self, content: Content) -> None:
        deep: Any = "here"
        for _ in range(30):
            deep = [deep]
        path = ("event", "settings", "ranking", "order")
        refusal = refusal_of(read_event_file, serialize_event_file(with_value(content, path, deep)))
        assert (refusal.code, refusal.details["part"][:28]) == ("part_wrong", "event.settings.ranking.order")

    def test_of_a_file_that_was_cut_short_says_so(self, content: Content) -> None:
        whole = serialize_event_file(content)
        for end in (1, len(whole) // 3, len(whole) // 2, len(whole) - 3):
            assert code_of(read_event_file, whole[:end]) == "event_file_broken"

    def test_takes_what_a_phone_sent_late(self, content: Content) -> None:
        """Only then the file says for how long it waited there."""
        late = with_value(content, (*FIRST_MARK, "waited"), 90)
        assert value_at(read_event_file(serialize_event_file(late)), (*FIRST_MARK, "waited")) == 90

    def test_refuses_half_a_letter(self, content: Content) -> None:
        broken = serialize_event_file(content).replace(b"Tournoi d'automne", b"\\ud83d")
        assert code_of(read_event_file, broken) == "not_an_event_file"


@pytest.mark.slow
def test_a_draw_that_was_undone_brings_back_what_the_one_before_was_drawn_from() -> None:
    event = a_tournament(stages=[{"format": "swiss"}])
    first = draw_round(event_id=event.pk, seed=1).drawn_from or {}
    second = draw_round(event_id=event.pk, seed=2).drawn_from or {}
    assert (first["seed"], second["seed"]) == (1, 2)
    undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
    assert event.rounds.get().drawn_from == first
    assert differences(file_of(event)) == []


@pytest.mark.slow
def test_what_was_corrected_after_the_draw_is_a_note() -> None:
    event = a_tournament(stages=[{"format": "swiss"}])
    Director(event, 1).work(0)
    for _ in range(3):
        Director(event, 1).end_of_round()
    forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.A)
    forfeit_table(event_id=event.pk, number=1, table=2, winner=Side.B)
    report = verify(file_of(event))
    assert not report.differences
    assert {note.code for note in report.notes} == {"corrected_since"}


@pytest.mark.slow
def test_standings_that_the_worker_has_not_counted_yet_are_counted_for_the_file() -> None:
    event = a_tournament(stages=[{"format": "swiss"}])
    Director(event, 1).work(20)
    counted_now = event_file_of(Event.objects.select_related("club", "terms").get(pk=event.pk))
    assert counted_now["place"]["counted_at"] is None
    assert differences(read_event_file(serialize_event_file(counted_now))) == []
    assert counted_now["standings"]["rows"] == file_of(event)["standings"]["rows"]


def test_a_round_that_was_not_drawn_here_is_a_note() -> None:
    event = a_tournament(4, stages=[{"format": "swiss"}])
    draw_round(event_id=event.pk, seed=1)
    event.rounds.update(drawn_from=None)
    assert [note.code for note in verify(file_of(event)).notes] == ["source_not_kept"]


@pytest.mark.slow
def test_a_draft_of_an_older_version_is_drawn_again_as_it_was_then() -> None:
    event = a_tournament(9, stages=[{"format": "swiss"}])
    for number in (1, 2):
        draw_round(event_id=event.pk, seed=number)
        publish_round(event_id=event.pk, number=number)
        play_round(event, number)
    draw_round(event_id=event.pk, seed=3)
    content = file_of(event)
    draft = content["rounds"][-1]
    source = draft["draw"]["drawn_from"]
    assert source.pop("draw_version") == DRAW_VERSION
    known = snapshot_from_json(source, {})
    then = draw_by(known, draw_input_of(known, seed=3, order=source["order"]))
    assert then.certificate is not None
    lineup = lineup_to_json(lineup_of_draw(then))
    draft["draw"] |= {"price": dict(then.price), "certificate": certificate_to_json(then.certificate)}
    draft["tables"] = [
        table | {"reasons": [{"code": "score_group"}], "ruling": None, "match": None}
        for table in lineup["tables"]
    ]
    draft["byes"] = [
        bye | {"reasons": [{"code": "lowest_score", "scores": [2, 0]}]} for bye in lineup["byes"]
    ]
    report = verify(with_sums(content))
    assert (report.differences, [note.code for note in report.notes]) == ([], ["reasons_of_then"])
    assert (report.counts["draws"], report.counts["proofs"]) == (3, 3)


def test_the_draft_of_a_swap_is_told_as_the_directors() -> None:
    event = a_tournament(8, stages=[{"format": "swiss"}])
    drawn = draw_round(event_id=event.pk, seed=1)
    one, other = (lineup_of(drawn).tables[place].a[0] for place in (0, 1))
    numbers = dict(event.entries.values_list("pk", "number"))
    account = an_account("Ghislaine")
    swap_entries(
        event_id=event.pk, number=1, one=numbers[one], other=numbers[other], by=Actor(account=account)
    )
    content = file_of(event)
    (deed,) = content["rounds"][0]["by_hand"]
    assert (deed["kind"], deed["by"], len(deed["tables"])) == ("swap_entries", "Ghislaine", 2)
    assert differences(content) == []


@pytest.mark.slow
def test_reading_an_event_costs_as_many_queries_however_large_it_is() -> None:
    found = []
    for entries in (5, 12):
        event = a_tournament(entries, stages=[{"format": "swiss"}])
        Director(event, 1).work(25)
        count_standings(event)
        known = Event.objects.select_related("club", "terms").get(pk=event.pk)
        with CaptureQueriesContext(connection) as queries:
            event_file_of(known)
        found.append(len(queries))
    assert found[0] == found[1] <= 15


POOLS_OF_TWO = {frozenset({1, 4}): 1, frozenset({1, 5}): 5, frozenset({4, 8}): 8, frozenset({5, 8}): 8}
"""Of pool A who wins otherwise than by number: 8 and 1 are level with two, and 3 of pool B as well."""


@pytest.mark.slow
def test_pools_that_an_older_version_ranked_are_proved_as_they_were_then() -> None:
    """Head to head said nothing in a pool once somebody of another one was level."""
    event = a_tournament(8, stages=[{"format": "pools", "settings": {"pools": 2}}])
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
    content = file_of(event)
    assert differences(content) == []
    settings = event_settings_from_json(content["event"]["settings"])
    sat = [each for drawn in content["rounds"] for each in tables_of_round(drawn, {})]
    of_then = snapshot_of_file(content, settings, sat, version=3)
    rows = standings_to_json(of_then, (), by_hand=set())["rows"]
    assert [row["rank"] for row in rows] != [row["rank"] for row in content["standings"]["rows"]]
    for drawn in content["rounds"]:
        drawn["draw"]["drawn_from"]["draw_version"] = 3
        earlier = of_then.until(drawn["number"] - 1)
        order = best_first(earlier, played_of(earlier), seed=drawn["draw"]["seed"])
        drawn["draw"]["order"] = drawn["draw"]["drawn_from"]["order"] = list(order)
    assert differences(with_sums(content)) == []
    content["standings"]["rows"] = rows
    assert differences(with_sums(content)) == []


def test_the_page_of_the_form_tells_its_version() -> None:
    page = (PROJECT / "docs" / "api" / "event-files.md").read_text(encoding="utf-8")
    assert f"the version of this form, {VERSION}; 1 to {VERSION - 1} are still read" in page
