"""Passwords that somebody who knows the club, its people or the language tries first."""

import re
from collections.abc import Iterable

from web.names import fold_name

_WORDS = """
charlemagne motdepasse passe azerty azertyuiop qwertyuiop bonjour bonsoir soleil doudou loulou chouchou
cheri cherie coucou princesse papillon tournesol chocolat fromage vacances amour jetaime monamour famille
grandmaman grandpapa mamie papi maman papa bonheur liberte bienvenue invite secret ordinateur internet
nicolas camille thomas isabelle caroline sandrine marseille parisien france quebec montreal rimouski gaspesie
acadie bretagne canada canadiens canadien nordiques expos hockey poutine tabarnak tabarnac sirop erable
cartes joueur joueuse jouer atout sansatout levee joker coeur carreau trefle pique mulot grosmulot soiree
soireedecartes tournoi club clubdecartes cards cardnight tournament
"""
WORDS = frozenset(_WORDS.split())
"""Common ones in French, most of which no list of English ones has, and the words of the game."""
LEAST = 4
"""Letters of a part of a name that is looked for: shorter ones stand in many words."""


def is_guessable(password: str, names: Iterable[str] = ()) -> bool:
    """Whether its letters, without digits, signs and accents, are nothing but such words, these names and
    parts of them, one after the other."""
    letters = _letters(password)
    parts = {part for name in names for part in (_letters(name), *map(_letters, name.split()))}
    known = WORDS | {part for part in parts if len(part) >= LEAST}
    ends = {0}
    for start in range(len(letters)):
        if start in ends:
            ends |= {start + len(word) for word in known if letters.startswith(word, start)}
    return letters != "" and len(letters) in ends


def _letters(text: str) -> str:
    return re.sub(r"[^a-z]", "", fold_name(text))
