"""The tables that pages list, as a program reads them: keys and codes, never words."""

import json
from typing import Any

from rest_framework import serializers

from web.sheets import Sheet, render_sheet
from wording.labels.exports import sheet_in_words


class Column(serializers.Serializer[Any]):
    key = serializers.CharField()
    name = serializers.CharField(help_text="Its heading in the reader's language.")


class SheetOut(serializers.Serializer[Any]):
    """A table: each row has a value by the key of its column, without those that are empty."""

    name = serializers.CharField()
    columns = Column(many=True)
    rows = serializers.ListField(child=serializers.DictField())


def sheet_data(sheet: Sheet) -> dict[str, Any]:
    """The same as the file of the page's table has it."""
    data: dict[str, Any] = json.loads(render_sheet(sheet_in_words(sheet, for_people=False), "json"))
    return data
