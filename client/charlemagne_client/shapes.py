"""Requests to the API and its responses. Made from the schema by `manage.py client`."""

from typing import Any, Literal, NotRequired, TypedDict


class ActionOut(TypedDict):
    """A change in the history. Undo it by its ``id``."""

    id: int
    kind: str
    """Kind of change, for example `close_round`."""
    at: str
    by: NotRequired[str | None]
    origin: str
    """API key, device and IP address that made the change."""
    reason: str
    undoes: int | None
    """Id of the change it undid."""
    undone_by: NotRequired[int | None]
    """Id of the change that undid it."""


class ActionPage(TypedDict):
    next: str | None
    previous: str | None
    results: list[ActionOut]


class AdjustmentIn(TypedDict):
    metric: str
    amount: int
    round_number: NotRequired[int | None]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class AdjustmentOut(TypedDict):
    """A bonus or a penalty that the director gave an entry."""

    id: int
    metric: str
    amount: int
    round: int | None
    reason: str


class AgainIn(TypedDict):
    name: str
    held_on: str
    with_people: NotRequired[bool]
    """Whether to copy the entries, not checked in; in a league, with promotion and relegation."""
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class AgreeIn(TypedDict):
    match: NotRequired[int | None]
    side: Literal["A", "B"]
    game: int
    seen: NotRequired[str]
    """Score that the side saw: `24-18 A points`. A different score is refused."""
    device: NotRequired[str]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class DuesOut(TypedDict):
    """Dues of a period, charged to members."""

    id: int
    name: str
    amount: int
    """In cents."""
    starts: str
    ends: str


class AllDues(TypedDict):
    results: list[DuesOut]


class AnnouncementIn(TypedDict):
    """Fields that are left out do not change."""

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
    """Optional reason, recorded in the history. At most 200 characters."""


class AnnouncementOut(TypedDict):
    """Event details. Times are in the club's time zone. Values not set are empty or null."""

    last_day: str | None
    """Last day of an event of several days, or null."""
    starts_at: str | None
    ends_at: str | None
    place: str
    address: str
    about: str
    prizes: str
    bring: str
    contact: str
    sign_up_until: str | None
    """Last day to sign up."""
    is_called_off: bool
    """Whether the event is cancelled."""
    reason_off: str
    """Why it is cancelled, for example a storm."""


class ApartIn(TypedDict):
    text: str
    always: bool
    rounds: NotRequired[int | None]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class AttendanceIn(TypedDict):
    round_number: int
    attendance: Literal["plays", "absent", "excused", "bye"]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class BeginIn(TypedDict):
    minutes: NotRequired[int | None]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class BoardChange(TypedDict):
    """Fields that are left out do not change."""

    name: NotRequired[str]
    first_table: NotRequired[int | None]
    last_table: NotRequired[int | None]
    is_dark: NotRequired[bool]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class BoardIn(TypedDict):
    name: str
    first_table: NotRequired[int | None]
    last_table: NotRequired[int | None]
    is_dark: NotRequired[bool]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class BoardOut(TypedDict):
    """A wall screen."""

    number: int
    """Number of the screen; its address ends with it."""
    name: str
    scene: Literal["turning", "by_name", "tables", "names", "standings", "clock"]
    """View shown; `turning` rotates."""
    first_table: int | None
    """First table of its room; null for no limit."""
    last_table: int | None
    """Last table of its room; null for no limit."""
    is_dark: bool
    """Whether the screen uses dark colours."""


class Boards(TypedDict):
    results: list[BoardOut]


class DrawReasonOut(TypedDict):
    """A reason for a table or a bye, as far as the reader may see it."""

    code: Literal[
        "met_before",
        "partnered_before",
        "repeats_unavoidable",
        "fewest_byes",
        "fewest_left_over",
        "lowest_score",
        "lowest_in_turn",
        "fewest_of_club",
        "bye_instead_of",
        "bye_asked",
        "score_group",
        "floated",
        "instead_of",
        "locked",
        "by_hand",
        "not_named",
        "by_rank",
        "two_left",
        "forbidden_unavoidable",
        "bond_unavoidable",
        "bond_shared",
        "seeded_apart",
        "own_club_unavoidable",
        "clubs_spread",
        "best_in_all",
        "scheduled",
        "opponent_missing",
        "yet_to_meet",
        "no_opponent_left",
        "in_line",
        "instead_of_byes",
        "balanced",
        "bracket",
        "progressed",
        "filled_in",
        "by_lot",
        "waits",
        "unopposed",
        "substitute",
        "team_lineup",
        "fixed_table",
    ]
    text: str
    """A sentence in the language of the request."""


class ByeOut(TypedDict):
    """A serializer whose ``hidden`` fields are null for readers of other clubs."""

    entry: int
    entry_id: int
    names: str
    stage: int
    """Number of the stage, from 1."""
    reasons: list[DrawReasonOut] | None
    """Only for the club."""
    kind: Literal["waits", "walkover", "unopposed", "substitute", "bye"]
    """``bye``; in a bracket, ``waits`` for an opponent, or ``walkover``."""
    counts_as: Literal["bye", "scheduled_bye", "requested_bye"] | None
    """How the ranking counts it: `bye`, `scheduled_bye`, `requested_bye`. Null if it counts nothing, or if
    the reader may not see standings with this round."""


class CallIn(TypedDict):
    table: int
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class CallOffIn(TypedDict):
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class CancelIn(TypedDict):
    on: str
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class CardOut(TypedDict):
    table: int
    code: str


class Cards(TypedDict):
    """Table codes of an event. Anybody who knows a code can record hands at that table."""

    results: list[CardOut]


class CardsCountIn(TypedDict):
    may_be_undecided: NotRequired[bool]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class CashRulesChange(TypedDict):
    """Fields that are left out do not change."""

    prize_share: NotRequired[int]
    rounding_step: NotRequired[int]
    starting_cash: NotRequired[int]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class ChangedDateOut(TypedDict):
    """A cancelled or moved date of a recurring night."""

    on: str
    """Date of the pattern."""
    moved_to: str | None
    """New date; null if cancelled."""
    reason: str


class ChangedTableOut(TypedDict):
    """A table whose results changed. ``table`` is 0 for a bye."""

    round: int
    table: int


class RankMoveOut(TypedDict):
    """The rank of an entry when something was made, and now; null where it has none."""

    entry: int
    before: int | None
    after: int | None


