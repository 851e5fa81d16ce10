"""Link preview pictures: the standings of an event, or the next nights of a club."""

from collections import Counter
from collections.abc import Sequence

from django.utils.translation import gettext, ngettext

from clubs.date_formats import day_in_words, days_and_year_in_words, describe_calling_off, hour_in_words
from clubs.game_words import contract_name
from clubs.models import Club
from clubs.name_formats import join_names
from clubs.queries import get_logo
from tournaments.agenda.queries import AgendaLine
from tournaments.entries.queries.entries import get_entries
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.rounds.queries.rounds import get_published_rounds
from tournaments.sharing.link_previews.values import MAX_LINES, Picture, PictureLine
from tournaments.sharing.press.values import PressReport
from tournaments.standings.presenters import StandingsRow, StandingsView, build_standings_view, get_public_snapshot
from tournaments.standings.presenters.publication import mark_outdated
from tournaments.standings.titles import get_standings_title

from .press import SHOWN_METRICS, get_press_report

MAX_NIGHTS = 3
MAX_MAKERS = 3
"""With more Charlemagnes, only their number is shown."""


def build_event_picture(event: Event) -> Picture:
    """Build the picture of an event, with public names, as far as it is released. It shows the standings, and
    once the event has ended also its feats. Four queries at most while it goes on, nineteen after that."""
    standings, tied_counts = None, Counter[int]()
    if event.state != EventState.PREPARING:
        rounds = list(get_published_rounds(event))
        snapshot = get_public_snapshot(event)
        view = build_standings_view(event, snapshot, get_entries(event), rounds, max_rows=MAX_LINES)
        standings = mark_outdated(event, snapshot, view)
        tied_counts = Counter(row["rank"] for row in snapshot.rows)
    report = get_press_report(event) if event.state == EventState.ENDED else None
    foot = _build_recap_lines(report) if report is not None and report.is_over else ()
    day = days_and_year_in_words(event.days)
    if event.place:
        day += f" · {event.place}"
    return Picture(
        club=event.club.name,
        title=event.name,
        below=day,
        kicker=_get_status_text(event, standings),
        lines=_build_rank_lines(event, standings.rows[: MAX_LINES - bool(foot)], tied_counts) if standings else (),
        foot=foot,
        logo=get_logo(event.club),
    )


def _build_rank_lines(event: Event, rows: Sequence[StandingsRow], tied_counts: Counter[int]) -> tuple[PictureLine, ...]:
    """Return these rows as lines. If more entries share the last rank than are shown, the last line has their
    number instead; ``tied_counts`` are the numbers of tied entries by rank."""
    metric = rows[0].order[0] if rows else event.ranking_rules.order[0]
    last_rank = rows[-1].rank if rows else 0
    shown_count = sum(row.rank == last_rank for row in rows)
    return tuple(
        PictureLine(
            mark=str(row.rank),
            text=_format_unnamed(shown_count - 1, tied_counts[last_rank])
            if row is rows[-1] and shown_count < tied_counts[last_rank]
            else row.names,
            figure=format_figure(metric, dict(row.figures).get(metric)),
        )
        for row in rows
    )


def _format_unnamed(named_count: int, tied_count: int) -> str:
    """Say how many of the tied entries are not named."""
    text = gettext("and %(number)s more tied") if named_count else gettext("%(number)s tied")
    return text % {"number": tied_count - named_count}


def _build_recap_lines(report: PressReport) -> tuple[PictureLine, ...]:
    """Return lines for the highest score, the Charlemagnes and the turning hand, as far as there are any."""
    lines = []
    if report.high_score is not None:
        lines.append(
            PictureLine(
                mark=gettext("Highest score"),
                text=" · ".join(map(join_names, report.high_score.who)),
                figure=format_figure("points_for", report.high_score.points),
            )
        )
    if report.charlemagnes:
        count_text = gettext("%(number)s made") % {"number": report.charlemagne_count}
        makers = " · ".join(dict.fromkeys(join_names(charlemagne.who) for charlemagne in report.charlemagnes))
        text = count_text if report.charlemagne_count > MAX_MAKERS else makers
        lines.append(PictureLine(mark=gettext("Charlemagne"), text=text))
    for turn in report.turning_hands[:1]:
        place_text = gettext("round %(round)s, hand %(hand)s") % {"round": turn.round, "hand": turn.hand}
        outcome = gettext("%(contract)s made") if turn.is_made else gettext("%(contract)s failed by the other side")
        contract = outcome % {"contract": contract_name(turn.contract)}
        lines.append(PictureLine(mark=gettext("Turning point"), text=f"{place_text} · {contract}"))
    return tuple(lines)


def format_figure(metric: str, number: int | None) -> str:
    """Say a figure in words, such as ``5 matches won`` or ``96 points``; "" for any other metric."""
    if number is None or metric not in SHOWN_METRICS:
        return ""
    if metric == "match_wins":
        return ngettext("%(number)s match won", "%(number)s matches won", number) % {"number": number}
    return ngettext("%(number)s point", "%(number)s points", number) % {"number": number}


def _get_status_text(event: Event, standings: StandingsView | None) -> str:
    """Return the public status of the event."""
    if event.announcement.is_called_off:
        return describe_calling_off(event.announcement.reason_off)
    if standings is None:
        return gettext("Sign-up open") if event.is_sign_up_open else gettext("Coming soon")
    if not standings.rows:
        return gettext("Ended") if event.state == EventState.ENDED else gettext("Playing now")
    return get_standings_title(standings)


def build_club_picture(club: Club, lines: Sequence[AgendaLine]) -> Picture:
    """Build the picture of a club's next nights. One query."""
    upcoming = [line for line in lines if not line.is_off][:MAX_NIGHTS]
    return Picture(
        club="Charlemagne",
        title=club.name,
        below=gettext("Charlemagne card nights"),
        kicker=gettext("Upcoming nights") if upcoming else gettext("Results and standings"),
        lines=tuple(PictureLine(mark=day_in_words(line.day), text=_format_night(line)) for line in upcoming),
        logo=get_logo(club),
    )


def _format_night(line: AgendaLine) -> str:
    return line.name if line.starts_at is None else f"{line.name}, {hour_in_words(line.starts_at)}"
