"""Parlett's Spite & Malice."""
