"""Tests of the referee: one leg, one fixture; channel, clock, faults."""
