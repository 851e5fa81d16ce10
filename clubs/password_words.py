"""Passwords that someone who knows the club, its people or the language would guess first."""

import re
from collections.abc import Iterable

from web.names import fold_name

_COMMON_WORDS = """
charlemagne motdepasse passe azerty azertyuiop qwertyuiop bonjour bonsoir soleil doudou loulou chouchou
cheri cherie coucou princesse papillon tournesol chocolat fromage vacances amour jetaime monamour famille
grandmaman grandpapa mamie papi maman papa bonheur liberte bienvenue invite secret ordinateur internet
nicolas camille thomas isabelle caroline sandrine marseille parisien france quebec montreal rimouski gaspesie
acadie bretagne canada canadiens canadien nordiques expos hockey poutine tabarnak tabarnac sirop erable
cartes joueur joueuse jouer atout sansatout levee joker coeur carreau trefle pique mulot grosmulot soiree
soireedecartes tournoi club clubdecartes cards cardnight tournament
"""
COMMON_WORDS = frozenset(_COMMON_WORDS.split())
"""Common French words, which English lists lack, and words of the game."""
MIN_PART_LENGTH = 4
"""The fewest letters of a part of a name to look for: shorter ones occur in many words."""


def is_guessable(password: str, names: Iterable[str] = ()) -> bool:
    """Return whether the letters consist only of such words, these names and parts of them. Digits, signs and
    accents are ignored."""
    letters = _extract_letters(password)
    parts = {part for name in names for part in (_extract_letters(name), *map(_extract_letters, name.split()))}
    guessable = COMMON_WORDS | {part for part in parts if len(part) >= MIN_PART_LENGTH}
    ends = {0}
    for start in range(len(letters)):
        if start in ends:
            ends |= {start + len(word) for word in guessable if letters.startswith(word, start)}
    return letters != "" and len(letters) in ends


def _extract_letters(text: str) -> str:
    return re.sub(r"[^a-z]", "", fold_name(text))
