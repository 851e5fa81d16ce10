"""Dates and times in Canadian English: November 17, 2026, 8:14 PM.

Without dots in the time, since a sentence that ends with one has its own full stop.
"""

DATE_FORMAT = "F j, Y"
SHORT_DATE_FORMAT = "Y-m-d"
TIME_FORMAT = "g:i\u00a0A"
DATETIME_FORMAT = f"{DATE_FORMAT}, {TIME_FORMAT}"
