"""Computed figures of a person in the export: rating, records, lines of seasons."""

from collections.abc import Iterator
from typing import Any

from clubs.models import Club, Person
from engine.ladders import ladders_from_json
from engine.ratings import steps_from_json
from tournaments.models import ClubRecord, Event, PersonRecord
from tournaments.seasons.queries import get_line_scores


def export_figures(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return one line with the rating and the club records held, or nothing. Three queries."""
    stored = PersonRecord.objects.filter(club=club, person=person).first()
    if stored is None:
        return []
    steps = steps_from_json(stored.history)
    events = dict(Event.objects.filter(club=club).values_list("pk", "name"))
    return [
        {
            "rating": stored.rating,
            "margin": stored.margin,
            "rank": stored.rank,
            "matches": stored.matches,
            "after": [
                {"event": events.get(step.event, ""), "rating": step.rating, "margin": step.margin} for step in steps
            ],
            "record": stored.record,
            "records": sorted(_iter_held_records(club, person)),
            "worked_out_at": stored.computed_at,
        }
    ]


def _iter_held_records(club: Club, person: Person) -> Iterator[str]:
    """Yield the club records that a person holds, as ``streak`` or ``2026, streak``."""
    club_record = ClubRecord.objects.filter(club=club).first()
    if club_record is None:
        return
    for prefix, record in (
        ("", club_record.everything or {}),
        *((f"{year}, ", year_record) for year, year_record in club_record.years.items()),
    ):
        for name, feat in record.items():
            holders = feat.get("holders", []) if isinstance(feat, dict) else []
            pairs = [players for players, _ in holders]
            if isinstance(feat, dict) and "players" in feat:
                pairs.append(feat["players"])
            if any({person.pk, *person.merged_ids} & set(players) for players in pairs):
                yield f"{prefix}{name}"


def export_seasons(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return the person's line in each season standings, with its nights. One query, and one for each
    line."""
    person_ids = {person.pk, *person.merged_ids}
    events = dict(Event.objects.filter(club=club).values_list("pk", "name"))
    lines = []
    for season in club.seasons.defer("scores"):
        for place, (ladder, rows) in enumerate(zip(ladders_from_json(season.ladders), season.rows, strict=False)):
            for row in rows:
                if not person_ids & set(row["players"]):
                    continue
                scores = get_line_scores(season, place, row["players"])
                lines.append(
                    {
                        "season": season.name,
                        "ladder": ladder.name,
                        **{name: row[name] for name in ("rank", "total", "nights")},
                        "nights_of_it": [
                            {
                                "event": events.get(score.event, ""),
                                "rank": score.rank,
                                "brought": score.gained,
                            }
                            for score in scores
                        ],
                    }
                )
    return lines
