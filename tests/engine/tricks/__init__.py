"""Tests of the trick games."""
