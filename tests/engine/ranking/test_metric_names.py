"""Names of the metrics, and how their values are shown."""

import pytest
from django.utils import translation

from engine.ranking import METRICS
from tournaments.standings.labels import METRIC_NAMES, METRIC_SENTENCES, METRIC_SHORT, metric_value


@pytest.mark.parametrize("words", [METRIC_NAMES, METRIC_SHORT, METRIC_SENTENCES], ids=["name", "short", "sentence"])
def test_every_metric_has_a_name_and_no_other(words: dict[str, object]) -> None:
    assert list(words) == list(METRICS)


@pytest.mark.parametrize(
    ("key", "value", "shown"),
    [
        ("match_wins", 5, "5"),
        ("match_wins", -3, "−3"),
        ("difference", 19, "+19"),
        ("difference", -14, "−14"),
        ("capped_difference", 0, "0"),
        ("sonneborn_berger", 25, "12.5"),
        ("opponents_win_rate", 5238, "52.38 %"),
        ("head_to_head", None, "–"),
        ("lots", (4711 << 32) + 12, "4711"),
    ],
)
def test_a_value_is_shown_in_its_unit(key: str, value: int | None, shown: str) -> None:
    with translation.override("en"):
        assert metric_value(key, value) == shown


def test_value_uses_the_decimal_comma_in_french() -> None:
    with translation.override("fr-ca"):
        assert metric_value("sonneborn_berger", 25) == "12,5"
