"""What goes to the API, and what comes back. Made from the schema by `manage.py client`."""

from typing import Any, Literal, NotRequired, TypedDict


class ActionOut(TypedDict):
    """A line of a history: by its ``id`` it is undone."""

    id: int
    kind: str
    """What was done."""
    at: str
    by: NotRequired[str | None]
    origin: str
    """From which key, device and address."""
    reason: str
    undoes: int | None
    undone_by: NotRequired[int | None]


class ActionPage(TypedDict):
    next: str | None
    previous: str | None
    results: list[ActionOut]


class AdjustmentIn(TypedDict):
    metric: str
    amount: int
    round_number: NotRequired[int | None]
    reason: NotRequired[str]
    """Kept in the history."""


class AgainIn(TypedDict):
    name: str
    held_on: str
    with_people: NotRequired[bool]
    """Whoever took part is entered again, not yet present."""
    reason: NotRequired[str]
    """Kept in the history."""


class AgreeIn(TypedDict):
    match: NotRequired[int | None]
    side: Literal["A", "B"]
    game: int
    seen: NotRequired[str]
    """How the game stood when the side looked: `24-18 A points`."""
    device: NotRequired[str]
    reason: NotRequired[str]
    """Kept in the history."""


class DuesOut(TypedDict):
    """What is asked of members for a time; ``amount`` in cents."""

    id: int
    name: str
    amount: int
    starts: str
    ends: str


class AllDues(TypedDict):
    results: list[DuesOut]


class AnnouncementIn(TypedDict):
    """What it leaves out stays as it is."""

    starts_at: NotRequired[str | None]
    ends_at: NotRequired[str | None]
    last_day: NotRequired[str | None]
    sign_up_until: NotRequired[str | None]
    place: NotRequired[str]
    address: NotRequired[str]
    about: NotRequired[str]
    prizes: NotRequired[str]
    bring: NotRequired[str]
    contact: NotRequired[str]
    reason: NotRequired[str]
    """Kept in the history."""


class AnnouncementOut(TypedDict):
    """Hours are those of the club's clock. Empty where nobody has said."""

    last_day: str | None
    """Of an event of several days."""
    starts_at: str | None
    ends_at: str | None
    place: str
    address: str
    about: str
    prizes: str
    bring: str
    contact: str
    sign_up_until: str | None
    is_called_off: bool
    """It is not held."""
    reason_off: str
    """Why it is called off, such as a storm."""


class ApartIn(TypedDict):
    text: str
    always: bool
    rounds: NotRequired[int | None]
    reason: NotRequired[str]
    """Kept in the history."""


class AttendanceIn(TypedDict):
    round_number: int
    attendance: Literal["plays", "absent", "bye"]
    reason: NotRequired[str]
    """Kept in the history."""


class BeginIn(TypedDict):
    minutes: NotRequired[int | None]
    reason: NotRequired[str]
    """Kept in the history."""


class BoardChange(TypedDict):
    """What it leaves out stays as it is."""

    name: NotRequired[str]
    first_table: NotRequired[int | None]
    last_table: NotRequired[int | None]
    is_dark: NotRequired[bool]
    reason: NotRequired[str]
    """Kept in the history."""


class BoardIn(TypedDict):
    name: str
    first_table: NotRequired[int | None]
    last_table: NotRequired[int | None]
    is_dark: NotRequired[bool]
    reason: NotRequired[str]
    """Kept in the history."""


class BoardOut(TypedDict):
    """A screen: its page ends in its ``number``; the tables of its room, null where it has no limit."""

    number: int
    name: str
    scene: Literal["turning", "by_name", "tables", "names", "standings", "clock"]
    first_table: int | None
    last_table: int | None
    is_dark: bool


class Boards(TypedDict):
    results: list[BoardOut]


class ByeOut(TypedDict):
    entry: int
    entry_id: int
    names: str
    kind: Literal["waits", "walkover", "bye"]
    """In a bracket, ``waits`` for the other side, or goes on by a ``walkover``; else a ``bye``."""
    counts_as: Literal["bye", "requested_bye"] | None
    """What the ranking counts: a ``bye``, or a ``requested_bye``. Null where it counts nothing, and where
    whoever asks may not see the standings with this round."""


