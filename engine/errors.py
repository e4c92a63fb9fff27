"""What the engine refuses, each with the exact reason."""


class EngineError(ValueError):
    """Base of everything the engine refuses."""


class RulesError(EngineError):
    """A rule set that cannot be played: unknown name, impossible option or deck size."""


class IllegalMoveError(EngineError):
    """A move that is not among the legal ones of the seat to act."""


class LogError(EngineError):
    """A match log that is not well formed, not intact, or does not replay.

    `line` is the 1-based number of the first wrong line (0: the log as a whole, such as an empty file).
    """

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}" if line else message)
        self.line = line
        self.message = message
