"""The log of a club's final standings: signed, published, checked by anybody (docs/api/signed-results.md)."""
