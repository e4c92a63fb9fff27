"""What a seat sees, as a row of numbers of fixed length: the same for every position of a game."""

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from engine.game import Game
from engine.parlett.view import ParlettView
from engine.spite.view import SpiteView
from engine.tricks.cards import CARD_OF
from engine.tricks.view import TrickView

SHOWN_DEPTH = 5
"""Cards from the top of a discard pile that are told one by one; of those beneath only the number."""


class Features(Protocol):
    """How positions of one game become rows of numbers."""

    @property
    def fields(self) -> Mapping[str, int]:
        """The parts of a row in order, each with its length. Seats count clockwise from the one that looks."""

    def row(self, view: msgspec.Struct, seat: int, scores: Sequence[int]) -> list[int]:
        """Return the row for what `seat` sees; `scores` is by seat."""


def features_of(game: Game) -> Features:
    """Return the features of a game. Raises TypeError when its view is of no known kind."""
    view = game.deal(bytes(32), 0, 0).view(0)
    if isinstance(view, SpiteView):
        return SpiteFeatures(game, view)
    if isinstance(view, TrickView):
        return TrickFeatures(game.players)
    raise TypeError(f"no features for a {type(view).__name__}")


class SpiteFeatures:
    """Features of the Spite & Malice family.

    Ranks are in printed order, the wild one last. `goal_tops` are one-hot by rank; `discard_tops` the numbers, from 1,
    of the ranks from the top down, 0 where there is no card; `must` is one-hot by centre slot, its last place standing
    for forced mode. Parlett's game adds what else its view tells, but for the memory of jokers.
    """

    def __init__(self, game: Game, view: SpiteView) -> None:
        self._players = game.players
        self._rank_of = {rank: number for number, rank in enumerate(view.unseen)}
        self._slots = 1 + max(int(slot) for move in game.moves() for slot in re.findall(r">c(\d+)$", move))
        ranks, players, slots = len(self._rank_of), game.players, self._slots
        goals, piles = len(view.goals[0]), len(view.discards[0])
        self.fields: Mapping[str, int] = {
            "hand": ranks,
            "hand_sizes": players,
            "goal_tops": players * goals * ranks,
            "goal_left": players * goals,
            "discard_tops": players * piles * SHOWN_DEPTH,
            "discard_sizes": players * piles,
            "centre": slots,
            "stock": 1,
            "spent": ranks,
            "unseen": ranks,
            "dealer": players,
            "turn": 1,
            "must": slots + 1,
        }
        if isinstance(view, ParlettView):
            self.fields = {**self.fields, "idle": 1, "plays": 1, "redeals": 1}
        self.fields = {**self.fields, "scores": players}

    def row(self, view: msgspec.Struct, seat: int, scores: Sequence[int]) -> list[int]:
        """Return the row for what `seat` sees."""
        assert isinstance(view, SpiteView)
        seats = clockwise(seat, self._players)
        row = self._counts(view.hand)
        row += [view.hand_sizes[other] for other in seats]
        for other in seats:
            for goal in view.goals[other]:
                row += self._counts([goal.top] if goal.top else [])
        row += [goal.left for other in seats for goal in view.goals[other]]
        for other in seats:
            for pile in view.discards[other]:
                shown = [1 + self._rank_of[card] for card in reversed(pile[-SHOWN_DEPTH:])]
                row += shown + [0] * (SHOWN_DEPTH - len(shown))
        row += [len(pile) for other in seats for pile in view.discards[other]]
        row += list(view.centre[: self._slots]) + [0] * (self._slots - len(view.centre))
        row += [view.stock, *view.spent.values(), *view.unseen.values()]
        row += one_hot(seats.index(view.dealer), self._players)
        row += [view.turn, *self._must(view.must)]
        if isinstance(view, ParlettView):
            row += [view.idle, view.plays, view.redeals]
        return row + [scores[other] for other in seats]

    def _counts(self, cards: Sequence[str]) -> list[int]:
        counts = [0] * len(self._rank_of)
        for card in cards:
            counts[self._rank_of[card]] += 1
        return counts

    def _must(self, must: str | None) -> list[int]:
        if must is None:
            return one_hot(None, self._slots + 1)
        return one_hot(self._slots if must == "forced" else int(must[1:]), self._slots + 1)


class TrickFeatures:
    """Features of Spoil Five and Forty-five.

    Cards are one-hot or counted in the deck's order, suits C D H S, ranks A 2 … 10 J Q K; seats one-hot, all zeros for
    nobody. `trick` and `played` have a row of cards for each seat. `pool` is 0 where none is played for.
    """

    def __init__(self, players: int) -> None:
        self._players = players
        cards = len(CARD_OF)
        self.fields: Mapping[str, int] = {
            "hand": cards,
            "trump": len(SUITS),
            "turn_up": cards,
            "trick": players * cards,
            "played": players * cards,
            "tricks_won": players,
            "pool": 1,
            "robbed": players,
            "stood": players,
            "jinker": players,
            "ace_fell": 1,
            "laid": cards,
            "dealer": players,
            "leader": players,
            "turn": 1,
            "scores": players,
        }

    def row(self, view: msgspec.Struct, seat: int, scores: Sequence[int]) -> list[int]:
        """Return the row for what `seat` sees."""
        assert isinstance(view, TrickView)
        seats = clockwise(seat, self._players)
        row = cards_in(view.hand)
        row += one_hot(SUITS.index(view.trump), len(SUITS))
        row += cards_in([view.turn_up])
        for tricks in ([view.trick], view.played):
            for other in seats:
                row += cards_in([play.card for trick in tricks for play in trick if play.seat == other])
        row += [view.tricks_won[other] for other in seats]
        row.append(view.pool or 0)
        for named in (view.robbed, view.stood, view.jinker):
            row += one_hot(None if named is None else seats.index(named), self._players)
        row.append(int(view.ace_fell))
        row += cards_in([view.laid] if view.laid else [])
        row += one_hot(seats.index(view.dealer), self._players)
        row += one_hot(seats.index(view.leader), self._players)
        row.append(view.turn)
        return row + [scores[other] for other in seats]


SUITS = "CDHS"


def clockwise(seat: int, players: int) -> list[int]:
    """Return all seats, beginning with one."""
    return [(seat + step) % players for step in range(players)]


def one_hot(place: int | None, length: int) -> list[int]:
    """Return a row of zeros with a 1 in one place, or in none."""
    row = [0] * length
    if place is not None:
        row[place] = 1
    return row


def cards_in(cards: Sequence[str]) -> list[int]:
    """Return a row with a place for each card of the deck, 1 for those given."""
    row = [0] * len(CARD_OF)
    for card in cards:
        row[CARD_OF[card]] = 1
    return row
