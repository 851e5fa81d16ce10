"""Events as files: made by the services that the desk calls, and checked."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from clubs.recording import By
from rules import CANADIAN, Refusal, Side
from scoring.models import Match
from scoring.services import agree
from tests.builders import (
    ONE_GAME,
    TUESDAY,
    a_club,
    an_account,
    fresh,
    mark,
    matches_of,
    play_round,
    player_names,
)
from tournaments.event_files import Content, read_event_file, verify, with_sums, written
from tournaments.lifecycle import RoundState
from tournaments.models import Event, Round
from tournaments.presets import PRESETS
from tournaments.ranking import RankingRules
from tournaments.selectors import event_file_of, lineup_of
from tournaments.services import (
    add_entries,
    adjust_table,
    close_round,
    create_event,
    draw_round,
    finish_standings,
    forfeit_table,
    hold_table,
    let_cards_count,
    publish_round,
    reopen_round,
    start_event,
    swap_entries,
    undo_action,
    unpublish_round,
)
from tournaments.services.attendance import change_attendance
from tournaments.services.entry_acts import adjust_entry, return_entry, withdraw_entry
from tournaments.services.settings import change_ranking


def a_tournament(entries: int = 9, **settings: Any) -> Event:
    """One that has begun, without a round yet; some are of one club."""
    event = create_event(
        club=a_club(),
        name="Tournoi d'automne",
        held_on=TUESDAY,
        ruleset=CANADIAN,
        match_format=ONE_GAME,
        table_count=4,
        **settings,
    )
    add_entries(event_id=event.pk, entries=player_names(entries, size=event.entry_size))
    event.entries.filter(number__lte=4).update(team="Rimouski")
    return start_event(event_id=event.pk)


def of_preset(key: str, entries: int = 9) -> Event:
    preset = PRESETS[key]
    return a_tournament(entries, stages=[dict(stage) for stage in preset.stages(entries, 5)])


def has_another_round(event: Event, seed: int) -> bool:
    """Draws it, if there is one."""
    try:
        draw_round(event_id=event.pk, seed=seed)
    except Refusal as refusal:
        if refusal.code != "nothing_left_to_draw":
            raise
        return False
    return True


def play_to_the_end(event: Event) -> int:
    rounds = 0
    while has_another_round(event, rounds + 1):
        rounds += 1
        publish_round(event_id=event.pk, number=rounds)
        play_round(event, rounds)
    return rounds


def file_of(event: Event) -> Content:
    """As it is written to a file and read again."""
    finish_standings(event_id=event.pk)
    return read_event_file(
        written(event_file_of(Event.objects.select_related("club", "terms").get(pk=event.pk)))
    )


def differences(content: Content) -> list[tuple[Any, ...]]:
    return [(each.where, each.code, each.details) for each in verify(content).differences]


def with_right_sums(content: Content) -> Content:
    return with_sums(json.loads(json.dumps(content)))


class Director:
    """Somebody who does whatever a director can do, by chance; what is refused is not done."""

    def __init__(self, event: Event, seed: int) -> None:
        self.event, self.chance = event, Random(seed)
        self.account = an_account()
        self.begun = event.actions.latest("pk").pk
        self.done: Counter[str] = Counter()
        self.deeds: tuple[Callable[[], object], ...] = (
            self.swap,
            self.swap,
            self.hold,
            self.redraw,
            self.forfeit,
            self.adjust_table,
            self.let_cards_count,
            self.withdraw,
            self.be_away,
            self.adjust,
            self.correct,
            self.correct,
            self.unpublish,
            self.reopen,
            self.rank_otherwise,
            self.undo,
            self.undo,
            self.undo,
            self.end_of_round,
            self.end_of_round,
            self.end_of_round,
        )

    def work(self, deeds: int) -> None:
        for _ in range(deeds):
            deed = self.chance.choice(self.deeds)
            try:
                deed()
            except Refusal as refusal:
                self.done[f"refused {refusal.code}"] += 1
            else:
                self.done[deed.__name__] += 1
        while self.last.state != RoundState.CLOSED:
            self.end_of_round()

    @property
    def last(self) -> Round:
        return self.event.rounds.order_by("-number").first() or draw_round(event_id=self.event.pk, seed=1)

    @property
    def by(self) -> By:
        return By(account=self.account)

    def end_of_round(self) -> None:
        last = self.last
        if last.state == RoundState.CLOSED:
            draw_round(event_id=self.event.pk, seed=self.chance.randrange(10_000), by=self.by)
        elif last.state == RoundState.DRAFT:
            publish_round(event_id=self.event.pk, number=last.number)
        else:
            for match in matches_of(self.event, last.number):
                if not fresh(match).is_over:
                    self.play(match)
            close_round(event_id=self.event.pk, number=last.number)

    def play(self, match: Match) -> None:
        """With a slip of the finger, two phones, and a hand that was undone."""
        one, other = self.chance.sample("AB", 2)
        first = mark(match, f"{one} 6 made")
        mark(match, f"{one} 7 failed", number=1)
        mark(match, f"{one} 6 made", number=1, replacing=match.marks.order_by("-pk")[0])
        mark(match, f"{other} mulot made")
        mark(match, "undone", number=2, replacing=match.marks.order_by("-pk")[0])
        assert first.number == 1
        winner = self.chance.choice("AB")
        mark(match, f"{winner} gros_charlemagne made")
        agree(match_id=match.pk, side=Side.A, game=1)

    def some_round(self) -> Round:
        return self.chance.choice(list(self.event.rounds.all()) or [self.last])

    def some_entry(self) -> int:
        return self.chance.choice(list(self.event.entries.values_list("number", flat=True)))

    def some_table(self) -> dict[str, Any]:
        drawn = self.some_round()
        numbers = [table.number for table in lineup_of(drawn).tables] or [1]
        return {
            "event_id": self.event.pk,
            "number": drawn.number,
            "table": self.chance.choice(numbers),
            "by": self.by,
        }

    def swap(self) -> None:
        swap_entries(
            event_id=self.event.pk,
            number=self.chance.choice([self.some_round().number, self.last.number]),
            one=self.some_entry(),
            other=self.some_entry(),
            by=self.by,
        )

    def hold(self) -> None:
        hold_table(**self.some_table(), is_held=True)

    def redraw(self) -> None:
        if self.last.state == RoundState.DRAFT:
            draw_round(event_id=self.event.pk, seed=self.chance.randrange(10_000))

    def forfeit(self) -> None:
        forfeit_table(**self.some_table(), winner=self.chance.choice([Side.A, Side.B]))

    def adjust_table(self) -> None:
        adjust_table(**self.some_table(), games=(1, 0), points=(21, self.chance.randrange(20)))

    def let_cards_count(self) -> None:
        let_cards_count(**self.some_table())

    def withdraw(self) -> None:
        deed = self.chance.choice([withdraw_entry, return_entry])
        deed(event_id=self.event.pk, number=self.some_entry(), by=self.by)

    def be_away(self) -> None:
        change_attendance(
            event_id=self.event.pk,
            number=self.some_entry(),
            round_number=self.last.number + 1,
            attendance=self.chance.choice(["absent", "bye"]),
        )

    def adjust(self) -> None:
        metric = self.chance.choice(["match_wins", "points_for"])
        adjust_entry(
            event_id=self.event.pk, number=self.some_entry(), metric=metric, amount=-1, by=By(reason="Late")
        )

    def correct(self) -> None:
        """A hand of a round that may be closed, by the director."""
        matches = matches_of(self.event, self.some_round().number)
        match = self.chance.choice(matches) if matches else None
        last = match.marks.filter(status="current").order_by("-number").first() if match else None
        if match is not None and last is not None:
            side = self.chance.choice("AB")
            mark(match, f"{side} gros_charlemagne made", replacing=last, director=self.account)

    def unpublish(self) -> None:
        unpublish_round(event_id=self.event.pk, number=self.last.number)

    def reopen(self) -> None:
        reopen_round(event_id=self.event.pk, number=self.last.number)

    def rank_otherwise(self) -> None:
        order = self.chance.sample(["match_wins", "difference", "buchholz", "head_to_head"], 3)
        change_ranking(event_id=self.event.pk, rules=RankingRules(order=tuple(order), dropped=1))

    def undo(self) -> None:
        """One of the last lines of the history."""
        actions = list(self.event.actions.filter(pk__gt=self.begun).order_by("-pk")[:3])
        if actions:
            undo_action(event_id=self.event.pk, action_id=self.chance.choice(actions).pk)


def an_eventful_tournament(seed: int, *, draw_format: str = "swiss", deeds: int = 60) -> Event:
    event = a_tournament(stages=[{"format": draw_format}])
    Director(event, seed).work(deeds)
    return event


Path = tuple[str | int, ...]


def leaves(value: Any, at: Path = ()) -> Iterator[Path]:
    """The way to everything in it that is no list and no object, and to those that are empty."""
    if isinstance(value, dict | list) and value:
        for step in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[step], (*at, step))
    else:
        yield at


def value_at(content: Any, path: Path) -> Any:
    for step in path:
        content = content[step]
    return content


def with_value(content: Content, path: Path, value: Any) -> Content:
    """A copy in which that is said there."""
    changed: Content = json.loads(json.dumps(content))
    value_at(changed, path[:-1])[path[-1]] = value
    return changed


def another(value: Any, chance: Random) -> Any:
    """Something else of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + chance.choice((-1, 1))
        case str():
            return chance.choice(sorted({"A", "B", value + "e", value[1:]} - {value}))
        case None:
            return chance.choice((1, "A"))
        case _:
            return [1]


