"""Tournaments in the API: names of the finals, details for the club alone, and event settings."""

import csv
import io

import pytest

from api.shapes.plans import StageSettings
from clubs.models import Scope
from engine.draws import FORMATS
from errors import Refusal
from tests.api.program import Program, create_secret
from tests.builders import compute_standings, play_round, start_next_round
from tests.support.hall import Hall
from tests.tournaments.rounds.test_phases import FINALS

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

POOLS = {"format": "pools", "settings": {"pools": 2}, "rounds": 1}


class TestParallelFinals:
    @pytest.fixture
    def hall(self) -> Hall:
        """Return eight pairs after a round of pools, in the first round of finals A and B."""
        hall = Hall(8, stages=[POOLS, *FINALS[1:]])
        play_round(hall.event)
        compute_standings(hall.event)
        start_next_round(hall.event)
        hall.event.refresh_from_db()
        return hall

    @pytest.mark.long
    def test_finals_are_named_at_each_table(self, hall: Hall) -> None:
        path = f"events/{hall.event.short}/rounds"
        places = [
            (table["stage"], table["place"]["name"], table["place"]["stage_name"])
            for number in (1, 2)
            for table in Program().get(f"{path}/{number}")["tables"]
        ]
        assert places == [
            *[(1, "Pool A", "")] * 2,
            *[(1, "Pool B", "")] * 2,
            *[(2, "Semifinal A", "Final A")] * 2,
            *[(3, "Semifinal B", "Final B")] * 2,
        ]
        whole = Program(language="fr").get(f"{path}/2/tables/1")
        assert whole["place"] == {
            "name": "Demi-finale A",
            "stage_name": "Finale A",
            "pool": "",
            "part": "knockout",
            "round": "semi_final",
            "first_place": 1,
            "last_place": 4,
            "clubs": [],
            "has_home": False,
        }
        assert [reason["code"] for reason in whole["reasons"]] == ["bracket"]
        assert all(reason["text"] for reason in whole["reasons"])

    def test_finals_are_named_in_standings_and_csv(self, hall: Hall) -> None:
        compute_standings(hall.event)
        rows = Program().get(f"events/{hall.event.short}/standings")["results"]
        finals = [(2, "Final A")] * 4 + [(3, "Final B")] * 4
        assert [(row["stage"], row["stage_name"]) for row in rows] == finals
        file = hall.desk.client.get(f"/e/{hall.event.short}/standings.csv").content.decode("utf-8-sig")
        assert [row["Stage"] for row in csv.DictReader(io.StringIO(file))] == [name for _, name in finals]

    @pytest.mark.long
    def test_draw_seed_and_price_are_visible_only_to_the_club(self, hall: Hall) -> None:
        path = f"events/{hall.event.short}/rounds"
        drawn = hall.event.rounds.get(number=1)
        mine = Program(create_secret(hall.event.club, hall.owner, Scope.READ))
        for program, shown in (
            (mine, {"format": "pools", "lot": drawn.seed, "price": drawn.price}),
            (Program(), {"format": "pools", "lot": None, "price": None}),
        ):
            for found in (program.get(path)["results"][0], program.get(f"{path}/1")):
                assert shown.items() <= found.items()


@pytest.mark.long
def test_bye_reason_is_visible_only_to_the_club() -> None:
    hall = Hall(5)
    path = f"events/{hall.event.short}/rounds/1"
    mine = Program(create_secret(hall.event.club, hall.owner, Scope.READ))
    (bye,), (shown,) = mine.get(path)["byes"], Program().get(path)["byes"]
    assert bye["reasons"][0]["text"]
    assert (shown["stage"], shown["reasons"]) == (1, None)


@pytest.mark.long
class TestEventSettings:
    def test_event_settings_can_be_sent_back_unchanged(self) -> None:
        hall = Hall(8, stages=[POOLS, *FINALS[1:]])
        program = Program(create_secret(hall.event.club, hall.owner))
        path = f"events/{hall.event.short}"
        sections = [{"name": "Aînés", "first_table": 1, "last_table": 3}]
        ranking = {"order": ["match_wins", "lots"], "bye_points": "own", "dropped": 1}
        program.call("post", f"{path}/sections", {"sections": sections})
        given = program.call("post", f"{path}/ranking", {"ranking": ranking})
        assert (given["sections"], given["ranking"]["dropped"]) == (sections, 1)
        assert given["stages"] == [POOLS, *FINALS[1:]]
        for name in ("stages", "sections", "ranking"):
            assert program.call("post", f"{path}/{name}", {name: given[name]}) == given
        unknown = {"stages": [{"format": "swiss", "colour": "blue"}]}
        assert program.get_refusal("post", f"{path}/stages", unknown)[1:] == (
            "no_such_setting",
            "stages.0.colour",
        )

    def test_settings_of_every_format_are_in_the_schema(self) -> None:
        setting_names = set()
        for each in FORMATS.values():
            with pytest.raises(Refusal) as refused:
                each.check({"": 1})
            setting_names |= set(refused.value.details["known"])
        assert set(StageSettings().fields) == setting_names


def test_entry_details_are_visible_only_to_the_club() -> None:
    hall = Hall(4)
    program = Program(create_secret(hall.event.club, hall.owner))
    path = f"events/{hall.event.short}"
    program.call("post", f"{path}/sections", {"sections": [{"name": "Aînés"}]})
    program.call("post", f"{path}/fees", {"member": 300, "guest": 500})
    details = {"section": "Aînés", "team": "Les As", "rating": 1500, "table": 2, "side": "B"}
    details |= {"family": "Roy", "car": "Matane", "labels": "Juniors", "is_house": False}
    added = program.call("post", f"{path}/entries", {"players": ["Rita Roy", "Luc Roy"], **details})
    assert details.items() <= added.items()
    here = f"{path}/entries/{added['number']}"
    program.call("post", f"{here}/presence", {"is_present": True})
    program.call("post", f"{here}/attendance", {"round_number": 3, "attendance": "excused"})
    fine = {"metric": "points_for", "amount": -2, "reason": "Late"}
    (given,) = program.call("post", f"{here}/adjustments", fine)["adjustments"]
    entry = program.get(f"{path}/entries")["results"][-1]
    assert details.items() <= entry.items()
    assert (entry["plays_from"], entry["absent"], entry["excused"]) == (2, [3], [3])
    assert entry["adjustments"] == [fine | {"id": given["id"], "round": None}]
    assert entry["fees"] == {"asked": 1000, "paid": 0, "owed": 1000}
    people = [player["id"] for player in entry["players"]]
    program.call("put", f"{path}/fees/{people[0]}", {"paid": 200})
    program.call("put", f"{path}/fees/{people[1]}", {"other": 0})
    fees = program.get(f"{path}/entries")["results"][-1]["fees"]
    assert fees == {"asked": 500, "paid": 200, "owed": 300}
    shown = Program().get(f"{path}/entries")["results"][-1]
    assert {name for name, value in shown.items() if value is not None} == {
        *("number", "id", "names", "section", "is_house")
    }
    taken = program.get_refusal("post", f"{path}/entries", {"players": ["A B", "C D"], "table": 2})
    assert taken[1:] == ("table_is_anothers", "table")