class CallIn(TypedDict):
    table: int
    reason: NotRequired[str]
    """Kept in the history."""


class CallOffIn(TypedDict):
    reason: NotRequired[str]
    """Kept in the history."""


class CancelIn(TypedDict):
    on: str
    reason: NotRequired[str]
    """Kept in the history."""


class CardOut(TypedDict):
    table: int
    code: str


class Cards(TypedDict):
    """The cards of an event's tables: whoever knows a code marks there."""

    results: list[CardOut]


class CardsCountIn(TypedDict):
    may_be_undecided: NotRequired[bool]
    reason: NotRequired[str]
    """Kept in the history."""


class ChangedDateOut(TypedDict):
    """A day on which it is not held; null in ``moved_to`` where it is cancelled."""

    on: str
    moved_to: str | None
    reason: str


class ClubOut(TypedDict):
    id: str
    """As in the address of its page; it never changes."""
    name: str
    language: str
    time_zone: str
    ruleset: str
    """What it usually plays."""


class ClubPage(TypedDict):
    next: str | None
    previous: str | None
    results: list[ClubOut]


class ClubPageIn(TypedDict):
    """What it leaves out stays as it is."""

    hall: NotRequired[str]
    hall_address: NotRequired[str]
    about: NotRequired[str]
    officers: NotRequired[str]
    contact: NotRequired[str]
    website: NotRequired[str]
    reason: NotRequired[str]
    """Kept in the history."""


class Column(TypedDict):
    key: str
    name: str
    """Its heading in the reader's language."""


class DealerIn(TypedDict):
    match: NotRequired[int | None]
    seat: int
    seen: NotRequired[int | None]
    reason: NotRequired[str]
    """Kept in the history."""


class DeliveryOut(TypedDict):
    id: int
    message_id: str
    """The header webhook-id."""
    kind: str
    state: str
    """waiting, delivered, given_up or withdrawn."""
    noticed_at: str
    attempts: int
    tried_at: str | None
    status: int | None
    milliseconds: int | None
    trouble: str
    """Why it was not sent; empty where somebody answered."""
    answer: str
    """How it began."""


class Deliveries(TypedDict):
    """The last hundred, the newest first."""

    results: list[DeliveryOut]


class DisputeIn(TypedDict):
    match: NotRequired[int | None]
    note: NotRequired[str]
    device: NotRequired[str]
    reason: NotRequired[str]
    """Kept in the history."""


class DisputeOut(TypedDict):
    """A table that calls the desk."""

    round: int
    table: int
    call: str | None
    """Names the call: an answer to it says so."""
    note: str
    """What the table says of it."""
    since: str


class Disputes(TypedDict):
    results: list[DisputeOut]


class Done(TypedDict):
    """It is done; ``id`` names what was made, where something was."""

    id: int | None


class DoorPrizeIn(TypedDict):
    prize: NotRequired[str]
    seed: NotRequired[int | None]
    reason: NotRequired[str]
    """Kept in the history."""


class DrawIn(TypedDict):
    seed: NotRequired[int | None]
    reason: NotRequired[str]
    """Kept in the history."""


class DuesChange(TypedDict):
    """What it leaves out stays as it is."""

    name: NotRequired[str]
    amount: NotRequired[int]
    starts: NotRequired[str]
    ends: NotRequired[str]
    reason: NotRequired[str]
    """Kept in the history."""


class DuesIn(TypedDict):
    name: str
    amount: int
    starts: str
    ends: str
    reason: NotRequired[str]
    """Kept in the history."""


class PlayerOut(TypedDict):
    id: int
    name: str