class Forger:
    """Somebody who changes what can be computed again, and puts the sums right."""

    def __init__(self, content: Content, seed: int) -> None:
        self.content: Content = json.loads(json.dumps(content))
        self.chance = Random(seed)
        self.round = self.chance.choice(self.content["rounds"])
        self.table = self.chance.choice(self.round["tables"])

    def forged(self) -> tuple[str, Content]:
        deeds = (
            self.contract,
            self.side,
            self.status,
            self.place,
            self.supersedes,
            self.mark_left_out,
            self.seats,
            self.bye,
            self.table_number,
            self.reason,
            self.seed,
            self.price,
            self.proof,
            self.earlier_result,
            self.order,
            self.score,
            self.winner,
            self.over,
            self.rank,
            self.row,
            self.count,
            self.ruling,
            self.agreement,
        )
        deed = self.chance.choice(deeds)
        deed()
        return deed.__name__, with_sums(self.content)

    @property
    def marks(self) -> list[dict[str, Any]]:
        marks: list[dict[str, Any]] = self.table["match"]["marks"]
        return marks

    def standing(self) -> dict[str, Any]:
        """A hand that counts."""
        return self.chance.choice([mark for mark in self.marks if mark["status"] == "current"])

    def contract(self) -> None:
        self.standing()["record"] |= {"contract": "8", "outcome": "made"}

    def side(self) -> None:
        record = self.standing()["record"]
        record["side"] = "AB"["BA".index(record["side"])]

    def status(self) -> None:
        mark = self.chance.choice(self.marks)
        others = {"current", "superseded", "echo", "rival"} - {mark["status"]}
        mark["status"] = self.chance.choice(sorted(others))

    def place(self) -> None:
        self.chance.choice(self.marks)["place"] += 1

    def supersedes(self) -> None:
        mark = self.chance.choice([mark for mark in self.marks if mark["supersedes"] is not None])
        mark["supersedes"] = None

    def mark_left_out(self) -> None:
        self.marks.remove(self.standing())

    def seats(self) -> None:
        self.table["a"], self.table["b"] = self.table["b"], self.table["a"]

    def bye(self) -> None:
        bye = self.chance.choice(self.round["byes"])
        bye["entry"], self.table["a"][0] = self.table["a"][0], bye["entry"]

    def table_number(self) -> None:
        self.table["number"] += 50

    def reason(self) -> None:
        self.table["reasons"].append({"code": "by_lot"})

    def seed(self) -> None:
        self.round["draw"]["seed"] += 1

    def price(self) -> None:
        price = self.round["draw"]["price"]
        price[self.chance.choice(sorted(price))] += 1

    def proof(self) -> None:
        self.chance.choice(self.round["draw"]["certificate"]["prices"])[1] += "0"

    def earlier_result(self) -> None:
        later = self.chance.choice(self.content["rounds"][1:])
        sat = self.chance.choice([sat for sat in later["draw"]["drawn_from"]["earlier"][0] if sat[2]])
        sat[4] = "B" if sat[4] == "A" else "A"

    def order(self) -> None:
        order = self.content["rounds"][-1]["draw"]["drawn_from"]["order"]
        order[0], order[-1] = order[-1], order[0]

    def score(self) -> None:
        points = self.table["match"]["summary"]["points"]
        points[self.chance.randrange(2)] += 3

    def winner(self) -> None:
        summary = self.table["match"]["summary"]
        summary["winner"] = "A" if summary["winner"] == "B" else "B"

    def over(self) -> None:
        self.table["match"]["is_over"] = False

    def rank(self) -> None:
        self.chance.choice(self.content["standings"]["rows"])["rank"] += 1

    def row(self) -> None:
        row = self.chance.choice(self.content["standings"]["rows"])
        row[self.chance.choice(["match_wins", "points_for", "entry"])] += 1

    def count(self) -> None:
        counted = self.content["standings"]["counted"]
        counted[self.chance.choice(sorted(counted))]["rounds"].pop()

    def ruling(self) -> None:
        self.table["ruling"] = {"kind": "forfeit", "winner": "B"}

    def agreement(self) -> None:
        self.table["match"]["agreements"][0]["agreed_to"] = "33-6 A points"
