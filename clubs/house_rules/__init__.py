"""House rules for readers: the differences in sentences, and the form to edit them."""

from .editor import ContractSetting, HouseRulesEditor, RuleOption, Setting, build_editor
from .fields import FormValues, build_field_values, reset_setting
from .parser import ParsedHouseRules, parse_settings
from .sentences import describe_differences

__all__ = [
    "ContractSetting",
    "FormValues",
    "HouseRulesEditor",
    "ParsedHouseRules",
    "RuleOption",
    "Setting",
    "build_editor",
    "build_field_values",
    "describe_differences",
    "parse_settings",
    "reset_setting",
]
