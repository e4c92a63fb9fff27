"""The house bots and the starter, driven as real processes through the protocol against the real engine."""
