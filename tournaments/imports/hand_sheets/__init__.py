"""Sheets of hands from spreadsheets: read completely, with a refusal for each bad line. Plain Python."""