class ChangesOut(TypedDict):
    """Changed results, and what would follow from them now. Entries by number."""

    tables: list[ChangedTableOut]
    """Whose results changed."""
    order: bool
    """Whether the order of the standings changed."""
    settings: bool
    """Whether settings of the event or of an entry changed."""
    away: list[int]
    """Drawn, but absent."""
    left_out: list[int]
    """Present, but not drawn."""
    nights: list[int]
    """The nights of a season, by event."""
    pairings: list[list[list[int]]]
    """The tables and byes of a new draw with the same number that this one does not have."""
    ranks: list[RankMoveOut]
    """Whose rank would be another one."""


class ClubOut(TypedDict):
    id: str
    """Short name in the address of the club's page; it never changes."""
    name: str
    language: str
    """Language code, `fr` or `en`."""
    time_zone: str
    """IANA name, for example `America/Toronto`."""
    ruleset: str
    """Key of the ruleset usually played."""


class ClubPage(TypedDict):
    next: str | None
    previous: str | None
    results: list[ClubOut]


class ClubPageIn(TypedDict):
    """Fields that are left out do not change."""

    hall: NotRequired[str]
    hall_address: NotRequired[str]
    about: NotRequired[str]
    officers: NotRequired[str]
    contact: NotRequired[str]
    website: NotRequired[str]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class Column(TypedDict):
    key: str
    name: str
    """Heading, in the language of the request."""


class DealerIn(TypedDict):
    match: NotRequired[int | None]
    seat: int
    seen: NotRequired[int | None]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class DeliveryOut(TypedDict):
    id: int
    message_id: str
    """Value of the ``webhook-id`` header."""
    kind: str
    state: str
    """``waiting``, ``delivered``, ``given_up`` or ``withdrawn``."""
    noticed_at: str
    attempts: int
    tried_at: str | None
    status: int | None
    """HTTP status of the response, or null."""
    milliseconds: int | None
    """Duration of the request."""
    trouble: str
    """Why the request failed; empty if there was a response."""
    answer: str
    """Beginning of the response."""


class Deliveries(TypedDict):
    """The last 100 deliveries, newest first."""

    results: list[DeliveryOut]


class DisputeIn(TypedDict):
    match: NotRequired[int | None]
    note: NotRequired[str]
    device: NotRequired[str]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class DisputeOut(TypedDict):
    """A table that has called the desk."""

    round: int
    table: int
    call: str | None
    """Id of the call, to give with the answer."""
    note: str
    """Note from the table."""
    since: str


class Disputes(TypedDict):
    results: list[DisputeOut]


class DisqualifyIn(TypedDict):
    disqualification: str
    forfeits_table: NotRequired[bool]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class Done(TypedDict):
    """The request is done."""

    id: int | None
    """Id of the object created, or null."""


class DoorPrizeIn(TypedDict):
    prize: NotRequired[str]
    seed: NotRequired[int | None]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class DrawIn(TypedDict):
    seed: NotRequired[int | None]
    is_play_off: NotRequired[bool]
    plays_missed: NotRequired[bool]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class DueOut(TypedDict):
    """Fees of the players of an entry, in cents."""

    asked: int
    paid: int
    owed: int


class DuesChange(TypedDict):
    """Fields that are left out do not change."""

    name: NotRequired[str]
    amount: NotRequired[int]
    starts: NotRequired[str]
    ends: NotRequired[str]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class DuesIn(TypedDict):
    name: str
    amount: int
    starts: str
    ends: str
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class PlayerOut(TypedDict):
    id: int
    name: str


class EntryOut(TypedDict):
    """An entry: a pair or one person. Values for the club only are null for other readers."""

    number: int
    """Number within the event."""
    id: int
    """Id across all events, as in files."""
    names: str
    section: str | None
    is_waiting: bool | None
    """Whether it is on the waiting list."""
    looks_for_partner: bool | None
    """Whether one person waits for a partner."""
    is_present: bool | None
    """Whether it has checked in."""
    leaves_after: int | None
    """Last round before its withdrawal, or null."""
    disqualification: str | None
    """Why it was disqualified; empty if it was not."""
    is_house: bool
    """Whether it only completes a table, and has no rank."""
    players: list[PlayerOut] | None
    team: str | None
    """Club that it plays for."""
    rating: int | None
    table: int | None
    """The only table where it can sit, or null."""
    side: Literal["A", "B"] | None
    """The only side where it can sit, or null."""
    family: str | None
    car: str | None
    labels: str | None
    """Labels for prize categories, with commas."""
    plays_from: int | None
    """Its first round; null while it is left out until it comes."""
    absent: list[int] | None
    """Rounds in which it is absent."""
    excused: list[int] | None
    """Those of them in which it is excused."""
    withdrawn: list[int] | None
    """Rounds that it missed before it returned."""
    byes_asked: list[int] | None
    """Rounds in which it has requested a bye."""
    adjustments: list[AdjustmentOut] | None
    fees: DueOut | None
    """Null if the event is free, or if the entry owes no fee."""


class Entries(TypedDict):
    results: list[EntryOut]


class EntryIn(TypedDict):
    section: NotRequired[str]
    team: NotRequired[str]
    rating: NotRequired[int | None]
    table: NotRequired[int | None]
    family: NotRequired[str]
    car: NotRequired[str]
    labels: NotRequired[str]
    side: NotRequired[Literal["A", "B"] | None]
    is_house: NotRequired[bool]
    players: list[str]
    is_present: NotRequired[bool]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class EntryNotesIn(TypedDict):
    """Fields that are left out do not change."""

    section: NotRequired[str]
    team: NotRequired[str]
    rating: NotRequired[int | None]
    table: NotRequired[int | None]
    family: NotRequired[str]
    car: NotRequired[str]
    labels: NotRequired[str]
    side: NotRequired[Literal["A", "B"] | None]
    is_house: NotRequired[bool]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class StageSettings(TypedDict):
    """Settings of the format of a stage; each format has some of them (docs/development/draws.md)."""

    accelerated_rounds: NotRequired[int | None]
    apart_rounds: NotRequired[int | None]
    """First rounds in which those in `avoid` are kept apart; null for all."""
    avoid: NotRequired[list[str]]
    """Bonds that keep two apart if possible."""
    avoid_repeats: NotRequired[bool]
    boards: NotRequired[int | None]
    """Tables of each team match."""
    byes: NotRequired[list[int]]
    criteria: NotRequired[list[str]]
    """Criteria of the draw, most important first."""
    feed_in: NotRequired[int | None]
    first_round: NotRequired[Literal["lot", "number"]]
    forfeits_count: NotRequired[bool]
    free: NotRequired[list[int] | None]
    home: NotRequired[bool]
    """Whether each team match is played at the place of one of the teams."""
    leavers: NotRequired[Literal["keep", "annul"]]
    legs: NotRequired[int]
    """How often two meet: 1 or 2."""
    meet: NotRequired[Literal["usual", "everyone", "by_order"]]
    mixes_sections: NotRequired[bool]
    """Whether the sections play together."""
    moves: NotRequired[int | None]
    """Teams promoted and relegated between two sections."""
    must_not: NotRequired[list[str]]
    """Bonds that always keep two apart."""
    odd: NotRequired[Literal["bye", "two_player_table"]]
    places: NotRequired[Literal["winner", "third", "all"]]
    """Places that are played for."""
    pool_size: NotRequired[int | None]
    pools: NotRequired[int | None]
    """Number of pools."""
    rematch_after: NotRequired[int | None]
    rounds: NotRequired[int | None]
    second_final: NotRequired[bool]
    separate: NotRequired[list[str]]
    side: NotRequired[int]
    stays: NotRequired[Literal["even_numbers", "odd_numbers", "first_half"]]
    tables: NotRequired[list[dict[str, Any]]]
    target: NotRequired[Literal["slide", "fold", "adjacent", "lot"]]
    together: NotRequired[list[str]]


