"""Two server processes, killed while a night moves between them over an unreliable network."""

import pytest

from bench import mirror


@pytest.mark.long("kills two installations for a minute")
def test_killed_servers_lose_and_duplicate_nothing() -> None:
    figures = mirror.main(["--changes", "60", "--kills", "2", "--seed", "1"])
    assert (figures["lost"], figures["doubled"], figures["equal"]) == (0, 0, True)
    assert figures["handings"] == 2
