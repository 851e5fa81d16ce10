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
from server.answers import MARK, installation_id  # noqa: E402
from server.budgets import Budgets  # noqa: E402
from server.health import HealthEndpoints  # noqa: E402
from server.request_ids import KnownProxies  # noqa: E402
from server.request_metrics import Measured, Measures  # noqa: E402
from server.tracing import add_spans  # noqa: E402
from server.warm_up import load  # noqa: E402

load()
streams = Streams(AdmittedHandler(), [(MARK.lower().encode(), installation_id().encode())])
measures = Measures()
measured = Measured(Budgets(streams), measures)
application = KnownProxies(
    HealthEndpoints(add_spans(measured), streams.is_ending), trusted_hosts=settings.TRUSTED_PROXIES
)


def samples() -> Iterator[Sample]:
    """Yield the metrics of this process."""
    yield from measures.samples()
    yield Sample("charlemagne_watchers", {}, streams.watchers())
