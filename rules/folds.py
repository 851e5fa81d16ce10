"""Points of a hand, games and the match, computed from the records of a match.

A ``MatchState`` is the fold of its places; ``add_record`` is one step of the fold, and it never refuses: after a
correction of an old hand, later ones may be beyond the end of the match, and those stay, marked as surplus,
without effect. ``static/js/table/fold.js`` folds the same on a phone without a network; both fold
``tests/vectors/matches.json``.

=========  =============================  ==========================================================
document   section                        here
=========  =============================  ==========================================================
P, G, J    scores                         ``compute_hand_points``
RULES §4   first at or above the target   ``_update_game``
RULES §4   Charlemagne ends the game      ``Ending.CHARLEMAGNE``
J          la manche: two games           ``MatchFormat.games_to_win``
RULES D10  the deal goes round            ``_get_next_dealer``
RULES D11  hands, clock, unfinished game  ``MatchFormat``, ``MatchState.points``
=========  =============================  ==========================================================
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from errors import Refusal

from .records import Deal, GameTotals, Misdeal, PassedOutHand, PlayedHand, Record, TimeCall, UndoneRecord, VoidHand
from .rulesets import AllPassRule, Ruleset
from .seats import Points, Seat, Side, get_next_seat

READ_ALOUD_POINTS = 15
"""The points from which a hand is read aloud before it counts, as is one that ends a game or the match."""

Pair = tuple[Points, Points]

NO_POINTS: Pair = (Points(0), Points(0))

_FIRST_SEAT = Seat(0)


class Ending(StrEnum):
    """The way in which a game was won."""

    POINTS = "points"
    CHARLEMAGNE = "charlemagne"
    AWARDED = "awarded"


class MatchCriterion(StrEnum):
    """The criterion of a match that ends by hands or by the clock: games, or points. Between two sides, the
    points difference decides exactly as the points do."""

    GAMES = "games"
    POINTS = "points"


class TieRule(StrEnum):
    """The winner of a match that ends level, where a winner is needed."""

    EXTRA_HAND = "extra_hand"
    """The match goes on, hand by hand, until it is no longer level."""
    LAST_LEADER = "last_to_lead"
    """The side that was last ahead; the favored one if none ever was."""
    HIGHER_SEED = "higher_seed"
    LOT = "lot"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFormat:
    """The length of a match: the first of ``games_to_win`` games, ``hands`` deals and ``minutes`` ends it.

    ``charlemagne_points`` is the value of a game won by Charlemagne if points decide; None: what the winners
    lacked to the target (D11). ``tie`` decides a level match; None: it is a draw. ``favored`` is the side of
    the higher seed, or of the lot.
    """

    games_to_win: int | None = None
    hands: int | None = None
    minutes: int | None = None
    decided_by: MatchCriterion = MatchCriterion.GAMES
    charlemagne_points: int | None = None
    tie: TieRule | None = None
    favored: Side | None = None

    @property
    def may_stop_in_a_game(self) -> bool:
        """Whether a match can end before a game is won: by the clock, or by its number of hands."""
        return self.hands is not None or self.minutes is not None

    @property
    def counts_games(self) -> bool:
        """Whether a match can have several games, so that its score includes the games won."""
        return self.games_to_win != 1

    @property
    def most_games(self) -> tuple[int | None, int | None]:
        """Most games that one side and both together can win in a match, also if it is stopped; None: no limit.
        A game takes a hand, and an extra hand may add some."""
        hands = None if self.tie is TieRule.EXTRA_HAND else self.hands
        if self.games_to_win is None:
            return hands, hands
        both = 2 * self.games_to_win - 1
        return self.games_to_win, both if hands is None else min(both, hands)

    def get_decision(self, games_won: tuple[int, int]) -> MatchCriterion:
        """Return what decided a match with so many games won: games, if there can be several and they are not
        equal; else points."""
        is_by_games = self.decided_by is MatchCriterion.GAMES or self.games_to_win in games_won
        is_by_games = is_by_games and self.counts_games and games_won[0] != games_won[1]
        return MatchCriterion.GAMES if is_by_games else MatchCriterion.POINTS


def check_format(match_format: MatchFormat) -> MatchFormat:
    """Check that a match of this format can end, and return the format.

    Refuses: no_match_length, length_not_positive, value_negative.
    """
    lengths = {name: getattr(match_format, name) for name in ("games_to_win", "hands", "minutes")}
    if all(length is None for length in lengths.values()):
        raise Refusal("no_match_length", field="games_to_win")
    for name, length in lengths.items():
        if length is not None and length < 1:
            raise Refusal("length_not_positive", field=name)
    if match_format.charlemagne_points is not None and match_format.charlemagne_points < 0:
        raise Refusal("value_negative", field="charlemagne_points")
    return match_format


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One game: its number from 1, the two totals, and its winner, once it is over."""

    number: int
    points: Pair = NO_POINTS
    winner: Side | None = None
    by: Ending | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One place of the record with its effect: points gained, the game after it, and the dealer."""

    number: int
    record: Record
    dealer: Seat
    gained: Pair
    game: Game
    is_surplus: bool = False

    @property
    def ends_game(self) -> bool:
        return self.game.winner is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchState:
    """The state of a match so far.

    ``games`` are the finished games, ``game`` is the running one. ``is_time_called`` may be set in a match that
    goes on for an extra hand; ``last_leader`` is the side that was last ahead.
    """

    ruleset: Ruleset
    match_format: MatchFormat
    dealer: Seat
    game: Game = Game(number=1)
    games: tuple[Game, ...] = ()
    lines: tuple[Line, ...] = ()
    deals: int = 0
    is_over: bool = False
    is_time_called: bool = False
    last_leader: Side | None = None

    def add_record(self, number: int, record: Record) -> "MatchState":
        """Return the state after this place. Never refuses a record that its ruleset knows."""
        dealer = self.dealer
        if isinstance(record, Deal) and record.dealer is not None:
            dealer = record.dealer
        if self.is_over:
            line = Line(number=number, record=record, dealer=dealer, gained=NO_POINTS, game=self.game, is_surplus=True)
            return replace(self, lines=(*self.lines, line))
        points = compute_hand_points(self.ruleset, record)
        game = _update_game(self.game, record, points, self.ruleset)
        line = Line(number=number, record=record, dealer=dealer, gained=points, game=game)
        is_won = game.winner is not None
        state = replace(
            self,
            dealer=_get_next_dealer(dealer, record, self.ruleset),
            lines=(*self.lines, line),
            games=(*self.games, game) if is_won else self.games,
            game=Game(number=game.number + 1) if is_won else game,
            deals=self.deals + _is_deal_moved(record, self.ruleset),
            is_time_called=self.is_time_called or isinstance(record, TimeCall),
        )
        tie, hands = self.match_format.tie, self.match_format.hands
        is_over = state.has_games_to_win or state.is_time_called or (hands is not None and state.deals >= hands)
        if tie is None:
            return replace(state, is_over=True) if is_over else state
        ahead = state.leader
        is_over = is_over and (tie is not TieRule.EXTRA_HAND or ahead is not None)
        return replace(state, is_over=is_over, last_leader=ahead or self.last_leader)

    @property
    def games_won(self) -> tuple[int, int]:
        winners = [game.winner for game in self.games]
        return winners.count(Side.A), winners.count(Side.B)

    @property
    def has_games_to_win(self) -> bool:
        """Whether a side has won as many games as the match requires."""
        games_to_win = self.match_format.games_to_win
        return games_to_win is not None and max(self.games_won) >= games_to_win

    @property
    def points(self) -> Pair:
        """The points of the whole match. The unfinished game counts by its points (D11)."""
        totals = [game.points for game in (*self.games, self.game)]
        totals += [self.get_bonus_points(game) for game in self.games]
        return Points(sum(pair[0] for pair in totals)), Points(sum(pair[1] for pair in totals))

    def get_bonus_points(self, game: Game) -> Pair:
        """Return what winning the game adds to its points, if points decide: what the winners lacked to the
        target, unless the format sets a value for a Charlemagne (D11)."""
        if game.winner is None or self.match_format.decided_by is not MatchCriterion.POINTS:
            return NO_POINTS
        bonus = self.match_format.charlemagne_points
        if bonus is None or game.by is not Ending.CHARLEMAGNE:
            bonus = max(0, self.ruleset.target - game.points[game.winner])
        return _give_points(game.winner, bonus)

    @property
    def winner(self) -> Side | None:
        """The winner of the match; None while it goes on, and if everything that decides it is equal, even
        its tie rule."""
        if not self.is_over:
            return None
        form = self.match_format
        last = self.last_leader if form.tie is TieRule.LAST_LEADER else None
        return self.leader or last or (form.favored if form.tie else None)

    @property
    def leader(self) -> Side | None:
        """The side that wins if the match ends as it stands; None if everything that decides it is equal."""
        totals: list[tuple[int, int]] = [self.points]
        if self.has_games_to_win or self.match_format.decided_by is MatchCriterion.GAMES:
            totals = [self.games_won, self.points]
        for a, b in totals:
            if a != b:
                return Side.A if a > b else Side.B
        return None


def fold(
    ruleset: Ruleset,
    match_format: MatchFormat,
    places: Iterable[tuple[int, Record]],
    *,
    first_dealer: Seat = _FIRST_SEAT,
) -> MatchState:
    """Return the match after these places (number, record), in the order of their numbers."""
    state = MatchState(ruleset=ruleset, match_format=match_format, dealer=first_dealer)
    for number, record in sorted(places, key=lambda place: place[0]):
        state = state.add_record(number, record)
    return state


def compute_hand_points(ruleset: Ruleset, record: Record) -> Pair:
    """Return the points that one record gives to side A and to side B.

    >>> from .rulesets import CANADIAN
    >>> compute_hand_points(CANADIAN, PlayedHand(side=Side.A, contract="mulot", made=False))
    (0, 7)
    """
    if not isinstance(record, PlayedHand):
        return NO_POINTS
    contract = ruleset.get_contract(record.contract)
    if record.made:
        return _give_points(record.side, contract.made)
    return _give_points(record.side.other, contract.failed)


def is_read_aloud(before: MatchState, after: MatchState) -> bool:
    """Return whether the last record is to be read aloud first: it ends a game or the match, or moves 15
    points or more."""
    ends_something = len(after.games) > len(before.games) or (after.is_over and not before.is_over)
    return ends_something or max(after.lines[-1].gained) >= READ_ALOUD_POINTS


def _give_points(side: Side, points: int) -> Pair:
    return (Points(points), Points(0)) if side is Side.A else (Points(0), Points(points))


def _update_game(game: Game, record: Record, hand_points: Pair, ruleset: Ruleset) -> Game:
    a, b = game.points[0] + hand_points[0], game.points[1] + hand_points[1]
    if isinstance(record, GameTotals):
        a, b = record.points
    game = replace(game, points=(Points(a), Points(b)))
    if isinstance(record, GameTotals) and record.awarded and record.winner is not None:
        return replace(game, winner=record.winner, by=Ending.AWARDED)
    reaching_side = next((side for side in Side if game.points[side] >= ruleset.target), None)
    if reaching_side is not None:
        return replace(game, winner=reaching_side, by=Ending.POINTS)
    if isinstance(record, GameTotals) and record.winner is not None:
        return replace(game, winner=record.winner, by=Ending.CHARLEMAGNE)
    if isinstance(record, PlayedHand) and ruleset.get_contract(record.contract).ends_game:
        winner = record.side if record.made else record.side.other
        return replace(game, winner=winner, by=Ending.CHARLEMAGNE)
    return game


def _is_deal_moved(record: Record, ruleset: Ruleset) -> bool:
    """Return whether the deal moves on; such a deal counts as one of a fixed number of hands (D10, D11)."""
    match record:
        case PlayedHand():
            return True
        case PassedOutHand():
            return ruleset.all_pass is AllPassRule.NEXT_DEALER
        case Misdeal() | VoidHand() | UndoneRecord() | GameTotals() | TimeCall():
            return False


def _get_next_dealer(dealer: Seat, record: Record, ruleset: Ruleset) -> Seat:
    return get_next_seat(dealer, seats=ruleset.seats) if _is_deal_moved(record, ruleset) else dealer
