"""Why a version cannot be built, for its owner."""


class BuildError(Exception):
    """The build failed by the author's doing; the message says what to change."""
