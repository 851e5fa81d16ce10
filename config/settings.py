"""All settings. Each value may come from the environment; the defaults serve a laptop in a hall."""

import os
from email.utils import parseaddr
from typing import Any

from api.openapi_settings import OPENAPI
from config.broker import parse_broker_url
from config.database import build_database_settings
from config.mail import parse_mail_settings, parse_site_address
from jobs.queues import MAX_POSITION, Queue
from jobs.schedules import IntervalSchedule
from operations.data_dir import (
    ENCRYPTED_CONTACTS_FILE,
    KEY_VARIABLE,
    PASSPHRASE_VARIABLE,
    PROJECT,
    SECOND_FOLDER_VARIABLE,
    data_folder,
    get_secret_key,
)
from operations.up import addresses as _up
from server.hosts import parse_hosts
from server.logs import LOGS_VARIABLE, build_logging_settings
from server.proxies import HTTPS_VARIABLE, PROXIES_VARIABLE, parse_trusted_proxies


def _read_names(variable: str, default: str = "") -> list[str]:
    return [name.strip() for name in os.environ.get(variable, default).split(",") if name.strip()]


def _is_on(variable: str) -> bool:
    return os.environ.get(variable, "").lower() in {"1", "true", "yes", "on"}


BASE_DIR = PROJECT
DATA_DIR = data_folder()

DEBUG = _is_on("CHARLEMAGNE_DEBUG")
CONTACTS_SEALED_AT = DATA_DIR / ENCRYPTED_CONTACTS_FILE  # exists if contact data are to be encrypted
SECRET_KEY = os.environ.get(KEY_VARIABLE) or get_secret_key(DATA_DIR)

ADDRESS = parse_site_address(
    os.environ
)  # public address for feeds, calendars and search engines; "": the one requested
LISTEN_ADDRESS = os.environ.get(_up.HOST_VARIABLE, "")  # by `up`
HTTP_PORT, HTTPS_PORT = (int(os.environ.get(port, "0")) for port in (_up.HTTP_PORT_VARIABLE, _up.HTTPS_PORT_VARIABLE))
STARTED_AT = os.environ.get(_up.STARTED_VARIABLE, "")
# QR codes lead phones to HTTP, which all can open; to HTTPS, once the club's phones trust the certificate.
CARDS_BY_HTTPS = _is_on("CHARLEMAGNE_CARDS_BY_HTTPS")
PHONE_URL = "operations.up.reach.phone_url"  # the address in QR codes, if one is chosen or the browser says localhost
CSRF_TRUSTED_ORIGINS = _read_names("CHARLEMAGNE_TRUSTED_ORIGINS")

# Only behind a proxy that speaks HTTPS; a hall has plain HTTP.
_is_https = _is_on(HTTPS_VARIABLE)
NAMES = parse_hosts(os.environ, is_https=_is_https)
ALLOWED_HOSTS = ["*"]  # HostsMiddleware checks the names
TRUSTED_PROXIES = parse_trusted_proxies(_read_names(PROXIES_VARIABLE), is_https=_is_https)
if _is_https:
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    # What else runs under the club's domain, and whether browsers preload it, is the club's decision.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

INSTALLED_APPS = [
    "config",  # first, as its commands override those of the same name
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "template_partials",
    "wording",
    "live",
    "jobs",
    "clubs",
    "scoring",
    "tournaments",
    "federations",
    "api",
    *(["tools"] if (BASE_DIR / "tools").is_dir() else []),  # commands for developers, in the source only
]

# Packages of `tournaments` around its core, in the order of their URLs. One that is left out is not loaded.
TOURNAMENT_FEATURES = [
    "sharing",
    "agenda",
    "alerts",
    "attendance",
    "board",
    "event_files",
    "exports",
    "imports",
    "interclub",
    "messages",
    "mirrors",
    "money",
    "papers",
    "planner",
    "privacy",
    "public",
    "publishing",
    "records",
    "seasons",
    "signing",
]