class EventStage(TypedDict):
    """A stage: a format, its settings and its entrants. Fields that are left out have their usual
    values."""

    name: NotRequired[str]
    """Name that the director gave it, or empty."""
    format: Literal[
        "by_rank",
        "consolation",
        "double_elimination",
        "interclub",
        "interclub_all",
        "knockout",
        "manual",
        "mitchell",
        "open_tables",
        "pools",
        "progressive",
        "progressive_individual",
        "random",
        "rotation",
        "round_robin",
        "swiss",
        "swiss_individual",
        "teams",
    ]
    settings: NotRequired[StageSettings]
    rounds: NotRequired[int | None]
    """Number of rounds; null for that of the format."""
    takes: NotRequired[Literal["all", "top", "pool_top", "ranked", "tied"]]
    """`all`; the first `count`; `count` of each pool; or `ranked` from `first` to `last`."""
    count: NotRequired[int | None]
    first: NotRequired[int | None]
    last: NotRequired[int | None]
    carried: NotRequired[Literal["all", "among", "none"]]
    """Earlier results that count: all, those among its entrants, or none."""
    beside: NotRequired[bool]
    """Whether it is played at the same time as the stage before it."""


class SectionIn(TypedDict):
    name: str
    first_table: NotRequired[int | None]
    last_table: NotRequired[int | None]


class RankingRulesIn(TypedDict):
    """Ranking rules. Fields that are left out have their usual values."""

    order: NotRequired[
        list[
            Literal[
                "disqualified",
                "stage",
                "bracket",
                "pool_place",
                "left_pool",
                "match_wins",
                "half_wins",
                "averaged_wins",
                "match_points",
                "games_won",
                "games_lost",
                "difference",
                "capped_difference",
                "victory_points",
                "points_for",
                "points_against",
                "contracts_made",
                "charlemagnes",
                "progressive",
                "head_to_head",
                "buchholz",
                "buchholz_cut_1",
                "buchholz_median",
                "sonneborn_berger",
                "opponents_win_rate",
                "play_off",
                "lots",
                "win_rate",
                "mean_match_points",
                "mean_games_won",
                "mean_games_lost",
                "mean_difference",
                "mean_capped_difference",
                "mean_victory_points",
                "mean_points_for",
                "mean_points_against",
                "mean_contracts_made",
                "mean_charlemagnes",
            ]
        ]
    ]
    """Metric keys, first to last."""
    win: NotRequired[int]
    draw: NotRequired[int]
    loss: NotRequired[int]
    cap: NotRequired[int]
    dropped: NotRequired[int]
    most_byes_asked: NotRequired[int | None]
    last_without_bye: NotRequired[int]
    bye: NotRequired[Literal["win", "draw", "nothing", "average"]]
    scheduled_bye: NotRequired[Literal["win", "draw", "nothing", "average"]]
    forfeit: NotRequired[Literal["win", "draw", "nothing", "average"]]
    requested_bye: NotRequired[Literal["win", "draw", "nothing", "average"]]
    late: NotRequired[Literal["win", "draw", "nothing", "average"]]
    absent: NotRequired[Literal["win", "draw", "nothing", "average"]]
    excused: NotRequired[Literal["win", "draw", "nothing", "average"]]
    bye_points: NotRequired[int | Literal["own", "winners"]]
    scheduled_bye_points: NotRequired[int | Literal["own", "winners"]]
    forfeit_points: NotRequired[int | Literal["own", "winners"]]
    requested_bye_points: NotRequired[int | Literal["own", "winners"]]
    late_points: NotRequired[int | Literal["own", "winners"]]
    absent_points: NotRequired[int | Literal["own", "winners"]]
    excused_points: NotRequired[int | Literal["own", "winners"]]
    unplayed_opponent: NotRequired[Literal["own", "capped"]]
    across_pools: NotRequired[Literal["totals", "rates", "without_last"]]
    disqualified: NotRequired[Literal["last", "last_counted", "kept"]]


class EventIn(TypedDict):
    name: str
    held_on: str
    ruleset: str
    """Key of a ruleset, or `house-…` for the club's house rules."""
    games_to_win: NotRequired[int | None]
    hands: NotRequired[int | None]
    minutes: NotRequired[int | None]
    tables: int
    stages: NotRequired[list[EventStage]]
    """Stages, as in an event file (docs/api/event-files.md)."""
    sections: NotRequired[list[SectionIn]]
    ranking: NotRequired[RankingRulesIn]
    details: NotRequired[list[Literal["declarer", "trump", "mode", "result_only"]]]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class Shown(TypedDict):
    """Visibility of an event to the public."""

    is_public: bool
    """Whether its page is public."""
    entries: bool
    """Whether the list of entries is public."""
    draw: bool
    """Whether published rounds are public."""
    results: str
    standings: str
    names: str
    silent_from: int | None
    """First round whose results are hidden, or null."""


class EventOut(TypedDict):
    """A club night or a tournament."""

    id: str
    """Short name in the address of the event's page; it never changes."""
    club: str
    name: str
    held_on: str
    state: Literal["preparing", "running", "ended"]
    ruleset: str
    rules_name: str
    """Name of the house rules, or empty."""
    entry_size: int
    """Players per entry: 1 or 2."""
    tables: int
    """Number of tables."""
    shows: Shown