class EntryOut(TypedDict):
    """Who takes part: a pair, or somebody alone. What only the club sees is null for others."""

    number: int
    """Names it within its event."""
    id: int
    """Names it anywhere, as in files."""
    names: str
    section: str | None
    is_waiting: bool | None
    looks_for_partner: bool | None
    """One person who waits until the desk makes a pair of two."""
    is_present: bool | None
    leaves_after: int | None
    players: list[PlayerOut] | None


class Entries(TypedDict):
    results: list[EntryOut]


class EntryIn(TypedDict):
    players: list[str]
    is_present: NotRequired[bool]
    reason: NotRequired[str]
    """Kept in the history."""


class EntryNotesIn(TypedDict):
    """What it leaves out stays as it is."""

    section: NotRequired[str]
    team: NotRequired[str]
    rating: NotRequired[int | None]
    table: NotRequired[int | None]
    family: NotRequired[str]
    car: NotRequired[str]
    labels: NotRequired[str]
    side: NotRequired[Literal["A", "B"] | None]
    reason: NotRequired[str]
    """Kept in the history."""


class EventIn(TypedDict):
    name: str
    held_on: str
    ruleset: str
    """A built-in system, or house-… of the club."""
    games_to_win: NotRequired[int | None]
    hands: NotRequired[int | None]
    minutes: NotRequired[int | None]
    tables: int
    stages: NotRequired[list[Any]]
    """As an event's file has them."""
    sections: NotRequired[list[Any]]
    ranking: NotRequired[Any]
    details: NotRequired[list[Literal["declarer", "trump", "mode", "result_only"]]]
    reason: NotRequired[str]
    """Kept in the history."""


class Shown(TypedDict):
    """What everybody sees of it now."""

    is_public: bool
    entries: bool
    draw: bool
    results: str
    standings: str
    names: str
    silent_from: int | None


class EventOut(TypedDict):
    """A club night or a tournament."""

    id: str
    """As in the address of its page; it never changes."""
    club: str
    name: str
    held_on: str
    state: Literal["preparing", "running", "ended"]
    ruleset: str
    rules_name: str
    entry_size: int
    """How many people make an entry."""
    tables: int
    shows: Shown


class EventPage(TypedDict):
    next: str | None
    previous: str | None
    results: list[EventOut]


class EventWhole(TypedDict):
    """The same with the rules that it is played by, too."""

    id: str
    """As in the address of its page; it never changes."""
    club: str
    name: str
    held_on: str
    state: Literal["preparing", "running", "ended"]
    ruleset: str
    rules_name: str
    entry_size: int
    """How many people make an entry."""
    tables: int
    shows: Shown
    announcement: AnnouncementOut
    format: dict[str, Any]
    rules: dict[str, Any]


class LadderIn(TypedDict):
    """How nights add up."""

    counts: Literal["match_wins", "games_won", "points_for", "difference", "rank_points"]
    unit: NotRequired[Literal["person", "pair"]]
    rank_points: NotRequired[list[int]]
    best: NotRequired[int | None]
    least_nights: NotRequired[int]
    presence: NotRequired[int]


class FederationChange(TypedDict):
    """What it leaves out stays as it is."""

    name: NotRequired[str]
    starts: NotRequired[str]
    ends: NotRequired[str]
    ladder: NotRequired[LadderIn]
    reason: NotRequired[str]
    """Kept in the history."""


class FederationDate(TypedDict):
    day: str
    starts_at: str | None
    club: str
    name: str
    place: str
    page: str
    is_off: bool
    """It was called off."""


class FederationDates(TypedDict):
    """What is ahead in all clubs."""

    results: list[FederationDate]


class FederationIn(TypedDict):
    name: str
    starts: str
    ends: str
    ladder: LadderIn
    reason: NotRequired[str]
    """Kept in the history."""


class FederationLine(TypedDict):
    key: str
    """Names the line in its address."""
    names: str
    clubs: str
    rank: int | None
    """Null for who came too seldom."""
    total: int
    nights: int
    bonus: int
    """For being there, within the total."""


class FederationLadder(TypedDict):
    """The first five hundred lines of `total`, best first."""

    total: int
    results: list[FederationLine]


