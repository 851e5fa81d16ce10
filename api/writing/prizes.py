"""API: prizes and prize categories."""

from dataclasses import fields
from typing import Any

from rest_framework import serializers as s

from api.commands import direct_command, pack_fields, read_fields
from api.fields import (
    boolean_field,
    change_body,
    choice_field,
    integer_field,
    integer_list_field,
    optional_integer_field,
    request_body,
    text_field,
)
from api.operation import ApiCall, Operation
from api.paths import EVENT
from clubs.services.changes import get_row
from tournaments.cash_rules import CashRules
from tournaments.models import Prize, PrizeScope
from tournaments.money.services import fees, prize_categories, prizes
from web.money import MAX_AMOUNT

PRIZES = f"{EVENT}/prizes"
PRIZE, CATEGORY = f"{PRIZES}/<int:prize_id>", f"{EVENT}/prize-categories/<int:category_id>"

PRIZE_FIELDS = {
    "name": text_field(),
    "amount": integer_field(0, MAX_AMOUNT, default=0),
    "is_public": boolean_field(default=False),
    "shows_amount": boolean_field(default=False),
}
PrizeIn = request_body("PrizeIn", winners=integer_list_field(), rank=optional_integer_field(), **PRIZE_FIELDS)
PrizeChange = change_body("PrizeChange", **PRIZE_FIELDS)


def _read_prize(call: ApiCall) -> dict[str, Any]:
    values = {name: call.body[name] for name in PRIZE_FIELDS}
    result_values = {name: call.body[name] for name in ("winners", "rank") if name in call.body}
    return {"details": prizes.PrizeDetails(**values), **result_values}


def _find_prize(call: ApiCall) -> Prize:
    return get_row(call.event.prizes.all(), call.path["prize_id"], refusal_code="no_such_prize")


CATEGORY_FIELDS: dict[str, Any] = {
    "name": text_field(),
    "among": choice_field(PrizeScope.values, default=PrizeScope.EVERYBODY.value),
    "group": text_field(max_length=80, default=""),
    "lowest": optional_integer_field(),
    "highest": optional_integer_field(),
    "places": integer_field(1, prize_categories.MAX_PLACES, default=1),
    "prize": text_field(default=""),
    "amounts": s.ListField(child=integer_field(0, MAX_AMOUNT), max_length=prize_categories.MAX_PLACES, default=list),
    "is_public": boolean_field(default=True),
    "shows_amount": boolean_field(default=False),
}
PrizeCategoryIn = request_body("PrizeCategoryIn", **CATEGORY_FIELDS)
PrizeCategoryChange = change_body("PrizeCategoryChange", **CATEGORY_FIELDS)


CASH_FIELDS = {
    "prize_share": integer_field(0, 100),
    "rounding_step": integer_field(1, 10**4),
    "starting_cash": integer_field(0, MAX_AMOUNT),
}


def _read_category(call: ApiCall) -> dict[str, Any]:
    values = {field.name: call.body[field.name] for field in fields(prize_categories.CategoryDetails)}
    return {"details": prize_categories.CategoryDetails(**values | {"amounts": tuple(values["amounts"])})}


def _read_current_category(call: ApiCall) -> dict[str, Any]:
    rows = call.event.prize_categories.all()
    category = get_row(rows, call.path["category_id"], refusal_code="no_such_prize")
    places = {"places": len(category.amounts)}
    return {name: getattr(category, name) for name in CATEGORY_FIELDS if name != "places"} | places


PRIZE_OPERATIONS: list[Operation] = [
    direct_command(
        f"{EVENT}/cash-rules",
        fees.change_cash_rules,
        change_body("CashRulesChange", **CASH_FIELDS),
        method="put",
        read_body=pack_fields("rules", CashRules, CASH_FIELDS),
        read_current=read_fields(lambda call: call.event.cash_rules, CASH_FIELDS),
        resource_path=PRIZES,
    ),
    direct_command(PRIZES, prizes.give_prize, PrizeIn, read_body=_read_prize, status=201),
    direct_command(
        PRIZES, prize_categories.set_prizes_add_up, request_body("PrizesIn", add_up=boolean_field()), method="put"
    ),
    direct_command(
        PRIZE,
        prizes.change_prize,
        PrizeChange,
        method="put",
        read_body=_read_prize,
        read_current=read_fields(_find_prize, PRIZE_FIELDS),
    ),
    direct_command(PRIZE, prizes.take_back_prize, method="delete"),
    direct_command(
        f"{EVENT}/prize-categories",
        prize_categories.add_prize_category,
        PrizeCategoryIn,
        read_body=_read_category,
        status=201,
        resource_path=PRIZES,
    ),
    direct_command(
        CATEGORY,
        prize_categories.change_prize_category,
        PrizeCategoryChange,
        method="put",
        read_body=_read_category,
        read_current=_read_current_category,
        resource_path=PRIZES,
    ),
    direct_command(CATEGORY, prize_categories.remove_prize_category, method="delete", resource_path=PRIZES),
    direct_command(
        f"{EVENT}/labels",
        prize_categories.label_entries,
        request_body("LabelIn", label=text_field(), numbers=integer_list_field()),
        method="put",
        resource_path=f"{EVENT}/entries",
    ),
]