class EventPage(TypedDict):
    next: str | None
    previous: str | None
    results: list[EventOut]


class MatchLength(TypedDict):
    """Length of a match: the first of games, hands and minutes ends it. Only values that are set."""

    games_to_win: NotRequired[int | None]
    hands: NotRequired[int | None]
    minutes: NotRequired[int | None]
    decided_by: NotRequired[Literal["games", "points"]]
    charlemagne_points: NotRequired[int | None]
    """Points of a game won by Charlemagne if points decide."""
    tie: NotRequired[Literal["extra_hand", "last_to_lead", "higher_seed", "lot"] | None]
    """What decides a level match; without it, it is a draw."""


class SectionOut(TypedDict):
    """A section, with the tables where it plays; null for any."""

    name: str
    first_table: int | None
    last_table: int | None


class RankingOut(TypedDict):
    """Ranking rules: metrics in order, and the values of rounds."""

    order: list[
        Literal[
            "disqualified",
            "stage",
            "bracket",
            "pool_place",
            "left_pool",
            "match_wins",
            "half_wins",
            "averaged_wins",
            "match_points",
            "games_won",
            "games_lost",
            "difference",
            "capped_difference",
            "victory_points",
            "points_for",
            "points_against",
            "contracts_made",
            "charlemagnes",
            "progressive",
            "head_to_head",
            "buchholz",
            "buchholz_cut_1",
            "buchholz_median",
            "sonneborn_berger",
            "opponents_win_rate",
            "play_off",
            "lots",
            "win_rate",
            "mean_match_points",
            "mean_games_won",
            "mean_games_lost",
            "mean_difference",
            "mean_capped_difference",
            "mean_victory_points",
            "mean_points_for",
            "mean_points_against",
            "mean_contracts_made",
            "mean_charlemagnes",
        ]
    ]
    """Metric keys, first to last."""
    win: int
    draw: int
    loss: int
    cap: int
    dropped: int
    most_byes_asked: int | None
    last_without_bye: int
    bye: Literal["win", "draw", "nothing", "average"]
    scheduled_bye: Literal["win", "draw", "nothing", "average"]
    forfeit: Literal["win", "draw", "nothing", "average"]
    requested_bye: Literal["win", "draw", "nothing", "average"]
    late: Literal["win", "draw", "nothing", "average"]
    absent: Literal["win", "draw", "nothing", "average"]
    excused: Literal["win", "draw", "nothing", "average"]
    bye_points: int | Literal["own", "winners"]
    scheduled_bye_points: int | Literal["own", "winners"]
    forfeit_points: int | Literal["own", "winners"]
    requested_bye_points: int | Literal["own", "winners"]
    late_points: int | Literal["own", "winners"]
    absent_points: int | Literal["own", "winners"]
    excused_points: int | Literal["own", "winners"]
    unplayed_opponent: Literal["own", "capped"]
    across_pools: Literal["totals", "rates", "without_last"]
    disqualified: Literal["last", "last_counted", "kept"]


class PhaseOut(TypedDict):
    """Settings of a stage, a section or later rounds, as far as they differ from the event."""

    ruleset: NotRequired[dict[str, Any]]
    """Ruleset, with every house rule."""
    rules_name: NotRequired[str]
    match_format: NotRequired[MatchLength]
    tie: NotRequired[Literal["extra_hand", "last_to_lead", "higher_seed", "lot"]]
    tables: NotRequired[list[int]]
    """First and last table."""
    released: NotRequired[Literal["live", "final"]]
    """When its results are public, and count in the public standings."""
    order: NotRequired[
        list[
            Literal[
                "disqualified",
                "stage",
                "bracket",
                "pool_place",
                "left_pool",
                "match_wins",
                "half_wins",
                "averaged_wins",
                "match_points",
                "games_won",
                "games_lost",
                "difference",
                "capped_difference",
                "victory_points",
                "points_for",
                "points_against",
                "contracts_made",
                "charlemagnes",
                "progressive",
                "head_to_head",
                "buchholz",
                "buchholz_cut_1",
                "buchholz_median",
                "sonneborn_berger",
                "opponents_win_rate",
                "play_off",
                "lots",
                "win_rate",
                "mean_match_points",
                "mean_games_won",
                "mean_games_lost",
                "mean_difference",
                "mean_capped_difference",
                "mean_victory_points",
                "mean_points_for",
                "mean_points_against",
                "mean_contracts_made",
                "mean_charlemagnes",
            ]
        ]
    ]
    """Metric keys that rank it, first to last."""
    stage: NotRequired[int]
    """Position of the stage, from 0; without it, the whole event."""
    section: NotRequired[str]
    """Without it, all sections."""
    since: NotRequired[int]
    """First round; without it, round 1."""
    bye: NotRequired[Literal["win", "draw", "nothing", "average"]]
    scheduled_bye: NotRequired[Literal["win", "draw", "nothing", "average"]]
    forfeit: NotRequired[Literal["win", "draw", "nothing", "average"]]
    requested_bye: NotRequired[Literal["win", "draw", "nothing", "average"]]
    late: NotRequired[Literal["win", "draw", "nothing", "average"]]
    absent: NotRequired[Literal["win", "draw", "nothing", "average"]]
    excused: NotRequired[Literal["win", "draw", "nothing", "average"]]
    bye_points: NotRequired[int | Literal["own", "winners"]]
    scheduled_bye_points: NotRequired[int | Literal["own", "winners"]]
    forfeit_points: NotRequired[int | Literal["own", "winners"]]
    requested_bye_points: NotRequired[int | Literal["own", "winners"]]
    late_points: NotRequired[int | Literal["own", "winners"]]
    absent_points: NotRequired[int | Literal["own", "winners"]]
    excused_points: NotRequired[int | Literal["own", "winners"]]


class EventWhole(TypedDict):
    """A club night or a tournament, with its details, match length and rules."""

    id: str
    """Short name in the address of the event's page; it never changes."""
    club: str
    name: str
    held_on: str
    state: Literal["preparing", "running", "ended"]
    ruleset: str
    rules_name: str
    """Name of the house rules, or empty."""
    entry_size: int
    """Players per entry: 1 or 2."""
    tables: int
    """Number of tables."""
    shows: Shown
    announcement: AnnouncementOut
    format: MatchLength
    """Length of a match: games to win, hands or minutes."""
    rules: dict[str, Any]
    """Ruleset, with every house rule."""
    stages: list[EventStage]
    sections: list[SectionOut]
    ranking: RankingOut
    phases: list[PhaseOut]
    """What a stage, a section or later rounds have of their own."""


