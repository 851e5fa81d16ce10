"""“Do not pair” rules of an event: by list or shared attribute, and verified in the event file."""

from typing import Any
from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Family
from engine.draws.bonds import ALWAYS, IF_POSSIBLE
from engine.results import snapshot_from_json
from rules import Side
from tests.builders import build_event, get_refusal, get_refusal_code
from tests.support.event_files import (
    assert_round_trip,
    build_tournament,
    export_event,
    list_differences,
    play_all_rounds,
)
from tournaments.entries.services.bonds import keep_apart, let_meet
from tournaments.entries.services.entries import remove_entry
from tournaments.entries.services.entry_actions import describe_entry
from tournaments.entries.services.starting_list import order_entries
from tournaments.event_files.verifying import verify_event_file
from tournaments.events.services.lifecycle import start_event
from tournaments.history.services.undo import undo_action
from tournaments.imports.queries.entry_sheets import entry_sheet
from tournaments.imports.services.entry_sheets import add_entry_sheet
from tournaments.models import Action, Event
from tournaments.rounds.queries.event_snapshot import read_event_snapshot
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.services.rounds import draw_round, publish_round

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("DISTINCT")]


def list_numbers_apart(event: Event) -> list[tuple[list[int], bool, int | None]]:
    numbers = dict(event.entries.values_list("pk", "number"))
    groups = Event.objects.get(pk=event.pk).kept_apart
    return [(sorted(numbers[pk] for pk in one["entries"]), one["always"], one["rounds"]) for one in groups]


def list_pairs_apart(event: Event) -> set[tuple[int, ...]]:
    return {tuple(numbers) for numbers, _, _ in list_numbers_apart(event)}


def list_meetings(event: Event, number: int = 1) -> set[frozenset[int]]:
    drawn = event.rounds.get(number=number)
    numbers = dict(event.entries.values_list("pk", "number"))
    return {frozenset(numbers[entry] for entry in (*t.a, *t.b)) for t in lineup_of(drawn).tables}


class TestKeepApartList:
    def test_list_accepts_names_and_numbers_per_group(self) -> None:
        event = build_event(6)
        first = [str(entry.player_1) for entry in event.entries.order_by("number")]
        keep_apart(event_id=event.pk, text=f"{first[0]} - {first[1]}\n\n3; no 5, {first[5]}", always=True)
        assert list_numbers_apart(event) == [([1, 2], True, None), ([3, 5, 6], True, None)]

    def test_pair_names_count_as_one_entry(self) -> None:
        event = build_event(4)
        one, other = event.entries.order_by("number")[:2]
        keep_apart(event_id=event.pk, text=f"{one} ; {other}", always=False, rounds=2)
        assert list_numbers_apart(event) == [([1, 2], False, 2)]

    def test_new_list_replaces_the_settings_of_the_same_group(self) -> None:
        event = build_event(4)
        keep_apart(event_id=event.pk, text="1, 2", always=True)
        keep_apart(event_id=event.pk, text="2, 1", always=False, rounds=3)
        assert list_numbers_apart(event) == [([1, 2], False, 3)]

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("Nobody Here, 2", "nobody_of_that_name"),
            ("Agathe-Agathe, Bruno-Agathe", "one_entry_alone"),
            ("Albert, 1", "several_of_that_name"),
            ("99, 1", "nobody_of_that_name"),
        ],
    )
    def test_bad_line_refuses_the_whole_list(self, text: str, code: str) -> None:
        event = build_event(4)
        refusal = get_refusal(keep_apart, event_id=event.pk, text=f"3, 4\n{text}", always=True)
        assert refusal.code == "list_refused"
        assert [(one.code, one.details["line"]) for one in refusal.details["refusals"]] == [(code, 2)]
        assert list_numbers_apart(event) == []

    @pytest.mark.parametrize(
        ("group_settings", "code"), [({"text": " \n"}, "apart_empty"), ({"rounds": 0}, "round_out_of_range")]
    )
    def test_impossible_keep_apart_settings_are_refused(self, group_settings: dict[str, Any], code: str) -> None:
        usual: dict[str, Any] = {"text": "1, 2", "always": True}
        assert get_refusal_code(keep_apart, event_id=build_event(4).pk, **usual | group_settings) == code

    def test_resent_list_counts_once(self, by_key: Actor) -> None:
        event = build_event(4)
        for _ in range(2):
            keep_apart(event_id=event.pk, text="1, 2", always=True, by=by_key)
        assert Action.objects.filter(kind="keep_apart").count() == 1


@pytest.fixture
def by_key() -> Actor:
    from uuid import uuid4

    return Actor(key=uuid4())


