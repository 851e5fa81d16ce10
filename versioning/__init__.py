"""Values that are stored as JSON bear the version of their form, and whoever comes later reads them."""

from .fields import VersionedJSONField, paths_in_list
from .forms import Form, Step

__all__ = ["Form", "Step", "VersionedJSONField", "paths_in_list"]
