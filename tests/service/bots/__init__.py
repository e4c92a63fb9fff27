"""Tests of uploads, submissions and the life of versions."""
