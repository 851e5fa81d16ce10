"""Link preview pictures: the standings of an event, or the next nights of a club."""

from collections import Counter
from collections.abc import Sequence

from django.utils.translation import gettext, ngettext

from clubs.day_words import (
    day_in_words,
    days_and_year_in_words,
    describe_calling_off,
    hour_in_words,
)
from clubs.game_words import contract_name
from clubs.models import Club
from clubs.queries import logo_of
from clubs.wording import join_names
from tournaments.agenda.queries import AgendaLine
from tournaments.entries.queries.entries import entries_of
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.rounds.queries.rounds import rounds_of
from tournaments.sharing.link_previews import MOST_LINES, Picture, PictureLine
from tournaments.sharing.press import PressReport
from tournaments.standings.presenters import StandingsRow, StandingsView, public_snapshot, standings_view
from tournaments.standings.presenters.publication import check_validity
from tournaments.standings.titles import standings_title

from .press import WITH_A_FIGURE, press_report

NIGHTS = 3
MOST_MAKERS = 3
"""With more Charlemagnes, only their number is shown."""


def event_picture(event: Event) -> Picture:
    """Build the picture of an event, with public names, as far as it is released. It shows the standings, and
    once the event has ended also its feats. Four queries at most while it goes on, nineteen after that."""
    standings, level = None, Counter[int]()
    if event.state != EventState.PREPARING:
        rounds = list(rounds_of(event))
        kept = public_snapshot(event)
        view = standings_view(event, kept, entries_of(event), rounds, most=MOST_LINES)
        standings = check_validity(event, kept, view)
        level = Counter(row["rank"] for row in kept.rows)
    told = press_report(event) if event.state == EventState.ENDED else None
    foot = _recap(told) if told is not None and told.is_over else ()
    day = days_and_year_in_words(event.days)
    if event.place:
        day += f" · {event.place}"
    return Picture(
        club=event.club.name,
        title=event.name,
        below=day,
        kicker=_kicker(event, standings),
        lines=_first_ranks(event, standings.rows[: MOST_LINES - bool(foot)], level) if standings else (),
        foot=foot,
        logo=logo_of(event.club),
    )


def _first_ranks(event: Event, rows: Sequence[StandingsRow], level: Counter[int]) -> tuple[PictureLine, ...]:
    """Return these rows as lines. If more entries share the last rank than are shown, the last line says how
    many instead; ``level`` has their number by rank."""
    first = event.ranking_rules.order[0]
    last = rows[-1].rank if rows else 0
    shown = sum(row.rank == last for row in rows)
    return tuple(
        PictureLine(
            mark=str(row.rank),
            text=_others(shown - 1, level[last]) if row is rows[-1] and shown < level[last] else row.names,
            figure=figure_in_words(first, dict(row.figures).get(first)),
        )
        for row in rows
    )


def _others(named: int, level: int) -> str:
    """Say how many of the tied entries are not named."""
    text = gettext("and %(number)s more tied") if named else gettext("%(number)s tied")
    return text % {"number": level - named}


def _recap(told: PressReport) -> tuple[PictureLine, ...]:
    """Return lines for the highest score, the Charlemagnes and the turning hand, as far as there are any."""
    found = []
    if told.high is not None:
        found.append(
            PictureLine(
                mark=gettext("Highest score"),
                text=" · ".join(map(join_names, told.high.who)),
                figure=figure_in_words("points_for", told.high.points),
            )
        )
    if told.charlemagnes:
        made = gettext("%(number)s made") % {"number": told.charlemagnes_made}
        makers = " · ".join(dict.fromkeys(join_names(one.who) for one in told.charlemagnes))
        text = made if told.charlemagnes_made > MOST_MAKERS else makers
        found.append(PictureLine(mark=gettext("Charlemagne"), text=text))
    for turn in told.turns[:1]:
        where = gettext("round %(round)s, hand %(hand)s") % {"round": turn.round, "hand": turn.hand}
        said = (
            gettext("%(contract)s made") if turn.is_made else gettext("%(contract)s failed by the other side")
        )
        contract = said % {"contract": contract_name(turn.contract)}
        found.append(PictureLine(mark=gettext("Turning hand"), text=f"{where} · {contract}"))
    return tuple(found)


def figure_in_words(metric: str, number: int | None) -> str:
    """Say a figure in words, such as ``5 matches won`` or ``96 points``; "" for any other metric."""
    if number is None or metric not in WITH_A_FIGURE:
        return ""
    if metric == "match_wins":
        return ngettext("%(number)s match won", "%(number)s matches won", number) % {"number": number}
    return ngettext("%(number)s point", "%(number)s points", number) % {"number": number}


def _kicker(event: Event, standings: StandingsView | None) -> str:
    """Return the public status of the event."""
    if event.announcement.is_called_off:
        return describe_calling_off(event.announcement.reason_off)
    if standings is None:
        return gettext("Sign-up open") if event.takes_sign_ups else gettext("Coming soon")
    if not standings.rows:
        return gettext("Ended") if event.state == EventState.ENDED else gettext("Playing now")
    return standings_title(standings)


def club_picture(club: Club, lines: Sequence[AgendaLine]) -> Picture:
    """Build the picture of a club's next nights. One query."""
    played = [line for line in lines if not line.is_off][:NIGHTS]
    return Picture(
        club="Charlemagne",
        title=club.name,
        below=gettext("Charlemagne card nights"),
        kicker=gettext("Upcoming nights") if played else gettext("Results and standings"),
        lines=tuple(PictureLine(mark=day_in_words(line.day), text=_name_and_hour(line)) for line in played),
        logo=logo_of(club),
    )


def _name_and_hour(line: AgendaLine) -> str:
    return line.name if line.starts_at is None else f"{line.name}, {hour_in_words(line.starts_at)}"
