"""The tables of the pages as files: each at the address of its page, with an ending."""

from tournaments.exports.views import clubs, desk, events

__all__ = ["clubs", "desk", "events"]