class LadderIn(TypedDict):
    """Rules for adding up the points of several nights."""

    counts: Literal["match_wins", "games_won", "points_for", "difference", "rank_points"]
    unit: NotRequired[Literal["person", "pair"]]
    rank_points: NotRequired[list[int]]
    best: NotRequired[int | None]
    least_nights: NotRequired[int]
    presence: NotRequired[int]


class FederationChange(TypedDict):
    """Fields that are left out do not change."""

    name: NotRequired[str]
    starts: NotRequired[str]
    ends: NotRequired[str]
    ladder: NotRequired[LadderIn]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class FederationDate(TypedDict):
    day: str
    starts_at: str | None
    club: str
    name: str
    place: str
    page: str
    is_off: bool
    """Whether it is cancelled."""


class FederationDates(TypedDict):
    """Upcoming nights and tournaments of all clubs."""

    results: list[FederationDate]


class FederationIn(TypedDict):
    name: str
    starts: str
    ends: str
    ladder: LadderIn
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class FederationLine(TypedDict):
    key: str
    """Key of the line, used in paths."""
    names: str
    clubs: str
    rank: int | None
    """Null with fewer nights than the federation requires."""
    total: int
    nights: int
    bonus: int
    """Points for taking part, included in `total`."""


class FederationLadder(TypedDict):
    """The first 500 lines, best first; `total` is the number of lines."""

    total: int
    results: list[FederationLine]


class FederationNight(TypedDict):
    """A night of a club."""

    club: str
    name: str
    held_on: str
    page: str
    """Address of the night at the club, or empty."""
    log: str
    """Address of the signed entry in its results log, or empty."""
    is_corrected: bool
    of: int
    """Number of entries."""


class Gain(TypedDict):
    """Points gained in one night."""

    night: FederationNight
    rank: int
    gained: int
    """Points."""
    is_counted: bool
    """Whether the night counts in the total."""


class FederationLineWhole(TypedDict):
    key: str
    """Key of the line, used in paths."""
    names: str
    clubs: str
    rank: int | None
    """Null with fewer nights than the federation requires."""
    total: int
    nights: int
    bonus: int
    """Points for taking part, included in `total`."""
    gains: list[Gain]


class LadderOut(TypedDict):
    """Rules for adding up the points of several nights."""

    counts: Literal["match_wins", "games_won", "points_for", "difference", "rank_points"]
    """Figure of a night that adds up."""
    unit: Literal["person", "pair"]
    rank_points: list[int]
    """Points for rank 1, rank 2, and so on."""
    best: int | None
    """Best nights that count; null for all."""
    least_nights: int
    """Nights needed to be ranked."""
    presence: int
    """Points for taking part in a night."""


class FederationOut(TypedDict):
    """A federation: standings, ratings and calendar of several clubs for a period."""

    id: int
    name: str
    starts: str
    ends: str
    ladder: LadderOut
    worked_out_at: str | None
    """When its standings were last computed."""


class FederationRating(TypedDict):
    key: str
    """Key of the rating, used in paths."""
    name: str
    clubs: str
    rank: int
    rating: int
    margin: int
    """Uncertainty of the rating, plus or minus."""
    matches: int


class Step(TypedDict):
    """A rating after a night."""

    night: FederationNight
    rating: int
    matches: int


class FederationRatingWhole(TypedDict):
    key: str
    """Key of the rating, used in paths."""
    name: str
    clubs: str
    rank: int
    rating: int
    margin: int
    """Uncertainty of the rating, plus or minus."""
    matches: int
    steps: list[Step]


class FederationRatings(TypedDict):
    """The 500 strongest players; `total` is the number of players."""

    total: int
    results: list[FederationRating]


class Federations(TypedDict):
    results: list[FederationOut]


class FeeChange(TypedDict):
    """Fields that are left out do not change."""

    paid: NotRequired[int]
    other: NotRequired[int | None]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class FeedOut(TypedDict):
    """The club's own feed for federations. `address` and `key` are empty if it is off."""

    is_on: bool
    address: str
    """Address of the signed file, for federations to follow."""
    number: int
    """Number of the current file; 0 until the first one is written."""
    key: str
    """Fingerprint of the signing key."""


class FollowIn(TypedDict):
    address: str
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class FollowedFeedOut(TypedDict):
    """A club that the federation follows."""

    id: int
    club: str
    """Name of the club; empty until its feed arrives."""
    is_up_to_date: bool
    heard_at: str | None
    """When the feed last answered."""


class FollowedFeeds(TypedDict):
    results: list[FollowedFeedOut]


class ForfeitIn(TypedDict):
    winner: Literal["A", "B"] | None
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class HandOut(TypedDict):
    number: int
    hand: dict[str, Any]
    """The hand, as in docs/api/recorded-nights.md."""
    gained: int
    """Points gained by the side that scored more."""
    points: list[int] | None
    """Points of sides A and B in the game, after the hand."""
    is_corrected: bool
    """Whether it replaces an earlier record."""
    is_contested: bool
    """Whether two records of the hand differ."""


class GameOut(TypedDict):
    number: int
    points: list[int]
    hands: list[HandOut]


class HallIn(TypedDict):
    per_row: int
    snakes: NotRequired[bool]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class HandIn(TypedDict):
    """A hand. Only the fields of its kind, and those that the event records."""

    kind: NotRequired[Any | None]
    side: NotRequired[Any | None]
    contract: NotRequired[Any | None]
    tricks: NotRequired[Any | None]
    outcome: NotRequired[Any | None]
    trump: NotRequired[Any | None]
    declarer: NotRequired[Any | None]
    mode: NotRequired[Any | None]
    dealer: NotRequired[Any | None]
    points_a: NotRequired[Any | None]
    points_b: NotRequired[Any | None]
    winner: NotRequired[Any | None]
    awarded: NotRequired[Any | None]


class HoldIn(TypedDict):
    is_held: bool
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class LabelIn(TypedDict):
    label: str
    numbers: list[int]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class LeaveOutIn(TypedDict):
    is_coming: bool
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class MarkDone(TypedDict):
    id: int
    status: str
    summary: Any


class MarkIn(TypedDict):
    """A hand, a correction of one, or an undo (`{"kind": "undone"}`)."""

    match: NotRequired[int | None]
    entry_key: NotRequired[str]
    """UUID of the hand; the Idempotency-Key by default."""
    number: int
    """Number of the hand in the match, from 1."""
    hand: HandIn
    """The hand, as in docs/api/recorded-nights.md."""
    supersedes: NotRequired[str | None]
    """Id of the record that it replaces."""
    saw_only: NotRequired[bool]
    device: NotRequired[str]
    """Id of the device."""
    reason: NotRequired[str]
    """Reason for a ruling from the desk."""


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
    """Optional reason, recorded in the history. At most 200 characters."""


