"""Tests of entries and standings."""
