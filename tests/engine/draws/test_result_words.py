"""The result of a table, serialized as one word in the file that reproduces a draw."""

from typing import Any

import pytest

from engine.draws import EntryId
from engine.results import PlayedTable, result_to_json

A, B = (EntryId(1),), (EntryId(2),)


@pytest.mark.parametrize(
    ("outcome", "word"),
    [
        (None, None),
        ({"kind": "counted", "winner": "A"}, "A"),
        ({"kind": "counted", "winner": None}, "drawn"),
        ({"kind": "forfeit", "winner": "B"}, "forfeit B"),
        ({"kind": "forfeit", "winner": None}, "forfeit"),
    ],
)
def test_table_result_is_serialized_as_one_word(outcome: dict[str, Any] | None, word: str | None) -> None:
    assert result_to_json(PlayedTable(round=1, a=A, b=B, outcome=outcome)) == word