class FederationNight(TypedDict):
    """A night of a club: `page` is where the club shows it, `log` the line that signs its results; empty
    where there is none."""

    club: str
    name: str
    held_on: str
    page: str
    log: str
    is_corrected: bool
    of: int
    """So many entries were there."""


class Gain(TypedDict):
    """What a night brought."""

    night: FederationNight
    rank: int
    gained: int
    is_counted: bool


class FederationLineWhole(TypedDict):
    key: str
    """Names the line in its address."""
    names: str
    clubs: str
    rank: int | None
    """Null for who came too seldom."""
    total: int
    nights: int
    bonus: int
    """For being there, within the total."""
    gains: list[Gain]


class LadderOut(TypedDict):
    """How nights add up: what each brings, to whom, and which of them count; all do where `best` is
    null."""

    counts: Literal["match_wins", "games_won", "points_for", "difference", "rank_points"]
    unit: Literal["person", "pair"]
    rank_points: list[int]
    """Of the first, the second, …"""
    best: int | None
    least_nights: int
    presence: int
    """For being there."""


class FederationOut(TypedDict):
    """Points, ratings and dates of many clubs from one day to another, by a rule that the federation
    sets."""

    id: int
    name: str
    starts: str
    ends: str
    ladder: LadderOut
    worked_out_at: str | None
    """When all was last added up."""


class FederationRating(TypedDict):
    key: str
    """Names the rating in its address."""
    name: str
    clubs: str
    rank: int
    rating: int
    margin: int
    matches: int


class Step(TypedDict):
    """A rating after a night, from so many matches in all."""

    night: FederationNight
    rating: int
    matches: int


class FederationRatingWhole(TypedDict):
    key: str
    """Names the rating in its address."""
    name: str
    clubs: str
    rank: int
    rating: int
    margin: int
    matches: int
    steps: list[Step]


class FederationRatings(TypedDict):
    """The five hundred strongest of `total`."""

    total: int
    results: list[FederationRating]


class Federations(TypedDict):
    results: list[FederationOut]


class FeedOut(TypedDict):
    """What the club itself publishes for federations; empty in `address` and `key` where it is off."""

    is_on: bool
    address: str
    """Of the signed file: a federation follows it."""
    number: int
    """Grows with each file; 0 until the first is written, in a moment."""
    key: str
    """The digits of the key that signs, for whoever compares them."""


class FollowIn(TypedDict):
    address: str
    reason: NotRequired[str]
    """Kept in the history."""


class FollowedFeedOut(TypedDict):
    """A club whose feed is followed; its name is empty until a feed has come."""

    id: int
    club: str
    is_up_to_date: bool
    heard_at: str | None


class FollowedFeeds(TypedDict):
    results: list[FollowedFeedOut]


class ForfeitIn(TypedDict):
    winner: Literal["A", "B"] | None
    reason: NotRequired[str]
    """Kept in the history."""


class HandOut(TypedDict):
    number: int
    hand: dict[str, Any]
    gained: int
    points: list[int] | None
    """Of the game after it."""
    is_corrected: bool
    is_contested: bool


class GameOut(TypedDict):
    number: int
    points: list[int]
    hands: list[HandOut]


class HallIn(TypedDict):
    per_row: int
    snakes: NotRequired[bool]
    reason: NotRequired[str]
    """Kept in the history."""


class HoldIn(TypedDict):
    is_held: bool
    reason: NotRequired[str]
    """Kept in the history."""


class LabelIn(TypedDict):
    label: str
    numbers: list[int]
    reason: NotRequired[str]
    """Kept in the history."""


class LeaveOutIn(TypedDict):
    is_coming: bool
    reason: NotRequired[str]
    """Kept in the history."""


class MarkDone(TypedDict):
    id: int
    status: str
    summary: Any


class MarkIn(TypedDict):
    """A hand, a correction, or an undo (`{"kind": "undone"}`)."""

    match: NotRequired[int | None]
    entry_key: NotRequired[str]
    """The hand's own id; else the Idempotency-Key."""
    number: int
    hand: Any
    supersedes: NotRequired[str | None]
    """The mark that it replaces."""
    saw_only: NotRequired[bool]
    device: NotRequired[str]
    reason: NotRequired[str]
    """Of the desk: why."""


