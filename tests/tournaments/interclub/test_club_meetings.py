"""The score of a meeting of two clubs, from its tables."""

from tournaments.rounds.presenters.meetings import FinishedTable, UnplayedSide, list_club_meetings

WON, LOST = UnplayedSide(has_won=True), UnplayedSide(has_won=False)


def test_board_forfeited_by_both_clubs_is_won_by_neither() -> None:
    clubs = ("Matane", "Amqui")
    played = FinishedTable(clubs=clubs, sides=(WON, LOST), is_forfeit=False)
    forfeited = FinishedTable(clubs=clubs, sides=(LOST, LOST), is_forfeit=True)
    (meeting,) = list_club_meetings((played, forfeited))
    score = meeting.score
    assert (meeting.club, score.game_points, score.game_points_against) == ("Matane", 2, 0)
    assert score.match_points == 2
