from collections.abc import Mapping
from typing import Any

from django.urls import path
from django.views.decorators.http import conditional_page

from clubs.policy import Audience, Opening, admitting, opens_to

from . import reference
from .operation import Operation
from .operations import by_address
from .schema import OperationSchema
from .views import OperationsView

ROOT = "api/v1/"


def _view(found: Mapping[str, Operation]) -> Any:
    """Build one view for all methods of a path, and declare the lowest access level among them."""
    methods = dict.fromkeys(found, OperationsView.answer)
    shown = {"operations": found, "schema": OperationSchema(), "__doc__": next(iter(found.values())).says}
    needs: list[Opening] = [one.needs for one in found.values()]
    least = next((one for one in needs if isinstance(one, Audience)), needs[0])
    view: Any = type("AddressView", (OperationsView,), {**methods, **shown})
    return admitting(opens_to(least)(conditional_page(view.as_view())))


urlpatterns = [
    path("api/", reference.reference_page, name="api"),
    path(ROOT, reference.reference_page, name="api-reference"),
    path(f"{ROOT}schema", reference.schema, name="api-schema"),
    *(path(ROOT + address, _view(found)) for address, found in by_address().items()),
]