@pytest.mark.long
def test_undo_restores_a_removed_keep_apart_group() -> None:
    event = build_event(4)
    (group,) = keep_apart(event_id=event.pk, text="1, 2", always=True)
    for _ in range(2):
        let_meet(event_id=event.pk, key=group.key)
    assert list_numbers_apart(event) == []
    undo_action(event_id=event.pk, action_id=Action.objects.get(kind="let_meet").pk)
    assert list_numbers_apart(event) == [([1, 2], True, None)]


@pytest.mark.long
def test_removed_entry_drops_its_keep_apart_group() -> None:
    event = build_event(6)
    names = [str(entry) for entry in event.entries.order_by("number")]
    keep_apart(event_id=event.pk, text="1, 2\n3, 4", always=True)
    order_entries(event_id=event.pk, way="lot")
    number = event.entries.get(player_1__name=names[0].split(" / ")[0]).number
    remove_entry(event_id=event.pk, number=number)
    event.refresh_from_db()
    bonds = [bond for entrant in read_event_snapshot(event).entrants for bond in entrant.bonds]
    assert len(bonds) == 2
    assert export_event(event)["event"]["kept_apart"] == [
        {
            "entries": sorted(entry.number for entry in event.entries.all() if str(entry) in names[2:4]),
            "always": True,
            "rounds": None,
        }
    ]


def test_draw_respects_kept_apart_entries() -> None:
    event = start_event(event_id=build_event(4).pk)
    keep_apart(event_id=event.pk, text="1, 2\n3, 4\n1, 3", always=True)
    draw_round(event_id=event.pk, seed=1)
    assert list_meetings(event) == {frozenset((1, 4)), frozenset((2, 3))}


@pytest.mark.slow
def test_drawn_bracket_refuses_new_keep_apart_groups() -> None:
    event = build_event(4, draw_format="knockout")
    (group,) = keep_apart(event_id=event.pk, text="1, 4", always=True)
    start_event(event_id=event.pk)
    draw_round(event_id=event.pk, seed=1)
    let_meet(event_id=event.pk, key=group.key)
    publish_round(event_id=event.pk, number=1, as_drawn=True)
    assert get_refusal_code(keep_apart, event_id=event.pk, text="1, 4", always=True) == "bracket_is_drawn"


