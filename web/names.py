"""Names of people: comparison, validation, short forms and display. Plain Python."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any, TypeVar

from errors import Refusal

_Key = TypeVar("_Key")

NAME_LENGTH = 80
FOLDED_LENGTH = 2 * NAME_LENGTH
NBSP = "\u00a0"
NONBREAKING_HYPHEN = "\u2011"
LIGATURES = {"œ": "oe", "æ": "ae", "ß": "ss"}
"""Lower-case ligatures, with the two letters that people type instead."""
ASCII_PUNCTUATION = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d", "-"),
    **dict.fromkeys("\u00b4\u0060\u02bc\u2018\u2019\u201b\u2032\uff07", "'"),
}
"""Hyphens and apostrophes of Word, PDFs and phones, with the plain ones meant."""
_PUNCTUATION_TABLE = str.maketrans(ASCII_PUNCTUATION)
_ASCII_TABLE = str.maketrans(LIGATURES | ASCII_PUNCTUATION)
_PUNCTUATION = set(" '-.()") | ASCII_PUNCTUATION.keys()
_WORD_SEPARATORS = re.compile("[-']")
_BRACKETS = re.compile(r"\([^)]*\)")
_WORD = re.compile(r"[^\W\d_]+")
_SCOT = re.compile(r"\b(Mc)([a-z])")
_GENERATION_SUFFIXES = {"pere", "fils", "mere", "fille", "jr", "junior", "sr", "senior"}
"""Folded words that tell two people of one name apart in a family; hardly anybody's surname."""
SURNAME_PARTICLES = frozenset(
    {
        *("da", "de", "del", "della", "der", "des", "di", "du", "la", "le", "les"),
        *("saint", "st", "ste", "van", "von"),
    }
)
"""Folded words with which only surnames begin."""
_PLACEHOLDER_WORDS = frozenset(
    (
        *("venir", "confirmer", "determiner", "trouver", "preciser", "definir", "choisir", "partenaire", "inconnu"),
        *("inconnue", "aucun", "aucune", "quelquun", "personne", "seul", "seule", "libre", "femme", "mari", "conjoint"),
        *(
            "conjointe",
            "blonde",
            "chum",
            "ami",
            "amie",
            "none",
            "announced",
            "confirmed",
            "determined",
            "come",
            "needed",
        ),
        *("nobody", "unknown", "someone", "somebody", "vacant", "partner", "solo", "wife", "husband", "friend"),
    )
)
"""Folded words in place of a person who is not known yet; hardly anybody's surname."""
_PLACEHOLDER_FILLERS = frozenset(
    (
        *(
            "a",
            "un",
            "une",
            "de",
            "le",
            "la",
            "mon",
            "ma",
            "son",
            "sa",
            "sans",
            "pas",
            "cherche",
            "to",
            "be",
            "no",
            "my",
        ),
        *("his", "her", "the", "for", "looking", "needs"),
    )
)
"""Folded words before those; some of them are surnames, too."""
_PLACEHOLDER_LETTERS = frozenset(("", "na", "nd", "nc", "x", "xx", "xxx", "tba", "tbd", "tbc"))
"""Letters that lists have in place of a whole name: ``N/A``, ``?``."""
_INVISIBLE = {"Cc", "Cf", "Cs"}
"""Unicode categories of invisible characters that are pasted along, or that no database stores."""
_ALLOWED_SYMBOLS = frozenset("♠♥♦♣♤♡♢♧★☆")
_PICTURE_CATEGORIES = frozenset({"So", "Sk", "Me", "Co", "Cn"})
"""Unicode categories of pictures, skin tones, frames of keys, and characters without a meaning."""
_VARIATION_SELECTORS = dict.fromkeys(map(ord, "\ufe0e\ufe0f"))
"""Marks by which phones make a picture of a suit."""


