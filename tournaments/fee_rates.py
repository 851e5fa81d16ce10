"""Fees of an evening for members and guests, in cents."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Fees for a member and for a guest; 0 for free."""

    member: int = 0
    guest: int = 0

    def of(self, *, is_guest: bool) -> int:
        return self.guest if is_guest else self.member

    @property
    def is_free(self) -> bool:
        return not (self.member or self.guest)
