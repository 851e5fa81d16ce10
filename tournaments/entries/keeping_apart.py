"""Whom the director keeps apart, and what else keeps entries apart, as the bonds of a draw."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain
from typing import Any

from engine.draws import Bond, EntryId
from engine.draws.apart import ALWAYS, IF_POSSIBLE
from web.names import group_key


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptApart:
    """Entries of which no two meet: never, or only where it cannot be helped; in the first ``rounds`` of the
    event, None: in all."""

    entries: tuple[EntryId, ...]
    always: bool
    rounds: int | None = None

    @property
    def key(self) -> str:
        """Which entries these are, whatever else is said of them."""
        return "-".join(map(str, self.entries))

    @property
    def bond(self) -> Bond:
        return Bond(ALWAYS if self.always else IF_POSSIBLE, self.key, self.rounds)


def apart_to_json(kept: Iterable[KeptApart]) -> list[dict[str, Any]]:
    """``[{"entries": [3, 7], "always": true, "rounds": null}]``, entries by key."""
    return [{"entries": list(each.entries), "always": each.always, "rounds": each.rounds} for each in kept]


def apart_from_json(plain: Iterable[Mapping[str, Any]]) -> tuple[KeptApart, ...]:
    """The inverse of ``apart_to_json``."""
    return tuple(
        KeptApart(entries=tuple(each["entries"]), always=each["always"], rounds=each["rounds"])
        for each in plain
    )


def bonds_named(kept: Iterable[KeptApart]) -> dict[EntryId, set[Bond]]:
    """The bonds of each entry that is kept apart from others by name."""
    found: dict[EntryId, set[Bond]] = {}
    for each in kept:
        for entry in each.entries:
            found.setdefault(entry, set()).add(each.bond)
    return found


def bonds_labelled(*, team: str, family: str, car: str, families: Sequence[int]) -> set[Bond]:
    """The bonds of an entry by what was noted of it, and by the ``families`` of its people in the club."""
    return {
        *({Bond("club", team)} if team else ()),
        *(Bond("family", label) for label in labels_in(family)),
        *(Bond("family", f"#{key}") for key in families),
        *(Bond("carpool", label) for label in labels_in(car)),
    }


def shared_bonds(bonds: Sequence[AbstractSet[Bond]]) -> list[frozenset[Bond]]:
    """The same but for those that only one has: they keep nobody apart. A club is also what one plays for."""
    times = Counter(chain(*bonds))
    return [frozenset(bond for bond in own if times[bond] > 1 or bond.kind == "club") for own in bonds]


def labels_in(text: str) -> tuple[str, ...]:
    """The labels that a text has, with commas between them, however they are written."""
    return tuple(dict.fromkeys(label for each in text.split(",") if (label := group_key(each))))
