"""Ratings: the TrueSkill update, the rater, rank intervals, rebuilding. Imports models and storage only.

A rating is a projection of results. Nothing but the rater writes one, and all of them can be worked out again from
the results alone (docs/ratings.md).
"""