class MarkOut(TypedDict):
    id: int
    number: int
    status: str
    hand: Any


class MatchLengthIn(TypedDict):
    games_to_win: NotRequired[int | None]
    hands: NotRequired[int | None]
    minutes: NotRequired[int | None]
    reason: NotRequired[str]
    """Kept in the history."""


class MatchOut(TypedDict):
    """The match now played at a table, with the marks that count."""

    match: int
    round: int
    table: int
    first_dealer: int | None
    players: list[str]
    marks: list[MarkOut]
    summary: Any
    revision: int
    is_disputed: bool
    """Whether the table calls the desk."""


class MessageIn(TypedDict):
    text: str
    table: NotRequired[int | None]
    minutes: NotRequired[int | None]
    reason: NotRequired[str]
    """Kept in the history."""


class MoveEntryIn(TypedDict):
    is_up: bool
    reason: NotRequired[str]
    """Kept in the history."""


class MoveIn(TypedDict):
    on: str
    moved_to: str
    reason: NotRequired[str]
    """Kept in the history."""


class NameIn(TypedDict):
    name: str
    held_on: str
    reason: NotRequired[str]
    """Kept in the history."""


class NightOut(TypedDict):
    """A night of the calendar, which comes again."""

    id: int
    name: str
    pattern: str
    first_on: str
    last_on: str | None
    starts_at: str
    ends_at: str | None
    place: str
    changed_dates: list[ChangedDateOut]


class Nights(TypedDict):
    results: list[NightOut]


class NightsIn(TypedDict):
    left_out: list[int]
    reason: NotRequired[str]
    """Kept in the history."""


class OrderIn(TypedDict):
    way: Literal["typed", "rating", "lot"]
    reason: NotRequired[str]
    """Kept in the history."""


class PairIn(TypedDict):
    numbers: list[int]
    reason: NotRequired[str]
    """Kept in the history."""


class PencilIn(TypedDict):
    match: NotRequired[int | None]
    act: Literal["ask", "give", "keep"]
    device: str
    reason: NotRequired[str]
    """Kept in the history."""


class PeopleIn(TypedDict):
    people: list[int]
    guest: NotRequired[str]
    reason: NotRequired[str]
    """Kept in the history."""


class PersonChange(TypedDict):
    """What it leaves out stays as it is."""

    name: NotRequired[str]
    contact: NotRequired[str]
    is_guest: NotRequired[bool]
    is_active: NotRequired[bool]
    shows_full_name: NotRequired[bool]
    family: NotRequired[str]
    labels: NotRequired[list[str]]
    is_rated: NotRequired[bool]
    is_hidden: NotRequired[bool]
    is_namesake: NotRequired[bool]
    reason: NotRequired[str]
    """Kept in the history."""


class PersonIn(TypedDict):
    name: str
    contact: NotRequired[str]
    is_guest: NotRequired[bool]
    is_active: NotRequired[bool]
    shows_full_name: NotRequired[bool]
    family: NotRequired[str]
    labels: NotRequired[list[str]]
    is_rated: NotRequired[bool]
    is_hidden: NotRequired[bool]
    is_namesake: NotRequired[bool]
    reason: NotRequired[str]
    """Kept in the history."""


class PersonOut(TypedDict):
    id: int
    name: str
    contact: str
    is_guest: bool
    is_active: bool
    shows_full_name: bool
    family: NotRequired[str]
    labels: list[str]
    is_rated: bool
    is_hidden: bool


class PersonPage(TypedDict):
    next: str | None
    previous: str | None
    results: list[PersonOut]


class PlayerNameIn(TypedDict):
    name: str
    reason: NotRequired[str]
    """Kept in the history."""


class PresenceIn(TypedDict):
    is_present: bool
    reason: NotRequired[str]
    """Kept in the history."""


