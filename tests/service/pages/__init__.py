"""Tests of the pages people look at."""
