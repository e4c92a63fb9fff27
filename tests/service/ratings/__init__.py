"""Tests of the ratings: the update, the rater, rank intervals, rebuilding."""
