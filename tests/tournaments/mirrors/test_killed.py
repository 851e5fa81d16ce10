"""Two real servers, killed while a night goes from one to the other, and a network that spoils."""

import pytest

from bench import mirror


@pytest.mark.long("two installations, killed for a minute")
def test_nothing_is_lost_or_doubled_and_both_are_equal() -> None:
    figures = mirror.main(["--changes", "60", "--kills", "2", "--seed", "1"])
    assert (figures["lost"], figures["doubled"], figures["equal"]) == (0, 0, True)
    assert figures["handings"] == 2
