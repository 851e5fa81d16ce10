"""Entries kept apart in the draws of an event: by a list, by what they share, and proved in its file."""

from typing import Any
from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Family
from engine.draws.bonds import ALWAYS, IF_POSSIBLE
from engine.results import snapshot_from_json
from rules import Side
from tests.builders import an_event, code_of, refusal_of
from tests.support.event_files import a_tournament, assert_the_same, differences, file_of, play_to_the_end
from tournaments.entries.queries.entries import entry_sheet
from tournaments.entries.services.bonds import keep_apart, let_meet
from tournaments.entries.services.entries import remove_entry
from tournaments.entries.services.entry_actions import describe_entry
from tournaments.entries.services.entry_import import add_entry_sheet
from tournaments.entries.services.starting_list import order_entries
from tournaments.event_files import verify
from tournaments.events.services.lifecycle import start_event
from tournaments.history.services.undo import undo_action
from tournaments.models import Action, Event
from tournaments.rounds.queries.event_snapshot import event_snapshot
from tournaments.rounds.queries.seatings import lineup_of
from tournaments.rounds.services.rounds import draw_round, publish_round

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("whoever is there several times is there once")]


def numbers_apart(event: Event) -> list[tuple[list[int], bool, int | None]]:
    numbers = dict(event.entries.values_list("pk", "number"))
    kept = Event.objects.get(pk=event.pk).kept_apart
    return [(sorted(numbers[pk] for pk in one["entries"]), one["always"], one["rounds"]) for one in kept]


def pairs_of(event: Event) -> set[tuple[int, ...]]:
    return {tuple(numbers) for numbers, _, _ in numbers_apart(event)}


def met_in(event: Event, number: int = 1) -> set[frozenset[int]]:
    drawn = event.rounds.get(number=number)
    numbers = dict(event.entries.values_list("pk", "number"))
    return {frozenset(numbers[entry] for entry in (*t.a, *t.b)) for t in lineup_of(drawn).tables}


class TestAList:
    def test_names_entries_by_their_people_or_numbers_a_line_for_each_group(self) -> None:
        event = an_event(6)
        first = [str(entry.player_1) for entry in event.entries.order_by("number")]
        keep_apart(event_id=event.pk, text=f"{first[0]} - {first[1]}\n\n3; no 5, {first[5]}", always=True)
        assert numbers_apart(event) == [([1, 2], True, None), ([3, 5, 6], True, None)]

    def test_takes_both_names_of_a_pair_as_one_entry(self) -> None:
        event = an_event(4)
        one, other = event.entries.order_by("number")[:2]
        keep_apart(event_id=event.pk, text=f"{one} ; {other}", always=False, rounds=2)
        assert numbers_apart(event) == [([1, 2], False, 2)]

    def test_says_anew_of_those_who_were_kept_apart_already(self) -> None:
        event = an_event(4)
        keep_apart(event_id=event.pk, text="1, 2", always=True)
        keep_apart(event_id=event.pk, text="2, 1", always=False, rounds=3)
        assert numbers_apart(event) == [([1, 2], False, 3)]

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("Nobody Here, 2", "nobody_of_that_name"),
            ("Agathe-Agathe, Bruno-Agathe", "one_entry_alone"),
            ("Albert, 1", "several_of_that_name"),
            ("99, 1", "nobody_of_that_name"),
        ],
    )
    def test_with_a_bad_line_is_refused_whole_and_the_line_is_said(self, text: str, code: str) -> None:
        event = an_event(4)
        refusal = refusal_of(keep_apart, event_id=event.pk, text=f"3, 4\n{text}", always=True)
        assert refusal.code == "list_refused"
        assert [(one.code, one.details["line"]) for one in refusal.details["refusals"]] == [(code, 2)]
        assert numbers_apart(event) == []

    @pytest.mark.parametrize(
        ("said", "code"), [({"text": " \n"}, "apart_empty"), ({"rounds": 0}, "round_out_of_range")]
    )
    def test_has_somebody_and_rounds_that_there_can_be(self, said: dict[str, Any], code: str) -> None:
        usual: dict[str, Any] = {"text": "1, 2", "always": True}
        assert code_of(keep_apart, event_id=an_event(4).pk, **usual | said) == code

    def test_that_is_sent_twice_counts_once(self, by_key: Actor) -> None:
        event = an_event(4)
        for _ in range(2):
            keep_apart(event_id=event.pk, text="1, 2", always=True, by=by_key)
        assert Action.objects.filter(kind="keep_apart").count() == 1


@pytest.fixture
def by_key() -> Actor:
    from uuid import uuid4

    return Actor(key=uuid4())


def test_they_may_meet_again_and_an_undo_keeps_them_apart_once_more() -> None:
    event = an_event(4)
    (kept,) = keep_apart(event_id=event.pk, text="1, 2", always=True)
    for _ in range(2):
        let_meet(event_id=event.pk, key=kept.key)
    assert numbers_apart(event) == []
    undo_action(event_id=event.pk, action_id=Action.objects.get(kind="let_meet").pk)
    assert numbers_apart(event) == [([1, 2], True, None)]


