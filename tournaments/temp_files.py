"""Every kind of file that lies in the data folder for a while."""

from clubs import club_files, uploads

from .imports import uploaded_events
from .papers import paper_files
from .sharing import link_preview_files

KEPT = (club_files.FILES, uploads.FILES, uploaded_events.FILES, paper_files.FILES, link_preview_files.FILES)