MIDDLEWARE = [
    "server.request_metrics.RouteMiddleware",
    "server.answers.MarkMiddleware",
    "server.answers.AddressMiddleware",
    "server.outage_pages.PatienceMiddleware",
    "server.headers.HeadersMiddleware",
    "server.error_pages.HostsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "server.languages.LanguageMiddleware",
    "server.answers.ReceiptMiddleware",
    "django.middleware.common.CommonMiddleware",
    "server.body_rates.BodyRateMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "server.middleware.RefusalMiddleware",
    "server.search.SearchMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

LOADERS = ["web.template_loader.Loader", "django.template.loaders.app_directories.Loader"]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [("template_partials.loader.Loader", [("django.template.loaders.cached.Loader", LOADERS)])],
            "builtins": ["wording.templatetags.dates"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.template.context_processors.i18n",
                "clubs.pages.add_refusal",
            ],
        },
    },
]

# Automatic backups: in the data folder, and in a second folder.
AUTOMATIC_BACKUPS = os.environ.get("CHARLEMAGNE_BACKUPS", "on").lower() not in {"0", "no", "off"}
SECOND_BACKUP_FOLDER = os.environ.get(SECOND_FOLDER_VARIABLE, "")
BACKUP_PASSPHRASE = os.environ.get(PASSPHRASE_VARIABLE, "")  # encrypts those in the second folder

# Bytes that each club may store in files, pictures, plans and logs.
SOURCE = os.environ.get("CHARLEMAGNE_SOURCE", "")  # where the source is published, if elsewhere
CLUB_QUOTA = int(os.environ.get("CHARLEMAGNE_CLUB_QUOTA", "1000")) * 1_000_000

DATABASES = {"default": build_database_settings(os.environ.get("DATABASE_URL", ""), DATA_DIR)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "clubs.Account"
LOGIN_URL = "sign-in"
SESSION_ENGINE = "clubs.sessions"
LANGUAGE_COOKIE_HTTPONLY, LANGUAGE_COOKIE_SAMESITE = True, "Lax"  # as set by web.language_cookie
SESSION_COOKIE_AGE = 14 * 24 * 3600  # an unused session ends; a club plays every week
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{validator}"}
    for validator in ("MinimumLengthValidator", "CommonPasswordValidator", "NumericPasswordValidator")
]

# Without a mail server, whatever needs one is not shown.
_mail = parse_mail_settings(os.environ)
MAIL_ORIGIN = _mail.link_origin
DEFAULT_FROM_EMAIL = _mail.sender
EMAIL_BACKEND, EMAIL_FILE_PATH, EMAIL_TIMEOUT = _mail.backend, _mail.folder, 20
# Whether anybody may request a club, which the operator approves and mails; and the address of more terms.
TAKES_CLUB_REQUESTS = bool(MAIL_ORIGIN) and os.environ.get("CHARLEMAGNE_CLUB_REQUESTS", "") == "approval"
CLUB_TERMS = os.environ.get("CHARLEMAGNE_CLUB_TERMS", "")
EMAIL_HOST, EMAIL_PORT = _mail.host, _mail.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail.user, _mail.password
EMAIL_USE_SSL, EMAIL_USE_TLS = _mail.is_tls_implicit, _mail.is_starttls

# Push services of browsers: no other address is contacted, whatever a phone names.
PUSH_SERVICES = (
    r"https://fcm\.googleapis\.com",  # Chrome, Edge on Android, Samsung, Opera, Brave
    r"https://[a-z0-9.-]+\.push\.services\.mozilla\.com",
    r"https://[a-z0-9.-]+\.push\.apple\.com",
    r"https://[a-z0-9.-]+\.notify\.windows\.com",
)
# Local networks that a club's webhooks may go to, even by HTTP.
LOCAL_TARGETS = _read_names("CHARLEMAGNE_LOCAL_TARGETS")
# Contact for a push service if messages cause trouble.
PUSH_CONTACT = f"mailto:{parseaddr(_mail.sender)[1] or 'nobody@example.org'}"

