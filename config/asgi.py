"""The web application that uvicorn serves."""

import os
import warnings
from collections.abc import Iterator

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# WhiteNoise reads its small files synchronously, which needs no warning each time.
warnings.filterwarnings("ignore", "StreamingHttpResponse must consume synchronous iterators", Warning)

django.setup(set_prefix=False)

from django.conf import settings  # noqa: E402 (which want Django set up)

from live.streams import Streams  # noqa: E402
from operations.metrics.exposition import Sample  # noqa: E402
from server.admission_queue import AdmittedHandler  # noqa: E402
from server.answers import MARK_HEADER, installation_id  # noqa: E402
from server.body_limits import BodyLimits  # noqa: E402
from server.health import HealthEndpoints  # noqa: E402
from server.request_ids import TrustedProxies  # noqa: E402
from server.request_metrics import MeasuredApplication, RequestMetrics  # noqa: E402
from server.tracing import add_spans  # noqa: E402
from server.warm_up import load_process  # noqa: E402

load_process()
streams = Streams(AdmittedHandler(), [(MARK_HEADER.lower().encode(), installation_id().encode())])
metrics = RequestMetrics()
measured_application = MeasuredApplication(BodyLimits(streams), metrics)
application = TrustedProxies(
    HealthEndpoints(add_spans(measured_application), streams.is_ending), trusted_hosts=settings.TRUSTED_PROXIES
)


def iter_samples() -> Iterator[Sample]:
    """Yield the metrics of this process."""
    yield from metrics.iter_samples()
    yield Sample("charlemagne_watchers", {}, streams.count_watchers())
