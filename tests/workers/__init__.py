"""Tests of the workers: sandbox, referee, builder, apps."""