LANGUAGE_CODE = "fr"
LANGUAGES = [("fr", "Français"), ("en", "English")]  # each in its own language, so not translated
# The second has what this installation compiled: the source tree may be read-only.
LOCALE_PATHS = [BASE_DIR / "locale", DATA_DIR / "locale"]
FORMAT_MODULE_PATH = ["wording.formats"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"  # in the database; pages activate the club's own zone

STATIC_URL = "/static/"  # independent of the language of the page
STATICFILES_DIRS = [BASE_DIR / "static", ("handbook", BASE_DIR / "handbook" / "pictures")]
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_FINDERS = [
    "server.static_files.StaticFilesFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "server.static_files.StaticFilesStorage"},
}

DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "EXCEPTION_HANDLER": "server.refusals.api_exception_handler",
}

SPECTACULAR_SETTINGS = OPENAPI
PROBLEM_HANDLER = "server.refusals.problem_handler"

SHEET_LABELER = "wording.labels.exports.sheet_in_words"

# Each web process has its own cache, so nothing that must be equal in all of them is cached.
LOCAL_MEMORY = "django.core.cache.backends.locmem.LocMemCache"
CACHES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": LOCAL_MEMORY},  # required by Django
    # Of networks and installations: clubs/services/rate_limit.py.
    "rates": {"BACKEND": LOCAL_MEMORY, "LOCATION": "rates", "OPTIONS": {"MAX_ENTRIES": 10_000}},
    # Pages that everybody reads, by revision and never by time: live/conditional_pages.py.
    "pages": {
        "BACKEND": "live.page_cache.PageCache",
        "LOCATION": "pages",
        "TIMEOUT": None,
        "OPTIONS": {"MAX_ENTRIES": 400, "MAX_BYTES": 32 * 1024 * 1024},
    },
}

# The broker: files in the data folder, or Redis.
CELERY_BROKER_URL = parse_broker_url(os.environ.get("CHARLEMAGNE_BROKER_URL", ""))
if CELERY_BROKER_URL.startswith("files:"):
    CELERY_BROKER_TRANSPORT = "jobs.transport:Transport"
    CELERY_BROKER_TRANSPORT_OPTIONS = {"folder": str(DATA_DIR / "messages"), "polling_interval": 0.1}
else:
    # One try, as a request waits meanwhile; the sweeper tries again.
    CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 1, "socket_timeout": 5, "max_retries": 0}
    CELERY_BROKER_TRANSPORT_OPTIONS |= {"priority_steps": list(range(MAX_POSITION + 1))}
# Channel between web processes and workers for changes; without Redis each polls the database.
LIVE_REDIS_URL = CELERY_BROKER_URL if CELERY_BROKER_URL.startswith(("redis:", "rediss:")) else ""
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = str(Queue.SHORT)
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_BEAT_SCHEDULER = "jobs.scheduler:Scheduler"  # keeps no file: its entries have no state
# A sweep that was not done in time is left to the next one.
_SWEEPS = {
    "sweep": ("jobs.sweep", 5.0),
    "sweep-webhooks": ("api.sweep_webhooks", 5.0),
    "sweep-idempotency-keys": ("api.sweep_idempotency_keys", 3600.0),
    "sweep-feeds": ("federations.sweep_feeds", 30.0),
    "sweep-copies": ("config.sweep_copies", 60.0),
    "sweep-files": ("config.sweep_files", 3600.0),
}
if "alerts" in TOURNAMENT_FEATURES:
    _SWEEPS["sweep-alerts"] = ("tournaments.sweep_alerts", 3600.0)
if "mirrors" in TOURNAMENT_FEATURES:
    _SWEEPS["sweep-snapshots"] = ("tournaments.sweep_snapshots", 2.0)
CELERY_BEAT_SCHEDULE = {
    name: {"task": task, "schedule": IntervalSchedule(seconds), "options": {"expires": seconds}}
    for name, (task, seconds) in _SWEEPS.items()
}

LOGGING = build_logging_settings(is_json=os.environ.get(LOGS_VARIABLE, "").lower() == "json")
