"""Versions of values that are stored as JSON, so that later programs can read them, and facts about fields."""

from .field_facts import (
    CODE,
    INTERNAL,
    TITLE,
    TYPED,
    UNRECORDED,
    FieldFacts,
    Text,
    declare_facts,
    get_facts,
    list_naming_columns,
    list_recorded_fields,
)
from .fields import VersionedJSONField, build_value_filter
from .stored_forms import Form, Step, keep_unchanged