class MatchOut(TypedDict):
    """The match in play at a table, with the hands that count."""

    match: int
    round: int
    table: int
    first_dealer: int | None
    players: list[str]
    marks: list[MarkOut]
    summary: Any
    revision: int
    """Number that grows with each change."""
    is_disputed: bool
    """Whether the table has called the desk."""


class MessageIn(TypedDict):
    text: str
    table: NotRequired[int | None]
    minutes: NotRequired[int | None]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class MoveEntryIn(TypedDict):
    is_up: bool
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class MoveIn(TypedDict):
    on: str
    moved_to: str
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class NameIn(TypedDict):
    name: str
    held_on: str
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class NightOut(TypedDict):
    """A recurring night of the calendar."""

    id: int
    name: str
    pattern: str
    first_on: str
    """First date."""
    last_on: str | None
    """Last date; null for no end."""
    starts_at: str
    ends_at: str | None
    place: str
    changed_dates: list[ChangedDateOut]


class Nights(TypedDict):
    results: list[NightOut]


class NightsIn(TypedDict):
    left_out: list[int]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class OrderIn(TypedDict):
    way: Literal["typed", "rating", "lot"]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class PairIn(TypedDict):
    numbers: list[int]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class PencilIn(TypedDict):
    match: NotRequired[int | None]
    act: Literal["ask", "give", "keep"]
    device: str
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class PeopleIn(TypedDict):
    people: list[int]
    guest: NotRequired[str]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class PersonChange(TypedDict):
    """Fields that are left out do not change."""

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
    """Optional reason, recorded in the history. At most 200 characters."""


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
    """Optional reason, recorded in the history. At most 200 characters."""


class PersonOut(TypedDict):
    id: int
    name: str
    contact: str
    """Telephone number or e-mail address."""
    is_guest: bool
    is_active: bool
    shows_full_name: bool
    """Whether the public sees the full name."""
    family: NotRequired[str]
    labels: list[str]
    is_rated: bool
    """Whether the person has a rating."""
    is_hidden: bool
    """Whether the public never sees the name."""


class PersonPage(TypedDict):
    next: str | None
    previous: str | None
    results: list[PersonOut]


class PhaseSettings(TypedDict):
    """Settings that a phase has of its own."""

    ruleset: NotRequired[dict[str, Any]]
    """Ruleset, with every house rule."""
    rules_name: NotRequired[str]
    match_format: NotRequired[MatchLength]
    tie: NotRequired[Literal["extra_hand", "last_to_lead", "higher_seed", "lot"]]
    tables: NotRequired[list[int]]
    """First and last table."""
    released: NotRequired[Literal["live", "final"]]
    """When its results are public, and count in the public standings."""
    order: NotRequired[
        list[
            Literal[
                "disqualified",
                "stage",
                "bracket",
                "pool_place",
                "left_pool",
                "match_wins",
                "half_wins",
                "averaged_wins",
                "match_points",
                "games_won",
                "games_lost",
                "difference",
                "capped_difference",
                "victory_points",
                "points_for",
                "points_against",
                "contracts_made",
                "charlemagnes",
                "progressive",
                "head_to_head",
                "buchholz",
                "buchholz_cut_1",
                "buchholz_median",
                "sonneborn_berger",
                "opponents_win_rate",
                "play_off",
                "lots",
                "win_rate",
                "mean_match_points",
                "mean_games_won",
                "mean_games_lost",
                "mean_difference",
                "mean_capped_difference",
                "mean_victory_points",
                "mean_points_for",
                "mean_points_against",
                "mean_contracts_made",
                "mean_charlemagnes",
            ]
        ]
    ]
    """Metric keys that rank it, first to last."""
    bye: NotRequired[Literal["win", "draw", "nothing", "average"]]
    scheduled_bye: NotRequired[Literal["win", "draw", "nothing", "average"]]
    forfeit: NotRequired[Literal["win", "draw", "nothing", "average"]]
    requested_bye: NotRequired[Literal["win", "draw", "nothing", "average"]]
    late: NotRequired[Literal["win", "draw", "nothing", "average"]]
    absent: NotRequired[Literal["win", "draw", "nothing", "average"]]
    excused: NotRequired[Literal["win", "draw", "nothing", "average"]]
    bye_points: NotRequired[int | Literal["own", "winners"]]
    scheduled_bye_points: NotRequired[int | Literal["own", "winners"]]
    forfeit_points: NotRequired[int | Literal["own", "winners"]]
    requested_bye_points: NotRequired[int | Literal["own", "winners"]]
    late_points: NotRequired[int | Literal["own", "winners"]]
    absent_points: NotRequired[int | Literal["own", "winners"]]
    excused_points: NotRequired[int | Literal["own", "winners"]]


class PhaseIn(TypedDict):
    stage: NotRequired[int | None]
    section: NotRequired[str]
    since: NotRequired[int]
    settings: PhaseSettings
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class PlaceOut(TypedDict):
    """The place of a match in the event. Names are in the language of the request."""

    name: str
    """For example, `Final A`, `Semifinal B`, `Pool B`."""
    stage_name: str
    """Name of the stage, for example `Final A`; empty if it has none."""
    pool: str
    """Letter of the pool, or empty."""
    part: Literal["knockout", "winners", "losers", "final", "group_a", "group_b", "places"] | None
    """Part of the bracket; null outside a bracket."""
    round: Literal["round", "round_of_32", "round_of_16", "quarter_final", "semi_final", "final", "second_final"]
    """Round of the bracket; `round` if it has no name."""
    first_place: int
    """Best place played for, in the part `places`."""
    last_place: int
    """Last place played for, in the part `places`."""
    clubs: list[str]
    """The two clubs that meet, or none; if `has_home`, home first."""
    has_home: bool
    """Whether a team match is played at the place of the first club."""


class PlayerNameIn(TypedDict):
    name: str
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class PostponeIn(TypedDict):
    day: NotRequired[str | None]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class PostponementAnswerIn(TypedDict):
    team: NotRequired[str]
    answer: str
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class PostponementRequestIn(TypedDict):
    team: NotRequired[str]
    day: str
    note: NotRequired[str]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class PostponementRequestOut(TypedDict):
    """A captain's request to postpone a team match, not answered yet."""

    team: str
    """Team of the captain, to give with the answer; empty for the organizing club."""
    day: str
    """New date."""
    note: str
    """Reason, as typed."""
    tables: list[int]
    """Tables of the match."""


