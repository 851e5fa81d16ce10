"""The score of a meeting of two clubs, from its tables."""

from tournaments.rounds.presenters.meetings import iterate_table_results, list_club_meetings


def test_board_forfeited_by_both_clubs_is_won_by_neither() -> None:
    clubs = ("Matane", "Amqui")
    played = iterate_table_results(clubs, has_won=(True, False))
    forfeited = iterate_table_results(clubs, has_won=(False, False), is_forfeit=True)
    (meeting,) = list_club_meetings([*played, *forfeited])
    score = meeting.score
    assert (meeting.club, score.game_points, score.game_points_against) == ("Matane", 2, 0)
    assert score.match_points == 2
