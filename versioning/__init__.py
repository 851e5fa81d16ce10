"""Versions of values that are stored as JSON, so that later programs can read them."""

from .fields import VersionedJSONField, build_value_filter
from .stored_forms import Form, Step, keep_unchanged

__all__ = ["Form", "Step", "VersionedJSONField", "build_value_filter", "keep_unchanged"]
