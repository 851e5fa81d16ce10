"""Words for columns, contracts and sides in a sheet, in French and in English."""

from collections.abc import Iterable, Mapping

from web import names
from web.sheets.columns import Columns

COLUMNS: Columns = {
    "round": ("round", "ronde"),
    "table": ("table",),
    "hand": ("hand", "main"),
    "side": ("side", "camp", "equipe"),
    "contract": ("contract", "contrat"),
    "tricks": ("tricks", "levees"),
    "game": ("game", "partie"),
    "counted": ("counted", "compte"),
}
"""Columns of a sheet. The game and the points counted follow from the others: they are not read."""

REQUIRED_COLUMNS = ("round", "table", "hand", "side", "contract", "tricks")

_CONTRACT_NAMES: Mapping[str, tuple[str, ...]] = {
    "petite": ("le petit", "la petite", "petit"),
    "grosse": ("la grosse", "high card no trump"),
    "charlemagne": ("petit charles",),
    "gros_charlemagne": ("gros charles",),
}
KINDS: Mapping[str, str] = {
    word: kind
    for kind, words in {
        "passed_out": ("passed out", "all pass", "passe", "tous passent", "tout le monde passe"),
        "misdeal": ("misdeal", "maldonne"),
        "void": ("void", "void hand", "annulee", "main annulee"),
    }.items()
    for word in words
}
"""Words in place of a contract where no hand was played that counts."""
OUTCOMES: Mapping[str, str] = {
    **dict.fromkeys(("made", "reussi", "reussie"), "made"),
    **dict.fromkeys(("failed", "manque", "manquee"), "failed"),
}


def fold_text(text: str) -> str:
    """Fold a text for comparison, ignoring case, accents and underscores."""
    return names.fold_name(text.replace("_", " "))


def match_contract(text: str, contract_keys: Iterable[str]) -> str:
    """Return the key of the contract that the text names. It is the text itself if no contract of the ruleset
    has that name."""
    keys_by_name = {fold_text(word): key for key in contract_keys for word in (key, *_CONTRACT_NAMES.get(key, ()))}
    return keys_by_name.get(fold_text(text), text)
