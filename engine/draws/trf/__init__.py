"""FIDE's Tournament Report File, export and import, so that chess programs can pair and check our events.

=========================================  ========================================================
document                                   here
=========================================  ========================================================
FIDE Handbook C.04 Annex 2 (TRF16)         columns of 001, the results, 012 to 102; each line ends with CR
FIDE TRF 2026                              299 points given by the arbiter; 142, 152 and 162 are read too
JaVaFo, Advanced User Manual (TRFx)        XXR rounds, XXC first colour, XXP forbidden pairs, XXZ absent
bbpPairings, README (TRFbx)                BBW, BBD, BBL, BBU, BBZ, BBF: what a result counts
=========================================  ========================================================

White is side A, black is side B, and an entry of two is one player. Points are those of wins, draws and byes,
not those of games: what a report cannot say, such as scores by hands or tables of four, stays out of it.
"""

from .reader import read_report as read_report
from .report import PointSystem as PointSystem
from .report import ReportEntry as ReportEntry
from .report import TrfAbsence as TrfAbsence
from .report import TrfReport as TrfReport
from .report import build_draw_input as build_draw_input
from .report import build_report as build_report
from .writer import render_trf as render_trf
