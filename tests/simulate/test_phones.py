"""A simulated phone loses its network and regains it, like a phone in a hall."""

from itertools import pairwise
from random import Random

from rules import CANADIAN, ruleset_to_json
from scoring.log_values import DETAILS
from simulate.http_device import HttpDevice
from simulate.measurements import Measurements
from simulate.phones import Habits, Phone


def test_phone_regains_the_network_before_the_match_ends() -> None:
    """Check that a phone loses the network and regains it within one match.

    Otherwise waiting hands would only be sent at the end of a match, never while the table plays on.
    """
    measures = Measurements()
    phone = Phone("x", HttpDevice("http://127.0.0.1:9", measures), measures, Habits(offline_share=0.2), Random("1"))
    phone.match_data = {
        "match": {"pk": 1, "revision": 1},
        "ruleset": ruleset_to_json(CANADIAN),
        "match_format": {"games_to_win": 2},
        "first_dealer": 0,
        "details": list(DETAILS),
    }
    is_away = [False]
    while not phone.state.is_over:
        phone._play_hand()
        is_away.append(phone.http_device.is_offline)
    assert (True, False) in pairwise(is_away)
