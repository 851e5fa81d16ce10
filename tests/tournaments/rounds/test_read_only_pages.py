"""Reading a page never makes a draw."""

from dataclasses import replace

import pytest

from engine.draws import FORMATS, Draw, DrawInput
from tests.builders import compute_standings, play_round
from tests.every_page.test_every_page import PATHS_BY_PATTERN
from tests.support.hall import Hall
from tournaments.events.services.settings import change_stages
from tournaments.rounds.services.rounds import draw_round

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

COMPARISON = "/e/<slug:short>/desk/rounds/<int:number>/comparison"
"""Page with the draw that the program would make instead."""


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the format of every draw that is made."""
    made: list[str] = []

    def record_format(key: str) -> None:
        draw_format = FORMATS[key]

        def draw(draw_input: DrawInput) -> Draw:
            made.append(key)
            return draw_format.draw(draw_input)

        monkeypatch.setitem(FORMATS, key, replace(draw_format, draw=draw))

    for key in FORMATS:
        record_format(key)
    return made


def build_night(stage: str) -> Hall:
    hall = Hall(pairs=5)
    change_stages(
        event_id=hall.event.pk,
        stages=[{"format": "random", "rounds": 2}, {"format": "knockout", "takes": "top", "count": 4}],
    )
    if stage != "playing":
        play_round(hall.event)
    if stage == "with a draft":
        draw_round(event_id=hall.event.pk)
    compute_standings(hall.event)
    return hall


@pytest.mark.parametrize("stage", ["between two rounds", "with a draft"])
def test_reading_a_page_of_an_event_draws_no_round(stage: str, drawn: list[str]) -> None:
    hall = build_night(stage)
    pages = {pattern: path for pattern, path in PATHS_BY_PATTERN.items() if pattern.startswith("/e/<slug:short>")}
    addresses = {pattern: path(hall) for pattern, path in pages.items()}
    for name, address in {**addresses, "file": f"/e/{hall.event.short}/desk/file"}.items():
        drawn.clear()
        hall.desk.open(address)
        assert name == COMPARISON or not drawn, name


def test_draft_comparison_draws_a_round(drawn: list[str]) -> None:
    hall = Hall()
    address = hall.comparison
    drawn.clear()
    assert hall.desk.open(address).status == 200
    assert drawn == ["random"]
