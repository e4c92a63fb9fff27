"""Tests of Parlett's Spite & Malice."""
