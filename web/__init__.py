"""What any page needs and no app owns: forms, pages of a list, sheets, files, squares to scan."""
