"""OpenAPI schema, and the API reference: Swagger UI, which reads the schema."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import conditional_page, require_safe

from clubs.pages import public_page
from web.device_access import with_data_images

from .schema import build_openapi


@require_safe
@public_page
@conditional_page
def show_schema(request: HttpRequest) -> HttpResponse:
    """Download the OpenAPI schema of the API."""
    response = JsonResponse(build_openapi())
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response


@require_safe
@public_page
@with_data_images
def show_reference(request: HttpRequest) -> HttpResponse:
    """Show the API in Swagger UI, with a form to try each operation."""
    return TemplateResponse(request, "api/reference.html")
