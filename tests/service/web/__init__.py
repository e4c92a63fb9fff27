"""Tests of guards, headers, limits and problems."""
