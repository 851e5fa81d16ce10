"""Tables of the pages as files: each has the address of its page, with a file extension."""

from tournaments.exports.views import clubs, desk, events
