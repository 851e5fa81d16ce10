"""All settings. Each value may come from the environment; without any, a laptop in a hall is served."""

from __future__ import annotations

import os
from typing import Any

from config.database import database_settings
from config.mail import address_in, mail_in
from jobs.schedules import Every
from operations.data_dir import KEY_VARIABLE, PROJECT, data_folder, secret_key
from operations.up.addresses import LISTENS_AT as _LISTENS_AT


def _names(variable: str, default: str = "") -> list[str]:
    return [name.strip() for name in os.environ.get(variable, default).split(",") if name.strip()]


def _is_on(variable: str) -> bool:
    return os.environ.get(variable, "").lower() in {"1", "true", "yes", "on"}


BASE_DIR = PROJECT
DATA_DIR = data_folder()

DEBUG = _is_on("CHARLEMAGNE_DEBUG")
SECRET_KEY = os.environ.get(KEY_VARIABLE) or secret_key(DATA_DIR)

# Phones reach the laptop by whatever address the hall's network gave it.
ALLOWED_HOSTS = _names("CHARLEMAGNE_HOSTS", "*")
ADDRESS = address_in(os.environ)  # what feeds, agendas and search engines are told; "": as it was asked for
LISTENS_AT = os.environ.get(_LISTENS_AT, "")  # by `up`
NETWORK_URL = "operations.up.addresses.network_url"  # where they find it, if its own browser says localhost
CSRF_TRUSTED_ORIGINS = _names("CHARLEMAGNE_TRUSTED_ORIGINS")

# Only behind a proxy that speaks HTTPS and says so; a hall has plain HTTP.
if _is_on("CHARLEMAGNE_HTTPS"):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
    "rest_framework",
    "django_htmx",
    "template_partials",
    "config",
    "wording",
    "live",
    "jobs",
    "clubs",
    "scoring",
    "tournaments",
]

MIDDLEWARE = [
    "config.answers.MarkMiddleware",
    "config.outage_pages.PatienceMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "config.headers.HeadersMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.languages.LanguageMiddleware",
    "config.answers.ReceiptMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.middleware.RefusalMiddleware",
    "config.search.SearchMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["wording.templatetags.dates"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.template.context_processors.i18n",
            ],
        },
    },
]

DATABASES = {"default": database_settings(os.environ.get("DATABASE_URL", ""), DATA_DIR)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "clubs.Account"
LOGIN_URL = "sign-in"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{validator}"}
    for validator in ("MinimumLengthValidator", "CommonPasswordValidator", "NumericPasswordValidator")
]

# Without a server for mail there is none: what needs it is not shown.
_mail = mail_in(os.environ)
MAIL_LEADS_TO = _mail.leads_to
DEFAULT_FROM_EMAIL = _mail.sender
EMAIL_BACKEND, EMAIL_FILE_PATH, EMAIL_TIMEOUT = _mail.backend, _mail.folder, 20
EMAIL_HOST, EMAIL_PORT = _mail.host, _mail.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail.user, _mail.password
EMAIL_USE_SSL, EMAIL_USE_TLS = _mail.is_tls_from_the_start, _mail.is_tls_asked_for

LANGUAGE_CODE = "fr"
LANGUAGES = [("fr", "Français"), ("en", "English")]  # each in its own words, so not translated
# The second holds what this installation compiled: the source tree may be read-only.
LOCALE_PATHS = [BASE_DIR / "locale", DATA_DIR / "locale"]
FORMAT_MODULE_PATH = ["wording.formats"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"  # in the database; pages activate the club's own zone

STATIC_URL = "/static/"  # whatever the language of the page
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = DATA_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "EXCEPTION_HANDLER": "config.refusals.api_exception_handler",
}

TABLES_ARE_WORDED_BY = "wording.labels.exports.sheet_in_words"

# Each web process keeps its own, so nothing that has to be so in all of them lies in a cache.
LOCAL_MEMORY = "django.core.cache.backends.locmem.LocMemCache"
CACHES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": LOCAL_MEMORY},  # which Django asks for
    # Pages that everybody reads, by revision and never by time: live/conditional_pages.py.
    "pages": {
        "BACKEND": LOCAL_MEMORY,
        "LOCATION": "pages",
        "TIMEOUT": None,
        "OPTIONS": {"MAX_ENTRIES": 400},
    },
}

# The broker: files in the data folder, or Redis.
CELERY_BROKER_URL = os.environ.get("CHARLEMAGNE_BROKER_URL") or "files://localhost"
if CELERY_BROKER_URL.startswith("files:"):
    CELERY_BROKER_TRANSPORT = "jobs.transport:Transport"
    CELERY_BROKER_TRANSPORT_OPTIONS = {"folder": str(DATA_DIR / "messages"), "polling_interval": 0.1}
else:
    # One try, for a request waits meanwhile; the sweeper tries again.
    CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 1, "socket_timeout": 5, "max_retries": 0}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "jobs"
LONG_QUEUE = "jobs-long"  # for what takes a while: it has a worker of its own
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_BEAT_SCHEDULER = "celery.beat.Scheduler"  # keeps no file: its entries have no past to remember
CELERY_BEAT_SCHEDULE = {
    # What nobody swept in time is swept by the next one.
    "sweep": {"task": "jobs.sweep", "schedule": Every(5.0), "options": {"expires": 5.0}},
    "sweep-files": {"task": "config.sweep_files", "schedule": Every(3600.0), "options": {"expires": 3600.0}},
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {"no_outage": {"()": "operations.outages.NoOutage"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": [], "level": "WARNING", "propagate": True},
        # Each page that is not found is no news to a hall's laptop; nor, on a full disk, each that fails.
        "django.request": {"level": "ERROR", "filters": ["no_outage"]},
        "celery.app.trace": {"filters": ["no_outage"]},
        "psycopg.pool": {"level": "ERROR"},
    },
}
