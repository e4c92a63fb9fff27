"""Ladders: the default ones, who is on them, and their standings."""
