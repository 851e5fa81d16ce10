"""Versions of values that are stored as JSON, so that later programs can read them."""

from .fields import VersionedJSONField, has_value
from .stored_forms import Form, Step, keep

__all__ = ["Form", "Step", "VersionedJSONField", "has_value", "keep"]
