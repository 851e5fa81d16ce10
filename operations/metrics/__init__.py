"""Metrics for Prometheus, at an address of `up` itself: `CHARLEMAGNE_METRICS=[HOST:]PORT`.

Each web process writes its numbers into the data folder, every few seconds; `up` reads those of all living
processes, adds what it knows of processes and jobs, and answers. So a scrape shows every process by name, and
the web processes need no further port. Why not the usual library:
``docs/decisions/0005-use-few-libraries.md``.
"""
