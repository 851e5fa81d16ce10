"""Values that are stored as JSON bear the version of their form, and whoever comes later reads them."""

from .fields import VersionedJSONField, has_value
from .stored_forms import Form, Step, keep

__all__ = ["Form", "Step", "VersionedJSONField", "has_value", "keep"]
