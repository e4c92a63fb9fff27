"""The supervisor, with real processes."""
