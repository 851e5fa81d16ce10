"""Computed figures of a person in the export: rating, records, lines of seasons."""

from collections.abc import Iterator
from typing import Any

from clubs.models import Club, Person
from engine.ladders import ladders_from_json
from engine.ratings import steps_from_json
from tournaments.models import ClubRecord, Event, PersonRecord
from tournaments.seasons.queries import scores_of_line


def subject_figures(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return one line with the rating and the club records held, or nothing. Three queries."""
    kept = PersonRecord.objects.filter(club=club, person=person).first()
    if kept is None:
        return []
    steps = steps_from_json(kept.history)
    events = dict(Event.objects.filter(club=club).values_list("pk", "name"))
    return [
        {
            "rating": kept.rating,
            "margin": kept.margin,
            "rank": kept.rank,
            "matches": kept.matches,
            "after": [
                {"event": events.get(step.event, ""), "rating": step.rating, "margin": step.margin}
                for step in steps
            ],
            "record": kept.record,
            "records": sorted(_records_held(club, person)),
            "worked_out_at": kept.computed_at,
        }
    ]


def _records_held(club: Club, person: Person) -> Iterator[str]:
    """Yield the club records that a person holds, as ``streak`` or ``2026, streak``."""
    kept = ClubRecord.objects.filter(club=club).first()
    if kept is None:
        return
    for when, record in (
        ("", kept.everything or {}),
        *((f"{year}, ", one) for year, one in kept.years.items()),
    ):
        for name, feat in record.items():
            holders = feat.get("holders", []) if isinstance(feat, dict) else []
            pairs = [players for players, _ in holders]
            if isinstance(feat, dict) and "players" in feat:
                pairs.append(feat["players"])
            if any({person.pk, *person.merged_ids} & set(players) for players in pairs):
                yield f"{when}{name}"


def subject_seasons(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return the person's line in each season standings, with its nights. One query, and one for each
    line."""
    mine = {person.pk, *person.merged_ids}
    events = dict(Event.objects.filter(club=club).values_list("pk", "name"))
    found = []
    for season in club.seasons.defer("scores"):
        for place, (ladder, rows) in enumerate(
            zip(ladders_from_json(season.ladders), season.rows, strict=False)
        ):
            for row in rows:
                if not mine & set(row["players"]):
                    continue
                scores = scores_of_line(season, place, row["players"])
                found.append(
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
    return found
