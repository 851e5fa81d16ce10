"""Bonds that keep entries apart in a draw: the director's and those from what entries share."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain
from typing import Any

from engine.draws import Bond, EntryId
from engine.draws.bonds import ALWAYS, IF_POSSIBLE
from web.names import group_key


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptApart:
    """Entries of which no two meet: ``always``, or only if it can be avoided. ``rounds`` limits this to the
    first rounds; None means all."""

    entries: tuple[EntryId, ...]
    always: bool
    rounds: int | None = None

    @property
    def key(self) -> str:
        """Identifier of the group: the keys of its entries, whatever its settings."""
        return "-".join(map(str, self.entries))

    @property
    def bond(self) -> Bond:
        return Bond(ALWAYS if self.always else IF_POSSIBLE, self.key, self.rounds)


def apart_to_json(kept: Iterable[KeptApart]) -> list[dict[str, Any]]:
    """Convert to ``[{"entries": [3, 7], "always": true, "rounds": null}]``, with entries by key."""
    return [{"entries": list(each.entries), "always": each.always, "rounds": each.rounds} for each in kept]


def apart_from_json(plain: Iterable[Mapping[str, Any]]) -> tuple[KeptApart, ...]:
    """Convert back from what ``apart_to_json`` returns."""
    return tuple(
        KeptApart(entries=tuple(each["entries"]), always=each["always"], rounds=each["rounds"])
        for each in plain
    )


def bonds_named(kept: Iterable[KeptApart]) -> dict[EntryId, set[Bond]]:
    """Return the bonds of each entry that the director keeps apart from others."""
    found: dict[EntryId, set[Bond]] = {}
    for each in kept:
        for entry in each.entries:
            found.setdefault(entry, set()).add(each.bond)
    return found


def bonds_labelled(*, team: str, family: str, car: str, families: Sequence[int]) -> set[Bond]:
    """Return the bonds of an entry from its team, family and car, and its players' ``families`` in the
    club."""
    return {
        *({Bond("club", team)} if team else ()),
        *(Bond("family", label) for label in labels_in(family)),
        *(Bond("family", f"#{key}") for key in families),
        *(Bond("carpool", label) for label in labels_in(car)),
    }


def shared_bonds(bonds: Sequence[AbstractSet[Bond]]) -> list[frozenset[Bond]]:
    """Return the bonds of each entry without those that only one entry has, which keep nobody apart. Clubs
    stay, because an entry also plays for its club."""
    times = Counter(chain(*bonds))
    return [frozenset(bond for bond in own if times[bond] > 1 or bond.kind == "club") for own in bonds]


def labels_in(text: str) -> tuple[str, ...]:
    """Return the distinct labels in a comma-separated text, in whatever spelling."""
    return tuple(dict.fromkeys(label for each in text.split(",") if (label := group_key(each))))
