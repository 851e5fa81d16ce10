"""API: prizes and prize categories."""

from dataclasses import asdict, fields
from typing import Any

from rest_framework import serializers as s

from api.commands import command
from api.fields import body, change, maybe_number, number, numbers, one_of, text, yes_no
from api.operation import Operation, ProgramCall
from api.paths import EVENT
from clubs.policy import Permission
from clubs.services.validators import row_or_refuse
from tournaments.cash_rules import CashRules
from tournaments.models import Among
from tournaments.money.services import fees, prize_categories, prizes
from web.money import MOST

DIRECT = Permission.DIRECT
PRIZE, CATEGORY = f"{EVENT}/prizes/<int:prize_id>", f"{EVENT}/prize-categories/<int:category_id>"

PRIZE_FIELDS = {
    "name": text(),
    "amount": number(0, MOST, default=0),
    "is_public": yes_no(default=False),
    "shows_amount": yes_no(default=False),
}
PrizeIn = body("PrizeIn", winners=numbers(), rank=maybe_number(), **PRIZE_FIELDS)
PrizeChange = change("PrizeChange", **PRIZE_FIELDS)


def _prize(call: ProgramCall) -> dict[str, Any]:
    said = {name: call.body[name] for name in PRIZE_FIELDS}
    given = {name: call.body[name] for name in ("winners", "rank") if name in call.body}
    return {"details": prizes.PrizeDetails(**said), **given}


def _prize_now(call: ProgramCall) -> dict[str, Any]:
    now = row_or_refuse(call.event.prizes.all(), call.path["prize_id"], otherwise="no_such_prize")
    return {name: getattr(now, name) for name in PRIZE_FIELDS}


CATEGORY_FIELDS: dict[str, Any] = {
    "name": text(),
    "among": one_of(Among.values, default=Among.EVERYBODY.value),
    "group": text(most=80, default=""),
    "lowest": maybe_number(),
    "highest": maybe_number(),
    "places": number(1, prize_categories.MOST_PLACES, default=1),
    "prize": text(default=""),
    "amounts": s.ListField(child=number(0, MOST), max_length=prize_categories.MOST_PLACES, default=list),
    "is_public": yes_no(default=True),
    "shows_amount": yes_no(default=False),
}
PrizeCategoryIn = body("PrizeCategoryIn", **CATEGORY_FIELDS)
PrizeCategoryChange = change("PrizeCategoryChange", **CATEGORY_FIELDS)


CASH_FIELDS = {
    "prize_share": number(0, 100),
    "rounding_step": number(1, 10**4),
    "starting_cash": number(0, MOST),
}


def _cash_rules(call: ProgramCall) -> dict[str, Any]:
    return {"rules": CashRules(**{name: call.body[name] for name in CASH_FIELDS})}


def _category(call: ProgramCall) -> dict[str, Any]:
    said = {field.name: call.body[field.name] for field in fields(prize_categories.CategoryDetails)}
    return {"details": prize_categories.CategoryDetails(**said | {"amounts": tuple(said["amounts"])})}


def _category_now(call: ProgramCall) -> dict[str, Any]:
    rows = call.event.prize_categories.all()
    now = row_or_refuse(rows, call.path["category_id"], otherwise="no_such_prize")
    places = {"places": len(now.amounts)}
    return {name: getattr(now, name) for name in CATEGORY_FIELDS if name != "places"} | places


OF_PRIZES: list[Operation] = [
    command(
        f"{EVENT}/cash-rules",
        fees.change_cash_rules,
        DIRECT,
        method="put",
        takes=change("CashRulesChange", **CASH_FIELDS),
        reads=_cash_rules,
        keeps=lambda call: asdict(call.event.cash_rules),
    ),
    command(f"{EVENT}/prizes", prizes.give_prize, DIRECT, takes=PrizeIn, reads=_prize, status=201),
    command(
        f"{EVENT}/prizes",
        prize_categories.set_prizes_add_up,
        DIRECT,
        method="put",
        takes=body("PrizesIn", add_up=yes_no()),
    ),
    command(
        PRIZE, prizes.change_prize, DIRECT, method="put", takes=PrizeChange, reads=_prize, keeps=_prize_now
    ),
    command(PRIZE, prizes.take_back_prize, DIRECT, method="delete"),
    command(
        f"{EVENT}/prize-categories",
        prize_categories.add_prize_category,
        DIRECT,
        takes=PrizeCategoryIn,
        reads=_category,
        status=201,
    ),
    command(
        CATEGORY,
        prize_categories.change_prize_category,
        DIRECT,
        method="put",
        takes=PrizeCategoryChange,
        reads=_category,
        keeps=_category_now,
    ),
    command(CATEGORY, prize_categories.remove_prize_category, DIRECT, method="delete"),
    command(
        f"{EVENT}/labels",
        prize_categories.label_entries,
        DIRECT,
        method="put",
        takes=body("LabelIn", label=text(), numbers=numbers()),
    ),
]
