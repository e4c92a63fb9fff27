"""Trick games of the Spoil Five family."""
