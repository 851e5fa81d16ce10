"""Reading of a sheet of hands: where each was played, its contract and its tricks.

>>> from rules import CANADIAN
>>> sheet = "Ronde;Table;Partie;Main;Camp;Contrat;Levées;Compté\\n1;4;1;2;A;Mulot;8;10\\n"
>>> read_hand_sheet(sheet, file="hands.csv", ruleset=CANADIAN).hands[0].plain
{'kind': 'hand', 'side': 'A', 'contract': 'mulot', 'tricks': '8'}
"""

from collections.abc import Mapping
from dataclasses import dataclass

from errors import Refusal
from rules import Ruleset, list_reading_refusals
from tournaments.entries.entry_import.values import SIDES
from web.sheets.cells import parse_integer
from web.sheets.columns import Layout, read_table

from .words import COLUMNS, KINDS, OUTCOMES, REQUIRED_COLUMNS, fold_text, match_contract

MAX_LINES = 2_000
MAX_DIGITS = 4
"""Most digits in the number of a round, a table or a hand."""
_PLACE_COLUMNS = ("round", "table", "hand")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedHand:
    """A line of a sheet: the place of the hand in its match, and the record in its plain form."""

    line: int
    round: int
    table: int
    number: int
    record_data: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSheet:
    """Hands of a sheet by round, table and place, and a refusal, with its ``line``, for each bad line."""

    hands: tuple[ImportedHand, ...]
    refusals: tuple[Refusal, ...]
    unread: tuple[str, ...] = ()
    above: tuple[str, ...] = ()


def read_hand_sheet(text: str, *, file: str, ruleset: Ruleset, layout: Layout | None = None) -> HandSheet:
    """Read a sheet of hands played by this ruleset, with its columns given by ``layout`` or by its
    headings.

    Codes of the refusals, each with its file, line and column: column_missing, column_twice, malformed_csv,
    list_too_long, number_expected, hand_twice, and those of ``rules.list_reading_refusals``.
    """
    hands: dict[tuple[int, int, int], ImportedHand] = {}
    refusals: list[Refusal] = []
    unread: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    try:
        table = read_table(
            text, COLUMNS, required_columns=REQUIRED_COLUMNS, file=file, max_rows=MAX_LINES, layout=layout
        )
        unread, above = table.unread, table.above
        for line, row in table.rows:
            try:
                hand = _read_hand(row, ruleset, line)
                place = hand.round, hand.table, hand.number
                if place in hands:
                    raise Refusal("hand_twice", field="hand", first=hands[place].line)
                hands[place] = hand
            except Refusal as refusal:
                heading = table.headings.get(refusal.field or "")
                details = refusal.details | {"file": file, "line": line, "heading": heading}
                refusals.append(Refusal(refusal.code, field=refusal.field, **details))
    except Refusal as refusal:
        refusals.append(refusal)
    sorted_hands = tuple(hands[place] for place in sorted(hands))
    return HandSheet(hands=sorted_hands, refusals=tuple(refusals), unread=unread, above=above)


def _read_hand(row: Mapping[str, str], ruleset: Ruleset, line: int) -> ImportedHand:
    round_, table, number = (_read_number(row, column) for column in _PLACE_COLUMNS)
    record = read_record_data(row, ruleset)
    for refusal in list_reading_refusals(ruleset, record):
        column = refusal.field if refusal.field in COLUMNS else "tricks"
        raise Refusal(refusal.code, field=column, **refusal.details)
    return ImportedHand(line=line, round=round_, table=table, number=number, record_data=record)


def read_record_data(row: Mapping[str, str], ruleset: Ruleset) -> dict[str, str]:
    """Return a line as the plain form of a record, whatever words it uses for contracts, sides and
    results."""
    tricks, outcome = row.get("tricks", ""), row.get("outcome", "")
    kind = KINDS.get(fold_text(row["contract"])) or KINDS.get(fold_text(outcome))
    if fold_text(tricks) in OUTCOMES:
        tricks, outcome = "", outcome or tricks
    side, number = SIDES.get(fold_text(row["side"])), parse_integer(tricks, max_digits=MAX_DIGITS)
    result_fields = {
        "side": row["side"] if side is None else side.name,
        "contract": match_contract(row["contract"], [contract.key for contract in ruleset.contracts]),
        "trump": row.get("trump", ""),
        "tricks": tricks if number is None else str(number),
        "outcome": OUTCOMES.get(fold_text(outcome), outcome),
    }
    data = {"kind": kind or "hand", "dealer": row.get("dealer", "")} | ({} if kind else result_fields)
    return {name: value for name, value in data.items() if value}


def _read_number(row: Mapping[str, str], column: str) -> int:
    number = parse_integer(row[column], max_digits=MAX_DIGITS)
    if not number:
        raise Refusal("number_expected", field=column, most=10**MAX_DIGITS - 1)
    return number
