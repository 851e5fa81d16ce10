"""The certificate of the hall's own authority, for phones: a page that explains it, and the file."""

from pathlib import Path
from urllib.parse import urljoin

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from clubs.pages import public_page
from operations.up.authority import format_fingerprint, load_root_certificate
from web.not_found import get_or_404
from web.qr import get_phone_origin, render_qr_code


@require_safe
@public_page
def show_certificate(request: HttpRequest) -> HttpResponse:
    """Show this computer's certificate, how a phone trusts it, and how to remove it again."""
    root = _get_root_certificate()
    address = urljoin(get_phone_origin(request, is_secure=False), reverse("certificate"))
    context = {
        "fingerprint": format_fingerprint(root),
        "name": root.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value,
        "ends_on": root.not_valid_after_utc.date(),
        "qr": render_qr_code(address),
        "secure_origin": get_phone_origin(request, is_secure=True),
    }
    return TemplateResponse(request, "certificate.html", context)


@require_safe
@public_page
def download_certificate(request: HttpRequest) -> HttpResponse:
    """Download the certificate in the form that phones install.

    Not as an attachment: Safari installs what it opens.
    """
    content = _get_root_certificate().public_bytes(Encoding.DER)
    return HttpResponse(content, content_type="application/x-x509-ca-cert")


def _get_root_certificate() -> x509.Certificate:
    """Return the root certificate; 404 unless HTTPS is served with it."""
    return get_or_404(load_root_certificate(Path(settings.DATA_DIR)) if settings.HTTPS_PORT else None)
