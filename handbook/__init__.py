"""The handbooks: how to run a night, a tournament and an installation, in both languages.

Each page is a Markdown file, ``fr/NAME.md`` and ``en/NAME.md``. The running program shows it at
``/help/NAME``, and ``manage.py handbook`` writes all of them as a site of files.
"""