class TestSharedBonds:
    def get_bonds(self, event: Event) -> dict[int, set[tuple[str, str]]]:
        return {e.number: {(b.kind, b.name) for b in e.bonds} for e in read_event_snapshot(event).entrants}

    def test_shared_family_and_car_match_any_spelling(self) -> None:
        event = build_event(4)
        describe_entry(event_id=event.pk, number=1, family="Roy, Dubé", car="Matane 2", side=Side.B)
        describe_entry(event_id=event.pk, number=2, family="dube", car="MATANE-2")
        bonds = self.get_bonds(event)
        assert bonds[1] & bonds[2] == {("family", "dube"), ("carpool", "matane 2")}
        assert read_event_snapshot(event).entrants[0].side is Side.B

    def test_shared_team_matches_any_spelling(self) -> None:
        event = build_event(4)
        for number, team in enumerate(("Sainte-Luce", "SAINTE LUCE", "sainte\u2011luce ", ""), start=1):
            describe_entry(event_id=event.pk, number=number, team=team)
        bonds = self.get_bonds(event)
        assert bonds[1] == bonds[2] == bonds[3] == {("club", "Sainte-Luce")}
        assert bonds[4] == set()

    def test_imported_values_take_the_first_spelling(self) -> None:
        event = build_event(2, tables=4)
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

    def test_club_families_bond_their_entries(self) -> None:
        event = build_event(4)
        family = Family.objects.create(club=event.club, name="Roy")
        for entry in event.entries.filter(number__in=(1, 3)):
            partner = entry.players[1]
            partner.family = family
            partner.save()
        bonds = self.get_bonds(event)
        assert bonds[1] == bonds[3] == {("family", f"#{family.pk}")}
        assert bonds[2] == bonds[4] == set()

    @pytest.mark.long
    def test_entry_file_columns_set_family_car_and_side(self) -> None:
        event = build_event(0, tables=4)
        text = "Joueur 1;Joueur 2;Famille;Voiture;Side\nA. Roy;B. Roy;Roy;1;orange\nC. Cyr;D. Roy;roy;;\n"
        one, other = add_entry_sheet(event_id=event.pk, text=text, file="liste.csv").entries
        assert (one.family, one.car, one.side, other.side) == ("Roy", "1", Side.B, None)
        assert self.get_bonds(event)[1] & self.get_bonds(event)[2] == {("family", "roy")}

    def test_entry_file_column_keeps_entries_apart(self) -> None:
        event = build_event(2, tables=4)
        text = (
            "Joueur 1;Joueur 2;Ne pas rencontrer\n"
            "Jeannine Roy;Marcel Dubé;Anne Cyr, no. 1\n"
            "Anne Cyr;Luc Roy;\n"
            "Rita Cyr;Guy Hudon;3 et Luc Roy\n"
        )
        entries = add_entry_sheet(event_id=event.pk, text=text, file="liste.csv").entries
        assert [entry.number for entry in entries] == [3, 4, 5]
        assert list_pairs_apart(event) == {(3, 4), (1, 3), (3, 5), (4, 5)}
        assert all(always for _, always, _ in list_numbers_apart(event))

    def test_keep_apart_numbers_refer_to_file_lines(self) -> None:
        event = build_event(0, tables=4)
        text = "Player 1,Player 2,Keep apart from\nA. Roy,,\nB. Roy,C. Roy,3\nD. Cyr,E. Cyr,\n"
        added = add_entry_sheet(event_id=event.pk, text=text, file="a.csv")
        assert added.refused_lines == {2}
        assert list_pairs_apart(event) == {(1, 2)}

    def test_unknown_keep_apart_names_are_reported_per_line(self) -> None:
        event = build_event(0, tables=4)
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
        assert list_pairs_apart(event) == {(1, 2)}

    @pytest.mark.long
    def test_imported_keep_apart_list_is_one_history_line(self) -> None:
        event = build_event(0, tables=4)
        by = Actor(key=uuid4())
        text = "Player 1,Player 2,Keep apart from\nA. Roy,B. Roy,2\nC. Cyr,D. Cyr,\n"
        for _ in range(2):
            add_entry_sheet(event_id=event.pk, text=text, file="a.csv", by=by)
        assert [action.kind for action in event.actions.order_by("pk")][-2:] == ["add_entries", "keep_apart"]
        undo_action(event_id=event.pk, action_id=event.actions.get(kind="keep_apart").pk)
        assert list_pairs_apart(event) == set()

    def test_unknown_side_in_a_file_is_refused(self) -> None:
        text = "player_1,player_2,side\nA. Roy,B. Roy,north\n"
        refusal = get_refusal(add_entry_sheet, event_id=build_event(0).pk, text=text, file="a.csv")
        assert [one.code for one in refusal.details["refusals"]] == ["no_such_colour"]


@pytest.mark.long
class TestBondsInEventFile:
    def reload_event(self) -> Event:
        event = build_tournament(9, stages=[{"format": "swiss", "rounds": 4}])
        keep_apart(event_id=event.pk, text="1, 2, 5", always=True)
        keep_apart(event_id=event.pk, text="3, 4", always=False, rounds=2)
        describe_entry(event_id=event.pk, number=6, family="Roy", car="2", side=Side.A)
        describe_entry(event_id=event.pk, number=7, family="Roy")
        return Event.objects.get(pk=event.pk)

    @pytest.mark.long("test_event_files.py verifies and imports such a file")
    def test_event_file_with_bonds_verifies_and_imports_unchanged(self) -> None:
        event = self.reload_event()
        play_all_rounds(event)
        content = export_event(event)
        assert list_differences(content) == []
        assert verify_event_file(content).notes == []
        assert_round_trip(content)

    def test_event_file_lists_groups_of_each_draw_without_their_traits(self) -> None:
        event = self.reload_event()
        draw_round(event_id=event.pk, seed=1)
        source = export_event(event)["rounds"][0]["draw"]["drawn_from"]
        assert source["apart"] == [
            ["apart", [1, 2, 5], None],
            ["family", [6, 7], None],
            [IF_POSSIBLE, [3, 4], 2],
        ]
        snapshot = snapshot_from_json(source, {})
        bonds = {entrant.number: entrant.bonds for entrant in snapshot.entrants}
        assert {bond.kind for bond in bonds[1] & bonds[2] & bonds[5]} - {"club"} == {ALWAYS}

    def test_altered_bonds_in_a_file_are_detected(self) -> None:
        event = start_event(event_id=build_event(4).pk)
        keep_apart(event_id=event.pk, text="1, 2\n3, 4\n1, 3", always=True)
        draw_round(event_id=event.pk, seed=1)
        content = export_event(Event.objects.get(pk=event.pk))
        content["rounds"][0]["draw"]["drawn_from"]["apart"][0][1] = [1, 4]
        assert list_differences(content) != []
