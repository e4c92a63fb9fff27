"""Trick games of the Spoil Five family: Spoil Five and Forty-five.

May import `engine.chance`, `engine.errors`, `engine.game` and `engine.profile`. `cards`, `moves`, `scoring` and `deal`
are the hot path: plain typed Python. Structs that travel live in `view` and `options`.
"""
