"""Printed papers: ordered on a page, laid out by the worker, and downloaded as a PDF."""
