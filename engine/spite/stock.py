"""The stock, cut so that one seat's pace does not change the other seats' cards (docs/log.md, "Chance")."""


class Stock:
    """Face-down cards in one fixed order, each seat drawing from a place of its own.

    Two seats: seat 0 draws from the front, seat 1 from the back. More: the order is cut into segments of equal
    size, the remainder to the lowest seats; a seat draws from the front of its own and, once that is empty, from the
    back of the longest other, the lowest seat's where several are longest.
    """

    def __init__(self, players: int) -> None:
        self._players = players
        self._cards: list[int] = []
        # Segment i holds _cards[_first[i]:_end[i]]; two seats share one.
        self._first: list[int] = []
        self._end: list[int] = []
        self.count = 0

    def refill(self, cards: list[int]) -> None:
        """Replace the stock by these cards, front first."""
        self._cards = cards
        self.count = len(cards)
        segments = 1 if self._players == 2 else self._players
        size, remainder = divmod(len(cards), segments)
        self._first = []
        self._end = []
        start = 0
        for segment in range(segments):
            end = start + size + (segment < remainder)
            self._first.append(start)
            self._end.append(end)
            start = end

    def draw(self, seat: int) -> int:
        """Take the seat's next card; the stock must not be empty."""
        self.count -= 1
        if self._players == 2:
            segment = 0
            from_front = seat == 0
        else:
            segment = seat
            from_front = self._first[seat] < self._end[seat]
            if not from_front:
                segment = self._longest()
        if from_front:
            card = self._cards[self._first[segment]]
            self._first[segment] += 1
        else:
            self._end[segment] -= 1
            card = self._cards[self._end[segment]]
        return card

    def cards(self) -> list[int]:
        """Return what is left, front first."""
        left: list[int] = []
        for first, end in zip(self._first, self._end, strict=True):
            left += self._cards[first:end]
        return left

    def _longest(self) -> int:
        lengths = [end - first for first, end in zip(self._first, self._end, strict=True)]
        return lengths.index(max(lengths))
