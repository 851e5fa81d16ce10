"""Sheets to import (CSV, workbooks, contacts), and tables to export.

Plain Python.
"""
