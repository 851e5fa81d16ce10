"""`manage.py up`: the web server, the worker and its clock, kept running together."""
