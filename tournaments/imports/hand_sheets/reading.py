"""Reading of a sheet of hands: where each was played, its contract and its tricks.

>>> from rules import CANADIAN
>>> sheet = "Ronde;Table;Partie;Main;Camp;Contrat;Levées;Compté\\n1;4;1;2;A;Mulot;8;10\\n"
>>> read_hand_sheet(sheet, file="hands.csv", ruleset=CANADIAN).hands[0].plain
{'kind': 'hand', 'side': 'A', 'contract': 'mulot', 'tricks': '8'}
"""

from collections.abc import Mapping
from dataclasses import dataclass

from errors import Refusal
from rules import Ruleset, reading_refusals
from tournaments.entries.entry_import.values import SIDES
from web.sheets import Layout, read_table, whole_number

from .words import COLUMNS, KINDS, NEEDED, OUTCOMES, contract_in, plain

MOST_LINES = 2_000
DIGITS = 4
"""Most digits in the number of a round, a table or a hand."""
_PLACE = ("round", "table", "hand")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedHand:
    """A line of a sheet: the place of the hand in its match, and the record in its plain form."""

    line: int
    round: int
    table: int
    number: int
    plain: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSheet:
    """Hands of a sheet by round, table and place, and a refusal, with its ``line``, for each bad line."""

    hands: tuple[ListedHand, ...]
    refusals: tuple[Refusal, ...]
    unread: tuple[str, ...] = ()
    above: tuple[str, ...] = ()


def read_hand_sheet(text: str, *, file: str, ruleset: Ruleset, layout: Layout | None = None) -> HandSheet:
    """Read a sheet of hands played by this ruleset, with its columns given by ``layout`` or by its
    headings.

    Codes of the refusals, each with its file, line and column: column_missing, column_twice, malformed_csv,
    list_too_long, number_expected, hand_twice, and those of ``rules.reading_refusals``.
    """
    hands: dict[tuple[int, int, int], ListedHand] = {}
    refusals: list[Refusal] = []
    unread: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    try:
        table = read_table(text, COLUMNS, needed=NEEDED, file=file, most=MOST_LINES, layout=layout)
        unread, above = table.unread, table.above
        for line, row in table.rows:
            try:
                hand = _hand(row, ruleset, line)
                place = hand.round, hand.table, hand.number
                if place in hands:
                    raise Refusal("hand_twice", field="hand", first=hands[place].line)
                hands[place] = hand
            except Refusal as refusal:
                heading = table.called.get(refusal.field or "")
                details = refusal.details | {"file": file, "line": line, "heading": heading}
                refusals.append(Refusal(refusal.code, field=refusal.field, **details))
    except Refusal as refusal:
        refusals.append(refusal)
    in_order = tuple(hands[place] for place in sorted(hands))
    return HandSheet(hands=in_order, refusals=tuple(refusals), unread=unread, above=above)


def _hand(row: Mapping[str, str], ruleset: Ruleset, line: int) -> ListedHand:
    round_, table, number = (_number(row, column) for column in _PLACE)
    record = plain_record(row, ruleset)
    for refusal in reading_refusals(ruleset, record):
        column = refusal.field if refusal.field in COLUMNS else "tricks"
        raise Refusal(refusal.code, field=column, **refusal.details)
    return ListedHand(line=line, round=round_, table=table, number=number, plain=record)


def plain_record(row: Mapping[str, str], ruleset: Ruleset) -> dict[str, str]:
    """Return a line as the plain form of a record, whatever words it uses for contracts, sides and
    results."""
    tricks, outcome = row.get("tricks", ""), row.get("outcome", "")
    kind = KINDS.get(plain(row["contract"])) or KINDS.get(plain(outcome))
    if plain(tricks) in OUTCOMES:
        tricks, outcome = "", outcome or tricks
    side, number = SIDES.get(plain(row["side"])), whole_number(tricks, most=DIGITS)
    played = {
        "side": row["side"] if side is None else side.name,
        "contract": contract_in(row["contract"], [known.key for known in ruleset.contracts]),
        "trump": row.get("trump", ""),
        "tricks": tricks if number is None else str(number),
        "outcome": OUTCOMES.get(plain(outcome), outcome),
    }
    said = {"kind": kind or "hand", "dealer": row.get("dealer", "")} | ({} if kind else played)
    return {name: value for name, value in said.items() if value}


def _number(row: Mapping[str, str], column: str) -> int:
    number = whole_number(row[column], most=DIGITS)
    if not number:
        raise Refusal("number_expected", field=column, most=10**DIGITS - 1)
    return number
