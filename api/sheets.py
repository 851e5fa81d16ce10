"""Tables of the pages as JSON: keys and codes instead of words."""

import json
from typing import Any

from rest_framework import serializers

from web.sheets.tables import Sheet
from web.sheets.writing import render_sheet
from wording.labels.exports import sheet_in_words


class Column(serializers.Serializer[Any]):
    key = serializers.CharField()
    name = serializers.CharField(help_text="Heading, in the language of the request.")


class SheetOut(serializers.Serializer[Any]):
    """A table. Each row has its values by column key, without empty ones."""

    name = serializers.CharField()
    columns = Column(many=True)
    rows = serializers.ListField(child=serializers.DictField())


def serialize_sheet(sheet: Sheet) -> dict[str, Any]:
    """Convert a table to JSON, as in its export file."""
    data: dict[str, Any] = json.loads(render_sheet(sheet_in_words(sheet, is_for_people=False), "json"))
    return data