class PresenceIn(TypedDict):
    is_present: bool
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class PrizeCategoryChange(TypedDict):
    """Fields that are left out do not change."""

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
    """Optional reason, recorded in the history. At most 200 characters."""


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
    """Optional reason, recorded in the history. At most 200 characters."""


class PrizeCategoryOut(TypedDict):
    """Prizes for the best of some entries."""

    id: int
    name: str
    among: Literal["everybody", "label", "rating", "club", "section", "pool", "clubs"]
    group: str
    lowest: int | None
    highest: int | None
    prize: str
    amounts: list[int]
    """Cents for each place; 0 for no money."""
    is_public: bool
    shows_amount: bool


class PrizeChange(TypedDict):
    """Fields that are left out do not change."""

    name: NotRequired[str]
    amount: NotRequired[int]
    is_public: NotRequired[bool]
    shows_amount: NotRequired[bool]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class PrizeIn(TypedDict):
    name: str
    amount: NotRequired[int]
    is_public: NotRequired[bool]
    shows_amount: NotRequired[bool]
    winners: list[int]
    rank: NotRequired[int | None]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class PrizeOut(TypedDict):
    """A prize won by one person, or by two together."""

    id: int
    name: str
    amount: int
    """In cents; 0 for a prize without money."""
    winners: list[PlayerOut]
    rank: int | None
    """The rank that it was given for, if any."""
    changes: ChangesOut | None
    """Why they have another rank now."""
    is_public: bool
    shows_amount: bool


class Prizes(TypedDict):
    """Prizes won, prize categories, and how the fees become prizes."""

    results: list[PrizeOut]
    categories: list[PrizeCategoryOut]
    add_up: bool
    """Whether an entry can win in several categories."""
    prize_share: int
    """Percentage of the fees for prizes."""
    rounding_step: int
    """What prizes are rounded to, in cents."""
    starting_cash: int
    """Cash in the box at the start, in cents."""


class PrizesIn(TypedDict):
    add_up: bool
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class Wrong(TypedDict):
    """One error: its code, the field concerned (null for the whole request), and a sentence."""

    code: str
    field: str | None
    detail: str


class Problem(TypedDict):
    """An error, as in RFC 9457. `code` is stable; `detail` is in the language of the request."""

    code: str
    field: str | None
    detail: str
    type: str
    title: str
    status: int
    current: NotRequired[Any]
    """With a 412, the resource as it is now; null if there is none."""
    errors: NotRequired[list[Wrong]]


class PublishIn(TypedDict):
    as_drawn: NotRequired[bool]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class RankOut(TypedDict):
    rank: int
    entry: int
    """Number of the entry."""
    entry_id: int
    """Id of the entry."""
    names: str
    overall: int | None
    """In a section's standings, the rank among all entries."""
    figures: dict[str, float | None]
    """Values by metric key; see `columns` for their order."""
    order: list[str]
    """Metric keys that rank it, first to last."""
    stage: int | None
    """Number of its stage, if several finals are played at the same time."""
    stage_name: str
    """Name of that stage, for example `Final A`, or empty."""
    pool: str
    """Letter of its pool while it is in one, or empty."""
    left_after: int | None
    """Last round before it withdrew, or null."""
    is_disqualified: bool


class RankingIn(TypedDict):
    ranking: RankingRulesIn
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class RatesIn(TypedDict):
    member: int
    guest: int
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class RatingsIn(TypedDict):
    is_on: bool
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class RecurringNightChange(TypedDict):
    """Fields that are left out do not change."""

    name: NotRequired[str]
    pattern: NotRequired[Literal["weekly", "fortnightly", "monthly"]]
    first_on: NotRequired[str]
    starts_at: NotRequired[str]
    last_on: NotRequired[str | None]
    ends_at: NotRequired[str | None]
    place: NotRequired[str]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class RecurringNightIn(TypedDict):
    name: str
    pattern: Literal["weekly", "fortnightly", "monthly"]
    first_on: str
    starts_at: str
    last_on: NotRequired[str | None]
    ends_at: NotRequired[str | None]
    place: NotRequired[str]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class ReleaseIn(TypedDict):
    is_public: bool
    entries: bool
    draw: bool
    results: Literal["hands", "totals", "nothing"]
    standings: Literal["live", "final", "never"]
    names: Literal["agreed", "short", "numbers"]
    silent_from: NotRequired[int | None]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class RestoreIn(TypedDict):
    on: str
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class ResultIn(TypedDict):
    games: list[int]
    points: list[int]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class RoundLine(TypedDict):
    """A round and its draw."""

    number: int
    state: Literal["draft", "published", "playing", "closed"]
    format: str
    """Format of the draw, for example `swiss`; `stages` if several were drawn together."""
    lot: int | None
    """Lot of the draw, to give as `seed`; only for the club."""
    price: dict[str, int] | None
    """Cost of the draw by criterion, empty if the format has none; only for the club."""
    published_at: str | None
    closed_at: str | None


class SideOut(TypedDict):
    entries: list[int]
    """Numbers of the entries."""
    entry_ids: list[int]
    """Ids of the entries."""
    names: str
    club: str
    points: int | None
    """Points in the game in play; after the match, the points that count."""
    games_won: int | None
    has_won: bool


class TableOut(TypedDict):
    number: int
    stage: int
    """Number of the stage, from 1."""
    place: PlaceOut | None
    """Place in a pool, a bracket or one of several finals, or null."""
    reasons: list[DrawReasonOut]
    sides: list[SideOut]
    """Side A, then side B."""
    is_over: bool
    is_contested: bool
    """Whether two records of a hand differ. The round cannot close before one is chosen. False where hands
    are hidden."""
    postponed_to: str | None
    """Day of a postponed team match; null if it is not postponed, or not known."""
    ruling: str
    """Director's ruling: ``forfeit`` (by both sides if neither has won), ``adjusted``, or ``awarded`` (a
    game); empty if the cards decided."""


class RoundOut(TypedDict):
    """A round with its tables, without results while they are hidden."""

    number: int
    state: Literal["draft", "published", "playing", "closed"]
    format: str
    """Format of the draw, for example `swiss`; `stages` if several were drawn together."""
    lot: int | None
    """Lot of the draw, to give as `seed`; only for the club."""
    price: dict[str, int] | None
    """Cost of the draw by criterion, empty if the format has none; only for the club."""
    is_kept_back: bool
    """Whether its results are hidden."""
    changes: ChangesOut | None
    """Before it begins, what changed since it was drawn; only for the club."""
    tables: list[TableOut]
    byes: list[ByeOut]
    postponement_requests: list[PostponementRequestOut]
    """Not answered yet; empty for other clubs."""


