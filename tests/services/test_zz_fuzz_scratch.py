import random, pytest
from tests.services.test_bracket_bugs import *
from tournaments.services import draw_round, publish_round
pytestmark = pytest.mark.django_db
ROUNDS=[]
@pytest.mark.parametrize("seed", range(60))
def test_fuzz(seed):
    r = random.Random(seed)
    fmt = r.choice(["knockout","double_elimination","double_elimination","consolation"])
    pairs = r.choice([4,5,6,7,8])
    event = a_running_night(pairs, draw_format=fmt)
    number = 1
    corrected = False
    log=[fmt,pairs]
    while True:
        for match in matches_of(event, number):
            win(match, r.choice("AB"))
        close_round(event_id=event.pk, number=number)
        try:
            next_round(event)
        except Refusal as ref:
            assert ref.code in ("nothing_left_to_draw",), (log, ref.code)
            break
        number += 1
        if not corrected and r.random() < .5:
            corrected = True
            rnd = number - 1
            t = r.randrange(len(matches_of(event, rnd)))
            m = matches_of(event, rnd)[t]
            w = m.summary["winner"]
            log.append((rnd, seated(event, rnd)[t], "now", "AB".replace(w,"")))
            mark(m, f"{'AB'.replace(w,'')} gros_charlemagne made", replacing=m.marks.get(number=2), director=an_account())
            for _ in range(6):
                cs = contradictions(event)
                log.append(cs)
                if not cs: break
                c = cs[0]
                assert len(c["seated"]) == len(c["expected"]) == 1, log
                swap_entries(event_id=event.pk, number=c["round"], one=c["seated"][0], other=c["expected"][0])
            assert not contradictions(event), log
    rows = standings_after(event)
    assert not contradictions(event), log
    top = [row["entry"] for row in rows if row["rank"] == 1]
    # champion: winner of last played table of slot F/W
    assert len(top) == 1, (log, [(x["entry"], x["rank"]) for x in rows])
