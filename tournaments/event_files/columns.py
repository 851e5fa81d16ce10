"""Columns of entries, adjustments and rounds in an event file."""

from scoring.file_columns import FileColumns

from .schema import ENTRY_DETAILS, ENTRY_PARTS

ENTRY_COLUMNS = FileColumns({name: name for name in ENTRY_PARTS}, optional=tuple(ENTRY_DETAILS))
ADJUSTMENT_COLUMNS = FileColumns({name: name for name in ("metric", "amount", "round", "reason")})
ROUND_COLUMNS = FileColumns(
    {name: name for name in ("number", "state", "published_at", "started_at", "closed_at")}, optional=("postponed",)
)
DRAW_COLUMNS = FileColumns(
    {"format": "draw_format", **{name: name for name in ("settings", "seed", "drawn_from", "price", "held")}}
)
