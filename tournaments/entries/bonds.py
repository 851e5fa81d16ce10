"""Bonds that keep entries apart in a draw: the director's and those from what entries share."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain
from typing import Any

from engine.draws import Bond, EntryId
from engine.draws.bonds import ALWAYS, IF_POSSIBLE
from engine.json_values import read_value
from web.names import get_group_key


@dataclass(frozen=True, slots=True, kw_only=True)
class ApartGroup:
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


def apart_groups_to_json(groups: Iterable[ApartGroup]) -> list[dict[str, Any]]:
    """Convert to ``[{"entries": [3, 7], "always": true, "rounds": null}]``, with entries by key."""
    return [{"entries": list(group.entries), "always": group.always, "rounds": group.rounds} for group in groups]


def apart_groups_from_json(rows: Iterable[Mapping[str, Any]]) -> tuple[ApartGroup, ...]:
    """Read the groups that ``apart_groups_to_json`` wrote."""
    return tuple(read_value(ApartGroup, row) for row in rows)


def collect_apart_bonds(groups: Iterable[ApartGroup]) -> dict[EntryId, set[Bond]]:
    """Return the bonds of each entry that the director keeps apart from others."""
    bonds: dict[EntryId, set[Bond]] = {}
    for group in groups:
        for entry in group.entries:
            bonds.setdefault(entry, set()).add(group.bond)
    return bonds


def build_label_bonds(*, team: str, family: str, car: str, families: Sequence[int]) -> set[Bond]:
    """Return the bonds of an entry from its team, family and car, and its players' ``families`` in the
    club."""
    return {
        *({Bond("club", team)} if team else ()),
        *(Bond("family", label) for label in parse_labels(family)),
        *(Bond("family", f"#{key}") for key in families),
        *(Bond("carpool", label) for label in parse_labels(car)),
    }


def keep_shared_bonds(bonds: Sequence[AbstractSet[Bond]]) -> list[frozenset[Bond]]:
    """Return the bonds of each entry without those that only one entry has, which keep nobody apart. Clubs
    stay, because an entry also plays for its club."""
    times = Counter(chain(*bonds))
    return [frozenset(bond for bond in entry_bonds if times[bond] > 1 or bond.kind == "club") for entry_bonds in bonds]


def parse_labels(text: str) -> tuple[str, ...]:
    """Return the distinct labels in a comma-separated text, in whatever spelling."""
    return tuple(dict.fromkeys(label for part in text.split(",") if (label := get_group_key(part))))
