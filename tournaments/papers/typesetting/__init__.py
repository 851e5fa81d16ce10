"""Typesetting of papers: from plain values to PDF on Letter or A4, in black. Plain Python; the layouts are in
``layouts/``.

Text that people typed is passed as values and printed as is, never read as markup.
"""