class PrizeCategoryChange(TypedDict):
    """What it leaves out stays as it is."""

    name: NotRequired[str]
    among: NotRequired[Literal["everybody", "label", "rating", "club", "section", "pool", "clubs"]]
    group: NotRequired[str]
    lowest: NotRequired[int | None]
    highest: NotRequired[int | None]
    places: NotRequired[int]
    prize: NotRequired[str]
    amounts: NotRequired[list[int]]
    is_public: NotRequired[bool]
    shows_amount: NotRequired[bool]
    reason: NotRequired[str]
    """Kept in the history."""


class PrizeCategoryIn(TypedDict):
    name: str
    among: NotRequired[Literal["everybody", "label", "rating", "club", "section", "pool", "clubs"]]
    group: NotRequired[str]
    lowest: NotRequired[int | None]
    highest: NotRequired[int | None]
    places: NotRequired[int]
    prize: NotRequired[str]
    amounts: NotRequired[list[int]]
    is_public: NotRequired[bool]
    shows_amount: NotRequired[bool]
    reason: NotRequired[str]
    """Kept in the history."""


class PrizeCategoryOut(TypedDict):
    """What the best of some win; ``amounts`` are those of the places in cents, 0 where there is none."""

    id: int
    name: str
    among: Literal["everybody", "label", "rating", "club", "section", "pool", "clubs"]
    group: str
    lowest: int | None
    highest: int | None
    prize: str
    amounts: list[int]
    is_public: bool
    shows_amount: bool


class PrizeChange(TypedDict):
    """What it leaves out stays as it is."""

    name: NotRequired[str]
    amount: NotRequired[int]
    is_public: NotRequired[bool]
    shows_amount: NotRequired[bool]
    reason: NotRequired[str]
    """Kept in the history."""


class PrizeIn(TypedDict):
    name: str
    amount: NotRequired[int]
    is_public: NotRequired[bool]
    shows_amount: NotRequired[bool]
    winners: list[int]
    reason: NotRequired[str]
    """Kept in the history."""


class PrizeOut(TypedDict):
    """What a person, or two together, won; ``amount`` in cents."""

    id: int
    name: str
    amount: int
    winners: list[PlayerOut]
    is_public: bool
    shows_amount: bool


class Prizes(TypedDict):
    """``add_up``: one entry may win in several categories."""

    results: list[PrizeOut]
    categories: list[PrizeCategoryOut]
    add_up: bool


class PrizesIn(TypedDict):
    add_up: bool
    reason: NotRequired[str]
    """Kept in the history."""


class Wrong(TypedDict):
    """One thing that is wrong."""

    code: str
    field: str | None
    detail: str


class Problem(TypedDict):
    """Why not, after RFC 9457. The code never changes; the sentence is in the reader's language."""

    code: str
    field: str | None
    detail: str
    type: str
    title: str
    status: int
    errors: NotRequired[list[Wrong]]


class PublishIn(TypedDict):
    as_drawn: NotRequired[bool]
    reason: NotRequired[str]
    """Kept in the history."""


class RankOut(TypedDict):
    rank: int
    entry: int
    entry_id: int
    names: str
    overall: int | None
    """The rank among all, in the list of a section."""
    figures: dict[str, float | None]
    """By metric."""
    left_after: int | None


class RankingIn(TypedDict):
    ranking: Any
    reason: NotRequired[str]
    """Kept in the history."""


class RatesIn(TypedDict):
    member: int
    guest: int
    reason: NotRequired[str]
    """Kept in the history."""


class RatingsIn(TypedDict):
    is_on: bool
    reason: NotRequired[str]
    """Kept in the history."""


class RecurringNightChange(TypedDict):
    """What it leaves out stays as it is."""

    name: NotRequired[str]
    pattern: NotRequired[Literal["weekly", "fortnightly", "monthly"]]
    first_on: NotRequired[str]
    starts_at: NotRequired[str]
    last_on: NotRequired[str | None]
    ends_at: NotRequired[str | None]
    place: NotRequired[str]
    reason: NotRequired[str]
    """Kept in the history."""