def test_who_is_taken_off_the_list_is_kept_from_nobody_and_another_order_changes_nothing() -> None:
    event = an_event(6)
    names = [str(entry) for entry in event.entries.order_by("number")]
    keep_apart(event_id=event.pk, text="1, 2\n3, 4", always=True)
    order_entries(event_id=event.pk, way="lot")
    number = event.entries.get(player_1__name=names[0].split(" / ")[0]).number
    remove_entry(event_id=event.pk, number=number)
    event.refresh_from_db()
    bonds = [bond for entrant in event_snapshot(event).entrants for bond in entrant.bonds]
    assert len(bonds) == 2
    assert file_of(event)["event"]["kept_apart"] == [
        {
            "entries": sorted(entry.number for entry in event.entries.all() if str(entry) in names[2:4]),
            "always": True,
            "rounds": None,
        }
    ]


def test_in_the_draw_they_do_not_meet() -> None:
    event = start_event(event_id=an_event(4).pk)
    keep_apart(event_id=event.pk, text="1, 2\n3, 4\n1, 3", always=True)
    draw_round(event_id=event.pk, seed=1)
    assert met_in(event) == {frozenset((1, 4)), frozenset((2, 3))}


def test_once_a_bracket_has_begun_nobody_can_be_kept_apart_any_more() -> None:
    event = an_event(4, draw_format="knockout")
    (kept,) = keep_apart(event_id=event.pk, text="1, 4", always=True)
    start_event(event_id=event.pk)
    draw_round(event_id=event.pk, seed=1)
    let_meet(event_id=event.pk, key=kept.key)
    publish_round(event_id=event.pk, number=1, as_drawn=True)
    assert code_of(keep_apart, event_id=event.pk, text="1, 4", always=True) == "bracket_is_drawn"


class TestWhatEntriesShare:
    def bonds(self, event: Event) -> dict[int, set[tuple[str, str]]]:
        return {e.number: {(b.kind, b.name) for b in e.bonds} for e in event_snapshot(event).entrants}

    def test_is_noted_with_each_however_it_is_written(self) -> None:
        event = an_event(4)
        describe_entry(event_id=event.pk, number=1, family="Roy, Dubé", car="Matane 2", side=Side.B)
        describe_entry(event_id=event.pk, number=2, family="dube", car="MATANE-2")
        bonds = self.bonds(event)
        assert bonds[1] & bonds[2] == {("family", "dube"), ("carpool", "matane 2")}
        assert event_snapshot(event).entrants[0].side is Side.B

    def test_is_a_club_however_it_is_written(self) -> None:
        event = an_event(4)
        for number, team in enumerate(("Sainte-Luce", "SAINTE LUCE", "sainte\u2011luce ", ""), start=1):
            describe_entry(event_id=event.pk, number=number, team=team)
        bonds = self.bonds(event)
        assert bonds[1] == bonds[2] == bonds[3] == {("club", "Sainte-Luce")}
        assert bonds[4] == set()

    def test_in_a_file_is_spelled_as_it_was_first_and_the_preview_says_so(self) -> None:
        event = an_event(2, tables=4)
        describe_entry(event_id=event.pk, number=1, team="Matane", labels="Aînés, B")
        text = (
            "Joueur 1;Joueur 2;Club;Voiture;Catégorie\n"
            'A. Roy;B. Roy;matane;Auto-1;"b, aines"\n'
            "C. Cyr;D. Cyr;MATANE ;auto 1;C\n"
        )
        listed = entry_sheet(event, text, file="liste.csv")
        assert [(one.team, one.car, one.labels) for one in listed.entries] == [
            ("Matane", "Auto-1", "B, Aînés"),
            ("Matane", "Auto-1", "C"),
        ]
        assert listed.merged == (
            *(("matane", "Matane"), ("MATANE", "Matane")),
            *(("auto 1", "Auto-1"), ("b", "B"), ("aines", "Aînés")),
        )

    def test_is_of_the_families_of_the_club_too(self) -> None:
        event = an_event(4)
        family = Family.objects.create(club=event.club, name="Roy")
        for entry in event.entries.filter(number__in=(1, 3)):
            partner = entry.players[1]
            partner.family = family
            partner.save()
        bonds = self.bonds(event)
        assert bonds[1] == bonds[3] == {("family", f"#{family.pk}")}
        assert bonds[2] == bonds[4] == set()

    def test_stands_in_columns_of_a_file(self) -> None:
        event = an_event(0, tables=4)
        text = "Joueur 1;Joueur 2;Famille;Voiture;Side\nA. Roy;B. Roy;Roy;1;orange\nC. Cyr;D. Roy;roy;;\n"
        one, other = add_entry_sheet(event_id=event.pk, text=text, file="liste.csv").entries
        assert (one.family, one.car, one.side, other.side) == ("Roy", "1", Side.B, None)
        assert self.bonds(event)[1] & self.bonds(event)[2] == {("family", "roy")}

    def test_names_in_a_file_whom_an_entry_never_meets(self) -> None:
        event = an_event(2, tables=4)
        text = (
            "Joueur 1;Joueur 2;Ne pas rencontrer\n"
            "Jeannine Roy;Marcel Dubé;Anne Cyr, no. 1\n"
            "Anne Cyr;Luc Roy;\n"
            "Rita Cyr;Guy Hudon;3 et Luc Roy\n"
        )
        entries = add_entry_sheet(event_id=event.pk, text=text, file="liste.csv").entries
        assert [entry.number for entry in entries] == [3, 4, 5]
        assert pairs_of(event) == {(3, 4), (1, 3), (3, 5), (4, 5)}
        assert all(always for _, always, _ in numbers_apart(event))

    def test_names_lines_by_their_place_in_the_file_though_one_is_held_back(self) -> None:
        event = an_event(0, tables=4)
        text = "Player 1,Player 2,Keep apart from\nA. Roy,,\nB. Roy,C. Roy,3\nD. Cyr,E. Cyr,\n"
        added = add_entry_sheet(event_id=event.pk, text=text, file="a.csv")
        assert added.held_back == {2}
        assert pairs_of(event) == {(1, 2)}

    def test_says_of_its_line_alone_whom_nobody_knows(self) -> None:
        event = an_event(0, tables=4)
        text = (
            "Player 1,Player 2,Keep apart from\n"
            'Jean Roy,Luc Dubé,"Nobody Known, Ida Cyr"\n'
            "Ida Cyr,Jean Roux,Jean\n"
            "Eva Hudon,Guy Hudon,Guy\n"
        )
        listed = entry_sheet(event, text, file="a.csv")
        assert listed.refusals == ()
        assert [(one.code, one.details["line"], one.details["text"]) for one in listed.doubts] == [
            ("nobody_of_that_name", 2, "Nobody Known"),
            ("several_of_that_name", 3, "Jean"),
            ("apart_from_itself", 4, "Guy"),
        ]
        assert {one.details["heading"] for one in listed.doubts} == {"Keep apart from"}
        assert len(add_entry_sheet(event_id=event.pk, text=text, file="a.csv").entries) == 3
        assert pairs_of(event) == {(1, 2)}

    def test_by_a_file_is_a_line_of_the_history_and_sent_twice_is_one(self) -> None:
        event = an_event(0, tables=4)
        by = Actor(key=uuid4())
        text = "Player 1,Player 2,Keep apart from\nA. Roy,B. Roy,2\nC. Cyr,D. Cyr,\n"
        for _ in range(2):
            add_entry_sheet(event_id=event.pk, text=text, file="a.csv", by=by)
        assert [action.kind for action in event.actions.order_by("pk")][-2:] == ["add_entries", "keep_apart"]
        undo_action(event_id=event.pk, action_id=event.actions.get(kind="keep_apart").pk)
        assert pairs_of(event) == set()

    def test_on_a_side_that_there_is_not_is_refused(self) -> None:
        text = "player_1,player_2,side\nA. Roy,B. Roy,north\n"
        refusal = refusal_of(add_entry_sheet, event_id=an_event(0).pk, text=text, file="a.csv")
        assert [one.code for one in refusal.details["refusals"]] == ["no_such_colour"]


