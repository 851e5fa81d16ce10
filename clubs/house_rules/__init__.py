"""House rules for readers: the differences in sentences, and the form to edit them."""

from .editor import ContractSetting, Editor, RuleOption, Setting, editor_of
from .fields import Typed, fields_of, reset_setting
from .reading import HouseRulesReading, read_settings
from .sentences import differences

__all__ = [
    "ContractSetting",
    "Editor",
    "HouseRulesReading",
    "RuleOption",
    "Setting",
    "Typed",
    "differences",
    "editor_of",
    "fields_of",
    "read_settings",
    "reset_setting",
]