class Rounds(TypedDict):
    results: list[RoundLine]


class RulesIn(TypedDict):
    ruleset: str
    """Key of a ruleset, or `house-…` for the club's house rules."""
    details: NotRequired[list[Literal["declarer", "trump", "mode", "result_only"]]]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class SeasonLadder(TypedDict):
    """Rules of one of the standings of a season. Fields that are left out have their usual values."""

    counts: NotRequired[Literal["match_wins", "half_wins", "games_won", "points_for", "difference", "rank_points"]]
    """Figure of a night that adds up."""
    unit: NotRequired[Literal["person", "pair", "club"]]
    rank_points: NotRequired[list[int]]
    """Points for rank 1, rank 2, and so on."""
    best: NotRequired[int | None]
    """Best nights that count; null for all."""
    least_nights: NotRequired[int]
    """Nights needed to be ranked."""
    presence: NotRequired[int]
    """Points for taking part in a night."""
    name: str
    who: NotRequired[Literal["all", "members", "guests"]]
    """Those who are ranked."""
    label: NotRequired[str]
    """Only people with this label are ranked; empty for all."""


class SeasonChange(TypedDict):
    """Fields that are left out do not change."""

    name: NotRequired[str]
    starts: NotRequired[str]
    ends: NotRequired[str]
    ladders: NotRequired[list[SeasonLadder]]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class SeasonIn(TypedDict):
    name: str
    starts: str
    ends: str
    ladders: list[SeasonLadder]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class SeasonOut(TypedDict):
    """Settings of a season."""

    id: int
    name: str
    starts: str
    ends: str
    ladders: list[SeasonLadder]
    """Rules of each of its standings; only values other than the default."""
    left_out: list[int]
    """Ids of events that do not count."""
    is_closed: bool
    """Whether its standings no longer change."""
    changed_nights: list[int]
    """The nights, by event, whose results changed after the season was closed."""


class SeatMoreIn(TypedDict):
    one: int
    other: int
    table: NotRequired[int | None]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class SectionsIn(TypedDict):
    sections: list[SectionIn]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class SettleIn(TypedDict):
    ruling: str
    call: NotRequired[str | None]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class SheetOut(TypedDict):
    """A table. Each row has its values by column key, without empty ones."""

    name: str
    columns: list[Column]
    rows: list[dict[str, Any]]


class ShowIn(TypedDict):
    scene: Literal["turning", "by_name", "tables", "names", "standings", "clock"]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class SignUpIn(TypedDict):
    is_open: bool
    most_entries: NotRequired[int | None]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class StagesIn(TypedDict):
    stages: list[EventStage]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class StandingsOut(TypedDict):
    """Standings, as far as the reader may see them."""

    status: Literal["running", "provisional", "final", "corrected"]
    is_final: bool
    """Whether these are the final standings as published. Always false with the club's API key, which reads
    the current standings with later corrections."""
    is_outdated: bool
    """Whether the published final standings would be others now."""
    after_round: int
    """Last complete round counted."""
    during_round: int | None
    """Round in play whose results count, or null."""
    computed_at: str | None
    section: str
    """Section shown; empty for all entries."""
    sections: list[str]
    columns: list[str]
    """Metric keys in the order of the columns."""
    results: list[RankOut]


class SubstituteIn(TypedDict):
    name: str
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class SwapIn(TypedDict):
    one: int
    other: int
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class TableWhole(TypedDict):
    """A table with every hand, as far as results are public. ``match`` and ``code`` are for the club
    only."""

    number: int
    stage: int
    """Number of the stage, from 1."""
    place: PlaceOut | None
    """Place in a pool, a bracket or one of several finals, or null."""
    reasons: list[DrawReasonOut]
    sides: list[SideOut]
    """Side A, then side B."""
    is_over: bool
    is_contested: bool
    """Whether two records of a hand differ. The round cannot close before one is chosen. False where hands
    are hidden."""
    postponed_to: str | None
    """Day of a postponed team match; null if it is not postponed, or not known."""
    ruling: str
    """Director's ruling: ``forfeit`` (by both sides if neither has won), ``adjusted``, or ``awarded`` (a
    game); empty if the cards decided."""
    games: list[GameOut]
    match: int | None
    code: str | None
    """Six-digit code of the table."""


class TablesIn(TypedDict):
    table_count: int
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class TeamIn(TypedDict):
    numbers: list[int]
    team: NotRequired[str]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class TeamLineupIn(TypedDict):
    team: NotRequired[str]
    numbers: list[int]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class TokenOut(TypedDict):
    """The API key in use."""

    name: str
    club: str
    scope: str
    """What the key allows: `read`, `score`, `direct` or `manage`."""
    lasts_until: str
    """When the key expires."""


class UndoIn(TypedDict):
    may_be_undecided: NotRequired[bool]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class WebhookChange(TypedDict):
    """Fields that are left out do not change."""

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
    """Optional reason, recorded in the history. At most 200 characters."""


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
    """Optional reason, recorded in the history. At most 200 characters."""


class WebhookMade(TypedDict):
    """A webhook with its secret, which is shown once."""

    id: int
    address: str
    """URL that receives the events."""
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
    """Kinds of events sent."""
    is_on: bool
    off_because: str
    """Why it is off: ``owner``, ``failing``, ``gone`` or ``restored``; empty if it is on."""
    failing_since: str | None
    """When deliveries began to fail, or null."""
    secret: str
    """Secret that signs deliveries; empty in the answer to a repeat."""


class WebhookOut(TypedDict):
    id: int
    address: str
    """URL that receives the events."""
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
    """Kinds of events sent."""
    is_on: bool
    off_because: str
    """Why it is off: ``owner``, ``failing``, ``gone`` or ``restored``; empty if it is on."""
    failing_since: str | None
    """When deliveries began to fail, or null."""


class Webhooks(TypedDict):
    results: list[WebhookOut]


class WithdrawCallIn(TypedDict):
    match: NotRequired[int | None]
    call: NotRequired[str | None]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""


class WithdrawIn(TypedDict):
    after: NotRequired[int | None]
    forfeits_table: NotRequired[bool]
    reason: NotRequired[str]
    """Optional reason, recorded in the history. At most 200 characters."""
