"""Tests of the HTTP API through its client."""
