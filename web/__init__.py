"""Tools for any page that no app owns: forms, paging, sheets, files, QR codes."""
