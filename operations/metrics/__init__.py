"""What Prometheus is told, at an address of `up`'s own: `CHARLEMAGNE_METRICS=[HOST:]PORT`.

Each web process writes its numbers into the data folder, every few seconds; `up` reads those of all that
live, adds what it knows of processes and jobs, and answers. So a scrape shows them all, each by its name, and
the web processes have no door more. Why not the usual library: ``docs/decisions/0005-use-few-libraries.md``.
"""