class RecurringNightIn(TypedDict):
    name: str
    pattern: Literal["weekly", "fortnightly", "monthly"]
    first_on: str
    starts_at: str
    last_on: NotRequired[str | None]
    ends_at: NotRequired[str | None]
    place: NotRequired[str]
    reason: NotRequired[str]
    """Kept in the history."""


class ReleaseIn(TypedDict):
    is_public: bool
    entries: bool
    draw: bool
    results: Literal["hands", "totals", "nothing"]
    standings: Literal["live", "final", "never"]
    names: Literal["agreed", "short", "numbers"]
    silent_from: NotRequired[int | None]
    reason: NotRequired[str]
    """Kept in the history."""


class RestoreIn(TypedDict):
    on: str
    reason: NotRequired[str]
    """Kept in the history."""


class ResultIn(TypedDict):
    games: list[int]
    points: list[int]
    reason: NotRequired[str]
    """Kept in the history."""


class RoundLine(TypedDict):
    number: int
    state: Literal["draft", "published", "playing", "closed"]
    published_at: str | None
    closed_at: str | None


class SideOut(TypedDict):
    entries: list[int]
    """Their numbers."""
    entry_ids: list[int]
    names: str
    club: str
    points: int | None
    games_won: int | None
    has_won: bool


class TableOut(TypedDict):
    number: int
    sides: list[SideOut]
    """A, then B."""
    is_over: bool
    is_contested: bool
    """Whether marks of a hand differ: the round is not closed until somebody has chosen. Only where hands
    are shown."""
    ruling: str
    """How the director decided it: a ``forfeit``, of both sides where neither has won, ``adjusted``, or
    ``awarded``, a game; empty where the cards did."""


class RoundOut(TypedDict):
    """A round with its tables; where its results are kept back, without them."""

    number: int
    state: Literal["draft", "published", "playing", "closed"]
    is_kept_back: bool
    tables: list[TableOut]
    byes: list[ByeOut]


class Rounds(TypedDict):
    results: list[RoundLine]


class RulesIn(TypedDict):
    ruleset: str
    """A built-in system, or house-… of the club."""
    details: NotRequired[list[Literal["declarer", "trump", "mode", "result_only"]]]
    reason: NotRequired[str]
    """Kept in the history."""


class SeasonChange(TypedDict):
    """What it leaves out stays as it is."""

    name: NotRequired[str]
    starts: NotRequired[str]
    ends: NotRequired[str]
    ladders: NotRequired[list[Any]]
    reason: NotRequired[str]
    """Kept in the history."""


class SeasonIn(TypedDict):
    name: str
    starts: str
    ends: str
    ladders: list[Any]
    reason: NotRequired[str]
    """Kept in the history."""


class SeasonOut(TypedDict):
    """What a season adds up, as it is said to change it: of each ladder what is not as usual. Events in
    ``left_out`` do not count; once it is closed nothing of it changes."""

    id: int
    name: str
    starts: str
    ends: str
    ladders: list[dict[str, Any]]
    left_out: list[int]
    is_closed: bool


class SeatMoreIn(TypedDict):
    one: int
    other: int
    table: NotRequired[int | None]
    reason: NotRequired[str]
    """Kept in the history."""


class SectionIn(TypedDict):
    name: str
    first_table: NotRequired[int | None]
    last_table: NotRequired[int | None]


class SectionsIn(TypedDict):
    sections: list[SectionIn]
    reason: NotRequired[str]
    """Kept in the history."""


class SettleIn(TypedDict):
    ruling: str
    call: NotRequired[str | None]
    reason: NotRequired[str]
    """Kept in the history."""


class SheetOut(TypedDict):
    """A table: each row has a value by the key of its column, without those that are empty."""

    name: str
    columns: list[Column]
    rows: list[dict[str, Any]]


class ShowIn(TypedDict):
    scene: Literal["turning", "by_name", "tables", "names", "standings", "clock"]
    reason: NotRequired[str]
    """Kept in the history."""