def fold_name(name: str) -> str:
    """Fold a name for comparison: ``Lætitia  CÔTÉ`` becomes ``laetitia cote``.

    Accents, ligatures, case and extra spaces are removed; hyphens and apostrophes become plain. A letter may
    unfold to several: only the first ``FOLDED_LENGTH`` count.
    """
    decomposed = unicodedata.normalize("NFKD", replace_special_characters(name.casefold()))
    if not decomposed.isascii():
        bare = "".join(char for char in decomposed if not unicodedata.combining(char))
        decomposed = replace_special_characters(bare)
    return " ".join(decomposed.split())[:FOLDED_LENGTH]


def get_group_key(name: str) -> str:
    """Return the key by which teams, clubs, families and labels are compared and counted.
    ``Les Joyeux-Atouts`` and ``LES JOYEUX  ATOUTS`` have the same one."""
    folded = fold_name(name)
    return " ".join(_WORD_SEPARATORS.sub(" ", folded).split()) or folded


def unify_spellings(names: Iterable[str]) -> dict[str, str]:
    """Return the first spelling of each group, by its key."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(get_group_key(name), name)
    return found


def replace_special_characters(text: str) -> str:
    """Replace lower-case ligatures (``coeur`` for ``cœur``), typographic hyphens and apostrophes."""
    return text.translate(_ASCII_TABLE)


def clean_text(name: str) -> str:
    """Clean a name or another short text: composed characters, none invisible, single spaces."""
    visible = (char for char in name if char.isspace() or unicodedata.category(char) not in _INVISIBLE)
    return " ".join(unicodedata.normalize("NFC", "".join(visible)).split())


def clean_name(name: str) -> str:
    """Clean a person's name: like ``clean_text``, with plain hyphens and apostrophes."""
    return clean_text(name).translate(_PUNCTUATION_TABLE)


def clean_lines(text: str) -> str:
    """Clean a text of several lines: each like ``clean_text``, with at most one empty line in between."""
    lines = [clean_text(line) for line in text.splitlines()]
    remaining_lines = (line for place, line in enumerate(lines) if line or (place and lines[place - 1]))
    return "\n".join(remaining_lines).strip()


def find_invalid_character(name: str) -> str | None:
    """Return the first character that no name has, such as an emoji or a digit. Without any letter, it is the
    first one; None if the name is fine."""
    for char in name:
        if char not in _PUNCTUATION and unicodedata.category(char)[0] not in "LM":
            return char
    return None if any(char.isalpha() for char in name) else name[:1] or None


def is_placeholder(name: str) -> bool:
    """Return whether a name stands for a person who is not known yet.

    >>> [is_placeholder(name) for name in ("À venir", "T.B.D.", "N/A", "?", "Cherche partenaire")]
    [True, True, True, True, True]
    >>> [is_placeholder(name) for name in ("Anne Seul", "Na Le", "Le Na", "Ami Le", "🎉", "")]
    [False, False, False, False, False, False]
    """
    words = re.sub(r"[^\w\s]", "", fold_name(name)).split()
    if "".join(words) in _PLACEHOLDER_LETTERS and len(words) < 2:
        return bool(name) and find_pictogram(name) is None
    return words[-1] in _PLACEHOLDER_WORDS and {*words} <= _PLACEHOLDER_WORDS | _PLACEHOLDER_FILLERS


def check_person_name(name: str, *, field: str, **location: Any) -> None:
    """Check that a name can be a person's. Refuses: nobody_named, strange_character, name_too_long."""
    if is_placeholder(name):
        raise Refusal("nobody_named", field=field, name=name, **location)
    strange = find_invalid_character(name)
    if strange is not None:
        raise Refusal("strange_character", field=field, name=name, character=strange, **location)
    if len(name) > NAME_LENGTH:
        raise Refusal("name_too_long", field=field, name=name, most=NAME_LENGTH, **location)


