"""Tests of the stories and pictures of matches."""