class SignUpIn(TypedDict):
    is_open: bool
    most_entries: NotRequired[int | None]
    reason: NotRequired[str]
    """Kept in the history."""


class StagesIn(TypedDict):
    stages: list[Any]
    reason: NotRequired[str]
    """Kept in the history."""


class StandingsOut(TypedDict):
    """The standings as whoever asks may see them."""

    status: Literal["running", "provisional", "final", "corrected"]
    is_final: bool
    """Whether they are as published. Never with a key of the club, which reads those of the moment, with
    what was corrected since."""
    after_round: int
    during_round: int | None
    computed_at: str | None
    section: str
    sections: list[str]
    columns: list[str]
    results: list[RankOut]


class SubstituteIn(TypedDict):
    name: str
    reason: NotRequired[str]
    """Kept in the history."""


class SwapIn(TypedDict):
    one: int
    other: int
    reason: NotRequired[str]
    """Kept in the history."""


class TableWhole(TypedDict):
    """A table with every hand, as far as results are released; ``match`` and ``code`` are the club's."""

    number: int
    sides: list[SideOut]
    """A, then B."""
    is_over: bool
    is_contested: bool
    """Whether marks of a hand differ: the round is not closed until somebody has chosen. Only where hands
    are shown."""
    ruling: str
    """How the director decided it: a ``forfeit``, of both sides where neither has won, ``adjusted``, or
    ``awarded``, a game; empty where the cards did."""
    games: list[GameOut]
    match: int | None
    code: str | None
    """The six digits on its card."""


class TablesIn(TypedDict):
    table_count: int
    reason: NotRequired[str]
    """Kept in the history."""


class TeamIn(TypedDict):
    numbers: list[int]
    team: NotRequired[str]
    reason: NotRequired[str]
    """Kept in the history."""


class TokenOut(TypedDict):
    """Who a program is here, and what it may do."""

    name: str
    club: str
    scope: str
    lasts_until: str


class UndoIn(TypedDict):
    may_be_undecided: NotRequired[bool]
    reason: NotRequired[str]
    """Kept in the history."""


class WebhookChange(TypedDict):
    """What it leaves out stays as it is."""

    address: NotRequired[str]
    kinds: NotRequired[
        list[
            Literal[
                "round.published",
                "table.result",
                "standings.final",
                "standings.corrected",
                "entry.changed",
                "night.changed",
            ]
        ]
    ]
    is_on: NotRequired[bool]
    reason: NotRequired[str]
    """Kept in the history."""


class WebhookIn(TypedDict):
    address: str
    kinds: list[
        Literal[
            "round.published",
            "table.result",
            "standings.final",
            "standings.corrected",
            "entry.changed",
            "night.changed",
        ]
    ]
    reason: NotRequired[str]
    """Kept in the history."""


class WebhookMade(TypedDict):
    """With the secret, which is shown this once; empty to a repeat."""

    id: int
    address: str
    kinds: list[
        Literal[
            "round.published",
            "table.result",
            "standings.final",
            "standings.corrected",
            "entry.changed",
            "night.changed",
        ]
    ]
    is_on: bool
    off_because: str
    """owner, failing, gone or restored; empty while it is on."""
    failing_since: str | None
    secret: str


class WebhookOut(TypedDict):
    id: int
    address: str
    kinds: list[
        Literal[
            "round.published",
            "table.result",
            "standings.final",
            "standings.corrected",
            "entry.changed",
            "night.changed",
        ]
    ]
    is_on: bool
    off_because: str
    """owner, failing, gone or restored; empty while it is on."""
    failing_since: str | None


class Webhooks(TypedDict):
    results: list[WebhookOut]


class WithdrawCallIn(TypedDict):
    match: NotRequired[int | None]
    call: NotRequired[str | None]
    reason: NotRequired[str]
    """Kept in the history."""


class WithdrawIn(TypedDict):
    after: NotRequired[int | None]
    forfeits_table: NotRequired[bool]
    reason: NotRequired[str]
    """Kept in the history."""
