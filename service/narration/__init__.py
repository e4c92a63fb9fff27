"""Matches as people follow them: told move by move, and drawn as a table after every move; games in words.

A room per family of games, and one for games nobody has written words for. Pages and the command line show what
these return. Imports the engine only.
"""
