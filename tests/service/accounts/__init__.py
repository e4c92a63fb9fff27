"""Tests of registration, passwords and tokens."""
