"""Random legal hands from a seed: dealt, bid, prepared and played to the last card, in any ruleset."""

from dataclasses import replace
from random import Random

from rules import (
    PASS,
    RESERVE,
    TRICKS,
    Auction,
    AuctionOutcome,
    Call,
    Card,
    DealtCards,
    HandCourse,
    PackDraw,
    Play,
    Preparation,
    Ruleset,
    Seat,
    Suit,
    TrumpRule,
    build_setup,
    deal,
    prepare_play,
    shuffle_pack,
)
from rules.preparation import PLAY_MODES


def build_random_course(ruleset: Ruleset, seed: int) -> HandCourse:
    """Build a whole hand; if it is passed out, it has neither preparation nor plays."""
    random = Random(f"{ruleset.key}/{seed}")
    dealt = deal_random(ruleset, random)
    auction = run_random_auction(ruleset, dealt.dealer, random)
    if auction.outcome is None:
        return HandCourse(dealt=dealt, calls=auction.calls)
    choices = choose_preparation(ruleset, dealt, auction.outcome, random)
    play = play_random(prepare_play(ruleset, dealt, auction.outcome, choices), random)
    plays = tuple(card for trick in play.tricks for _, card in trick)
    return HandCourse(dealt=dealt, calls=auction.calls, preparation=choices, plays=plays)


def deal_random(ruleset: Ruleset, random: Random) -> DealtCards:
    pack = shuffle_pack(ruleset, seed=str(random.random()))
    dealer = Seat(random.randrange(ruleset.seats))
    if ruleset.batch:
        return deal(ruleset, pack, dealer=dealer)
    draw = PackDraw.begin(ruleset, pack, dealer=dealer)
    while not draw.is_over:
        draw = draw.add_decision(keeps_first=random.random() < 0.5)
    return draw.deal()


def run_random_auction(ruleset: Ruleset, dealer: Seat, random: Random) -> Auction:
    """Run one round of random legal calls, with enough passes to let every contract win."""
    auction = Auction(ruleset=ruleset, dealer=dealer)
    while not auction.is_over:
        legal = auction.list_legal_calls()
        passes = PASS in legal and random.random() < 0.6
        auction = auction.add_call(auction.turn, PASS if passes else _choose_call(legal, random))
    return auction


def _choose_call(legal: tuple[Call, ...], random: Random) -> Call:
    """Choose each bid with equal probability, whatever the number of suits it can be made in."""
    bid = random.choice(sorted({call.bid for call in legal}, key=str))
    return random.choice([call for call in legal if call.bid == bid])


def choose_preparation(ruleset: Ruleset, dealt: DealtCards, outcome: AuctionOutcome, random: Random) -> Preparation:
    """Choose a random play mode of the contract, with random cards given and discarded."""
    contract, declarer = outcome.contract, outcome.declarer
    mode = random.choice(contract.modes)
    way = PLAY_MODES[mode.removeprefix(RESERVE)]
    defender = exchanged = None
    if way.opponents == 1 and ruleset.seats == 4:
        defender = Seat((declarer + random.choice((1, 3))) % 4)
        exchanged = random.choice(dealt.hands[(defender + 2) % 4]) if way.exchanges else None
    ways = build_setup(ruleset, contract, declarer=declarer, mode=mode, defender=defender)
    given = random.choice(dealt.hands[(declarer + 2) % 4]) if ways.partner_card else None
    hand = [*dealt.hands[declarer], *dealt.kitty[: ways.kitty], *([given] if given else [])]
    names_trump = contract.trump is TrumpRule.NAMED and outcome.trump is None
    return Preparation(
        mode=mode,
        trump=random.choice(tuple(Suit)) if names_trump else None,
        partner_card=given,
        discards=tuple(random.sample(hand, ways.discards)),
        defender=defender,
        opponent_card=exchanged,
        opponent_discard=_choose_laid_card(dealt, defender, exchanged, random),
    )


def _choose_laid_card(dealt: DealtCards, defender: Seat | None, taken: Card | None, random: Random) -> Card | None:
    if defender is None or taken is None:
        return None
    return random.choice([*dealt.hands[defender], taken])


def play_random(play: Play, random: Random, *, tricks: int = TRICKS) -> Play:
    """Play random legal cards until this number of tricks is finished."""
    while len(play.tricks) < tricks:
        play = play.play_legal_card(random.choice(play.obligation.cards))
    return play


def list_partial_courses(course: HandCourse) -> list[HandCourse]:
    """Return the hand recorded less completely: the deal, the calls or both alone, and every shorter play."""
    parts = [
        HandCourse(dealt=course.dealt),
        HandCourse(calls=course.calls),
        HandCourse(dealt=course.dealt, calls=course.calls),
    ]
    return parts + [replace(course, plays=course.plays[:cards]) for cards in range(len(course.plays))]
