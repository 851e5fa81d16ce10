"""Size of something, in words."""

import pytest
from django.utils.translation import override

from wording.labels.health import finding_in_words
from wording.sizes import size_in_words


@pytest.mark.parametrize(
    ("count", "english", "french"),
    [
        (300, "0.3 kB", "0,3 ko"),
        (340_000, "340 kB", "340 ko"),
        (999_700, "1.0 MB", "1,0 Mo"),
        (1_240_000, "1.2 MB", "1,2 Mo"),
        (15_600_000, "16 MB", "16 Mo"),
        (77_100_000_000, "77 GB", "77 Go"),
        (4_000_000_000_000, "4000 GB", "4000 Go"),
    ],
)
def test_a_size_is_written_as_the_language_writes_it(count: int, english: str, french: str) -> None:
    for language, written in (("en", english), ("fr", french)):
        with override(language):
            assert size_in_words(count) == written.replace(" ", "\u00a0")


def test_the_space_of_the_disk_is_said_in_its_own_unit() -> None:
    with override("fr"):
        assert finding_in_words("disk", {"free": 77_100_000_000}).endswith(" 77\u00a0Go.")
        said = finding_in_words("disk_low", {"free": 300_000_000})
        assert said.startswith("Il ne reste que 300\u00a0Mo sur le disque.")
