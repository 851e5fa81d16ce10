"""Minimal view that records a hand, to compare with: Django REST framework, three statements, one commit.

`uvicorn bench.hall.bare_view:application` serves it on the data of a hall.
"""

import os
from typing import Any
from uuid import UUID

import django
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.urls import path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
settings.MIDDLEWARE, settings.ROOT_URLCONF = [], __name__
django.setup()

from django.db import connection, transaction  # noqa: E402
from django.utils import timezone  # noqa: E402
from rest_framework.request import Request  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework.views import APIView  # noqa: E402

from scoring.models import Mark, Match  # noqa: E402

RECORD_DATA = {"kind": "hand", "side": "A", "contract": "6", "outcome": "made", "tricks": 7}


RAISE_REVISION_SQL = """UPDATE live_revision SET number = number + 1
    WHERE topic = (SELECT topic FROM scoring_tablecard WHERE code = %s)"""


class BareHands(APIView):
    """View whose ``POST`` runs an insert and two updates, whatever the hand."""

    authentication_classes: list[Any] = []
    permission_classes: list[Any] = []

    def post(self, request: Request, code: str) -> Response:
        body: Any = request.data
        with transaction.atomic():
            mark = Mark.objects.create(
                match_id=body["match"],
                number=7_500 + body["number"],
                entry_key=UUID(body["entry_key"]),
                record_data=RECORD_DATA,
                created_at=timezone.now(),
            )
            Match.objects.filter(pk=body["match"]).update(revision=body["number"])
            with connection.cursor() as cursor:
                cursor.execute(RAISE_REVISION_SQL, [code])
        return Response({"id": mark.pk}, status=201)


urlpatterns = [path("api/tables/<str:code>/hands", BareHands.as_view())]
application = get_asgi_application()