class TestItsFile:
    def event(self) -> Event:
        event = a_tournament(9, stages=[{"format": "swiss", "rounds": 4}])
        keep_apart(event_id=event.pk, text="1, 2, 5", always=True)
        keep_apart(event_id=event.pk, text="3, 4", always=False, rounds=2)
        describe_entry(event_id=event.pk, number=6, family="Roy", car="2", side=Side.A)
        describe_entry(event_id=event.pk, number=7, family="Roy")
        return Event.objects.get(pk=event.pk)

    @pytest.mark.long("test_event_files.py proves and imports such a file")
    def test_proves_each_draw_and_is_brought_in_as_it_is(self) -> None:
        event = self.event()
        play_to_the_end(event)
        content = file_of(event)
        assert differences(content) == []
        assert verify(content).notes == []
        assert_the_same(content)

    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_says_of_each_round_who_was_kept_apart_and_not_what_they_share(self) -> None:
        event = self.event()
        draw_round(event_id=event.pk, seed=1)
        source = file_of(event)["rounds"][0]["draw"]["drawn_from"]
        assert source["apart"] == [
            ["apart", [1, 2, 5], None],
            ["family", [6, 7], None],
            [IF_POSSIBLE, [3, 4], 2],
        ]
        known = snapshot_from_json(source, {})
        bonds = {entrant.number: entrant.bonds for entrant in known.entrants}
        assert {bond.kind for bond in bonds[1] & bonds[2] & bonds[5]} - {"club"} == {ALWAYS}

    def test_tells_of_a_round_that_was_drawn_otherwise(self) -> None:
        event = start_event(event_id=an_event(4).pk)
        keep_apart(event_id=event.pk, text="1, 2\n3, 4\n1, 3", always=True)
        draw_round(event_id=event.pk, seed=1)
        content = file_of(Event.objects.get(pk=event.pk))
        content["rounds"][0]["draw"]["drawn_from"]["apart"][0][1] = [1, 4]
        assert differences(content) != []
