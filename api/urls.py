from collections.abc import Mapping
from typing import Any

from django.urls import path
from django.views.decorators.http import conditional_page

from clubs.policy import Access, Audience, grant_access, mark_self_limiting

from . import reference
from .operation import Operation
from .operations import group_by_path
from .schema import OperationSchema
from .views import OperationsView

ROOT = "api/v1/"


def _build_view(operations: Mapping[str, Operation]) -> Any:
    """Build one view for all methods of a path, and declare the lowest access level among them."""
    methods = dict.fromkeys(operations, OperationsView.handle_operation)
    attributes = {
        "operations": operations,
        "schema": OperationSchema(),
        "__doc__": next(iter(operations.values())).description,
    }
    accesses: list[Access] = [operation.access for operation in operations.values()]
    lowest_access = next((operation for operation in accesses if isinstance(operation, Audience)), accesses[0])
    view: Any = type("AddressView", (OperationsView,), {**methods, **attributes})
    return mark_self_limiting(grant_access(lowest_access)(conditional_page(view.as_view())))


urlpatterns = [
    path("api/", reference.show_reference, name="api"),
    path(ROOT, reference.show_reference, name="api-reference"),
    path(f"{ROOT}schema", reference.show_schema, name="api-schema"),
    *(path(ROOT + address, _build_view(found)) for address, found in group_by_path().items()),
]
