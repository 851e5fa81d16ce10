"""Every kind of file that lies in the data folder for a while."""

from clubs import club_files

from . import brought_files, paper_files, picture_files

KEPT = (club_files.FILES, brought_files.FILES, paper_files.FILES, picture_files.FILES)
