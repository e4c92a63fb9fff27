"""Tests of the Celery apps."""
