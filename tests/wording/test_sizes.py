"""File sizes and disk space, in words."""

import pytest
from django.utils.translation import override

from operations.doctor.labels import describe_finding
from wording.sizes import size_in_words


@pytest.mark.parametrize(
    ("count", "english", "french"),
    [
        (0, "0 kB", "0 ko"),
        (40, "0.1 kB", "0,1 ko"),
        (300, "0.3 kB", "0,3 ko"),
        (340_000, "340 kB", "340 ko"),
        (999_700, "1.0 MB", "1,0 Mo"),
        (1_240_000, "1.2 MB", "1,2 Mo"),
        (15_600_000, "16 MB", "16 Mo"),
        (77_100_000_000, "77 GB", "77 Go"),
        (4_000_000_000_000, "4000 GB", "4000 Go"),
    ],
)
def test_size_is_written_in_the_units_of_the_language(count: int, english: str, french: str) -> None:
    for language, written in (("en", english), ("fr", french)):
        with override(language):
            assert size_in_words(count) == written.replace(" ", "\u00a0")


def test_disk_space_is_described_in_its_own_unit() -> None:
    with override("fr"):
        assert describe_finding("disk", {"free": 77_100_000_000}).endswith(" 77\u00a0Go.")
        description = describe_finding("disk_low", {"free": 300_000_000})
        assert description.startswith("Il ne reste que 300\u00a0Mo sur le disque.")
