"""Results log of a club's final standings: signed, public, and verifiable by anyone
(docs/api/signed-results.md)."""