def find_pictogram(text: str) -> str | None:
    """Return the first emoji or other picture in a name, which no paper has and no list can sort; None if
    there is none. Suits of cards and stars are fine.

    >>> find_pictogram("Tournoi n° 3 ♥ & amis"), find_pictogram("Soirée 🎉 ♥")
    (None, '🎉')
    """
    return next((char for char in text if _is_picture(char)), None)


def _is_picture(char: str) -> bool:
    is_letterlike = char < "\u20dd" or "\u2100" <= char < "\u2190"  # ° © ™ and the like
    is_allowed = is_letterlike or char in _ALLOWED_SYMBOLS
    return not is_allowed and unicodedata.category(char) in _PICTURE_CATEGORIES


def clean_title(name: str) -> str:
    """Clean the name of a club, an event, a team…: like ``clean_text``, with plain suits of cards."""
    return clean_text(name.translate(_VARIATION_SELECTORS))


def validate_title(name: str, *, field: str) -> str:
    """Return the name like ``clean_title``. Refuses: strange_character."""
    name = clean_title(name)
    if (picture := find_pictogram(name)) is not None:
        raise Refusal("strange_character", field=field, name=name, character=picture)
    return name


def put_given_name_first(name: str) -> str:
    """Return ``Jeannine Roy (Matane)`` for ``Roy, Jeannine (Matane)``; any other name unchanged."""
    last, first = split_name(name)
    return put_surname_last(first, last) if last else name


def put_surname_last(first: str, last: str) -> str:
    """Return ``Luc Roy (père)`` for the given name ``Luc (père)`` and the surname ``Roy``."""
    given, bracket, hint = first.partition(" (")
    return f"{given} {last}{bracket}{hint}".strip()


def split_name(name: str) -> tuple[str, str]:
    """Split a name that begins with the surname, before a comma or in capitals; else the surname is "".

    >>> [split_name(name) for name in ("Roy, Luc", "LE BLANC Luc", "J. Roy", "JP Roy", "LUC ROY")]
    [('Roy', 'Luc'), ('LE BLANC', 'Luc'), ('', 'J. Roy'), ('', 'JP Roy'), ('', 'LUC ROY')]
    """
    last, comma, first = map(str.strip, name.partition(","))
    if not comma:
        words = name.split()
        capitals = list(takewhile(is_in_capitals, words))
        last, first = " ".join(capitals), " ".join(words[len(capitals) :])
        is_initials = all(len(word) < 3 for word in capitals)
        if is_initials or not any(map(str.islower, first)):
            return "", name
    return (last, first) if last and first and "," not in first else ("", name)


def add_hint(name: str, hint: str) -> str:
    """Add a hint in brackets to a name: ``Jean Roy (Matane)``. Characters that names cannot
    have are left out."""
    cleaned = clean_text(
        "".join(char for char in hint if char in _PUNCTUATION or unicodedata.category(char)[0] in "LM")
    )
    hint_text = cleaned.replace("(", "").replace(")", "")
    available = NAME_LENGTH - len(name) - len(" ()")
    return f"{name} ({hint_text[:available].strip()})" if hint_text and available > 0 else name


def remove_hint(name: str) -> str:
    """Return ``Jean Roy`` for ``Jean Roy (Matane)``; a name entirely in brackets unchanged."""
    return clean_text(_BRACKETS.sub(" ", name)) or name


def normalize_capitals(name: str) -> str:
    """Return the usual spelling of a name in capitals; any other name unchanged. Only use it on request,
    since nobody knows how a family writes its name.

    >>> normalize_capitals("JEAN-PAUL D'AMOURS (PÈRE)"), normalize_capitals("LISE MCNEIL"), normalize_capitals("J. Roy")
    ("Jean-Paul D'Amours (père)", 'Lise McNeil', 'J. Roy')
    """
    if not is_in_capitals(name):
        return name
    spelled = _WORD.sub(lambda word: word[0][:1] + word[0][1:].lower(), name)
    spelled = _SCOT.sub(lambda found: found[1] + found[2].upper(), spelled)
    return _BRACKETS.sub(lambda found: found[0].lower(), spelled)


