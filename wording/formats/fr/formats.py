"""Dates and times in Quebec French: 17 novembre 2026, 20 h 14."""

DATE_FORMAT = "j F Y"
SHORT_DATE_FORMAT = "Y-m-d"
TIME_FORMAT = "G\u00a0\\h\u00a0i"
DATETIME_FORMAT = f"{DATE_FORMAT}, {TIME_FORMAT}"
