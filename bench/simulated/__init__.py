"""Whole random tournaments of any format, and the rules that every one of them has to keep."""
