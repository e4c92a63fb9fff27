"""The whole product, as a newcomer starts it: nothing in these tests stands in for anything."""
