"""The stock, cut so that one seat's pace does not change the other seats' cards (docs/log.md, "Chance")."""


class Stock:
    """Face-down cards in one fixed order, each seat drawing from a place of its own.

    Two seats: seat 0 draws from the front, seat 1 from the back. More: the order is cut into segments of equal
    size, the remainder to the lowest seats; a seat draws from the front of its own and, once that is empty, from the
    back of the longest other, the lowest seat's where several are longest.
    """

    def __init__(self, players: int) -> None:
        self._players: int = players
        self._cards: list[int] = []
        # Segment i holds _cards[_first[i]:_end[i]]; two seats share one.
        self._first: list[int] = [0] * (1 if players == 2 else players)
        self._end: list[int] = self._first.copy()
        self.count: int = 0

    def refill(self, cards: list[int]) -> None:
        """Replace the stock by these cards, front first."""
        self._cards = cards
        self.count = len(cards)
        segments = 1 if self._players == 2 else self._players
        size, remainder = divmod(len(cards), segments)
        start = 0
        for segment in range(segments):
            end = start + size + (1 if segment < remainder else 0)
            self._first[segment] = start
            self._end[segment] = end
            start = end

    def draw(self, seat: int) -> int:
        """Take the seat's next card; the stock must not be empty."""
        if self._players > 2:
            return self.take(seat, 1)[0]
        self.count -= 1
        if seat == 0:
            first = self._first[0]
            self._first[0] = first + 1
            return self._cards[first]
        end = self._end[0] - 1
        self._end[0] = end
        return self._cards[end]

    def take(self, seat: int, wanted: int) -> list[int]:
        """Take the seat's next cards in the order it draws them, as many as wanted or all there are."""
        if wanted > self.count:
            wanted = self.count
        self.count -= wanted
        segment = 0 if self._players == 2 else seat
        if segment == seat:
            first = self._first[seat]
            end = self._end[seat]
            if first + wanted <= end:
                self._first[seat] = first + wanted
                return self._cards[first : first + wanted]
            drawn = self._cards[first:end]
            self._first[seat] = end
            while len(drawn) < wanted:
                drawn += self._from_back(self._longest(), 1)
            return drawn
        return self._from_back(0, wanted)

    def cards(self) -> list[int]:
        """Return what is left, front first."""
        left: list[int] = []
        for segment in range(len(self._first)):
            left += self._cards[self._first[segment] : self._end[segment]]
        return left

    def copy(self) -> "Stock":
        """Return a stock of its own with the same cards in the same order."""
        twin = Stock(self._players)
        twin._cards = self._cards
        twin._first = self._first.copy()
        twin._end = self._end.copy()
        twin.count = self.count
        return twin

    def _from_back(self, segment: int, wanted: int) -> list[int]:
        end = self._end[segment]
        drawn = self._cards[end - wanted : end]
        drawn.reverse()
        self._end[segment] = end - wanted
        return drawn

    def _longest(self) -> int:
        longest = 0
        for segment in range(1, len(self._first)):
            if self._end[segment] - self._first[segment] > self._end[longest] - self._first[longest]:
                longest = segment
        return longest
