"""JSON API of a table: read its match, record a hand."""

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from errors import Refusal
from rules import match_format_to_json, ruleset_to_json
from web.json_body import JsonBody

from .models import DESK_PREFIX
from .parsing import parse_mark
from .services import marks
from .table_access import authorize_card, authorize_match, get_api_visitor


class TableAPIView(APIView):
    """``GET``: return the match now played at the table, its rules, and the marks that count."""

    def get(self, request: Request, code: str) -> Response:
        match = authorize_match(code, get_api_visitor(request))
        ruleset = match.ruleset
        return Response(
            {
                "match": match.pk,
                "round": match.round_number,
                "table": match.card.number,
                "ruleset": ruleset_to_json(ruleset),
                "format": match_format_to_json(match.match_format),
                "first_dealer": match.first_dealer,
                "players": [player.person.name for player in match.seated_players],
                "marks": [
                    {"id": mark.pk, "number": mark.number, "status": mark.status, "hand": mark.record_data}
                    for mark in sorted(match.written_marks, key=lambda mark: mark.number)
                ],
                "summary": match.summary,
                "revision": match.revision,
            }
        )


class HandsAPIView(APIView):
    """``POST``: record one mark, ``{"match", "entry_key", "number", "hand": {…}, "supersedes"}``; safe to
    repeat."""

    parser_classes = [JsonBody]

    def post(self, request: Request, code: str) -> Response:
        body = request.data
        if not isinstance(body, Mapping):
            raise Refusal("not_an_object")
        hand: Any = body.get("hand")
        if not isinstance(hand, Mapping):
            raise Refusal("not_an_object", field="hand")
        posted = parse_mark({**hand, **{name: body[name] for name in body if name != "hand"}})
        mark = marks.record_hand(
            match_id=posted.match_id,
            card=authorize_card(code, get_api_visitor(request)),
            **posted.record,
            device=str(body.get("device") or "").replace(DESK_PREFIX, ""),
        )
        answer = Response({"id": mark.pk, "status": mark.status, "summary": mark.match.summary}, status=201)
        vars(answer)["is_done"] = True
        return answer
