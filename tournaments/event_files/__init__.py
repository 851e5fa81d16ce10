"""An event as one file that anybody can verify without this program's database (docs/api/event-files.md)."""
