"""The web application: what uvicorn serves."""

import os
import warnings

from django.core.asgi import get_asgi_application

from config.loading import load

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# WhiteNoise reads its small files synchronously, and need not be told so at each.
warnings.filterwarnings("ignore", "StreamingHttpResponse must consume synchronous iterators", Warning)

application = get_asgi_application()
load()
