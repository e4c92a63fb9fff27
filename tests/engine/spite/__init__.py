"""Spite & Malice: the common game."""