def is_in_capitals(name: str) -> bool:
    """Return whether every letter is a capital, and there is more than initials."""
    return name.upper() == name != name.lower() and any(len(word) > 1 for word in _WORD.findall(name))


def get_surname(name: str) -> str:
    """Return the last word of a name outside brackets, with the particles before it: ``Roy`` for ``Jean Roy (de
    Matane)`` and ``Jean Roy père``, ``Le Blanc`` for ``Luc Le Blanc``. A number is no surname: ``Anonyme 3`` stays
    whole."""
    words = _BRACKETS.sub(" ", name).split() or name.split() or [""]
    if words[-1].isdecimal():
        return " ".join(words)
    if len(words) > 1 and fold_name(words[-1]).rstrip(".") in _GENERATION_SUFFIXES:
        words.pop()
    first = len(words) - 1
    while first > 1 and fold_name(words[first - 1]).rstrip(".") in SURNAME_PARTICLES:
        first -= 1
    return " ".join(words[first:])


def format_initial_surname(name: str) -> str:
    """Return ``J. Roy``, or ``M.-A. Roy`` for a double first name: ``M. Roy`` is Mr. Roy in French. A single
    name is unchanged."""
    first, _, rest = remove_hint(name).partition(" ")
    initials = NONBREAKING_HYPHEN.join(f"{word[0]}." for word in first.split("-") if word)
    return f"{initials}{NBSP}{get_surname(name)}" if rest and not rest.isdecimal() else name


def format_first_name_initial(name: str) -> str:
    """Return the short name for a public page: ``Jeannine R.``, ``Lise D.`` for ``Lise d'Amours``, ``Lise``
    for ``Lise (Matane)``. It is shown of people who agreed to no more."""
    full_name = remove_hint(name)
    first, _, rest = full_name.partition(" ")
    if not rest or rest.isdecimal():  # ``Anonyme 3`` comes from another installation as a name
        return full_name
    return f"{first}{NBSP}{get_surname(full_name)[0].upper()}."


def shorten_names(names: Sequence[str]) -> list[str]:
    """Return surnames, or ``J. Roy`` if two are the same, or whole names if those are the same, too."""
    for shorten in (get_surname, format_initial_surname):
        short = [shorten(name) for name in names]
        if len({fold_name(name) for name in short}) == len(short):
            return short
    return list(names)


def list_surname_forms(name: str) -> tuple[str, str, str]:
    """Return ``Roy``, ``J. Roy`` and the whole name, for ``disambiguate_names``."""
    return get_surname(name), format_initial_surname(name), name


def disambiguate_names(forms: Mapping[_Key, Iterable[str]]) -> dict[_Key, str]:
    """Return for each key the shortest form that no other has; else its last form. The same names in another
    order count as the same.

    >>> disambiguate_names({1: ("Roy", "Jean Roy"), 2: ("Roy", "Luc Roy"), 3: ("Dubé", "Luc Dubé")})
    {1: 'Jean Roy', 2: 'Luc Roy', 3: 'Dubé'}
    """
    found: dict[_Key, str] = {}
    remaining = {key: iter(candidates) for key, candidates in forms.items()}
    while remaining:
        current_forms = {
            key: form for key, candidates in remaining.items() if (form := next(candidates, None)) is not None
        }
        found |= current_forms
        keys_by_form = {key: _build_order_free_key(form) for key, form in current_forms.items()}
        counts = Counter(keys_by_form.values())
        remaining = {key: remaining[key] for key, names in keys_by_form.items() if counts[names] > 1}
    return found


def _build_order_free_key(names: str) -> tuple[str, ...]:
    """Return the same key for ``Roy and Dubé`` and ``Dubé and Roy``."""
    return tuple(sorted(fold_name(names).split()))
