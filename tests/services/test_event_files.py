"""An event as one file: everything in it can be computed again, and what was changed is found."""

import pytest

from tests.services.event_files import differences, file_of, of_preset, play_to_the_end
from tournaments.event_files import verify
from tournaments.presets import PRESETS

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("key", PRESETS)
def test_of_every_kind_played_to_its_end_is_proved(key: str) -> None:
    event = of_preset(key)
    rounds = play_to_the_end(event)
    content = file_of(event)
    assert differences(content) == []
    report = verify(content)
    assert report.notes == []
    assert report.counts["draws"] == rounds > 3
