"""Parts of API paths."""

CLUB, EVENT = "clubs/<slug:slug>", "events/<slug:short>"
PERSON, ENTRY = f"{CLUB}/people/<int:person_id>", f"{EVENT}/entries/<int:number>"
ROUND, TABLE = f"{EVENT}/rounds/<int:number>", f"{EVENT}/rounds/<int:number>/tables/<int:table>"
NIGHT, SEASON = f"{CLUB}/calendar/<int:night_id>", f"{CLUB}/seasons/<int:season_id>"
SEASON_SETTINGS = f"{SEASON}/settings"
