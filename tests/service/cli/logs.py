"""A real match log, made on the engine without any process."""

from collections.abc import Mapping, Sequence

from engine.chance import bot_seed
from engine.games import game_from_profile
from engine.log import ClockInfo, LogWriter, SeatInfo, header_for
from engine.match import Match

SEED = bytes(range(32))


def sample_log(
    target: int = 10,
    fixture: str = "f1",
    *,
    profile: str = "short",
    players: int = 2,
    options: Mapping[str, object] | None = None,
    versions: Sequence[str] = (),
) -> bytes:
    """Return the log of a match between sides that make the first legal move, the goal pile's if there is one.

    `versions` are by seat; left out they are `v0`, `v1` and so on, by side.
    """
    game = game_from_profile(profile, players, options)
    versions = versions or [f"v{seat % game.sides}" for seat in range(players)]
    seats = [SeatInfo(version, "0" * 64, "python", bot_seed(SEED, version)) for version in versions]
    clock = ClockInfo(start_ms=5000, bank_ms=10000, increment_ms=20, leg_ms=60000)
    log = LogWriter(
        header_for(game, target=target, seed=SEED, fixture=fixture, leg=0, clock=clock, seats=seats)
    )
    match = Match(game, target, SEED)
    number = -1
    while not match.over:
        if match.number != number:
            number, deal = match.number, match.deal
            log.deal(number, match.dealer, deal.starting_cards())
        seat = match.deal.to_act
        assert seat is not None
        move = match.deal.legal()[0]
        log.act(seat, move, 100, 10_000)
        if result := match.apply(move):
            log.deal_over(number, result, list(match.scores))
    assert match.reason is not None
    log.over(list(match.scores), match.places(), match.reason, [])
    return log.finish()
